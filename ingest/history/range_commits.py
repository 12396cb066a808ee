"""Find the commits that changed ranges of lines, for all files of a repository in one walk back through its commits.

As in `git log -L`, the hunks between a commit and its parents map a range to its former place, through renames and along all
branches. A merge changed a range only if the range differs from the range in every parent.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import IO, NamedTuple

from .git import NO_PROGRAMS, GitRepository

#: Seconds after which the walk is stopped.
_LONG = 60.0
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
#: Arguments of all patches: hunks without context lines, renames, and prefixes of paths that no configuration changes.
_PATCH = ("-p", "-U0", "-M", *NO_PROGRAMS, "--no-color", "--src-prefix=a/", "--dst-prefix=b/")
_NAME = re.compile(rb"[0-9a-f]{40,64}\n")


class LineRange(NamedTuple):
    """Lines of a file, from 1, both included."""

    key: str
    first: int
    last: int


class Hunk(NamedTuple):
    """A replacement of lines: `new_count` lines that begin at line `new` replace `old_count` lines that began at line `old`.

    The number of a side without lines is the line before the change.
    """

    old: int
    old_count: int
    new: int
    new_count: int


class _FileDifference(NamedTuple):
    #: Paths before and after; "" for a file that was added or removed.
    old_path: str
    path: str
    hunks: list[Hunk]


Ranges = Sequence[LineRange]


def commits_of_work_tree(git: GitRepository, ranges: Mapping[str, Ranges], depth: int | None) -> Iterator[tuple[str, str]]:
    """Yield (key, hash) for ranges of lines in the work tree, and the commits that changed them.

    Only the newest `depth` commits are read.

    Paths are relative to the top of the repository. Raises GitFailed.
    """
    head = git.head
    if not head:
        return
    start = {path: tuple(each) for path, each in ranges.items()}
    for difference in _differences_of_work_tree(git):
        known = start.pop(difference.path, ())
        kept, _ = carried(known, difference.hunks) if difference.old_path else ((), frozenset())
        if kept:
            start[difference.old_path] = kept
    yield from commits_of_ranges(git, head, start, depth)


def commits_of_ranges(
    git: GitRepository, head: str, ranges: Mapping[str, Ranges], depth: int | None, paths: Iterable[str] = ()
) -> Iterator[tuple[str, str]]:
    """Yield (key, hash) for ranges of lines at the commit `head`, and the commits that changed them.

    Only the newest `depth` commits in the history of `head` are read. `paths` must contain all current and former paths of the
    files, because changes of other paths are not read. Paths are relative to the top of the repository. Raises GitFailed.
    """
    limit = [] if depth is None else [f"--max-count={depth}"]
    listed = git.output("rev-list", "--topo-order", "--parents", *limit, head, seconds=_LONG).decode("ascii").split("\n")
    commits = {parts[0]: parts[1:] for line in listed if (parts := line.split())}
    states: dict[str, dict[str, tuple[LineRange, ...]]] = {head: {path: tuple(each) for path, each in ranges.items()}}
    only = [posixpath.relpath(path, git.prefix or ".") for path in sorted(paths)]
    arguments = ("diff-tree", "--stdin", "--root", "--always", "-r", *_PATCH, "--", *only)
    with git.stream(*arguments, stdin=_pairs(commits)) as stream:
        differences = _Differences(stream)
        for commit, parents in commits.items():
            state = states.pop(commit, None)
            changed: set[str] | None = None
            for parent in parents or [""]:
                found = differences.next()
                if state is None:
                    continue
                before, touched = _ranges_in_parent(state, found)
                changed = touched if changed is None else changed & touched
                if parent in commits:
                    states[parent] = _joined(states[parent], before) if parent in states else before
            yield from ((key, commit) for key in sorted(changed or ()))


def carried(ranges: Ranges, hunks: Sequence[Hunk]) -> tuple[tuple[LineRange, ...], frozenset[str]]:
    """Return the ranges of lines as they were before a change of their file, and the keys of changed ranges.

    A range that consists of added lines is left out, because it did not exist before. `hunks` are in the order of their lines.
    """
    if not hunks:
        return tuple(ranges), frozenset()
    firsts = [hunk.new + (not hunk.new_count) for hunk in hunks]  # a removal is before the next line
    ends = [first + hunk.new_count for first, hunk in zip(firsts, hunks, strict=True)]
    shifts = [0]
    for hunk in hunks:
        shifts.append(shifts[-1] + hunk.old_count - hunk.new_count)
    kept: list[LineRange] = []
    touched: set[str] = set()
    for key, first, last in ranges:
        begin = bisect_right(ends, first)  # hunks that end before the range, including a removal directly before the range
        end = bisect_left(firsts, last + 1)
        if begin < end:
            touched.add(key)
        old_first = _old_first(first, hunks, begin, shifts)
        old_last = _old_last(last, hunks, end, shifts)
        if old_first <= old_last:
            kept.append(LineRange(key, old_first, old_last))
    return tuple(kept), frozenset(touched)


def _old_first(line: int, hunks: Sequence[Hunk], begin: int, shifts: Sequence[int]) -> int:
    """Return the earlier number of the first line of a range. Hunks before index `begin` end before the line."""
    if begin < len(hunks):
        hunk = hunks[begin]
        if hunk.new_count and hunk.new <= line:
            return hunk.old if hunk.old_count else hunk.old + 1
    return line + shifts[begin]


def _old_last(line: int, hunks: Sequence[Hunk], end: int, shifts: Sequence[int]) -> int:
    """Return the earlier number of the last line of a range. `end` is the index of the first hunk after the line."""
    if end:
        hunk = hunks[end - 1]
        if hunk.new_count and hunk.new + hunk.new_count > line:
            return hunk.old + hunk.old_count - 1 if hunk.old_count else hunk.old
    return line + shifts[end]


def _ranges_in_parent(
    state: Mapping[str, tuple[LineRange, ...]], differences: Sequence[_FileDifference]
) -> tuple[dict[str, tuple[LineRange, ...]], set[str]]:
    """Return the ranges as they are in a parent commit, and the keys of the ranges that differ from the parent."""
    before = dict(state)
    touched: set[str] = set()
    moved: dict[str, tuple[LineRange, ...]] = {}
    for difference in differences:
        ranges = before.pop(difference.path, ())
        if not ranges:
            continue
        if not difference.old_path:
            touched.update(each.key for each in ranges)
            continue
        kept, changed = carried(ranges, difference.hunks)
        touched |= changed
        if kept:
            moved[difference.old_path] = kept
    return {**before, **moved}, touched


def _joined(
    one: dict[str, tuple[LineRange, ...]], other: Mapping[str, tuple[LineRange, ...]]
) -> dict[str, tuple[LineRange, ...]]:
    """Return the union of the ranges of two children in a common parent. A range of both children has the lines of both."""
    for path, ranges in other.items():
        known = one.get(path)
        if known is None:
            one[path] = ranges
        elif known is not ranges and known != ranges:
            lines = {each.key: each for each in known}
            for each in ranges:
                twin = lines.get(each.key, each)
                lines[each.key] = LineRange(each.key, min(each.first, twin.first), max(each.last, twin.last))
            one[path] = tuple(lines.values())
    return one


def _pairs(commits: Mapping[str, Sequence[str]]) -> bytes:
    """Return the pairs to compare: each commit with its parents, or with nothing."""
    lines = (f"{commit} {parent}".rstrip() for commit, parents in commits.items() for parent in parents or [""])
    return "\n".join([*lines, ""]).encode("ascii")


def _differences_of_work_tree(git: GitRepository) -> list[_FileDifference]:
    arguments = ("diff", *_PATCH, "--no-relative", "--ignore-submodules", "HEAD", "--")
    return _file_differences(iter(git.output(*arguments, seconds=_LONG).splitlines(keepends=True)))


class _Differences:
    """The output of `git diff-tree --stdin`, pair by pair."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._stream.readline()  # the line with the first commit

    def next(self) -> list[_FileDifference]:
        """Return the differences of the next pair."""
        return _file_differences(self._lines())

    def _lines(self) -> Iterator[bytes]:
        """Yield the lines of this pair without the headers of files."""
        remaining = 0
        for line in self._stream:
            if remaining and line[:1] in (b"+", b"-", b"\\"):
                remaining -= line[:1] != b"\\"
                continue
            if _NAME.fullmatch(line):
                return
            if match := _HUNK.match(line):
                remaining = int(match[2] or 1) + int(match[4] or 1)
            yield line


