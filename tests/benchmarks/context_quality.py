"""Prints how much of a change `codebase_context` shows: `python tests/benchmarks/context_quality.py DIR DATA NAME=GIT...`.

DIR is what `localise_build.py` of the judges made: the tasks are the subjects of commits, and the code is that before them.
GIT is the repository of a NAME, which is read for the tests that a commit changed. DATA keeps the indexes.

For each repository, the columns are the mean shares of the edited places and changed test files in answers of 4,000 tokens:

- `search`: edited places in the results that a search with the same budget and without the relevance gate shows;
- `shown`: edited places in the results whose source the answer shows;
- `named`: edited places in any symbol that the answer shows or names;
- `innermost`: the same, but a place within a method or function does not count by a class or an object around it;
- `tests`: test files that the commit changed, and that existed before, among the files of the section `tests`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import astrolabe
from astrolabe.schema.symbol_kinds import CALLABLE_KINDS
from astrolabe.server.api.graph_tools.records import Entry
from astrolabe.server.api.workspace import Workspace
from markdown_tables import print_head, print_row
from suspect_quality import TEST

#: Budget of an answer, in tokens.
BUDGET = 4_000
COLUMNS = ("search", "shown", "named", "innermost", "tests")

#: Path, first and last line.
Place = tuple[str, int, int]


class Shares(NamedTuple):
    """The shares of one task, in the order of COLUMNS; None if its commit changed no test."""

    search: float
    shown: float
    named: float
    innermost: float
    tests: float | None


def shares(workspace: Workspace, line: Mapping[str, Any], tests: Sequence[str]) -> Shares:
    """Ask for the context of a task, and compare it with what its commit changed."""
    task = f"{line['query']}\n{line['body']}".strip()
    edits = [(edit["file"], edit["startLine"], edit["endLine"]) for edit in line["edits"]]
    found = workspace.search(task, budget=BUDGET, min_score=0.0)
    searched = [(each.file, each.start_line, each.end_line) for each in found]
    answer = workspace.graph.codebase_context(task, budget=BUDGET).answer
    shown = list(_places(workspace, answer.sections.get("found", ())))
    named = list(_places(workspace, [entry for section in answer.sections.values() for entry in section]))
    inner = {edit: _innermost(workspace, edit) for edit in edits}
    files = {entry.name for entry in answer.sections.get("tests", ())}
    return Shares(
        _covered(edits, searched),
        _covered(edits, shown),
        _covered(edits, named),
        sum(_covered([edit], [place for place in named if _within(place, inner[edit])]) for edit in edits) / len(edits),
        sum(path in files for path in tests) / len(tests) if tests else None,
    )


def _covered(edits: Sequence[Place], places: Iterable[Place]) -> float:
    kept = list(places)
    return sum(
        any(path == file and first <= end and last >= begin for path, first, last in kept) for file, begin, end in edits
    ) / len(edits)


def _innermost(workspace: Workspace, edit: Place) -> Place | None:
    """Return the lines of the innermost method or function, other than a callback or a nested one, that contains an edit."""
    path, begin, end = edit
    rows = [
        row
        for row in workspace.files(path=path).symbols(depth__lte=1)
        if row.kind in CALLABLE_KINDS and row.start_line <= begin and row.end_line >= end
    ]
    inner = min(rows, key=lambda row: row.end_line - row.start_line, default=None)
    return None if inner is None else (path, inner.start_line, inner.end_line)


def _within(place: Place, outer: Place | None) -> bool:
    return outer is None or (outer[1] <= place[1] and place[2] <= outer[2])


def _places(workspace: Workspace, entries: Iterable[Entry]) -> Iterator[Place]:
    """Yield the lines of the symbols that some entries name, themselves or in their details."""
    wanted: dict[str, set[int]] = {}
    for entry in entries:
        path, _, line = entry.at.rpartition(":")
        if line.isdecimal():
            wanted.setdefault(path, set()).add(int(line))
        for detail in entry.details:
            wanted.setdefault(entry.name, set()).add(int(detail.partition(" ")[0]))
    for path, lines in wanted.items():
        for row in workspace.files(path=path).symbols():
            if row.start_line in lines:
                yield path, row.start_line, row.end_line


def changed_tests(repository: str, commit: str, root: Path) -> list[str]:
    """Return the tests that a commit changed and that the indexed code has."""
    command = ["git", "-C", repository, "diff-tree", "-r", "--no-commit-id", "--name-only", "--diff-filter=M", commit]
    changed = subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()
    return [path for path in changed if TEST.search(path) and (root / path).is_file() and not path.endswith((".md", ".json"))]


def main() -> None:
    """Print a row for each repository, and the means over all tasks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("repositories", nargs="+")
    options = parser.parse_args()
    print_head(("repository", "tasks", *COLUMNS))
    everything: list[Shares] = []
    for argument in options.repositories:
        name, _, repository = argument.partition("=")
        root = options.folder / "src" / f"{name}@S"
        lines = [json.loads(line) for line in (options.folder / "localise" / f"{name}.jsonl").read_text("utf-8").splitlines()]
        with astrolabe.open(root, data_dir=options.data / name) as workspace:
            found = [shares(workspace, line, changed_tests(repository, line["commit"], root)) for line in lines]
        print_row((name, str(len(found)), *_means(found)))
        everything += found
    print_row(("all", str(len(everything)), *_means(everything)))


def _means(found: Sequence[Shares]) -> list[str]:
    columns = (tuple(value for value in column if value is not None) for column in zip(*found, strict=True))
    return [f"{fmean(column):.3f} of {len(column)}" if column else "none" for column in columns]


if __name__ == "__main__":
    main()
