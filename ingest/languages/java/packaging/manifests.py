"""The Java modules of a workspace, from the files of Maven and Gradle in each folder."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Final

from .....schema.paths import folders_above, parent_of, path_in
from .....schema.records import Problem
from ....files.workspace_files import WorkspaceFiles, join_path
from ...module_manifests import DeclaredDependency, FoundManifests, ModuleManifest
from .gradle import BUILD, SETTINGS, GradleBuild, GradleDependency, GradleProject
from .maven import Coordinates, FindParent, FindProject, MavenProject, Pom, parse_pom

POM: Final = "pom.xml"
#: Folders with projects for tests, which no build reads together.
_RESOURCES: Final = re.compile(r"(?:^|/)(?:resources|testdata|it|samples?|examples?)/")
_DEPENDENCIES: Final = "dependencies"
_DEVELOPMENT: Final = "devDependencies"
_PEER: Final = "peerDependencies"
_OPTIONAL: Final = "optionalDependencies"


def read_manifests(files: WorkspaceFiles) -> FoundManifests:
    """Return the modules of a workspace. In a folder with files of Maven and Gradle, only the files of Maven are used."""
    maven = files.once(MavenWorkspace)
    builds = files.once(gradle_builds)
    modules = list(maven.modules())
    known = {each.folder for each in modules}
    modules += [
        _gradle_module(build, each) for build in builds for each in build.projects if each.path and each.folder not in known
    ]
    problems = dict(maven.problems)
    for build in builds:
        problems.update(build.problems)
    return FoundManifests(modules, problems)


def _no_parent(pom: Pom, place: str) -> None:
    """Return None, for a workspace without external parents."""


def _no_project(coordinates: Coordinates) -> None:
    """Return None, for a workspace without external projects."""


class MavenWorkspace:
    """The Maven projects of a workspace, with inherited settings."""

    def __init__(
        self, files: WorkspaceFiles, outer_parent: FindParent = _no_parent, outer_project: FindProject = _no_project
    ) -> None:
        """`outer_parent` and `outer_project` find projects that are not in the workspace."""
        self._outer_parent = outer_parent
        self._outer_project = outer_project
        self.problems: dict[str, Problem] = {}
        #: The content of each `pom.xml`, by its path.
        self.poms: dict[str, Pom] = {}
        for path in sorted(files.configurations):
            content = files.read(path) if path.rpartition("/")[2] == POM else None
            parsed = parse_pom(content) if content is not None else None
            if isinstance(parsed, Problem):
                self.problems[path] = parsed
            elif parsed is not None:
                self.poms[path] = parsed
        #: Paths by group and artifact, before properties in both names are replaced.
        self._by_name: dict[str, list[str]] = {}
        for path, pom in self.poms.items():
            group = pom.group or (pom.parent.group if pom.parent is not None else "")
            self._by_name.setdefault(f"{group}:{pom.artifact}", []).append(path)
        self._projects: dict[str, MavenProject] = {}

    def project(self, path: str) -> MavenProject:
        """Return the project of a file in `poms`."""
        found = self._projects.get(path)
        if found is None:
            found = self._projects[path] = MavenProject(self.poms[path], path, self.parent, self.find)
        return found

    def parent(self, pom: Pom, path: str) -> tuple[Pom, str] | None:
        """Return the parent of a project with its path: at `relativePath`, or the workspace project with the parent's name."""
        if pom.parent is None:
            return None
        joined = join_path(parent_of(path), pom.parent_path) if pom.parent_path else None
        for place in (joined, path_in(joined, POM)) if joined is not None else ():
            if place in self.poms and place != path and self.poms[place].artifact == pom.parent.artifact:
                return self.poms[place], place
        named = [each for each in self._by_name.get(pom.parent.name, ()) if each != path]
        return (self.poms[named[0]], named[0]) if named else self._outer_parent(pom, path)

    def find(self, coordinates: Coordinates) -> MavenProject | None:
        """Return the project of the workspace with a name, or None."""
        paths = self._by_name.get(coordinates.name)
        return self.project(paths[0]) if paths else self._outer_project(coordinates)

    def modules(self) -> Iterator[ModuleManifest]:
        """Yield the modules.

        A broken file is still a module, so that a temporary error does not move files to the outer module.
        """
        known: dict[str, str] = {}
        for path in sorted({*self.poms, *self.problems}):
            folder = parent_of(path)
            if path not in self.poms:
                yield ModuleManifest(folder, "", "maven", path, "", ())
                continue
            project = self.project(path)
            coordinates = project.coordinates
            name = coordinates.name if coordinates.group else coordinates.artifact
            if name in known and not _RESOURCES.search(path):
                self.problems[path] = Problem(1, f"the module {name} is also declared in {known[name]}")
            known.setdefault(name, path)
            dependencies = dict.fromkeys(
                DeclaredDependency(each.coordinates.name, each.coordinates.version, _maven_section(each.scope, each.is_optional))
                for each in project.dependencies
            )
            yield ModuleManifest(folder, name, "maven", path, coordinates.version, tuple(dependencies))


def _maven_section(scope: str, is_optional: bool) -> str:
    if is_optional:
        return _OPTIONAL
    if scope == "test":
        return _DEVELOPMENT
    return _PEER if scope in ("provided", "system") else _DEPENDENCIES


def gradle_builds(files: WorkspaceFiles) -> list[GradleBuild]:
    """Return the builds of Gradle in a workspace, outer builds first."""
    scripts: set[str] = set()
    roots: set[str] = set()
    for path in files.configurations:
        folder, _, name = path.rpartition("/")
        if name in SETTINGS:
            roots.add(folder)
        elif name in BUILD:
            scripts.add(folder)
    by_root: dict[str, list[str]] = {root: [] for root in roots}
    for folder in sorted(scripts):
        above = next((each for each in folders_above(folder) if each in roots), None)
        if above is None:  # without settings, the outermost script belongs to the root project
            outer = [each for each in folders_above(folder) if each in scripts]
            above = outer[-1]
        by_root.setdefault(above, []).append(folder)
    return [GradleBuild(files, root, by_root[root]) for root in sorted(by_root)]


def _gradle_module(build: GradleBuild, project: GradleProject) -> ModuleManifest:
    dependencies: dict[DeclaredDependency, None] = {}
    for each in project.dependencies:
        if not each.is_platform:
            inner = build.by_path.get(each.name)
            version = inner.version if inner is not None else each.version
            dependencies[DeclaredDependency(dependency_name(build, each), version, _gradle_section(each.configuration))] = None
    name = gradle_name(project)
    return ModuleManifest(project.folder, name, "gradle", project.path, project.version, tuple(dependencies))


def dependency_name(build: GradleBuild, dependency: GradleDependency) -> str:
    """Return the name of a dependency of a build's project: another project of the build, or a package."""
    inner = build.by_path.get(dependency.name)
    return gradle_name(inner) if inner is not None else dependency.name


def gradle_name(project: GradleProject) -> str:
    """Return the name by which other builds depend on a project: its group, if there is one, and its name."""
    name = project.name or posixpath.basename(project.folder)
    return f"{project.group}:{name}" if project.group and name else name


def _gradle_section(configuration: str) -> str:
    text = configuration.lower()
    if "test" in text or "annotationprocessor" in text or text in ("kapt", "ksp", "checkstyle", "errorprone", "developmentonly"):
        return _DEVELOPMENT
    return _PEER if text.startswith(("compileonly", "provided")) else _DEPENDENCIES
