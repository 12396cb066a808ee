"""Read files of installed packages within limits, and record the files that were read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

#: Maximum size of one file, in bytes. Types in a larger file stay unknown.
_MAX_FILE_SIZE: Final = 2_000_000
#: Maximum total size in bytes of the files that one run reads, by their extension; the key "" has the limit for all other files
#: together. The limit for Go is higher, because only declarations of Go sources are kept: a fifth of the text or less.
_MAX_BYTES: Final = {"": 12_000_000, ".go": 60_000_000}


class InstalledFiles:
    """Reads files of the packages of a workspace, each file only once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._left = dict(_MAX_BYTES)
        #: Paths of the files that were read.
        self.paths: list[str] = []
        #: Whether a file was skipped because the limit of the run was reached.
        self.left_out = False

    def read(self, path: str) -> bytes | None:
        """Return the content of a file, or None if it cannot be read, is too large or exceeds the limit of one run.

        A path is relative to the root of the workspace, or absolute.
        """
        try:
            data = (self._root / path).read_bytes()
        except OSError:
            return None
        if len(data) > _MAX_FILE_SIZE:
            return None
        if not self.admits(path, len(data)):
            return None
        self.paths.append(path)
        return data

    def source(self, path: str) -> bytes | None:
        """Return the content of a file of the workspace itself, or None if it cannot be read or is too large."""
        try:
            data = (self._root / path).read_bytes()
        except OSError:
            return None
        return data if len(data) <= _MAX_FILE_SIZE else None

    def admits(self, path: str, size: int) -> bool:
        """Return whether a file of this size, in bytes, may be read. If the file may be read, add the size to the total."""
        kind = _kind_of(path)
        if size > self._left[kind]:
            self.left_out = True
            return False
        self._left[kind] -= size
        return True


def exceed_limits(sizes: Iterable[tuple[str, int]]) -> bool:
    """Return whether files, given by path and size in bytes, exceed the limits of one run."""
    left = dict(_MAX_BYTES)
    for path, size in sizes:
        left[_kind_of(path)] -= size
    return any(size < 0 for size in left.values())


def _kind_of(path: str) -> str:
    """Return the extension whose limit applies to a path."""
    return next((ending for ending in _MAX_BYTES if ending and path.endswith(ending)), "")
