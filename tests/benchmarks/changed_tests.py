"""Measure whether the tests that a commit changed are among the first tests that are named for its change of the source.

    python -m tests.benchmarks.changed_tests ROOT [--commits 50] [--first 10]

ROOT is a clone that is read only. The newest commits that changed declarations and at most `--first` older files of tests are
taken, without merges. In a clone of its own, the code of each commit is laid over its parent, with the tests of the parent: a
person who has changed the code asks which tests to run. Prints one row of a Markdown table: the share of the commits all of
whose tests are among the first ones, the share of their tests, and the median time of an answer with its update of the index.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import astrolabe
from astrolabe.ingest.files.path_roles import is_test_path
from astrolabe.schema.languages import DOCUMENTS, language_of


class ChangedCode(NamedTuple):
    """A commit, with the code and the older tests that it changed."""

    commit: str
    sources: list[str]
    tests: list[str]


def git(root: Path, *arguments: str) -> str:
    """Return what git prints."""
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout


def commits(root: Path, most_tests: int) -> Iterator[ChangedCode]:
    """Yield the commits that changed code and tests that were there before, the newest first."""
    for commit in git(root, "rev-list", "--no-merges", "--min-parents=1", "HEAD").split():
        rows = git(root, "diff-tree", "-r", "--no-renames", "--name-status", commit).split("\n")[1:]
        changes = [row.split("\t", 1) for row in rows if "\t" in row]
        code = [(status, path) for status, path in changes if (name := language_of(path)) and name not in DOCUMENTS]
        tests = [path for status, path in code if is_test_path(path) and status == "M" and is_runnable(path)]
        sources = [path for _, path in code if not is_test_path(path)]
        if sources and 0 < len(tests) <= most_tests:
            yield ChangedCode(commit, sources, tests)


def is_runnable(path: str) -> bool:
    """Return whether a file of tests is no helper of tests, by its name."""
    name = path.rpartition("/")[2].lower()
    return ("test" in name or "spec" in name) and not name.startswith(("conftest", "testutil", "test_util", "testing"))


def lay_over(root: Path, change: ChangedCode) -> None:
    """Check out the parent of a commit, with the code of the commit."""
    git(root, "checkout", "--quiet", "--force", "--detach", f"{change.commit}^")
    git(root, "clean", "--quiet", "-d", "--force")
    present = set(git(root, "ls-tree", "-r", "--name-only", change.commit).split("\n"))
    for path in change.sources:
        if path in present:
            git(root, "checkout", "--quiet", change.commit, "--", path)
        else:
            (root / path).unlink(missing_ok=True)
    git(root, "reset", "--quiet")


def main() -> None:
    """Print the row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--commits", type=int, default=50)
    parser.add_argument("--first", type=int, default=10)
    wanted = parser.parse_args()
    asked = whole = tests = found = 0
    seconds = []
    with tempfile.TemporaryDirectory() as folder:
        root, data = Path(folder) / wanted.root.resolve().name, Path(folder) / "index"
        git(wanted.root, "clone", "--quiet", "--no-hardlinks", str(wanted.root.resolve()), str(root))
        with astrolabe.open(root, data_dir=data) as workspace:
            for change in commits(root, wanted.first):
                if asked >= wanted.commits:
                    break
                lay_over(root, change)
                workspace.history()
                start = time.perf_counter()
                answer = workspace.changes(budget=1_000_000).answer
                if all(symbol.is_test or symbol.changes == ("layout",) for symbol in answer.symbols):
                    continue
                asked += 1
                seconds.append(time.perf_counter() - start)
                first = [test.file for test in answer.tests[: wanted.first]]
                missed = [path for path in change.tests if path not in first]
                whole += not missed
                tests += len(change.tests)
                found += len(change.tests) - len(missed)
                for path in missed:
                    place = next((at for at, test in enumerate(answer.tests, 1) if test.file == path), 0)
                    print(f"missed: {change.commit[:10]} {path} (place {place or 'none'})", file=sys.stderr)
        shutil.rmtree(data, ignore_errors=True)
    seconds.sort()
    print("| repository | commits | all tests named | tests | named | median s |")
    middle = seconds[len(seconds) // 2]
    print(f"| {wanted.root.resolve().name} | {asked} | {whole / asked:.3f} | {tests} | {found / tests:.3f} | {middle:.2f} |")


if __name__ == "__main__":
    main()
