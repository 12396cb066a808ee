"""The types in archives of dependencies. The types are found by name, and read when they are needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from ....facts.cache import FactKey, kept_facts
from ....files.manifest_names import manifest_language
from ....files.source_text import decode_source
from ...module_manifests import missing_packages
from ...registry import language as record_of
from ..packaging.manifests import POM, MavenWorkspace, gradle_builds, read_manifests
from ..packaging.maven import Coordinates, MavenDependency
from .archives import Archive, open_archive
from .class_file import ClassFile, NotAClassFile, read_class
from .declarations import declarations
from .local_repositories import LocalRepositories, local_repositories, state_of

if TYPE_CHECKING:
    from ....facts.cache import FactReader
    from ....facts.model import FileFacts
    from ....files.workspace_files import WorkspaceFiles
    from ...installed_files import InstalledFiles
    from ...module_manifests import ManifestGap

#: The separator between the path of an archive and the name of a class.
_INSIDE: Final = "!/"


class _LastArchives:
    """The archives of the workspace that was read last. An update of an index needs the archives of the update before."""

    def __init__(self) -> None:
        self._key: object = None
        self._repositories: LocalRepositories | None = None
        self._found: dict[str, list[Archive]] = {}

    def archives(self, files: WorkspaceFiles, repositories: LocalRepositories) -> dict[str, list[Archive]]:
        """Return the archives by the names of their packages, with slashes; nearer dependencies come first."""
        manifests = [path for path in sorted(files.configurations) if manifest_language(path.rpartition("/")[2]) == "java"]
        key = files.root, repositories.folders, [(path, state_of(f"{files.root}/{path}")) for path in manifests]
        if self._repositories is None or self._key != key or not self._repositories.is_unchanged():
            self._found = _archives_of(files, repositories)
            self._key, self._repositories = key, repositories
        return self._found


_LAST: Final = _LastArchives()


def _archives_of(files: WorkspaceFiles, repositories: LocalRepositories) -> dict[str, list[Archive]]:
    found: dict[str, list[Archive]] = {}
    for path in dict.fromkeys(repositories.closure(dependencies_of(files, repositories))):
        archive = open_archive(path)
        for package in archive.packages:
            found.setdefault(package, []).append(archive)
    return found


class ClassPath:
    """The archives of a workspace's dependencies that are on this machine."""

    def __init__(self, files: WorkspaceFiles, installed: InstalledFiles, repositories: LocalRepositories | None = None) -> None:
        self._files = files
        self._installed = installed
        self._repositories = repositories

    @cached_property
    def _archives(self) -> dict[str, list[Archive]]:
        """The archives by the names of their packages, with slashes; nearer dependencies come first."""
        return _LAST.archives(self._files, self._repositories or local_repositories())

    def file(self, module: str, from_path: str) -> str | None:
        """Return the path of a type by its qualified name; None if no archive contains it, and for nested types."""
        name = module.replace(".", "/")
        package, _, simple = name.rpartition("/")
        if not simple or package not in self._archives:
            return None
        for archive in self._archives[package]:
            if archive.has(name):
                return f"{archive.path}{_INSIDE}{name}"
        return None

    def beside(self, path: str) -> Sequence[str]:
        """Return only the file itself, because files of archives do not share a scope."""
        return (path,)

    def facts(self, path: str, cache: FactReader | None) -> FileFacts | None:
        """Return the facts of a type, or None if its class file cannot be read. Raises `StoreError`."""
        place, _, name = path.rpartition(_INSIDE)
        archives = self._archives.get(name.rpartition("/")[0], ())
        archive = next((each for each in archives if each.path == place), None)
        top = self._class(archive, name) if archive is not None else None
        if archive is None or top is None:
            return None
        try:
            text = declarations(top, lambda inner: self._class(archive, inner)).encode()
        except NotAClassFile:
            return None
        if not self._installed.admits(path, len(text)):
            return None
        key = FactKey.of(sha256(text).hexdigest(), "java")
        return kept_facts(cache, key, lambda: record_of("java").read(decode_source(text), "java"))

    def _class(self, archive: Archive, name: str) -> ClassFile | None:
        data = archive.read(name)
        try:
            return read_class(data) if data is not None else None
        except NotAClassFile:
            return None


def missing_archives(files: WorkspaceFiles, repositories: LocalRepositories | None = None) -> Iterator[ManifestGap]:
    """Yield the builds with dependencies of which no archive is in the local repository of Maven or the cache of Gradle."""
    known = repositories or local_repositories()
    maven = MavenWorkspace(files, known.parent, known.project)
    names = {each.name for each in read_manifests(files).modules}
    wanted: dict[str, list[Coordinates]] = {}
    for path in maven.poms:
        wanted[path] = [each.coordinates for each in maven.project(path).dependencies if each.type == "jar"]
    for build in files.once(gradle_builds):
        for project in build.projects:
            parts = [(*each.name.partition(":")[::2], each.version) for each in project.dependencies if not each.is_platform]
            wanted.setdefault(project.path, []).extend(Coordinates(*each) for each in parts if each[0] and each[1])
    for path, listed in sorted(wanted.items()):
        outside = [each for each in dict.fromkeys(listed) if path and each.name not in names]
        missing = [each.name for each in outside if not known.has_any(each)]
        if missing:
            yield missing_packages(
                path, len(outside), missing, "mvn dependency:resolve" if path.endswith(POM) else "gradle build"
            )


def dependencies_of(files: WorkspaceFiles, repositories: LocalRepositories) -> list[MavenDependency]:
    """Return the external dependencies of the modules of a workspace."""
    maven = MavenWorkspace(files, repositories.parent, repositories.project)
    own = {maven.project(path).coordinates.name for path in maven.poms}
    found = [each for path in maven.poms for each in maven.project(path).dependencies if each.coordinates.name not in own]
    for build in files.once(gradle_builds):
        for project in build.projects:
            for each in project.dependencies:
                group, _, artifact = each.name.partition(":")
                if group and not each.is_platform:
                    coordinates = Coordinates(group, artifact, each.version)
                    found.append(MavenDependency(coordinates, "compile", False, "jar", "", ()))
    return found
