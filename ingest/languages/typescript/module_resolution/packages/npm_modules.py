"""Read the packages of a workspace of npm, yarn, pnpm or Bun: their boundaries and dependencies."""

from __future__ import annotations

from .....files.workspace_files import WorkspaceFiles
from ....module_manifests import DeclaredDependency, FoundManifests, ModuleManifest
from .package_manifest import Manifests, PackageManifest
from .workspace_packages import WorkspacePackages


def read_manifests(files: WorkspaceFiles) -> FoundManifests:
    """Return the packages of a workspace.

    A package.json that only sets options for the files below it (`{"type": "module"}`) is not a boundary, except at the
    root.
    """
    manifests = Manifests(files)
    packages = WorkspacePackages(files, manifests)
    modules = [_module(manifest, packages) for manifest in manifests.of_workspace() if _is_boundary(manifest)]
    return FoundManifests(modules, {**manifests.problems(), **packages.problems()})


def _is_boundary(manifest: PackageManifest) -> bool:
    # A broken manifest is still a boundary, so that a temporary error does not move its files to the outer module.
    return bool(manifest.name or manifest.dependencies or manifest.workspaces or manifest.problem) or not manifest.folder


def _module(manifest: PackageManifest, packages: WorkspacePackages) -> ModuleManifest:
    dependencies = [
        DeclaredDependency(
            each.package, packages.without_catalog(manifest.folder, each.package, each.version_range), each.section
        )
        for each in manifest.dependencies
    ]
    return ModuleManifest(manifest.folder, manifest.name, "npm", manifest.path, manifest.version, tuple(dependencies))
