"""Find the commits that changed ranges of lines, for all files of a repository in one walk back through its commits.

As in `git log -L`, the hunks between a commit and its parents map a range to its former place, through renames and along all
branches. A merge changed a range only if the range differs from the range in every parent. Lines that a commit moved, also from
another file, are followed to their former place.
"""

from __future__ import annotations

import posixpath
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from .git import GitRepository
from .moved_lines import RemovedLines, added_lines
from .patches import PATCH, Differences, FileDifference, Hunk, file_differences

#: Seconds after which the walk is stopped.
_LONG = 60.0


class LineRange(NamedTuple):
    """Lines of a file, from 1, both included."""

    key: str
    first: int
    last: int


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
    arguments = ("diff-tree", "--stdin", "--root", "--always", "-r", *PATCH, "--", *only)
    with git.stream(*arguments, stdin=_pairs(commits)) as stream:
        differences = Differences(stream)
        for commit, parents in commits.items():
            state = states.pop(commit, None)
            changed: set[str] | None = None
            for parent in parents or [""]:
                found = differences.next(with_texts=state is not None and len(parents) == 1)
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
    state: Mapping[str, tuple[LineRange, ...]], differences: Sequence[FileDifference]
) -> tuple[dict[str, tuple[LineRange, ...]], set[str]]:
    """Return the ranges as they are in a parent commit, and the keys of the ranges that differ from the parent."""
    before = dict(state)
    touched: set[str] = set()
    renamed: dict[str, tuple[LineRange, ...]] = {}
    new: list[tuple[FileDifference, LineRange]] = []
    for difference in differences:
        ranges = before.pop(difference.path, ())
        if not ranges:
            continue
        kept, changed = carried(ranges, difference.hunks) if difference.old_path else ((), {each.key for each in ranges})
        touched |= changed
        if kept:
            renamed[difference.old_path] = kept
        if len(kept) < len(ranges):
            keys = {each.key for each in kept}
            new += [(difference, each) for each in ranges if each.key not in keys]
    before.update(renamed)
    for path, moved in _moved(new, differences).items():
        before[path] = (*before.get(path, ()), *moved)
    return before, touched


def _moved(new: Sequence[tuple[FileDifference, LineRange]], differences: Sequence[FileDifference]) -> dict[str, list[LineRange]]:
    """Return the former places of added ranges whose lines the same commit removed elsewhere, by the former path."""
    found: dict[str, list[LineRange]] = {}
    if not any(difference.added for difference, _ in new):
        return found
    removed = RemovedLines(differences)
    for difference, (key, first, last) in new:
        origin = removed.origin(added_lines(difference, first, last))
        if origin is not None:
            found.setdefault(origin.path, []).append(LineRange(key, origin.first, origin.last))
    return found


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


def _differences_of_work_tree(git: GitRepository) -> list[FileDifference]:
    arguments = ("diff", *PATCH, "--no-relative", "--ignore-submodules", "HEAD", "--")
    return file_differences(iter(git.output(*arguments, seconds=_LONG).splitlines(keepends=True)))
