"""Read files of installed packages within limits, and note which were read."""

from __future__ import annotations

from pathlib import Path
from typing import Final

#: Maximum size of one file, in bytes. Types in a larger file stay unknown.
_MAX_FILE_SIZE: Final = 2_000_000
#: Maximum size of all files that one run reads, in bytes.
MAX_BYTES: Final = 12_000_000


class InstalledFiles:
    """Reads files of the packages of a workspace, each once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._left = MAX_BYTES
        #: Paths of the files that were read.
        self.paths: list[str] = []
        #: Whether a file was skipped because `MAX_BYTES` were used up.
        self.left_out = False

    def read(self, path: str) -> bytes | None:
        """Return the content of a file, or None if it cannot be read, is too large or exceeds what is left of `MAX_BYTES`.

        A path is relative to the root of the workspace, or absolute.
        """
        try:
            data = (self._root / path).read_bytes()
        except OSError:
            return None
        if len(data) > _MAX_FILE_SIZE:
            return None
        if not self.admits(len(data)):
            return None
        self.paths.append(path)
        return data

    def admits(self, size: int) -> bool:
        """Return whether something of a size, in bytes, may be read, and count it if so."""
        if size > self._left:
            self.left_out = True
            return False
        self._left -= size
        return True
