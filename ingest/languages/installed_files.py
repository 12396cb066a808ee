"""Read files of installed packages within limits, and note which were read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

#: Maximum size of one file, in bytes. Types in a larger file stay unknown.
_MAX_FILE_SIZE: Final = 2_000_000
#: Maximum size of all files that one run reads, in bytes.
_MAX_BYTES: Final = 12_000_000
#: The same for sources of Go, of which only declarations are kept: a fifth and less.
_MAX_GO_BYTES: Final = 60_000_000
_GO: Final = ".go"


class InstalledFiles:
    """Reads files of the packages of a workspace, each once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._left = {False: _MAX_BYTES, True: _MAX_GO_BYTES}
        #: Paths of the files that were read.
        self.paths: list[str] = []
        #: Whether a file was skipped because too much was read before.
        self.left_out = False

    def read(self, path: str) -> bytes | None:
        """Return the content of a file, or None if it cannot be read, is too large or exceeds what one run reads.

        A path is relative to the root of the workspace, or absolute.
        """
        try:
            data = (self._root / path).read_bytes()
        except OSError:
            return None
        if len(data) > _MAX_FILE_SIZE:
            return None
        if not self.admits(len(data), is_go=path.endswith(_GO)):
            return None
        self.paths.append(path)
        return data

    def admits(self, size: int, *, is_go: bool = False) -> bool:
        """Return whether something of a size, in bytes, may be read, and count it if so."""
        if size > self._left[is_go]:
            self.left_out = True
            return False
        self._left[is_go] -= size
        return True


def exceed_limits(sizes: Iterable[tuple[str, int]]) -> bool:
    """Return whether files, by path and size in bytes, are more than one run reads."""
    total = {False: 0, True: 0}
    for path, size in sizes:
        total[path.endswith(_GO)] += size
    return total[False] > _MAX_BYTES or total[True] > _MAX_GO_BYTES
