"""Count the calls of object mappers in a repository, by a pattern of their text, and those from which an edge to a table begins.

    python -m tests.benchmarks.statement_coverage ROOT PATTERN [--without FOLDER ...] [--list N]

Tests, migrations and declaration files do not count. An edge belongs to a call if its line is that of the call, or one of the
next lines, over which chains extend. `--list` prints N calls without an edge, and N edges at random with the text, for reading.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from astrolabe.ingest.files.path_roles import is_test_path

from ..collected_graph import collected_graph

#: Lines before and after the text of a call in which an edge belongs to the call.
_BEFORE, _AFTER = 1, 6
_ENDINGS = (".ts", ".tsx", ".mts", ".js", ".cjs", ".mjs", ".rb", ".kt")


def calls(root: Path, paths: Sequence[str], pattern: re.Pattern[str]) -> Iterator[tuple[str, int, int]]:
    """Yield the path, and the first and last line, of each text that the pattern matches."""
    for path in paths:
        text = (root / path).read_text("utf-8", "replace")
        for match in pattern.finditer(text):
            yield path, text.count("\n", 0, match.start()) + 1, text.count("\n", 0, match.end()) + 1


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("pattern", type=re.compile)
    parser.add_argument("--without", nargs="*", default=[])
    parser.add_argument("--list", type=int, default=0)
    arguments = parser.parse_args()
    content, discovery = collected_graph(arguments.root)
    symbols = {symbol.id: symbol for symbol in content.symbols}
    uses = [use for use in content.data_uses if use.evidence in ("call", "declared")]
    lines: dict[str, set[int]] = defaultdict(set)
    for use in uses:
        lines[symbols[use.from_id].relative_path].update(use.lines)
    left_out = tuple(f"{each.strip('/')}/" for each in arguments.without)
    paths = [
        path
        for path in sorted(file.relative_path for file in discovery.files)
        if path.endswith(_ENDINGS) and not path.endswith(".d.ts") and not path.startswith(left_out)
        if not is_test_path(path) and "migrations/" not in path
    ]
    found = list(calls(arguments.root, paths, arguments.pattern))
    missed = [each for each in found if not lines[each[0]] & set(range(each[1] - _BEFORE, each[2] + _AFTER + 1))]
    print("| repository | edges | calls | with an edge | share |\n|---|---:|---:|---:|---:|")
    ours = len(found) - len(missed)
    print(f"| {arguments.root.name} | {len(uses):,} | {len(found):,} | {ours:,} | {ours / max(len(found), 1):.3f} |")
    chosen = random.Random(1)
    for path, line, _ in chosen.sample(missed, min(arguments.list, len(missed))):
        print("missed", f"{path}:{line}", _text(arguments.root, path, line))
    for use in chosen.sample(uses, min(arguments.list, len(uses))):
        start, end = symbols[use.from_id], symbols[use.to_id]
        verb = "modifies" if use.modifies else "reads"
        print("edge", f"{start.relative_path}:{use.lines[0]}", start.name, verb, end.qualified_name, use.statement)
        print("    ", _text(arguments.root, start.relative_path, use.lines[0]))


def _text(root: Path, path: str, line: int) -> str:
    return (root / path).read_text("utf-8", "replace").splitlines()[line - 1].strip()[:120]


if __name__ == "__main__":
    main()
