"""Read declaration files of installed packages.

A file is read when a type in the file is needed, and is never indexed.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from ...facts.model import FileFacts
from ..extraction import extract_facts
from ..installed_files import InstalledFiles
from .libraries.route_types import MODULE as ROUTE_TYPES
from .libraries.route_types import route_declarations

#: Beginning of the paths of our declarations of libraries.
_OURS: Final = "<libraries>/"


class InstalledDeclarations:
    """Reads declaration files below the node_modules folders of a workspace, our own declarations of libraries, and the
    declarations that SvelteKit generates for routes.
    """

    def __init__(self, installed: InstalledFiles) -> None:
        self._installed = installed

    def facts(self, path: str) -> FileFacts | None:
        """Return the facts of a declaration file, or None if the file is not read."""
        if path.startswith(_OURS):
            return extract_facts(files(f"{__package__}.libraries").joinpath(path.removeprefix(_OURS)).read_bytes(), "typescript")
        folder, _, name = path.rpartition("/")
        if name == ROUTE_TYPES:
            return extract_facts(route_declarations(folder, self._installed.source).encode(), "typescript")
        data = self._installed.read(path)
        return extract_facts(data, "tsx" if path.endswith(".tsx") else "typescript") if data is not None else None
