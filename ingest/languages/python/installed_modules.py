"""Find and read modules of installed packages.

A file is read only when a type in the file is needed. The order is defined in PEP 561: stub files of the workspace in `typings/`,
stub packages, then the packages themselves. In a package, a `.pyi` file precedes the `.py` file beside it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ....schema.paths import path_in
from ...files.python_environments import package_folders, project_of
from ...files.workspace_files import listing
from .modules.search_path import SearchPath

if TYPE_CHECKING:
    from ...facts.cache import FactReader
    from ...facts.model import FileFacts
    from ...files.workspace_files import WorkspaceFiles
    from ..installed_files import InstalledFiles

#: The folder beside a manifest in which type checkers look for stub files of packages.
_TYPINGS: Final = "typings"
_STUBS: Final = "-stubs"
_FILES: Final = ("/__init__.pyi", ".pyi", "/__init__.py", ".py")


class InstalledModules:
    """The modules of the environments of a workspace."""

    def __init__(self, files: WorkspaceFiles, installed: InstalledFiles) -> None:
        self._files = files
        self._installed = installed
        self._folders = package_folders(files.root, files.configurations, files.python_environment)
        #: The search path of each project.
        self._paths: dict[str, SearchPath] = {}
        #: For each file, the project in whose environment it was found.
        self._homes: dict[str, str] = {}
        self._names: dict[str, dict[str, bool]] = {}

    def file(self, module: str, from_path: str) -> str | None:
        """Return the file that declares a module that a file imports; None if there is none.

        The importing file may itself belong to an installed package. Indexed files do not belong to packages.
        """
        home = self._homes.get(from_path)
        if home is None:
            home = project_of(from_path, self._folders)
        if home is None:
            return None
        found = self._found(home, tuple(module.split(".")))
        if found is None or self._files.is_source(found):
            return None
        self._homes.setdefault(found, home)
        return found

    def beside(self, path: str) -> Sequence[str]:
        """Return only the file itself, because modules of Python do not share a scope."""
        return (path,)

    def facts(self, path: str, cache: FactReader | None) -> FileFacts | None:
        """Return the facts of a file of a package, or None if the file is not read. Raises `StoreError`."""
        from .package_facts import python_package_facts

        data = self._installed.read(path)
        return python_package_facts(data, cache) if data is not None else None

    def _found(self, home: str, parts: tuple[str, ...]) -> str | None:
        if not all(part.isidentifier() for part in parts):
            return None
        path = self._paths.get(home)
        if path is None:
            path = self._paths[home] = SearchPath(self._files.root, self._folders[home])
        typings = path_in(home, _TYPINGS)
        stubs = (parts[0] + _STUBS, *parts[1:])
        tried = [(typings, parts), *((folder, stubs) for folder in path.folders)]
        if parts[0] in path.places:
            tried.append((path.places[parts[0]], parts[1:]))
        tried += [(folder, parts) for folder in path.folders]
        return next((found for folder, inner in tried if (found := self._module(folder, inner)) is not None), None)

    def _module(self, folder: str, parts: tuple[str, ...]) -> str | None:
        stem = "/".join((folder, *parts)) if folder else "/".join(parts)
        if len(parts) > 1 and not self._has(folder, parts[0], True):
            return None  # most packages are not in a folder
        for ending in _FILES:
            outer, _, name = f"{stem}{ending}".rpartition("/")
            if self._has(outer, name, False):
                return f"{stem}{ending}"
        return None

    def _has(self, folder: str, name: str, is_folder: bool) -> bool:
        """Return whether a folder contains a file or a folder with a name. Symbolic links are followed."""
        if folder not in self._names:
            self._names[folder] = listing(os.path.join(self._files.root, folder))
        return self._names[folder].get(name) is is_folder
