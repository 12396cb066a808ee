"""Maven: a `pom.xml` with the settings of its parents, by the rules of https://maven.apache.org/pom.html."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import msgspec

from .....schema.records import Problem
from .xml_tree import Element, read_xml

#: The folder of the project at the start of a path.
_BASE: Final = re.compile(r"^\$\{(?:project\.|pom\.)?basedir\}/")
#: Plugin that adds folders with sources.
_BUILD_HELPER: Final = "build-helper-maven-plugin"
_PROPERTY: Final = re.compile(r"\$\{([^${}]+)\}")
_DEPENDENCY: Final = ("dependencies", "dependency")
_PROFILE: Final = ("profiles", "profile")
#: Maximum number of parents of a project.
_MAX_PARENTS: Final = 20
#: Maximum number of rounds in which properties are replaced by their values.
_MAX_ROUNDS: Final = 12
#: Maximum length of a value whose properties are replaced.
_MAX_LENGTH: Final = 2_000


class Coordinates(NamedTuple):
    """The coordinates of an artifact."""

    group: str
    artifact: str
    version: str

    @property
    def name(self) -> str:
        """Group and artifact: `org.slf4j:slf4j-api`."""
        return f"{self.group}:{self.artifact}"


class MavenDependency(msgspec.Struct, frozen=True):
    """A dependency with its properties replaced, and with the settings of `dependencyManagement`."""

    coordinates: Coordinates
    scope: str
    is_optional: bool
    #: "jar", "pom" or another type.
    type: str
    classifier: str
    #: Excluded transitive dependencies: `group:artifact`, in which either may be `*`.
    exclusions: tuple[str, ...]


class Pom(msgspec.Struct, frozen=True):
    """The content of one `pom.xml`, without the settings of its parents."""

    root: Element
    group: str
    artifact: str
    version: str
    #: The parent; None if the project has none.
    parent: Coordinates | None
    #: Path of the parent's file, relative to the folder of this file; "" without a parent.
    parent_path: str
    properties: dict[str, str]

    @property
    def modules(self) -> list[str]:
        """Folders of the modules, relative to the folder of the file, including modules of profiles."""
        listed = [*self.root.all("modules", "module"), *self.root.all("profiles", "profile", "modules", "module")]
        return [each.text.strip() for each in listed if each.text.strip()]


def parse_pom(content: bytes) -> Pom | Problem:
    """Return the content of a file, or the reason why it cannot be read."""
    root = read_xml(content)
    if isinstance(root, Problem):
        return root
    if root.name != "project":
        return Problem(root.line, f"the root element is <{root.name}> instead of <project>")
    above = root.child("parent")
    parent = Coordinates(above.value("groupId"), above.value("artifactId"), above.value("version")) if above else None
    path = above.child("relativePath") if above else None
    properties: dict[str, str] = {}
    for part in (root, *_default_profiles(root)):
        properties |= {each.name: each.text.strip() for block in part.all("properties") for each in block.children}
    return Pom(
        root=root,
        group=root.value("groupId"),
        artifact=root.value("artifactId"),
        version=root.value("version"),
        parent=parent,
        parent_path=(path.text.strip() if path is not None else "../pom.xml") if parent else "",
        properties=properties,
    )


def _default_profiles(root: Element) -> list[Element]:
    profiles = root.all(*_PROFILE)
    return [each for each in profiles if each.value("activation", "activeByDefault") == "true"]


def _also_in_profiles(root: Element, *names: str) -> Iterator[Element]:
    """Yield the elements at the end of a path of names: of a project, then of its profiles."""
    yield from root.all(*names)
    yield from root.all(*_PROFILE, *names)


#: Takes a project and its path. Returns its parent and the path of the parent; None if the parent is not known.
FindParent = Callable[[Pom, str], tuple[Pom, str] | None]
#: Returns the project with some coordinates, including its parents; None if the project is not known.
FindProject = Callable[[Coordinates], "MavenProject | None"]


class MavenProject:
    """A project with its inherited settings."""

    def __init__(self, pom: Pom, place: str, find_parent: FindParent, find_project: FindProject) -> None:
        """`place` is the path of the file, for the look-up of parents and the detection of cycles.

        `find_project` finds the projects whose `dependencyManagement` is imported.
        """
        self.lineage = list(_lineage(pom, place, find_parent))
        #: Whether all parents are known. Otherwise versions and dependencies may be missing.
        self.is_complete = self.lineage[-1].parent is None
        self._find_project = find_project
        self._properties: dict[str, str] = {}
        for each in reversed(self.lineage):
            self._properties |= each.properties
        own = pom.parent
        self.coordinates = Coordinates(
            self._replaced(pom.group or (own.group if own else "")),
            self._replaced(pom.artifact),
            self._replaced(pom.version or (own.version if own else "")),
        )
        for name, value in zip(("groupId", "artifactId", "version"), self.coordinates, strict=True):
            self._properties[f"project.{name}"] = self._properties[f"pom.{name}"] = value
        if own is not None:
            for name, value in zip(("groupId", "artifactId", "version"), own, strict=True):
                self._properties[f"project.parent.{name}"] = value
        self._managed: dict[str, Element | MavenDependency] | None = None

    @property
    def dependencies(self) -> list[MavenDependency]:
        """The dependencies of the project itself, then of its profiles, then of its parents.

        The first of several equal dependencies is kept. The dependencies of all profiles count, because a build may use any
        profile.
        """
        found: dict[str, MavenDependency] = {}
        for each in self.lineage:
            for entry in _also_in_profiles(each.root, *_DEPENDENCY):
                read = self._dependency(entry)
                if read.coordinates.artifact:
                    found.setdefault(self._key(entry), read)
        return list(found.values())

    @property
    def source_folders(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The folders with sources and with tests, relative to the project; empty for the usual folders.

        The plugin `build-helper-maven-plugin` adds folders to the folders of the project.
        """
        main, tests = [self._named(name) for name in ("sourceDirectory", "testSourceDirectory")]
        added: dict[str, list[str]] = {"add-source": [], "add-test-source": []}
        for each in self.lineage:
            for plugin in _also_in_profiles(each.root, "build", "plugins", "plugin"):
                if plugin.value("artifactId") != _BUILD_HELPER:
                    continue
                shared = list(plugin.all("configuration", "sources", "source"))
                for run in plugin.all("executions", "execution"):
                    listed = [*run.all("configuration", "sources", "source"), *shared]
                    for goal in run.all("goals", "goal"):
                        added.get(goal.text.strip(), []).extend(self._folder(source.text) for source in listed)
        return (
            (main or "src/main/java", *added["add-source"]) if main or added["add-source"] else (),
            (tests or "src/test/java", *added["add-test-source"]) if tests or added["add-test-source"] else (),
        )

    def _named(self, name: str) -> str:
        """Return the folder of an element of `build`, of the project or of the nearest parent; "" if none has it."""
        found = (self._folder(each.root.value("build", name)) for each in self.lineage)
        return next((folder for folder in found if folder), "")

    def _folder(self, text: str) -> str:
        """Return a folder relative to the project."""
        return _BASE.sub("", self._replaced(text.strip())).replace("${project.build.directory}", "target")

    def managed(self, imports: int = _MAX_PARENTS) -> dict[str, Element | MavenDependency]:
        """Return the entries of `dependencyManagement`, the nearest first.

        `imports` is the number of levels of imports that are followed.
        """
        if self._managed is None:
            found: dict[str, Element | MavenDependency] = {}
            self._managed = found
            imported: list[Element] = []
            for each in self.lineage:
                for entry in _also_in_profiles(each.root, "dependencyManagement", *_DEPENDENCY):
                    if self._replaced(entry.value("scope")) == "import":
                        imported.append(entry)
                    else:
                        found.setdefault(self._key(entry), entry)
            for entry in imported if imports > 0 else ():
                project = self._find_project(self._coordinates(entry))
                for key, other in project.managed(imports - 1).items() if project is not None else ():
                    if key not in found and project is not None:
                        found[key] = project.read(other)
        return self._managed

    def read(self, entry: Element | MavenDependency) -> MavenDependency:
        """Return an entry of `dependencyManagement` with the properties of this project replaced."""
        return self._dependency_of(entry) if isinstance(entry, Element) else entry

    def _coordinates(self, entry: Element) -> Coordinates:
        return Coordinates(*(self._replaced(entry.value(name)) for name in ("groupId", "artifactId", "version")))

    def _key(self, entry: Element) -> str:
        group, artifact, _ = self._coordinates(entry)
        kind, classifier = self._replaced(entry.value("type")) or "jar", self._replaced(entry.value("classifier"))
        return f"{group}:{artifact}:{kind}:{classifier}"

    def _dependency_of(self, entry: Element) -> MavenDependency:
        exclusions = [
            f"{self._replaced(each.value('groupId')) or '*'}:{self._replaced(each.value('artifactId')) or '*'}"
            for each in entry.all("exclusions", "exclusion")
        ]
        return MavenDependency(
            coordinates=self._coordinates(entry),
            scope=self._replaced(entry.value("scope")),
            is_optional=self._replaced(entry.value("optional")) == "true",
            type=self._replaced(entry.value("type")) or "jar",
            classifier=self._replaced(entry.value("classifier")),
            exclusions=tuple(exclusions),
        )

    def _dependency(self, entry: Element) -> MavenDependency:
        own = self._dependency_of(entry)
        known = self.managed().get(self._key(entry))
        managed = self.read(known) if known is not None else own
        group, artifact, version = own.coordinates
        return msgspec.structs.replace(
            own,
            coordinates=Coordinates(group, artifact, version or managed.coordinates.version),
            scope=own.scope or managed.scope or "compile",
            is_optional=own.is_optional or managed.is_optional,
            exclusions=(*own.exclusions, *managed.exclusions) if managed is not own else own.exclusions,
        )

    def _replaced(self, text: str) -> str:
        """Replace properties by their values. A property without a known value stays."""
        for _ in range(_MAX_ROUNDS):
            found = _PROPERTY.sub(lambda match: self._properties.get(match[1], match[0]), text)
            if found == text or len(found) > _MAX_LENGTH:
                break
            text = found
        return text


def _lineage(pom: Pom, place: str, find_parent: FindParent) -> Iterator[Pom]:
    """Yield a project and its ancestors, the nearest first."""
    seen = {place}
    yield pom
    for _ in range(_MAX_PARENTS):
        found = find_parent(pom, place) if pom.parent is not None else None
        if found is None or found[1] in seen:
            return
        pom, place = found
        seen.add(place)
        yield pom
