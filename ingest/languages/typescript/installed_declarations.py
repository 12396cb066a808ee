"""Declaration files of installed packages: each is read when the type of something in it is asked for, and never indexed."""

from __future__ import annotations

from pathlib import Path

from ...facts.model import FileFacts
from ..extraction import extract_facts

#: Bytes of one file that is read, and of all files of a run. Types that lie beyond stay unknown.
_MAX_FILE_SIZE = 2_000_000
MAX_BYTES = 12_000_000


class InstalledDeclarations:
    """Reads declaration files below the node_modules folders of a workspace."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._left = MAX_BYTES
        #: Files that were read.
        self.paths: list[str] = []
        #: Whether one was left out because so many came before it.
        self.left_out = False

    def facts(self, path: str) -> FileFacts | None:
        """The facts of a declaration file; None for one that cannot be read, is too large, or comes after too many others."""
        try:
            data = (self._root / path).read_bytes()
        except OSError:
            return None
        if len(data) > _MAX_FILE_SIZE:
            return None
        if len(data) > self._left:
            self.left_out = True
            return None
        self._left -= len(data)
        self.paths.append(path)
        return extract_facts(data, "tsx" if path.endswith(".tsx") else "typescript")
