"""Prints how often the workflow bug-fix suspects what the fix changed: `python tests/benchmarks/suspect_quality.py CASES`.

CASES is a file with a line for each error: a bare Git repository, the commit of the fix, and a file with the stack trace, with
tabs between. The first parent of the commit is indexed without tests and documents. The rank is that of the first suspect other
than a class whose lines the fix changed, outside of tests.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import astrolabe
from markdown_tables import print_head, print_row

#: Suspects that count.
FIRST = 5
_TEST = re.compile(r"(?:^|/)(?:tests?|testing|testdata|__tests__|docs?)/|_test\.|(?:^|/)test_|Tests?\.java|\.(?:test|spec)\.")
_SOURCE = re.compile(r"\.(?:py|java|go|ts|tsx|js|rs|rb|php|cs|c|cc|cpp|h|kt)$")
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? ")
_CONTAINERS = frozenset(("class", "interface", "struct"))

#: Path and first and last line of what a fix changed.
Changed = tuple[str, int, int]


def changed_lines(repository: str, fix: str) -> list[Changed]:
    """Return the lines of the parent that a fix changed outside of tests; for added lines, those around them."""
    difference = _git(repository, "diff", "-U0", f"{fix}^", fix).decode(errors="replace")
    found: list[Changed] = []
    path = ""
    for line in difference.splitlines():
        if line.startswith("--- "):
            path = line.removeprefix("--- a/")
        elif (hunk := _HUNK.match(line)) and _SOURCE.search(path) and not _TEST.search(path):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            found.append((path, first, first + max(count - 1, 0) if count else first + 1))
    return found


def rank(folder: Path, error: str, changed: list[Changed]) -> int | None:
    """Return the rank of the first suspect that the fix changed, or None if it is not among the first."""
    with astrolabe.open(folder) as workspace:
        answer = workspace.graph.execute_workflow_template("bug-fix", {"error": error}).answer
        for place, suspect in enumerate(answer.sections.get("suspects", ())[:FIRST], 1):
            path, _, line = suspect.at.rpartition(":")
            for row in workspace.files(path=path).symbols(start_line=int(line), qualified_name=suspect.name):
                if row.kind not in _CONTAINERS and any(
                    file == path and first <= row.end_line and last >= row.start_line for file, first, last in changed
                ):
                    return place
    return None


def main() -> None:
    """Print a row for each case, and the share of those whose fixed symbol is among the first suspects."""
    cases = [line.split("\t") for line in Path(sys.argv[1]).read_text().splitlines() if line.strip()]
    print_head(("trace", "rank"))
    ranks = []
    for repository, fix, trace in cases:
        with TemporaryDirectory() as folder:
            archive = _git(repository, "archive", f"{fix}^")
            excluded = ("--exclude=*/test/*", "--exclude=tests/*", "--exclude=docs/*")
            subprocess.run(["tar", "x", "-C", folder, *excluded], input=archive, check=True)
            found = rank(Path(folder), Path(trace).read_text(), changed_lines(repository, fix))
        ranks.append(found)
        print_row((Path(trace).stem, str(found or "")))
    hits = sum(found is not None for found in ranks)
    print(f"\nAmong the first {FIRST}: {hits} of {len(ranks)}, {hits / max(len(ranks), 1):.2f}")


def _git(repository: str, *arguments: str) -> bytes:
    return subprocess.run(["git", "--git-dir", repository, *arguments], capture_output=True, check=True).stdout


if __name__ == "__main__":
    main()
