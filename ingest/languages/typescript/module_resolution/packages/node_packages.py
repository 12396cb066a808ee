"""Find installed packages as Node does, and the files that declare their types.

Installed packages are never indexed.
"""

from __future__ import annotations

from collections.abc import Iterator

from ......schema.paths import folders_above
from .....files.workspace_files import WorkspaceFiles, join_path
from .package_exports import matching_targets
from .package_manifest import Manifests
from .path_probe import TYPE_EXTENSIONS, PathProbe


def split_package_name(specifier: str) -> tuple[str, str]:
    """Split a specifier into package and subpath: `@scope/name/sub/path` -> (`@scope/name`, `sub/path`)."""
    parts = specifier.split("/")
    size = 2 if specifier.startswith("@") else 1
    return "/".join(parts[:size]), "/".join(parts[size:]).strip("/")


def installed_package_of(path: str) -> tuple[str, str] | None:
    """Return package and subpath of a file below node_modules, or None for any other file. `@types/x` counts as `x`."""
    below = f"/{path}".rpartition("/node_modules/")
    if not below[1]:
        return None
    package, subpath = split_package_name(below[2])
    if package.startswith("@types/"):
        scope, mangled, name = package.removeprefix("@types/").partition("__")
        package = f"@{scope}/{name}" if mangled else scope
    return package, subpath


class InstalledPackages:
    """Finds packages in the node_modules folders of a workspace, up to its root."""

    def __init__(self, files: WorkspaceFiles, manifests: Manifests) -> None:
        self._files = files
        self._manifests = manifests
        self._above: dict[str, list[str]] = {}
        self._types_probe = PathProbe(files.is_file, manifests, TYPE_EXTENSIONS)

    def folders(self, package: str, from_folder: str) -> Iterator[str]:
        """Yield the folders in which a package is installed, nearest first.

        Symbolic links inside the workspace are followed.
        """
        for folder in self._modules_folders(from_folder):
            if self._files.is_folder(f"{folder}/{package}"):
                yield self._files.real_path(f"{folder}/{package}")

    def _modules_folders(self, from_folder: str) -> list[str]:
        """Return the node_modules folders in a folder and above it."""
        found = self._above.get(from_folder)
        if found is None:
            bases = (folder for folder in folders_above(from_folder) if folder.rpartition("/")[2] != "node_modules")
            candidates = (f"{base}/node_modules" if base else "node_modules" for base in bases)
            found = self._above[from_folder] = [folder for folder in candidates if self._files.is_folder(folder)]
        return found

    def declaration(self, package: str, subpath: str, from_folder: str, conditions: frozenset[str]) -> str | None:
        """Return the file below node_modules that declares a package's subpath, in the package or else in `@types`."""
        for name in (package, _types_package(package)):
            for folder in self.folders(name, from_folder):
                if found := self._declaration_in(folder, subpath, conditions):
                    return found
        return None

    def _declaration_in(self, folder: str, subpath: str, conditions: frozenset[str]) -> str | None:
        manifest = self._manifests.at(folder)
        if manifest is not None and manifest.exports is not None:
            # Files that `exports` does not name are hidden.
            targets = matching_targets(manifest.exports, f"./{subpath}" if subpath else ".", conditions)
            joined = (join_path(folder, target) for target in targets)
            return next((found for path in joined if path and (found := self._types_probe.file(path))), None)
        if not subpath:
            return self._types_probe.folder(folder)
        mapped = self._types_probe.mapped(manifest.version_paths, folder, subpath) if manifest is not None else None
        return mapped or self._types_probe.path(f"{folder}/{subpath}")


def _types_package(package: str) -> str:
    """Return the name in `@types`, which flattens scopes: `@types/scope__name` declares `@scope/name`."""
    return f"@types/{package[1:].replace('/', '__')}" if package.startswith("@") else f"@types/{package}"
