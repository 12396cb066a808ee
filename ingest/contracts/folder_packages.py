"""The files that share the names of a file, in languages in which a folder is a package."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ...schema.languages import FOLDER_IMPORTS, language_of
from ...schema.paths import parent_of


class FolderPackages:
    """Some files by their folder and language, for the languages whose files share the names of their folder."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._files: Final[dict[tuple[str, str], list[str]]] = {}
        for path in paths:
            language = language_of(path)
            if language in FOLDER_IMPORTS:
                self._files.setdefault((parent_of(path), language), []).append(path)

    def around(self, path: str) -> Sequence[str]:
        """Return the files of the package of a file, perhaps with the file itself; none if its names are its own."""
        return self._files.get((parent_of(path), language_of(path) or ""), ())
