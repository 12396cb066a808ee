"""Gradle: the projects of a build and their dependencies, read from `settings.gradle` and scripts without running them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from .....schema.paths import path_in
from .....schema.records import Problem
from ....files.workspace_files import WorkspaceFiles, join_path
from .gradle_script import Statement, Token, parse_script
from .gradle_values import Catalogue, Values, map_entries, read_catalogue, read_properties
from .source_sets import SourceFolders, read_source_folders

SETTINGS: Final = ("settings.gradle", "settings.gradle.kts")
BUILD: Final = ("build.gradle", "build.gradle.kts")
_CATALOGUE: Final = ".versions.toml"
_PROPERTIES: Final = "gradle.properties"
#: Functions that may enclose a dependency: functions that mark a platform, which defines versions, or that select another part of
#: a project.
_WRAPPERS: Final = frozenset(("platform", "enforcedPlatform", "testFixtures", "create", "dependencies"))
#: First words of statements in `dependencies` that declare no dependency.
_NO_CONFIGURATIONS: Final = frozenset(("constraints", "components", "modules", "artifactTypes", "def", "val", "if", "for"))
#: Calls that name files or Gradle itself.
_NO_LIBRARIES: Final = frozenset(("files", "fileTree", "gradleApi", "localGroovy", "gradleTestKit", "gradleKotlinDsl"))


class GradleDependency(msgspec.Struct, frozen=True):
    """A dependency of a configuration: `implementation`, `testImplementation`."""

    configuration: str
    #: `group:name`, or the path of a project of the build with a leading colon: `:core`.
    name: str
    version: str
    is_platform: bool = False


class GradleProject(msgspec.Struct):
    """A project of a build. Folders are paths of the workspace."""

    folder: str
    #: The script, or the settings that include the project; "" if there is none.
    path: str
    #: Path within the build: `:core:api`, ":" for the root.
    project: str
    name: str
    group: str
    version: str
    dependencies: tuple[GradleDependency, ...]
    sources: SourceFolders


class GradleBuild:
    """The projects of one build. The root of a build is the folder of its settings."""

    def __init__(self, files: WorkspaceFiles, folder: str, folders: Sequence[str]) -> None:
        """`folders` are the folders with scripts that belong to the build."""
        self._files = files
        self.folder = folder
        #: Problems of version catalogues, by path.
        self.problems: dict[str, Problem] = {}
        self._catalogues = self._read_catalogues()
        self._settings = self._statements(SETTINGS, folder)
        properties = read_properties(self._read(folder, _PROPERTIES) or b"")
        self._root_values = Values(properties, self._catalogues)
        self._root_values.assign(self._settings)
        self._root_script = self._statements(BUILD, folder)
        for path in _applied_scripts(self._root_script):
            self._root_values.assign(self._applied_script(path))
        self._root_values.assign(self._root_script)
        self.projects = [self._project(each, path) for each, path in self._included(folders).items()]
        #: The projects by the paths with which dependencies name them: `:tools:cli`.
        self.by_path = {each.project: each for each in self.projects}

    # ------------------------------------------------------------------ files

    def _read(self, folder: str, name: str) -> bytes | None:
        return self._files.read(path_in(folder, name))

    def _script_path(self, folder: str, names: Sequence[str], own: str = "") -> str:
        """Return the path of a folder's script, which may have the name of the project; "" if there is none."""
        named = (*names, *((f"{own}.gradle", f"{own}.gradle.kts") if own else ()))
        paths = [path_in(folder, name) for name in named]
        return next((path for path in paths if path in self._files.configurations), "")

    def _statements(self, names: Sequence[str], folder: str, own: str = "") -> list[Statement]:
        path = self._script_path(folder, names, own)
        content = self._files.read(path) if path else None
        return parse_script(content.decode("utf-8-sig", "replace")) if content is not None else []

    def _applied_script(self, path: str) -> list[Statement]:
        """Return the statements of a script that the root project applies; such scripts often define versions."""
        place = join_path(self.folder, path)
        content = self._files.read(place) if place is not None and place in self._files.configurations else None
        return parse_script(content.decode("utf-8-sig", "replace")) if content is not None else []

    def _read_catalogues(self) -> dict[str, Catalogue]:
        place = f"{self.folder}/gradle/" if self.folder else "gradle/"
        found: dict[str, Catalogue] = {}
        for path in sorted(self._files.configurations):
            name = path.removeprefix(place)
            if path.startswith(place) and name.endswith(_CATALOGUE) and "/" not in name:
                catalogue = read_catalogue(self._files.read(path) or b"")
                found[name.removesuffix(_CATALOGUE)] = catalogue
                if catalogue.problem is not None:
                    self.problems[path] = catalogue.problem
        return found

    # ------------------------------------------------------------------ projects

    def _included(self, folders: Sequence[str]) -> dict[str, str]:
        """Return the paths of the projects within the build, by folder."""
        included: dict[str, str] = {":": self.folder}
        for statement in _all(self._settings):
            texts = [self._root_values.text([token]) for token in statement.tokens if token.kind == "string"]
            if statement.name in ("include", "includeFlat"):
                for text in texts:
                    parts = [part for part in text.split(":") if part]
                    for length in range(1, len(parts) + 1):
                        inner = join_path(self.folder, "/".join(parts[:length]))
                        if inner is not None:
                            included.setdefault(":" + ":".join(parts[:length]), inner)
            elif statement.name == "project" and any(token.text == "projectDir" for token in statement.tokens) and len(texts) > 1:
                inner = join_path(self.folder, _below_root(texts[-1]))
                if inner is not None:
                    included[":" + texts[0].strip(":")] = inner
        found = {folder: path for path, folder in included.items() if path == ":" or self._files.is_folder(folder)}
        for folder in folders:
            inner = posixpath.relpath(folder or ".", self.folder or ".")
            found.setdefault(folder, ":" if inner == "." else ":" + inner.replace("/", ":"))
        return found

    def _project(self, folder: str, project: str) -> GradleProject:
        is_root = folder == self.folder
        own = project.rpartition(":")[2]
        path = self._script_path(folder, BUILD, own) or self._script_path(self.folder, SETTINGS)
        script = self._root_script if is_root else self._statements(BUILD, folder, own)
        shared = [self._root_script] if is_root else list(self._blocks_of(project))
        values = Values(self._root_values.known, self._catalogues)
        if not is_root:
            for name in ("version", "group", "rootProject.name"):
                values.known.pop(name, None)
            values.known |= read_properties(self._read(self.folder, _PROPERTIES) or b"")
            values.known |= read_properties(self._read(folder, _PROPERTIES) or b"")
        for each in self._shared(("allprojects",)) if is_root else shared:
            values.assign(each)
        values.assign(script)
        statements = [*(each for block in shared for each in block if not is_root), *script]
        if is_root:
            statements += [each for block in self._shared(("allprojects",)) for each in block]
        name = self._root_values.known.get("rootProject.name", "") if is_root else own
        return GradleProject(
            folder=folder,
            path=path,
            project=project,
            name=name,
            group=values.known.get("group", ""),
            version=values.known.get("version", ""),
            dependencies=tuple(dict.fromkeys(_dependencies(statements, values))),
            sources=read_source_folders(statements, values),
        )

    def _shared(self, names: Sequence[str]) -> Iterator[list[Statement]]:
        for statement in self._root_script:
            if statement.block is not None and statement.name in names:
                yield statement.block

    def _blocks_of(self, project: str) -> Iterator[list[Statement]]:
        """Yield the blocks of the root's script that configure another project."""
        for statement in self._root_script:
            if statement.block is None:
                continue
            texts = [token.text for token in statement.tokens]
            is_all = statement.name in ("allprojects", "subprojects") or texts[:3] == ["configure", "(", "subprojects"]
            if is_all or (statement.name in ("project", "configure") and project in texts):
                yield statement.block


