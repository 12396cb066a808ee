"""Prints whether answers keep the rules: `python -m tests.answer_report REPOSITORY... [--targets N] [--data-dir FOLDER]`.

Of every repository, which is indexed first where need be, random symbols are looked up, and each snapshot of each answer is
held to the rules of `snapshot_rules.py`. `--data-dir` names a folder for the indexes, one of the repository's name in it; without
it they are made where `astrolabe index` makes them. The exit code is 1 when a rule is violated.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import astrolabe
from astrolabe.server.api.requests.search_results import ResultList

from .snapshot_rules import RULES, Shown, Target, violations

_FILES = "MATCH (f:File) WHERE f.parseStatus = 'ok' RETURN f.relativePath"
#: Import and export statements and comments are no targets by themselves, but parts of what snapshots show.
_SYMBOLS = """
    MATCH (s:Symbol) WHERE NOT s.kind IN ['import', 'comment', 're-export', 'export']
    RETURN s.breadcrumb, s.relativePath ORDER BY s.breadcrumb"""


@dataclass
class Tally:
    """What is counted over answers."""

    answers: int = 0
    snapshots: int = 0
    cut: int = 0
    collapsed: int = 0
    tokens: int = 0
    broken: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in RULES})
    kinds: Counter[str] = field(default_factory=Counter)


def sample(workspace: astrolabe.Workspace, targets: int, seed: int) -> list[str]:
    """Breadcrumbs of random symbols; each has the same chance."""
    read = {path for (path,) in workspace.cypher(_FILES).rows}
    breadcrumbs = list(dict.fromkeys(name for name, path in workspace.cypher(_SYMBOLS).rows if path in read))
    return random.Random(seed).sample(breadcrumbs, min(targets, len(breadcrumbs)))


def snapshots(root: Path, results: ResultList) -> Iterator[Shown]:
    """Each snapshot of an answer with the targets that it is to show."""
    for item in results.answer.texts[1:]:
        path = item.text.split("\n", 1)[0].removeprefix("// ")
        data = (root / path).read_bytes().removeprefix(b"\xef\xbb\xbf")
        targets = [Target(found.name, found.start_line, found.end_line) for found in results if found.file == path]
        yield Shown(path, data.decode("utf-8", "replace"), item.text, targets)


def check(root: Path, results: ResultList, tally: Tally) -> None:
    """Counts an answer, and what it violates."""
    tally.answers += 1
    tally.tokens += results.answer.tokens
    tally.kinds.update(result.kind for result in results)
    for shown in snapshots(root, results):
        tally.snapshots += 1
        tally.cut += shown.is_cut
        tally.collapsed += shown.is_collapsed
        for rule, sentence in violations(shown):
            tally.broken[rule].append(f"{results.query}: {sentence}")


def main(arguments: Sequence[str]) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.answer_report", description=__doc__)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--targets", type=int, default=2000, help="random symbols over all repositories")
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=5, help="violations of each rule that are shown")
    options = parser.parse_args(arguments)
    tally = Tally()
    for root in options.repositories:
        data_dir = options.data_dir / root.name if options.data_dir else None
        with astrolabe.open(root, data_dir=data_dir) as workspace:
            for breadcrumb in sample(workspace, options.targets // len(options.repositories), options.seed):
                check(workspace.root, workspace.symbol(breadcrumb), tally)
        print(f"{root.name}: {tally.answers} answers so far", file=sys.stderr)
    return _report(tally, options.examples)


def _report(tally: Tally, examples: int) -> int:
    print(
        f"{tally.answers:,} answers with {tally.snapshots:,} snapshots, {tally.tokens / max(tally.answers, 1):,.0f} tokens each"
    )
    print(
        f"collapsed {tally.collapsed:,}, cut {tally.cut:,}; {', '.join(f'{n:,} {kind}' for kind, n in tally.kinds.most_common())}"
    )
    for name, broken in tally.broken.items():
        print(f"{name}: {f'{len(broken)} violations' if broken else '✓'}")
        for sentence in broken[:examples]:
            print(f"    {sentence[:300]}")
    return 1 if any(tally.broken.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
