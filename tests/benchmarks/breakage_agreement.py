"""Compare what commits are said to break with the errors of the language's own compiler.

    python -m tests.benchmarks.breakage_agreement ROOT --judge COMMAND [--below FOLDER] [--commits 25] [--untouched 25]
        [--seconds 3600] [--seed 1]

ROOT is a clean clone whose work tree is changed and restored. The newest commits without merges that change code below FOLDER are
checked out, one after the other, and the work tree is compared with the parent of the commit: first untouched, when a place that
is told in a file without errors is a false alarm; then with a declaration of a changed file broken. A break renames a declaration
that the parent has, too, or changes it in another way (see `code_breaks.py`). A break counts if the compiler reports new errors
outside of the declaration, and other breaks of the commit are tried until one does. After `--commits` breaks, more commits are
compared untouched, up to `--untouched`. COMMAND is run in ROOT; it prints diagnostics as `file:line: message`,
`file:line:column: message`, `file(line,column): message` or pyright's JSON. For Go, `GoErrors.go` does.
No commit is begun after `--seconds`. Prints one row of a Markdown table, the breaks of each way, each break that was not told and
each place that the compiler does not confirm.
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

from astrolabe.ingest.changes.comparison import compare_states
from astrolabe.ingest.changes.states import Comparison, compared_states
from astrolabe.ingest.files.path_roles import is_test_path
from astrolabe.ingest.history.git import GitRepository
from astrolabe.schema.languages import language_of
from astrolabe.schema.settings import Settings

from tests.benchmarks.code_breaks import Break, breakable_symbols, breaks_of, mixed_by_way
from tests.benchmarks.markdown_tables import print_row

#: Maximum number of breaks of one commit that are tried.
_TRIES = 6
#: Seconds after which no further files are examined: a busy machine does not change what is told.
_PATIENCE = 600.0
_DIAGNOSTIC = re.compile(r"^(?:vet: )?\.?/?([^\s:(][^:(]*)[:(](\d+)(?:[:,]\d+)?\)?: (.*)$")
Place = tuple[str, int]


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
        if (match := _DIAGNOSTIC.match(line)) and not match[3].startswith("warning"):
            found[match[1], int(match[2]), match[3]] += 1
    return found


def new_errors(before: Counter[tuple[str, int, str]], after: Counter[tuple[str, int, str]]) -> set[Place]:
    """Return the places of errors that a change brought. It may have moved the lines of the others."""
    messages = Counter((path, message) for path, _, message in before.elements())
    errors: set[Place] = set()
    for path, line, message in sorted(after.elements()):
        if messages[path, message] > 0:
            messages[path, message] -= 1
        else:
            errors.add((path, line))
    return errors


def git(root: Path, *arguments: str) -> str:
    """Return what git prints."""
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout


def changed_code(root: Path, commit: str, below: str) -> list[str]:
    """Return the files of code, without tests, that a commit changed and its parent has."""
    rows = git(root, "diff-tree", "-r", "--no-renames", "--name-status", f"{commit}^", commit).split("\n")
    paths = [row[2:] for row in rows if row.startswith("M\t")]
    return [path for path in paths if path.startswith(below) and is_breakable(path)]


def is_breakable(path: str) -> bool:
    """Return whether a file has code that other files may use."""
    return language_of(path) in ("python", "typescript", "javascript", "java", "go") and not is_test_path(path)


def breaks(root: Path, commit: str, paths: list[str], chance: random.Random) -> Iterator[Break]:
    """Yield breaks of declarations of some files, in random order, mixed by their ways."""
    found: list[Break] = []
    for path in paths:
        data = (root / path).read_bytes()
        before = git(root, "show", f"{commit}^:{path}").encode()
        known = {each.qualified_name for each in breakable_symbols(before, path)}
        for symbol in breakable_symbols(data, path):
            if symbol.qualified_name in known and not symbol.name.startswith("__") and symbol.name != "default":
                found += breaks_of(path, symbol, data.decode().split("\n"))
    yield from mixed_by_way(found, chance)


def told_places(root: Path, commit: str) -> set[Place]:
    """Return what the work tree is said to break since the parent of a commit, without overrides, which most compilers do not
    demand.
    """
    git_repository = GitRepository(root)
    with compared_states(git_repository, Comparison(base=f"{commit}^"), Settings().max_file_size) as states:
        broken = compare_states(states, root.as_posix(), _PATIENCE).broken
    return {(each.path, each.line) for each in broken if "which overrode" not in each.reason}


class Tally:
    """The figures of a row."""

    def __init__(self) -> None:
        self.untouched = self.alarms = self.broken = self.told = self.places = self.found = self.ours = self.confirmed = 0
        #: The numbers of breaks, and of breaks that were told, by way.
        self.ways: Counter[str] = Counter()
        self.told_ways: Counter[str] = Counter()
        self.seconds: list[float] = []

    def judge_untouched(self, root: Path, commit: str, command: str) -> None:
        """Judge one commit, which is checked out, as it is."""
        untouched = self._told(root, commit)
        wrong = {path for path, _, _ in diagnostics(root, command)} if untouched else set()
        false = {place for place in untouched if place[0] not in wrong}
        self.untouched += 1
        self.alarms += bool(false)
        for path, line in sorted(false):
            print(f"FALSE ALARM: {commit[:10]} {path}:{line}", file=sys.stderr)

    def judge(self, root: Path, commit: str, paths: list[str], command: str, chance: random.Random) -> None:
        """Break the code of one commit, which is checked out."""
        before = diagnostics(root, command)
        untouched = told_places(root, commit)
        for number, change in enumerate(breaks(root, commit, paths, chance)):
            if number >= _TRIES or self._judge_break(root, commit, change, command, before, untouched):
                return

    def _told(self, root: Path, commit: str) -> set[Place]:
        start = time.perf_counter()
        found = told_places(root, commit)
        self.seconds.append(time.perf_counter() - start)
        return found

    def _judge_break(
        self, root: Path, commit: str, change: Break, command: str, before: Counter[tuple[str, int, str]], untouched: set[Place]
    ) -> bool:
        """Judge one break, and return whether the compiler sees it."""
        file = root / change.path
        original = file.read_bytes()
        try:
            file.write_text(change.text)
            after = diagnostics(root, command)
            errors = new_errors(before, after)
            outside = {at for at in errors if at[0] != change.path or change.way == "removed" or at[1] not in change.lines}
            if not outside:
                return False
            answer = self._told(root, commit) - untouched
        finally:
            file.write_bytes(original)
        self.broken += 1
        self.told += bool(answer)
        self.ways[change.way] += 1
        self.told_ways[change.way] += bool(answer)
        self.places += len(outside)
        self.found += len(outside & answer)
        self.ours += len(answer)
        self.confirmed += len(answer & errors)
        what = f"{commit[:10]} {change.way} {change.name} of {change.path}"
        for path, line in sorted(answer - errors):
            print(f"not confirmed: {what}: {path}:{line}", file=sys.stderr)
        for path, line in sorted(outside - answer):
            message = next((text for at, row, text in after if (at, row) == (path, line)), "")
            print(f"{'missed' if answer else 'NOT TOLD'}: {what}: {path}:{line} {message}", file=sys.stderr)
        return True


def main() -> None:
    """Print the row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--judge", required=True)
    parser.add_argument("--below", default="")
    parser.add_argument("--commits", type=int, default=25)
    parser.add_argument("--untouched", type=int, default=25)
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    root, chance, tally = wanted.root.resolve(), random.Random(wanted.seed), Tally()
    here = git(root, "rev-parse", "--abbrev-ref", "HEAD").strip()
    deadline = time.monotonic() + wanted.seconds
    try:
        for commit in git(root, "rev-list", "--no-merges", "--min-parents=1", "HEAD").split():
            paths = changed_code(root, commit, wanted.below)
            is_enough = tally.broken >= wanted.commits
            if (is_enough and tally.untouched >= wanted.untouched) or time.monotonic() >= deadline:
                break
            if paths:
                git(root, "checkout", "--quiet", "--detach", commit)
                tally.judge_untouched(root, commit, wanted.judge)
                if not is_enough:
                    tally.judge(root, commit, paths, wanted.judge, chance)
    finally:
        git(root, "checkout", "--quiet", here)
    seconds = sorted(tally.seconds)
    print(
        "| repository | commits | false alarms | broken | told | places of the judge | told | our places | confirmed | median s |"
    )
    figures = (tally.untouched, tally.alarms, tally.broken, tally.told, tally.places, tally.found, tally.ours, tally.confirmed)
    print_row((root.name, *map(str, figures), f"{seconds[len(seconds) // 2]:.2f}"))
    print(", ".join(f"{way} {tally.told_ways[way]} of {count}" for way, count in sorted(tally.ways.items())))


if __name__ == "__main__":
    main()