def _all(statements: Sequence[Statement]) -> Iterator[Statement]:
    waiting = list(reversed(statements))
    while waiting:
        statement = waiting.pop()
        yield statement
        waiting += reversed(statement.block or [])


def _below_root(path: str) -> str:
    return path.removeprefix("$rootDir/").removeprefix("${rootDir}/").removeprefix("$projectDir/")


def _applied_scripts(statements: Sequence[Statement]) -> Iterator[str]:
    """Yield the scripts that a script applies: `apply from: 'gradle/dependencies.gradle'`."""
    for statement in statements:
        if statement.name == "apply" and any(token.text == "from" for token in statement.tokens):
            yield from (_below_root(token.text) for token in statement.tokens if token.kind == "string")


def _dependencies(statements: Sequence[Statement], values: Values) -> Iterator[GradleDependency]:
    for statement in statements:
        if statement.name == "dependencies" and len(statement.tokens) == 1:
            for entry in statement.block or ():
                yield from _entry(entry.tokens, values)


def _entry(tokens: Sequence[Token], values: Values) -> Iterator[GradleDependency]:
    """Yield the dependencies in a statement: `implementation "g:a:v"`, `api(libs.x)`, `"x"(project(":y"))`."""
    if len(tokens) < 2 or tokens[0].kind not in ("word", "string") or tokens[0].text in _NO_CONFIGURATIONS:
        return
    configuration, rest = tokens[0].text, _unwrapped(tokens[1:])
    words = [each.text for each in rest]
    is_platform = any(each in ("platform", "enforcedPlatform") for each in words)
    if any(each in _NO_LIBRARIES for each in words):
        return
    while words and words[0] in _WRAPPERS:
        rest = _unwrapped(rest[1:])
        words = [each.text for each in rest]
    if words and words[0] == "project":
        path = next((each.text for each in rest if each.kind == "string"), "")
        if path:
            yield GradleDependency(configuration, ":" + path.strip(":"), "", False)
        return
    named = dict(map_entries(rest))
    if "name" in named and rest[0].kind == "word":
        group, name, version = (values.text(named[key]) if key in named else "" for key in ("group", "name", "version"))
        yield GradleDependency(configuration, f"{group}:{name}", version, is_platform)
    elif words and words[0] == "kotlin" and len(rest) > 2 and rest[2].kind == "string":
        version = rest[4].text if len(rest) > 4 and rest[4].kind == "string" else ""
        yield GradleDependency(configuration, f"org.jetbrains.kotlin:kotlin-{rest[2].text}", version, is_platform)
    else:
        for argument in _arguments(rest):
            is_accessor = bool(argument) and argument[0].text in values.catalogues
            texts = _of_catalogue(values.catalogues, argument) if is_accessor else [values.text(argument)]
            for text in texts:
                yield from _dependency_of_notation(configuration, text, is_platform)


