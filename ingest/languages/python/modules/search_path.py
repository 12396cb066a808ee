"""The folders of installed packages of Python, and the locations of editable packages.

Links to editable packages are read as data, in the formats of `site` and setuptools. A line of a `.pth` file is a folder. A
finder contains a literal dictionary with the paths of packages. A link counts only if its target is in the workspace or in the
same environment.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable
from typing import Final

from ....files.python_environments import MAX_LINK_SIZE, inside, is_link, names_in, read_link

_MAPPING: Final = re.compile(rb"^MAPPING(?::[^=\n]*)? ?= ?(\{[^{}\n]*\})", re.MULTILINE)


class SearchPath:
    """The folders on the search path of one environment."""

    def __init__(self, root: str, packages: Iterable[str]) -> None:
        """`packages` are the folders with packages: relative to the root of the workspace, or absolute."""
        self._root = root
        #: Folders in which modules are searched, in order.
        self.folders: list[str] = []
        #: Paths of packages and modules outside of these folders, by name.
        self.places: dict[str, str] = {}
        for folder in packages:
            self._add(folder)
            for name in sorted(filter(is_link, names_in(os.path.join(root, folder)))):
                self._read(folder, name, read_link(os.path.join(root, folder, name)))

    def _add(self, folder: str) -> None:
        if folder not in self.folders:
            self.folders.append(folder)

    def _read(self, folder: str, name: str, content: bytes) -> None:
        if name.endswith(".pth"):
            for line in content.decode("utf-8", "replace").splitlines():
                written = line.strip()
                if written and not written.startswith(("#", "import ", "import\t")):
                    place = self._place(folder, written)
                    if place is not None and os.path.isdir(os.path.join(self._root, place)):
                        self._add(place)
            return
        found = _MAPPING.search(content)
        for package, written in _literal(found[1] if found is not None else b"{}").items():
            place = self._place(folder, written)
            if place is not None:
                self.places[package] = place

    def _place(self, folder: str, written: str) -> str | None:
        """Return the target of a link in a folder, or None if it is outside of the workspace and the environment."""
        if "\0" in written:
            return None
        place = os.path.normpath(os.path.join(self._root, folder, written))
        if place == os.path.normpath(self._root):
            return ""
        own = os.path.normpath(os.path.join(self._root, folder))
        return inside(self._root, place) or (place if inside(own, place) is not None else None)


def _literal(written: bytes) -> dict[str, str]:
    """Return the strings in the literal of a dictionary; {} for other text."""
    if len(written) > MAX_LINK_SIZE:
        return {}
    try:
        found = ast.literal_eval(written.decode("utf-8", "replace"))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {key: value for key, value in found.items() if isinstance(key, str) and isinstance(value, str)}
