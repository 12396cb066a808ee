"""Read the authors of the lines of a file, and the commits that changed a range of lines: `git blame` and `git log -L`."""

from __future__ import annotations

import posixpath
import re
import tempfile
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from .git import NO_PROGRAMS, GitRepository
from .moved_lines import Origin, RemovedLines
from .patches import PATCH, Differences

#: Seconds after which a command about lines is stopped.
_LONG = 60.0
#: Maximum number of places between which the lines of one history were moved.
_MAX_MOVES = 20
_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_ORIGIN = re.compile(rb"[0-9a-f]{40,64} \d+ (?P<line>\d+)(?: \d+)?$")
_GROUP = re.compile(rb"[0-9a-f]{40,64} \d+ \d+ \d+$")


class LineChange(NamedTuple):
    """The change of a range of lines by a commit."""

    hash: str
    added: int
    deleted: int


def owners(git: GitRepository, path: str, lines: tuple[int, int] | None = None) -> dict[tuple[str, str], int]:
    """Return the number of lines of each author (name, email) at HEAD, as `git blame` counts them. Raises GitFailed."""
    part = [] if lines is None else ["-L", f"{lines[0]},{lines[1]}"]
    printed = git.output("blame", "--incremental", "--no-textconv", *part, "HEAD", "--", path, seconds=_LONG)
    counts: Counter[bytes] = Counter()
    authors: dict[bytes, list[str]] = {}
    current = b""
    for line in printed.split(b"\n"):
        if _GROUP.match(line):
            current, _, _, size = line.split(b" ")
            counts[current] += int(size)
        elif line.startswith((b"author ", b"author-mail ")):
            authors.setdefault(current, []).append(line.partition(b" ")[2].decode("utf-8", "backslashreplace"))
    by_author: Counter[tuple[str, str]] = Counter()
    for commit, count in counts.items():
        name, email = authors[commit]
        by_author[name, email.strip("<>")] += count
    return dict(by_author.most_common())


def line_dates(git: GitRepository, path: str, lines: Iterable[int], seconds: float) -> dict[int, str]:
    """Return the date (year, month, day) of the last change of each line in the work tree, apart from changes of white space.

    These are dates of commits, because an author may have written a change long before it reached the branch. Raises GitFailed.
    """
    ranges = [part for line in sorted(set(lines)) for part in ("-L", f"{line},{line}")]
    printed = git.output("blame", "--line-porcelain", "--no-textconv", "-w", *ranges, "--", path, seconds=seconds)
    found: dict[int, str] = {}
    line = 0
    for row in printed.split(b"\n"):
        if (place := _ORIGIN.match(row)) is not None:
            line = int(place["line"])
        elif row.startswith(b"committer-time "):
            found[line] = datetime.fromtimestamp(int(row.partition(b" ")[2]), UTC).date().isoformat()
    return found


def changes_of_lines(git: GitRepository, path: str, lines: tuple[int, int], depth: int | None) -> list[LineChange]:
    """Return the commits that changed a range of lines of HEAD, the newest first.

    Renames are followed, and so are lines that a commit moved, also from another file. Raises GitFailed.
    """
    found: list[LineChange] = []
    revision = "HEAD"
    for _ in range(_MAX_MOVES):
        limit = [] if depth is None else [f"--max-count={depth - len(found)}"]
        at = f"-L{lines[0]},{lines[1]}:{path}"
        printed = git.output("log", "-M", *NO_PROGRAMS, "--format=%x00%H", *limit, at, revision, seconds=_LONG)
        parts = printed.split(b"\0")[1:]
        found += [_line_change(part) for part in parts]
        if not parts or (depth is not None and len(found) >= depth):
            break
        begun = found[-1].hash
        origin = _origin(git, begun, parts[-1])
        if origin is None:
            break
        path, lines, revision = origin.path, (origin.first, origin.last), f"{begun}^"
    return found


def _origin(git: GitRepository, commit: str, part: bytes) -> Origin | None:
    """Return where a commit moved lines from. `part` is the change in `git log -L`; the lines are new if it removes none."""
    body = part.partition(b"\n@@ ")[2]
    rows = body.split(b"\n")[1:]
    if not body or any(row.startswith(b"-") for row in rows):
        return None
    parents = git.output("rev-list", "--parents", "--max-count=1", commit).split()[1:]
    if len(parents) != 1:
        return None
    pair = b"%s %s\n" % (commit.encode("ascii"), parents[0])
    with git.stream("diff-tree", "--stdin", "-r", *PATCH, "--", ".", stdin=pair) as stream:
        removed = RemovedLines(Differences(stream).next(with_texts=True))
    origin = removed.origin([row[1:].strip() for row in rows if row.startswith(b"+")])
    return origin._replace(path=posixpath.relpath(origin.path, git.prefix or ".")) if origin is not None else None


def _line_change(part: bytes) -> LineChange:
    name, _, patch = part.partition(b"\n")
    _, _, body = patch.partition(b"\n@@ ")
    rows = body.split(b"\n")[1:]  # the line without the rest of the hunk's header
    return LineChange(name.decode("ascii"), sum(row.startswith(b"+") for row in rows), sum(row.startswith(b"-") for row in rows))


def lines_at_head(git: GitRepository, path: str, text: bytes, lines: tuple[int, int]) -> tuple[int, int] | None:
    """Return the range of lines at HEAD for a range of lines of a text, or None if all lines of the range are new."""
    committed = git.output("cat-file", "blob", f"HEAD:{path}").replace(b"\r\n", b"\n")
    if committed == text:
        return lines
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "old").write_bytes(committed)
        (folder / "new").write_bytes(text)
        patch = git.differences(folder / "old", folder / "new")
    hunks = [tuple(int(number or 1) for number in match) for match in _HUNK.findall(patch)]
    kept = [moved for line in lines if (moved := _old_line(line, hunks)) is not None]
    changed = [
        (old, old + old_count - 1)
        for old, old_count, new, new_count in hunks
        if old_count and new <= lines[1] and new + max(new_count, 1) > lines[0]
    ]
    ends = [*kept, *(line for pair in changed for line in pair)]
    return (min(ends), max(ends)) if ends else None


def _old_line(line: int, hunks: list[tuple[int, ...]]) -> int | None:
    """Return the line number before a change, or None for a line that the change added."""
    shift = 0
    for _, old_count, new, new_count in hunks:
        if line < new + (not new_count):
            break
        if line < new + new_count:
            return None
        shift += old_count - new_count
    return line + shift
