"""Read declaration files of installed packages.

A file is read when a type in it is needed, and is never indexed.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from ...facts.model import FileFacts
from ..extraction import extract_facts

#: Maximum size of one file, in bytes. Types in a larger file stay unknown.
_MAX_FILE_SIZE = 2_000_000
#: Maximum size of all files that one run reads, in bytes.
MAX_BYTES = 12_000_000


#: Beginning of the paths of our declarations of libraries.
_OURS = "<libraries>/"


class InstalledDeclarations:
    """Reads declaration files below the node_modules folders of a workspace."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._left = MAX_BYTES
        #: Paths of the files that were read.
        self.paths: list[str] = []
        #: Whether a file was skipped because `MAX_BYTES` were used up.
        self.left_out = False

    def facts(self, path: str) -> FileFacts | None:
        """Return the facts of a declaration file, or None if it cannot be read, is too large or exceeds what is left of
        `MAX_BYTES`."""
        if path.startswith(_OURS):
            return extract_facts(files(f"{__package__}.libraries").joinpath(path.removeprefix(_OURS)).read_bytes(), "typescript")
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
