"""Compare what a change is said to break with the new errors of the language's own compiler.

    python -m tests.benchmarks.breakage_agreement ROOT --judge COMMAND [--below FOLDER] [--breaks 30] [--seed 1]

ROOT is a clean clone whose work tree is changed and restored. Each break renames the declaration of one random symbol of the
files below FOLDER, or takes it away. COMMAND is run in ROOT before and after; it prints diagnostics as `file:line:column`,
`file(line,column)` or pyright's JSON. A break counts if the compiler reports new errors outside of the declaration.
Prints one row of a Markdown table, and each break that was not told and each place that the compiler does not confirm.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from astrolabe.ingest.changes.comparison import compare_states
from astrolabe.ingest.changes.states import Comparison, compared_states
from astrolabe.ingest.files.path_roles import is_test_path
from astrolabe.ingest.history.git import GitRepository
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.workers.file_symbols import file_symbols
from astrolabe.schema.languages import language_of
from astrolabe.schema.settings import Settings

#: Kinds of symbols that are renamed or removed.
BREAKABLE = frozenset(("function", "method", "class", "interface", "const", "variable"))
_DIAGNOSTIC = re.compile(r"^(?:vet: )?\.?/?([^\s:(][^:(]*)[:(](\d+)[:,](\d+)\)?: (.*)$")
Place = tuple[str, int]


class Break(NamedTuple):
    """A change of one file that may break others."""

    path: str
    name: str
    way: str
    lines: range
    text: str


def diagnostics(root: Path, judge: str) -> Counter[tuple[str, int, str]]:
    """Return the errors that a compiler reports, by file, line and message."""
    done = subprocess.run(judge, shell=True, cwd=root, capture_output=True, text=True, check=False)
    found: Counter[tuple[str, int, str]] = Counter()
    if done.stdout.startswith("{"):
        for each in json.loads(done.stdout)["generalDiagnostics"]:
            if each["severity"] == "error":
                path = Path(each["file"]).resolve().relative_to(root).as_posix()
                found[path, each["range"]["start"]["line"] + 1, each["message"].splitlines()[0]] += 1
        return found
    for line in (done.stdout + done.stderr).splitlines():
        if match := _DIAGNOSTIC.match(line):
            found[match[1], int(match[2]), match[4]] += 1
    return found


def breaks(root: Path, below: str, seed: int) -> Iterator[Break]:
    """Yield changes of random symbols without end."""
    chance = random.Random(seed)
    names = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout.split("\n")
    paths = [path for path in names if path.startswith(below) and language_of(path) and not is_test_path(path)]
    while paths:
        path = chance.choice(paths)
        data = (root / path).read_bytes()
        facts = extract_facts(data, language_of(path) or "")
        symbols = [each for each in file_symbols(path, facts.symbols) if each.kind in BREAKABLE and each.name.isidentifier()]
        if not symbols:
            continue
        symbol = chance.choice(symbols)
        lines = data.decode().split("\n")
        span = range(symbol.declaration_line, symbol.end_line + 1)
        head = lines[span.start - 1]
        renamed = re.sub(rf"\b{re.escape(symbol.name)}\b", f"{symbol.name}Renamed", head, count=1)
        if renamed == head or symbol.name.startswith("__") or symbol.name == "default":
            continue
        if chance.random() < 0.5 and symbol.kind in ("function", "method"):
            yield Break(path, symbol.qualified_name, "removed", span, "\n".join(lines[: span.start - 1] + lines[span.stop - 1 :]))
        else:
            lines[span.start - 1] = renamed
            yield Break(path, symbol.qualified_name, "renamed", span, "\n".join(lines))


def told_places(root: Path) -> set[Place]:
    """Return what the change of the work tree is said to break, without overrides, which most compilers do not demand."""
    git = GitRepository(root)
    with compared_states(git, Comparison(), Settings().max_file_size) as states:
        broken = compare_states(states, root.as_posix()).broken
    return {(each.path, each.line) for each in broken if "which overrode" not in each.reason}


def main() -> None:
    """Print the row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--judge", required=True)
    parser.add_argument("--below", default="")
    parser.add_argument("--breaks", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    root = wanted.root.resolve()
    before = diagnostics(root, wanted.judge)
    judged = told = places = found = ours = confirmed = 0
    seconds = []
    for change in breaks(root, wanted.below, wanted.seed):
        if judged >= wanted.breaks:
            break
        file = root / change.path
        original = file.read_bytes()
        try:
            file.write_text(change.text)
            after = diagnostics(root, wanted.judge)
            messages = Counter((path, message) for path, _, message in before.elements())
            errors: set[Place] = set()
            for path, line, message in sorted(after.elements()):
                if messages[path, message] > 0:
                    messages[path, message] -= 1
                else:
                    errors.add((path, line))
            start = time.perf_counter()
            answer = told_places(root)
            seconds.append(time.perf_counter() - start)
        finally:
            file.write_bytes(original)
        outside = {
            place for place in errors if place[0] != change.path or change.way == "removed" or place[1] not in change.lines
        }
        ours += len(answer)
        confirmed += len(answer & errors)
        for path, line in sorted(answer - errors):
            print(f"not confirmed: {change.way} {change.name} of {change.path}: {path}:{line}", file=sys.stderr)
        if not outside:
            continue
        judged += 1
        told += bool(answer)
        places += len(outside)
        found += len(outside & answer)
        for path, line in sorted(outside - answer):
            kind = "missed" if answer else "NOT TOLD"
            message = next((text for at, row, text in after if (at, row) == (path, line)), "")
            print(f"{kind}: {change.way} {change.name} of {change.path}: {path}:{line} {message}", file=sys.stderr)
    seconds.sort()
    print("| repository | breaks | told | places of the compiler | told | our places | confirmed | median s |")
    middle = seconds[len(seconds) // 2] if seconds else 0.0
    print(f"| {root.name} | {judged} | {told} | {places} | {found} | {ours} | {confirmed} | {middle:.2f} |")


if __name__ == "__main__":
    main()
