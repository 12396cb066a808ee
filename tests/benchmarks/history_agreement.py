"""Compare the stored history of a repository with what Git says of it, and measure the reading.

    python -m tests.benchmarks.history_agreement ROOT [--commits 10000] [--compared 5000] [--blamed 60]

ROOT is a clone that is read only. The history of the newest commits is read into a store of its own: its seconds of processor
time are those of Python and Git together, and its memory is that of the larger process. In a clone, the store then reads one
commit more. The changed files and lines of the newest commits without merges are compared with `git log --numstat -M`, and the
owners of random files with `git blame`.
Prints one row of a Markdown table, and each difference.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from astrolabe.ingest.history.git import GitRepository
from astrolabe.ingest.history.lines import owners
from astrolabe.ingest.history.store import HistoryStore, opened_history

from tests.benchmarks.markdown_tables import print_head, print_row

#: Number of commits that are added one by one.
_MORE = 5
#: A changed file: its path, its path before a rename, and the numbers of added and deleted lines, which binary files do not have.
Changed = tuple[str, str | None, int | None, int | None]


def git(root: Path, *arguments: str) -> bytes:
    """Return what git prints."""
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True).stdout


def processor_seconds() -> float:
    """Return the processor time of this process and of the children that ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def megabytes() -> int:
    """Return the highest memory of this process and of each child that ended."""
    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) >> 10


def numstat(root: Path, count: int) -> dict[str, Counter[Changed]]:
    """Return the changed files of the newest commits without merges, by commit."""
    output = git(root, "log", "--no-merges", "-M", "--numstat", "-z", "--format=%x01%H", f"-n{count}", "HEAD")
    found: dict[str, Counter[Changed]] = {}
    for part in output.split(b"\x01")[1:]:
        found[part[:40].decode()] = Counter(_numstat_rows(part[40:].split(b"\0")))
    return found


def _numstat_rows(fields: list[bytes]) -> Iterator[Changed]:
    rest = iter(fields)
    for field in rest:
        if b"\t" not in field:
            continue
        added, deleted, path = field.lstrip(b"\n").split(b"\t", 2)
        names = [path] if path else [next(rest), next(rest)]  # a rename has both paths after the numbers
        old, new = (name.decode("utf-8", "surrogateescape") for name in (names[0], names[-1]))
        yield new, old if not path else None, *(None if number == b"-" else int(number) for number in (added, deleted))


def stored_changes(store: HistoryStore) -> defaultdict[str, Counter[Changed]]:
    """Return the changed files of all stored commits, by commit."""
    hashes = {commit.position: commit.hash for commit in store.commits_from_newest()}
    found: defaultdict[str, Counter[Changed]] = defaultdict(Counter)
    for position, change in store.changes_under(""):
        found[hashes[position]][change.path, change.old_path, change.added, change.deleted] += 1
    return found


def blamed(root: Path, path: str) -> Counter[tuple[str, str]]:
    """Return the number of lines of each author of a file."""
    lines: Counter[tuple[str, str]] = Counter()
    name = ""
    for line in git(root, "blame", "--line-porcelain", "HEAD", "--", path).decode("utf-8", "replace").split("\n"):
        if line.startswith("author "):
            name = line[len("author ") :]
        elif line.startswith("author-mail "):
            lines[name, line[len("author-mail ") :].strip("<>")] += 1
    return lines


def commit_one_more(clone: Path, text: str) -> None:
    """Commit a changed file in a clone."""
    (clone / "one_more.txt").write_text(text)
    git(clone, "add", "one_more.txt")
    git(clone, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--quiet", "--no-verify", "-m", text)


def main() -> None:
    """Print the row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--commits", type=int, default=10_000)
    parser.add_argument("--compared", type=int, default=5_000)
    parser.add_argument("--blamed", type=int, default=60)
    wanted = parser.parse_args()
    root = wanted.root.resolve()
    with tempfile.TemporaryDirectory() as place:
        clone, folder = Path(place, "clone"), Path(place, "history")
        git(root, "clone", "--quiet", "--shared", str(root), str(clone))
        repository = GitRepository(clone)
        start = processor_seconds()
        with opened_history(folder, repository, wanted.commits) as store:
            seconds, memory = processor_seconds() - start, megabytes()
            count, stored = store.commit_count(), stored_changes(store)
        more = []
        for number in range(_MORE):
            commit_one_more(clone, f"One more: {number}.")
            begin = time.perf_counter()
            with opened_history(folder, repository, wanted.commits):
                more.append(time.perf_counter() - begin)
    newest = {*git(root, "rev-list", f"-n{count}", "HEAD").decode().split()}
    expected = numstat(root, min(wanted.compared, count))
    compared = {commit: changes for commit, changes in expected.items() if commit in newest}
    for commit, changes in compared.items():
        if changes != stored[commit]:
            print(
                f"differs: {commit} {sorted(map(str, (changes - stored[commit]) + (stored[commit] - changes)))[:3]}",
                file=sys.stderr,
            )
    equal = sum(changes == stored[commit] for commit, changes in compared.items())
    files = git(root, "ls-files").decode("utf-8", "surrogateescape").split("\n")[:-1]
    chosen = random.Random(1).sample(files, min(wanted.blamed, len(files)))
    git_repository = GitRepository(root)
    unequal = [path for path in chosen if blamed(root, path) != owners(git_repository, path)]
    for path in unequal:
        print(f"owners differ: {path}", file=sys.stderr)
    renames = sum(old is not None for changes in compared.values() for _, old, _, _ in changes)
    heads = ("commits", "s", "MB", "one more, ms", "compared", "equal", "files", "renames", "blamed", "equal")
    print_head(("repository", *heads))
    figures = [count, f"{seconds:.1f}", memory, f"{statistics.median(more) * 1000:.0f}", len(compared), equal]
    figures += [sum(map(Counter.total, compared.values())), renames, len(chosen), len(chosen) - len(unequal)]
    print_row((root.name, *map(str, figures)))


if __name__ == "__main__":
    main()
