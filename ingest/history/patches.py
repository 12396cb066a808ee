"""Read patches of Git: which files a commit changed, and which lines it replaced by which."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, NamedTuple

from .git import NO_PROGRAMS

#: Arguments of all patches: hunks without context lines, renames, and prefixes of paths that no configuration changes.
PATCH = ("-p", "-U0", "-M", *NO_PROGRAMS, "--no-color", "--src-prefix=a/", "--dst-prefix=b/")
#: Maximum number of lines whose texts are kept of one commit.
_MAX_TEXTS = 100_000
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
_NAME = re.compile(rb"[0-9a-f]{40,64}\n")


class Hunk(NamedTuple):
    """A replacement of lines: `new_count` lines that begin at line `new` replace `old_count` lines that began at line `old`.

    The number of a side without lines is the line before the change.
    """

    old: int
    old_count: int
    new: int
    new_count: int


class FileDifference(NamedTuple):
    """The change of a file."""

    #: Paths before and after; "" for a file that was added or removed.
    old_path: str
    path: str
    hunks: list[Hunk]
    #: The removed and the added lines of all hunks, without white space at both ends. Empty if texts are not kept.
    removed: list[bytes]
    added: list[bytes]


class Differences:
    """The output of `git diff-tree --stdin`, pair by pair."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._stream.readline()  # the line with the first commit

    def next(self, *, with_texts: bool = False) -> list[FileDifference]:
        """Return the differences of the next pair. Of a pair with very many changed lines, no texts are kept."""
        texts = _Texts() if with_texts else None
        found = file_differences(self._lines(texts))
        return found if texts is None else texts.given_to(found)

    def _lines(self, texts: _Texts | None) -> Iterator[bytes]:
        """Yield the lines of this pair without the contents of hunks."""
        remaining = 0
        for line in self._stream:
            if remaining and line[:1] in (b"+", b"-", b"\\"):
                remaining -= line[:1] != b"\\"
                if texts is not None:
                    texts.add(line)
                continue
            if _NAME.fullmatch(line):
                return
            if match := _HUNK.match(line):
                remaining = int(match[2] or 1) + int(match[4] or 1)
            yield line


class _Texts:
    """The lines of all hunks of a pair, in their order."""

    def __init__(self) -> None:
        self._removed: list[bytes] = []
        self._added: list[bytes] = []

    def add(self, line: bytes) -> None:
        """Keep a line of a hunk, which begins with its sign."""
        if len(self._removed) + len(self._added) > _MAX_TEXTS:
            return
        if line[:1] == b"-":
            self._removed.append(line[1:].strip())
        elif line[:1] == b"+":
            self._added.append(line[1:].strip())

    def given_to(self, differences: list[FileDifference]) -> list[FileDifference]:
        """Return the differences with the lines of their hunks, or without any if some lines were not kept."""
        if len(self._removed) + len(self._added) > _MAX_TEXTS:
            return differences
        found: list[FileDifference] = []
        removed = added = 0
        for each in differences:
            first, start = removed, added
            removed += sum(hunk.old_count for hunk in each.hunks)
            added += sum(hunk.new_count for hunk in each.hunks)
            found.append(each._replace(removed=self._removed[first:removed], added=self._added[start:added]))
        return found


def file_differences(lines: Iterator[bytes]) -> list[FileDifference]:
    """Return the differences that a patch writes; `lines` may lack the contents of hunks."""
    found: list[FileDifference] = []
    old_path = path = ""
    hunks: list[Hunk] = []
    is_open = False

    def finish() -> None:
        if is_open and (old_path or path):
            found.append(FileDifference(old_path, path, hunks, [], []))

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
