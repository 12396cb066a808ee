"""The modules of a workspace: the folder of each package path, and the used versions of other modules."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final, NamedTuple

from .....schema.paths import folders_above, parent_of, path_in
from ....files.go_modules import MODULE, SUMS, VENDOR_LIST, WORKSPACE
from ....files.workspace_files import WorkspaceFiles, join_path
from .module_file import ModuleFile, Replacement, read_module_file
from .versions import version_order

#: Folders that the Go command ignores.
#: The version of a module in its path.
_VERSION: Final = re.compile(r"/v\d+(?=/|$)")
_LEFT_OUT: Final = re.compile(r"(?:^|/)(?:testdata|[_.][^/]*)/")


class ModuleVersion(NamedTuple):
    """The version of a module outside of the workspace, and the module or folder that replaces it, if there is one."""

    path: str
    #: The path and the version in the module cache: of the replacement if there is one, else of the module.
    source: str
    version: str
    #: Folder of the module, absolute or relative to the root of the workspace; "" for a module in the module cache.
    folder: str


class GoWorkspace:
    """All `go.mod` and `go.work` files of a workspace."""

    def __init__(self, files: WorkspaceFiles) -> None:
        self._files = files
        #: The `go.mod` files by folder.
        self.modules: Final = self._read(MODULE)
        self._workspaces: Final = self._read(WORKSPACE)
        #: Versions of other modules, by the folder of a module, or by the folder of the `go.work` whose modules share them.
        self._known: dict[str, dict[str, ModuleVersion]] = {}
        self._shared: dict[str, dict[str, ModuleVersion]] = {}
        self._places: dict[str | None, list[tuple[str, str]]] = {}

    def _read(self, name: str) -> dict[str, ModuleFile]:
        """Return the files with a name by their folder, outer folders first."""
        paths = [path for path in self._files.configurations if path.rpartition("/")[2] == name]
        paths.sort(key=lambda path: (path.count("/"), path))
        return {parent_of(path): read_module_file(self._files.read(path) or b"") for path in paths}

    # ------------------------------------------------------------------ packages of the workspace

    def places(self, home: str | None) -> list[tuple[str, str]]:
        """Return the path and the folder of each module for imports of the module at `home`, longest paths first.

        The path of this module always resolves to `home`, and its replacements take precedence over the replacements of other
        modules.
        """
        known = self._places.get(home)
        if known is None:
            found = dict(self._common_places)
            own = self.modules.get(home) if home is not None else None
            if home is not None and own is not None:
                inner: dict[str, str] = {}
                self._add_replaced(home, own, inner)
                found.update(inner)
                if own.module:
                    found[own.module] = home
            known = self._places[home] = sorted(found.items(), key=lambda module: -len(module[0]))
        return known

    @cached_property
    def _common_places(self) -> dict[str, str]:
        """The folder of each module by its path, for imports of files outside of all modules.

        Modules in ignored folders are left out. A folder may replace a module with another path.
        """
        found: dict[str, str] = {}
        replaced: dict[str, str] = {}
        for folder, file in self.modules.items():
            if not is_left_out(folder):
                if file.module:
                    found.setdefault(file.module, folder)
                self._add_replaced(folder, file, replaced)
        for folder, file in self._workspaces.items():
            self._add_replaced(folder, file, replaced)
        return {**replaced, **found}

    def _add_replaced(self, folder: str, file: ModuleFile, replaced: dict[str, str]) -> None:
        for each in file.replacements:
            target = join_path(folder, each.target) if each.is_folder and not each.target.startswith("/") else None
            if target is not None:
                replaced.setdefault(each.path, target)

    def folder_of(self, package: str, home: str | None) -> str | None:
        """Return the folder of a package in a module of the workspace; None for other packages. The folder may not exist.

        `home` is the folder of the module whose file names the package, None for a file outside of all modules.
        """
        for module, folder in self.places(home):
            if package == module or package.startswith(module + "/"):
                return join_path(folder, package[len(module) :].lstrip("/"))
        return None

    def folder_of_other_version(self, package: str) -> str | None:
        """Return the folder of a package if the package is that of another version of a module: `shop/cart` for `shop/v3`."""
        plain = _VERSION.sub("", package)
        for folder, file in self.modules.items():
            module = _VERSION.sub("", file.module or "")
            if module and not is_left_out(folder) and (plain == module or plain.startswith(module + "/")):
                return join_path(folder, plain[len(module) :].lstrip("/"))
        return None

    # ------------------------------------------------------------------ modules outside

    def home_of(self, path: str) -> str | None:
        """Return the folder of the module around a file of the workspace, or None."""
        return next((folder for folder in folders_above(parent_of(path)) if folder in self.modules), None)

    def vendor_of(self, home: str) -> str | None:
        """Return the `vendor` folder of a module, beside its `go.mod` or `go.work`, or None."""
        around = self._workspace_of(home)
        for folder in (home, *((around,) if around is not None else ())):
            listed = path_in(folder, VENDOR_LIST)
            if self._files.is_file(listed):
                return parent_of(listed)
        return None

    def outside(self, home: str, package: str) -> Iterator[ModuleVersion]:
        """Yield the external modules that may contain a package, in the order of the Go command: longest paths first."""
        versions = self._versions(home)
        for path in folders_above(package):
            if path in versions:
                yield versions[path]

    def _versions(self, home: str) -> dict[str, ModuleVersion]:
        known = self._known.get(home)
        if known is None:
            around = self._workspace_of(home)
            if around is None:
                known = self._selected([home] if home in self.modules else [], None)
            elif around in self._shared:
                known = self._shared[around]
            else:
                known = self._shared[around] = self._selected(self._used(around), around)
            self._known[home] = known
        return known

    def _workspace_of(self, home: str) -> str | None:
        """Return the folder of the nearest `go.work` that uses a module, or None."""
        for folder in folders_above(home):
            if folder in self._workspaces:
                return folder if home in self._used(folder) else None
        return None

    def _used(self, folder: str) -> list[str]:
        joined = [join_path(folder, each) for each in self._workspaces[folder].used]
        return [each for each in joined if each is not None and each in self.modules]

    def _selected(self, folders: Iterable[str], around: str | None) -> dict[str, ModuleVersion]:
        """Return the versions that some modules use together: the highest required version of each module.

        Since Go 1.17, a `go.mod` lists all requirements of its packages. For older files, `go.sum` has the used versions.
        """
        versions: dict[str, str] = {}
        replaced: dict[tuple[str, str], tuple[str, Replacement]] = {}
        for folder in folders:
            sums = self._files.read(path_in(folder, SUMS))
            required = {each.path: each.version for each in self.modules[folder].requirements}
            listed = {path: version for path, version in _summed(sums or b"").items() if path not in required}
            for path, version in (*listed.items(), *required.items()):
                if path not in versions or version_order(version) > version_order(versions[path]):
                    versions[path] = version
            for each in self.modules[folder].replacements:
                replaced[each.path, each.version] = (folder, each)
        if around is not None:
            for each in self._workspaces[around].replacements:
                replaced[each.path, each.version] = (around, each)
        found: dict[str, ModuleVersion] = {}
        for path, version in versions.items():
            place = replaced.get((path, version)) or replaced.get((path, ""))
            found[path] = _replaced(path, *place) if place is not None else ModuleVersion(path, path, version, "")
        return found


def is_left_out(folder: str) -> bool:
    """Return whether the Go command excludes a folder from packages: test data, and names that begin with a dot or underscore."""
    return _LEFT_OUT.search(f"{folder}/") is not None


def _replaced(path: str, folder: str, replacement: Replacement) -> ModuleVersion:
    if replacement.is_folder:
        target = replacement.target if replacement.target.startswith("/") else posixpath.join(folder, replacement.target)
        return ModuleVersion(path, path, "", posixpath.normpath(target))
    return ModuleVersion(path, replacement.target, replacement.target_version, "")


def _summed(data: bytes) -> dict[str, str]:
    """Return the highest version of each module with a checksum of its sources in a `go.sum`."""
    found: dict[str, str] = {}
    for line in data.decode("utf-8", "replace").splitlines():
        words = line.split()
        if len(words) == 3 and not words[1].endswith("/go.mod"):
            path, version = words[0], words[1]
            if path not in found or version_order(version) > version_order(found[path]):
                found[path] = version
    return found
