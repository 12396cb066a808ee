"""The folders with sources of each module, and the modules that it depends on, as the builds of a workspace state them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from .....schema.paths import parent_of
from ....files.workspace_files import WorkspaceFiles, join_path
from .gradle import GradleBuild, GradleProject
from .manifests import MavenWorkspace, dependency_name, gradle_builds, gradle_name
from .source_sets import MAIN

#: The usual folders of production code and of tests, if a build names no other folders.
_USUAL: Final = {MAIN: ("src/main/java", "src/main/kotlin"), "test": ("src/test/java", "src/test/kotlin")}


class ModuleSources(msgspec.Struct, frozen=True):
    """A module of Maven or Gradle. Paths are relative to the root of the workspace."""

    folder: str
    #: `group:name`, as other modules name it.
    name: str
    #: The names of all dependencies.
    dependencies: tuple[str, ...]
    main: tuple[str, ...]
    #: Folders of tests and of other source sets.
    others: tuple[str, ...]


def read_sources(files: WorkspaceFiles) -> list[ModuleSources]:
    """Return the modules of a workspace. In a folder with files of Maven and Gradle, only the files of Maven are used."""
    found = list(_maven_modules(files.once(MavenWorkspace)))
    known = {each.folder for each in found}
    for build in files.once(gradle_builds):
        found += [_gradle_module(build, each) for each in build.projects if each.path and each.folder not in known]
    return found


def _maven_modules(workspace: MavenWorkspace) -> Iterator[ModuleSources]:
    for path in sorted(workspace.poms):
        project, folder = workspace.project(path), parent_of(path)
        main, tests = project.source_folders
        yield ModuleSources(
            folder,
            project.coordinates.name,
            tuple(dict.fromkeys(each.coordinates.name for each in project.dependencies)),
            _inside(folder, main or _USUAL[MAIN][:1]),
            _inside(folder, tests or _USUAL["test"][:1]),
        )


def _gradle_module(build: GradleBuild, project: GradleProject) -> ModuleSources:
    named: dict[str, list[str]] = {}
    for usual, folders in _USUAL.items():
        if usual not in project.sources.replaced:
            named[usual] = list(_inside(project.folder, folders))
    for each in project.sources.folders:
        below_root = each.path.removeprefix("$rootDir/").removeprefix("${rootDir}/")
        folder = build.folder if below_root != each.path else project.folder
        named.setdefault(each.source_set, []).extend(_inside(folder, (below_root,)))
    return ModuleSources(
        project.folder,
        gradle_name(project),
        tuple(dict.fromkeys(dependency_name(build, each) for each in project.dependencies if not each.is_platform)),
        tuple(named.pop(MAIN, ())),
        tuple(folder for folders in named.values() for folder in folders),
    )


def _inside(folder: str, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Convert paths that are relative to a folder to paths of the workspace. Paths outside of the workspace are left out."""
    joined = (join_path(folder, each) if "$" not in each else None for each in paths)
    return tuple([each for each in joined if each is not None])
