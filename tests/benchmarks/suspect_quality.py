"""Prints how often the workflow bug-fix suspects what the fix changed: `python tests/benchmarks/suspect_quality.py CASES`.

CASES is a file with a line for each error: a Git repository, the commit of the fix, and a file with the stack trace, with tabs
between; `trace_cases.py` finds such cases. The first parent of the commit is indexed without tests and documents. The rank is
that of the first suspect other than a class whose lines the fix changed, outside of tests. A fix outside of all declarations,
such as of an import, has no symbol to suspect and does not count. With `--show`, the suspects and the changed symbols of each
error that was missed follow.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import NamedTuple

import astrolabe
from markdown_tables import print_head, print_row

#: Suspects that count.
FIRST = 5
#: Paths that are no sources of the program.
TEST = re.compile(
    r"(?:^|/)(?:tests?|testing|testsuite|testdata|__tests__|docs?)/|_test\.|(?:^|/)test_|Tests?\.java|\.(?:test|spec)\."
)
_SOURCE = re.compile(r"\.(?:py|java|go|ts|tsx|js|rs|rb|php|cs|c|cc|cpp|h|kt)$")
#: Paths that an index needs: sources and manifests.
_UNPACKED = re.compile(
    r"\.(?:py|java|kt|go|[cm]?[jt]sx?|rs|rb|php|cs|c|cc|cpp|h|vue|svelte|mod|toml|cfg|gradle)$|(?:^|/)(?:package|tsconfig)\.json$|pom\.xml$"
)
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? ")
_CONTAINERS = frozenset(("class", "interface", "struct"))

#: Path and first and last line of what a fix changed.
Changed = tuple[str, int, int]


def changed_lines(repository: str, fix: str) -> list[Changed]:
    """Return the lines of the parent that a fix changed outside of tests; for added lines, those around them."""
    difference = _git(repository, "diff", "-U0", "--no-color", "--no-renames", f"{fix}^", fix).decode(errors="replace")
    found: list[Changed] = []
    path = ""
    for line in difference.splitlines():
        if line.startswith("--- "):
            path = line.removeprefix("--- a/")
        elif (hunk := _HUNK.match(line)) and _SOURCE.search(path) and not TEST.search(path):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            found.append((path, first, first + max(count - 1, 0) if count else first + 1))
    return found


def unpack(repository: str, commit: str, root: Path) -> None:
    """Write the sources and manifests of a commit, without tests and documents; clones may lack large files."""
    listed = [line.split("\t", 1) for line in _git(repository, "ls-tree", "-r", commit).decode(errors="replace").splitlines()]
    blobs = {name: entry.split()[2] for entry, name in listed if _UNPACKED.search(name)}
    told = _git(repository, "cat-file", "--batch-check", written="\n".join(blobs.values())).decode().splitlines()
    kept = [name for name, line in zip(blobs, told, strict=True) if not line.endswith("missing")]
    archive = _git(repository, "archive", commit, "--", *kept)
    excluded = ("--exclude=*/test/*", "--exclude=tests/*", "--exclude=docs/*")
    subprocess.run(["tar", "x", "-C", str(root), *excluded], input=archive, check=True)


class Ranked(NamedTuple):
    """The rank of the first suspect that a fix changed, None if it is not among the first; all suspects, and what it changed."""

    rank: int | None
    suspects: tuple[str, ...]
    fixed: tuple[str, ...]


def ranked(folder: Path, data_dir: Path, error: str, changed: Sequence[Changed]) -> Ranked:
    """Ask the workflow for the suspects of an error in a folder."""
    with astrolabe.open(folder, data_dir=data_dir) as workspace:
        fixed = {
            f"{row.qualified_name} ({path}:{row.start_line})"
            for path in {path for path, _, _ in changed}
            for row in workspace.files(path=path).symbols()
            if row.kind not in _CONTAINERS
            if any(file == path and first <= row.end_line and last >= row.start_line for file, first, last in changed)
        }
        answer = workspace.graph.execute_workflow_template("bug-fix", {"error": error}).answer
    suspects = [f"{suspect.name} ({suspect.at})" for suspect in answer.sections.get("suspects", ())[:FIRST]]
    rank = next((place for place, suspect in enumerate(suspects, 1) if suspect in fixed), None)
    return Ranked(rank, tuple(suspects), tuple(sorted(fixed)))


def main() -> None:
    """Print a row for each case, and the share of those whose fixed symbol is among the first suspects."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    cases = [line.split("\t") for line in options.cases.read_text().splitlines() if line.strip()]
    print_head(("trace", "rank"))
    results: list[tuple[str, int | None]] = []
    for repository, of_repository in groupby(cases, key=lambda case: case[0]):
        # One index of a repository is updated from state to state, which takes less time than new ones.
        with TemporaryDirectory() as folder:
            for _, fix, trace in of_repository:
                root = Path(folder) / "tree"
                if root.exists():
                    rmtree(root)
                root.mkdir()
                unpack(repository, f"{fix}^", root)
                changed = changed_lines(repository, fix)
                found = ranked(root, Path(folder) / "data", Path(trace).read_text(), changed)
                if not found.fixed:
                    print_row((Path(trace).stem, "no symbol"))
                    continue
                results.append((Path(trace).stem, found.rank))
                print_row((Path(trace).stem, str(found.rank or "")))
                if options.show and found.rank is None:
                    print(f"suspects: {', '.join(found.suspects)}\nfixed: {', '.join(found.fixed)}", flush=True)
    print()
    for language in sorted({name.partition("-")[0] for name, _ in results}):
        of_language = [found for name, found in results if name.partition("-")[0] == language]
        print(f"{language}: {_share(of_language)}")
    print(f"Among the first {FIRST}: {_share([found for _, found in results])}")


def _share(ranks: Sequence[int | None]) -> str:
    hits = sum(found is not None for found in ranks)
    return f"{hits} of {len(ranks)}, {hits / max(len(ranks), 1):.2f}"


def _git(repository: str, *arguments: str, written: str = "") -> bytes:
    return subprocess.run(["git", "-C", repository, *arguments], input=written.encode(), capture_output=True, check=True).stdout


if __name__ == "__main__":
    main()
