"""Prints how the parser and the chunker do: `python -m tests.parser_report [FOLDER...]`.

Without folders it reads the fixtures, compares each with its sidecar, and prints a dashboard. With folders
it holds every TypeScript and JavaScript file below them to the rules, and counts the files whose tree has errors after recovery.
The exit code is 1 when something is red. `--examples N` sets how many violations of a rule are shown (5); `--problems FILE`
writes down what the parser could not read.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .expectations import differences, fixture_sources, found, known_differences, load, read_fixture
from .reading import FileReading, read_source, source_files
from .rules import RULES, violations

FIXTURES = Path(__file__).resolve().parents[1] / "ingest" / "parser_fixtures"
_RED, _GREEN, _PLAIN = "\033[31m", "\033[32m", "\033[0m"


@dataclass
class Tally:
    """What is counted over files."""

    files: int = 0
    characters: int = 0
    symbols: int = 0
    chunks: int = 0
    #: Characters of the longest text that is embedded at once, and its breadcrumb.
    longest: tuple[int, str] = (0, "")
    deepest: tuple[int, str] = (0, "")
    with_problems: list[FileReading] = field(default_factory=list)
    broken: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in RULES})

    def add(self, file: FileReading) -> None:
        """Count a file, and hold it to the rules."""
        self.files += 1
        self.characters += len(file.data)
        self.symbols += len(file.symbols)
        self.chunks += len(file.chunks)
        for chunk in file.chunks:
            self.longest = max(self.longest, (max(map(len, chunk.embedding_pieces)), chunk.breadcrumb))
        for symbol in file.symbols:
            self.deepest = max(self.deepest, (symbol.depth, file.path))
        if file.problems:
            self.with_problems.append(file)
        for name, broken in violations(file):
            self.broken[name].append(f"{file.path}: {broken}")


def fixtures_report() -> bool:
    """Prints the dashboard over the fixtures; True when all of it is green."""
    tally, failed, known = Tally(), [], 0
    for source in fixture_sources(FIXTURES):
        file, expected = read_fixture(source), load(source)
        tally.add(file)
        known += len(known_differences(expected))
        failed += [f"{source.name}: {told}" for told in differences(expected, found(file))]
    names = {source.name.split(".")[0] for source in fixture_sources(FIXTURES)}
    bad = {told.split(".")[0] for told in failed}
    print("Parser Validation Summary\n" + "═" * 35)
    _line("Fixtures", f"{len(names) - len(bad)} passed, {len(bad)} failed ({tally.files} files)", not bad)
    _line("Known differences", f"{known}", known == 0)
    _figures(tally)
    for told in failed:
        print(f"  {told}")
    _rules(tally, 20)
    return not bad and not any(tally.broken.values())


def _figures(tally: Tally) -> None:
    uncovered = len(tally.broken["full coverage"])
    _line("Total symbols extracted", f"{tally.symbols:,}")
    _line("Total chunks produced", f"{tally.chunks:,}")
    coverage = f"{uncovered} lines uncovered or covered twice" if uncovered else "100% (no uncovered lines)"
    _line("Coverage", coverage, not uncovered)
    size, longest = tally.longest
    _line("Max chunk token count", f"{(size + 3) // 4:,} ({longest})", not tally.broken["token limit"])
    _line("Max depth observed", f"{tally.deepest[0]} ({tally.deepest[1]})")
    stable = not tally.broken["deterministic ids"]
    _line("Determinism", "✓ (all IDs stable across 2 runs)" if stable else "✗", stable)


def _rules(tally: Tally, examples: int) -> None:
    for name, broken in tally.broken.items():
        _line(f"Rule: {name}", f"{len(broken)} violations" if broken else "✓", not broken)
        for told in broken[:examples]:
            print(f"    {told[:300]}")


def folders_report(folders: Sequence[Path], examples: int, lists_problems: Path | None) -> bool:
    """Prints what the files below some folders violate; True when nothing."""
    tally, started = Tally(), time.perf_counter()
    for folder in folders:
        for path in source_files(folder):
            tally.add(read_source(f"{folder.name}/{path.relative_to(folder).as_posix()}", path.read_bytes()))
    print("Parser Validation Summary\n" + "═" * 35)
    _line("Files", f"{tally.files:,} ({tally.characters / 1e6:,.1f} MB, {time.perf_counter() - started:.0f} s)")
    share = len(tally.with_problems) / max(tally.files, 1)
    _line("Files with problems", f"{len(tally.with_problems)} ({share:.3%})", share <= 0.001)
    _figures(tally)
    _rules(tally, examples)
    if lists_problems:
        _write_problems(tally, lists_problems)
    return not any(tally.broken.values())


def _write_problems(tally: Tally, target: Path) -> None:
    lines = [f"{file.path}:{problem.line}: {problem.reason}" for file in tally.with_problems for problem in file.problems]
    target.write_text("\n".join(lines) + "\n", "utf-8")


def _line(title: str, text: str, good: bool | None = None) -> None:
    """A line of the dashboard; on a terminal green or red where that means something."""
    if good is None or not sys.stdout.isatty():
        print(f"{title}: {text}")
    else:
        print(f"{title}: {_GREEN if good else _RED}{text}{_PLAIN}")


def main(arguments: Sequence[str]) -> int:
    """The exit code: 0 when everything is green."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--examples", type=int, default=5, metavar="N", help="violations shown of each rule (5)")
    parser.add_argument("--problems", type=Path, metavar="FILE", help="write the problems of files there")
    options = parser.parse_args(arguments)
    if not options.folders:
        return 0 if fixtures_report() else 1
    return 0 if folders_report([folder.resolve() for folder in options.folders], options.examples, options.problems) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