def _file_differences(lines: Iterator[bytes]) -> list[_FileDifference]:
    found: list[_FileDifference] = []
    old_path = path = ""
    hunks: list[Hunk] = []
    is_open = False

    def finish() -> None:
        if is_open and (old_path or path):
            found.append(_FileDifference(old_path, path, hunks))

    for line in lines:
        if line.startswith(b"diff --git "):
            finish()
            old_path, path, hunks, is_open = "", "", [], True
            both = line[len(b"diff --git ") : -1]
            middle = len(both) // 2
            if both[:2] == b"a/" and both[middle : middle + 3] == b" b/" and both[2:middle] == both[middle + 3 :]:
                old_path = path = _path(both[:middle], b"a/")  # only this header names a file without hunks
        elif line.startswith(b"new file mode"):
            old_path = ""
        elif line.startswith(b"deleted file mode"):
            path = ""
        elif line.startswith(b"rename from "):
            old_path = _path(line[len(b"rename from ") : -1])
        elif line.startswith(b"rename to "):
            path = _path(line[len(b"rename to ") : -1])
        elif line.startswith(b"--- ") and not hunks and not line.startswith(b"--- /dev/null"):
            old_path = _path(line[len(b"--- ") : -1], b"a/")
        elif line.startswith(b"+++ ") and not hunks and not line.startswith(b"+++ /dev/null"):
            path = _path(line[len(b"+++ ") : -1], b"b/")
        elif match := _HUNK.match(line):
            old, old_count, new, new_count = (int(number) if number is not None else 1 for number in match.groups())
            hunks.append(Hunk(old, old_count, new, new_count))
    finish()
    return found


def _path(written: bytes, prefix: bytes = b"") -> str:
    """Return a path of a patch. Git writes a tab after a path with spaces, and quotes a path with unusual characters."""
    written = written.removesuffix(b"\t")
    if written.startswith(b'"'):
        written = _ESCAPE.sub(_unescaped, written[1:-1])
    return written.removeprefix(prefix).decode("utf-8", "backslashreplace")


def _unescaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes((int(code, 8),)) if code.isdigit() else _ESCAPED.get(code, code)
