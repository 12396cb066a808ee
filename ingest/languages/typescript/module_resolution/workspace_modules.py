"""Read the packages of a workspace for the graph: their boundaries, nesting and dependencies."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from pathlib import Path

from .....schema.paths import folders_above, parent_of
from .....schema.records import Dependency, ModuleRecord, Problem
from ....files.workspace_files import WorkspaceFiles
from .package_manifest import DeclaredDependency, Manifests, PackageManifest
from .workspace_packages import WorkspacePackages


class WorkspaceModules:
    """Package boundaries, and the dependencies in their manifests."""

    def __init__(self, modules: list[ModuleRecord], dependencies: list[Dependency], problems: dict[str, Problem]) -> None:
        #: Outer modules before inner ones.
        self.modules = modules
        #: By module, in the order of the manifest.
        self.dependencies = dependencies
        #: Problems of manifests, by path.
        self.problems = problems
        self._ids = {module.id for module in modules}

    def module_of(self, path: str) -> str | None:
        """Return the id of the innermost module around a file, or None outside every module."""
        return _innermost(parent_of(path), self._ids)


def read_modules(root: Path, configuration_paths: Iterable[str]) -> WorkspaceModules:
    """Return the modules of a workspace. `configuration_paths` are those of its `Discovery`.

    A package.json that only sets options for the files below it (`{"type": "module"}`) is not a boundary, except at the
    root.
    """
    files = WorkspaceFiles(root, (), configuration_paths)
    manifests = Manifests(files)
    packages = WorkspacePackages(files, manifests)
    boundaries = [manifest for manifest in manifests.of_workspace() if _is_boundary(manifest)]
    known = {_module_id(manifest.folder) for manifest in boundaries}
    root_name = posixpath.basename(files.root)
    return WorkspaceModules(
        [_module(manifest, known, root_name) for manifest in boundaries],
        [_dependency(manifest, declared, packages) for manifest in boundaries for declared in manifest.dependencies],
        {**manifests.problems(), **packages.problems()},
    )


def _is_boundary(manifest: PackageManifest) -> bool:
    # A broken manifest keeps its boundary, so that a momentary error does not move its files to the outer module.
    return bool(manifest.name or manifest.dependencies or manifest.workspaces or manifest.problem) or not manifest.folder


def _module(manifest: PackageManifest, known: set[str], root_name: str) -> ModuleRecord:
    folder = manifest.folder
    return ModuleRecord(
        id=_module_id(folder),
        name=manifest.name or posixpath.basename(folder) or root_name,
        kind="npm",
        manifest_path=manifest.path,
        version=manifest.version,
        parent_id=_innermost(parent_of(folder), known) if folder else None,
    )


def _dependency(manifest: PackageManifest, declared: DeclaredDependency, packages: WorkspacePackages) -> Dependency:
    version_range = packages.without_catalog(manifest.folder, declared.package, declared.version_range)
    return Dependency(_module_id(manifest.folder), declared.package, version_range, declared.section)


def _module_id(folder: str) -> str:
    return folder or "."


def _innermost(folder: str, known: set[str]) -> str | None:
    return next((_module_id(each) for each in folders_above(folder) if _module_id(each) in known), None)
