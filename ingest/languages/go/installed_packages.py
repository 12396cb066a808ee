"""Find and read the packages outside the workspace that its files import.

A package is read only when one of its types is needed. As in the Go command, a `vendor` folder precedes the module cache.
Packages of the standard library without our own declarations are read from the installation of Go.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ....schema.paths import path_in
from ...files.go_modules import MODULE, escaped, module_cache
from ...files.workspace_files import listing
from ..module_manifests import missing_packages
from .modules.build_constraints import is_left_out
from .modules.standard_library import is_standard
from .modules.workspace import GoWorkspace, ModuleVersion
from .modules.workspace import is_left_out as is_left_out_folder

if TYPE_CHECKING:
    from ...facts.cache import FactReader
    from ...facts.model import FileFacts
    from ...files.workspace_files import WorkspaceFiles
    from ..installed_files import InstalledFiles
    from ..module_manifests import ManifestGap

_SUFFIX: Final = ".go"
_TEST: Final = "_test.go"


class GoPackages:
    """The packages outside a workspace that its files can import."""

    def __init__(self, files: WorkspaceFiles, installed: InstalledFiles) -> None:
        self._files = files
        self._installed = installed
        #: For each folder of an external package, the module of the workspace that imports it.
        self._homes: dict[str, str] = {}
        self._listed: dict[str, tuple[str, ...]] = {}
        self._found: dict[tuple[str, str], str | None] = {}

    @cached_property
    def _workspace(self) -> GoWorkspace:
        return self._files.once(GoWorkspace)

    @cached_property
    def _cache(self) -> str:
        return str(module_cache())

    @cached_property
    def _standard(self) -> str:
        """The folder with the sources of the standard library, "" if Go is not installed."""
        root = os.environ.get("GOROOT", "")
        if not root:
            program = shutil.which("go")
            root = str(Path(os.path.realpath(program)).parent.parent) if program is not None else ""
        return os.path.join(root, "src") if root else ""

    def file(self, module: str, from_path: str) -> str | None:
        """Return the first file of an external package that a file imports; None if there is none.

        The importing file may itself belong to an external package.
        """
        folder = from_path.rpartition("/")[0]
        home = self._homes.get(folder)
        if home is None:
            home = self._workspace.home_of(from_path) or ""
        key = (home, module)
        if key not in self._found:
            self._found[key] = self._folder(home, module)
        found = self._found[key]
        if found is None:
            return None
        self._homes.setdefault(found, home)
        first = f"{found}/{self._files_in(found)[0]}"
        return None if self._files.is_source(first) else first

    def beside(self, path: str) -> Sequence[str]:
        """Return the paths of all files in the package of a file."""
        folder = path.rpartition("/")[0]
        return [f"{folder}/{name}" for name in self._files_in(folder)]

    def facts(self, path: str, cache: FactReader | None) -> FileFacts | None:
        """Return the facts of a file of a package, or None if the file is not read. Raises `StoreError`."""
        from .package_facts import go_package_facts

        data = self._installed.read(path)
        return go_package_facts(data, cache) if data is not None else None

    def missing(self) -> Iterator[ManifestGap]:
        """Yield the `go.mod` files that require modules which are neither vendored nor in the module cache."""
        for home, file in self._workspace.modules.items():
            required = [each.path for each in file.requirements if not each.is_indirect]
            if is_left_out_folder(home) or self._workspace.vendor_of(home) is not None:
                continue
            missing = [path for path in required if not self._has(home, path)]
            if missing:
                yield missing_packages(path_in(home, MODULE), len(required), missing, "go mod download")

    def _has(self, home: str, path: str) -> bool:
        """Return whether the files of a required module are on this machine."""
        if any(file.module == path for file in self._workspace.modules.values()):
            return True
        found = (each for each in self._workspace.outside(home, path) if each.path == path)
        return any(os.path.isdir(os.path.join(self._files.root, self._place(each))) for each in found)

    def _folder(self, home: str, package: str) -> str | None:
        """Return the folder of a package with source files, or None. The path is absolute or relative to the root."""
        if not all(part and not part.startswith(".") for part in package.split("/")):
            return None
        return next((folder for folder in self._candidates(home, package) if self._files_in(folder)), None)

    def _candidates(self, home: str, package: str) -> Iterator[str]:
        if is_standard(package):
            if self._standard:
                yield f"{self._standard}/{package}"
            return
        vendor = self._workspace.vendor_of(home)
        if vendor is not None:
            yield f"{vendor}/{package}"
        for module in self._workspace.outside(home, package):
            inner = package[len(module.path) :]  # "", or a path that begins with a slash
            yield f"{self._place(module)}{inner}"

    def _place(self, module: ModuleVersion) -> str:
        return module.folder or f"{self._cache}/{escaped(module.source)}@{escaped(module.version)}"

    def _files_in(self, folder: str) -> tuple[str, ...]:
        """Return the names of the files in a folder that belong to the package on the host's platform."""
        if folder not in self._listed:
            names = listing(os.path.join(self._files.root, folder))
            self._listed[folder] = tuple(
                sorted(
                    name
                    for name, is_folder in names.items()
                    if not is_folder
                    and name.endswith(_SUFFIX)
                    and not name.endswith(_TEST)
                    and name[0] not in "._"
                    and not is_left_out(name, "")
                )
            )
        return self._listed[folder]