def _unwrapped(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the arguments of a call without the parentheses around them."""
    if len(tokens) > 1 and tokens[0].kind == "sign" and tokens[0].text == "(" and tokens[-1].text == ")":
        return tokens[1:-1]
    return tokens


def _arguments(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    argument: list[Token] = []
    for token in tokens:
        if token.kind == "sign" and token.text == ",":
            yield argument
            argument = []
        else:
            argument.append(token)
    yield argument


def _of_catalogue(catalogues: Mapping[str, Catalogue], accessor: Sequence[Token]) -> Iterator[str]:
    """Yield the libraries of a catalog accessor: `libs.junit.jupiter`, `libs.bundles.testing`."""
    catalogue = catalogues[accessor[0].text]
    names = [each.text for each in accessor[1:] if each.kind == "word" and each.text != "get"]
    if names and names[0] == "bundles":
        for each in catalogue.bundles.get(".".join(names[1:]), ()):
            if each in catalogue.libraries:
                yield catalogue.libraries[each]
    elif ".".join(names) in catalogue.libraries:
        yield catalogue.libraries[".".join(names)]


def _dependency_of_notation(configuration: str, text: str, is_platform: bool) -> Iterator[GradleDependency]:
    """Yield the dependency in a notation `group:name:version:classifier@extension`."""
    parts = text.partition("@")[0].split(":")
    if len(parts) > 1 and parts[0] and parts[1] and not any(" " in part for part in parts[:2]):
        yield GradleDependency(configuration, f"{parts[0]}:{parts[1]}", parts[2] if len(parts) > 2 else "", is_platform)
