"""Read the packages of a workspace for the graph: their boundaries, nesting and dependencies."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from ...schema.paths import folders_above, parent_of
from ...schema.records import Dependency, ModuleRecord, Problem
from ..files.manifest_names import MANIFEST_LANGUAGES, manifest_language
from ..files.workspace_files import WorkspaceFiles
from .module_manifests import ManifestGap, ModuleManifest
from .registry import language as language_named


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

    @property
    def root_name(self) -> str:
        """The name of the module at the root of the workspace; "" if there is none."""
        return next((module.name for module in self.modules if module.id == "."), "")

    def module_of(self, path: str) -> str | None:
        """Return the id of the innermost module around a file, or None outside every module."""
        return _innermost(parent_of(path), self._ids)


def read_modules(files: WorkspaceFiles) -> WorkspaceModules:
    """Return the modules of a workspace.

    A folder with manifests of several languages is one module. The module has the dependencies of all manifests and the kind of
    the first manifest. Name and version come from the first manifest with a name.
    """
    names = {path.rpartition("/")[2] for path in files.configurations}
    by_folder: dict[str, list[ModuleManifest]] = {}
    problems: dict[str, Problem] = {}
    known_languages = {manifest_language(name) for name in names}
    for language in (each for each in dict.fromkeys(MANIFEST_LANGUAGES.values()) if each in known_languages):
        read = language_named(language).manifests
        if read is not None:
            found = read(files)
            problems.update(found.problems)
            for manifest in found.modules:
                by_folder.setdefault(manifest.folder, []).append(manifest)
    folders = sorted(by_folder, key=lambda folder: (folder.count("/") + bool(folder), folder))
    known = {_module_id(folder) for folder in folders}
    root_name = posixpath.basename(files.root)
    return WorkspaceModules(
        [_module(by_folder[folder], known, root_name) for folder in folders],
        list(dict.fromkeys(each for folder in folders for each in _dependencies(by_folder[folder]))),
        problems,
    )


def manifest_gaps(files: WorkspaceFiles) -> list[ManifestGap]:
    """Return what the manifests of a workspace leave unknown, by path: their problems, and required packages that are missing."""
    names = {path.rpartition("/")[2] for path in files.configurations}
    found = [ManifestGap(path, each.line, each.reason) for path, each in read_modules(files).problems.items()]
    for language in dict.fromkeys(filter(None, map(manifest_language, sorted(names)))):
        missing = language_named(language).missing_packages
        found += missing(files) if missing is not None else ()
    return sorted(found, key=lambda gap: (gap.file, gap.line))


def _module(manifests: list[ModuleManifest], known: set[str], root_name: str) -> ModuleRecord:
    first = manifests[0]
    folder = first.folder
    named = next((manifest for manifest in manifests if manifest.name), first)
    return ModuleRecord(
        id=_module_id(folder),
        name=named.name or posixpath.basename(folder) or root_name,
        kind=first.kind,
        manifest_path=first.path,
        version=named.version,
        parent_id=_innermost(parent_of(folder), known) if folder else None,
    )


def _dependencies(manifests: list[ModuleManifest]) -> Iterable[Dependency]:
    for manifest in manifests:
        for each in manifest.dependencies:
            yield Dependency(_module_id(manifest.folder), each.package, each.version_range, each.section)


def _module_id(folder: str) -> str:
    return folder or "."


def _innermost(folder: str, known: set[str]) -> str | None:
    return next((_module_id(each) for each in folders_above(folder) if _module_id(each) in known), None)
