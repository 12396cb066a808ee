"""Archives and project files that Maven and Gradle downloaded to this machine, by their coordinates."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from .....schema.records import Problem
from ....files.downloaded_archives import gradle_cache, maven_repository
from ..packaging.maven import Coordinates, MavenDependency, MavenProject, Pom, parse_pom

#: Maximum number of artifacts of a workspace, including transitive dependencies.
_MAX_ARTIFACTS: Final = 1_500
_NUMBERS: Final = re.compile(r"\d+|[A-Za-z]+")
#: A group, an artifact or a version, as part of a path.
_PART: Final = re.compile(r"(?!\.)[\w.+-]+")
#: Scopes in which the dependencies of an artifact are also dependencies of its users.
_PASSED_ON: Final = ("compile", "runtime")


class FileState(NamedTuple):
    """The properties of a file or a folder that differ after a change."""

    is_file: bool
    mtime: int
    size: int


def state_of(path: str) -> FileState | None:
    """Return the state of a file or a folder; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return FileState(stat.S_ISREG(found.st_mode), found.st_mtime_ns, found.st_size)


class LocalRepositories:
    """The repository of Maven and the cache of Gradle."""

    def __init__(self, maven: Path, gradle: Path) -> None:
        """Both folders may be missing."""
        self.folders = (maven, gradle)
        self._maven = maven
        self._gradle = gradle
        #: Paths that were looked up, with the state of each.
        self._consulted: dict[str, FileState | None] = {}
        self._projects: dict[Coordinates, MavenProject | None] = {}

    def is_unchanged(self) -> bool:
        """Return whether all files and folders that were looked up are as they were then."""
        return all(state_of(path) == state for path, state in self._consulted.items())

    def archive(self, coordinates: Coordinates, classifier: str = "") -> str | None:
        """Return the path of an archive, or None if it does not exist."""
        ending = f"-{classifier}.jar" if classifier else ".jar"
        return self._file(coordinates, f"{coordinates.artifact}-{coordinates.version}{ending}")

    def has_any(self, coordinates: Coordinates) -> bool:
        """Return whether any version of an artifact was downloaded, which `closure` reads if the wanted version is missing."""
        if self.archive(coordinates) is not None:
            return True
        version = self.newest(coordinates.group, coordinates.artifact)
        return bool(version) and self.archive(Coordinates(coordinates.group, coordinates.artifact, version)) is not None

    def project(self, coordinates: Coordinates) -> MavenProject | None:
        """Return the project file of an artifact with its inherited settings, or None if it does not exist."""
        if coordinates not in self._projects:
            self._projects[coordinates] = None  # the result for a project that is its own ancestor
            pom = self._pom(coordinates)
            if pom is not None:
                self._projects[coordinates] = MavenProject(pom, str(coordinates), self.parent, self.project)
        return self._projects[coordinates]

    def parent(self, pom: Pom, place: str) -> tuple[Pom, str] | None:
        """Return the parent of a project file, and the parent's coordinates as text; None if there is no parent."""
        found = self._pom(pom.parent) if pom.parent is not None else None
        return (found, str(pom.parent)) if found is not None else None

    def newest(self, group: str, artifact: str) -> str:
        """Return the highest downloaded version of an artifact; "" if there is none."""
        if not (_PART.fullmatch(group) and _PART.fullmatch(artifact)):
            return ""
        folders = (self._maven / group.replace(".", "/") / artifact, self._gradle / group / artifact)
        versions = [each.name for folder in folders for each in self._folders(folder)]
        return max(versions, key=_ordered, default="")

    def _pom(self, coordinates: Coordinates) -> Pom | None:
        path = self._file(coordinates, f"{coordinates.artifact}-{coordinates.version}.pom")
        if path is None:
            return None
        try:
            parsed = parse_pom(Path(path).read_bytes())
        except OSError:
            return None
        return None if isinstance(parsed, Problem) else parsed

    def _file(self, coordinates: Coordinates, name: str) -> str | None:
        if not all(_PART.fullmatch(part) for part in coordinates):
            return None
        group, artifact, version = coordinates
        maven = self._maven / group.replace(".", "/") / artifact / version / name
        if self._is_file(str(maven)):
            return str(maven)
        for folder in self._folders(self._gradle / group / artifact / version):
            if self._is_file(str(folder / name)):
                return str(folder / name)
        return None

    def _is_file(self, path: str) -> bool:
        found = self._consulted[path] = state_of(path)
        return found is not None and found.is_file

    def _folders(self, folder: Path) -> list[Path]:
        self._consulted[str(folder)] = state_of(str(folder))
        try:
            return sorted(each for each in folder.iterdir() if each.is_dir())
        except OSError:
            return []

    def closure(self, direct: Iterable[MavenDependency]) -> Iterator[str]:
        """Yield the archives of dependencies, and of their dependencies. The nearest version of an artifact is used."""
        waiting = [(each, frozenset[str]()) for each in direct]
        seen: set[tuple[str, str]] = set()
        for dependency, excluded in waiting:
            coordinates = dependency.coordinates
            key = (coordinates.name, dependency.classifier)
            if key in seen or len(seen) >= _MAX_ARTIFACTS or _is_excluded(coordinates, excluded):
                continue
            seen.add(key)
            if not _PART.fullmatch(coordinates.version) or self.archive(coordinates, dependency.classifier) is None:
                version = self.newest(coordinates.group, coordinates.artifact) if dependency.type != "pom" else ""
                coordinates = Coordinates(coordinates.group, coordinates.artifact, version or coordinates.version)
            path = self.archive(coordinates, dependency.classifier)
            if path is not None:
                yield path
            project = self.project(coordinates)
            inner = excluded | set(dependency.exclusions)
            for each in project.dependencies if project is not None else ():
                if each.scope in _PASSED_ON and not each.is_optional:
                    waiting.append((each, inner))


def local_repositories() -> LocalRepositories:
    """Return the local repositories of the current user."""
    return LocalRepositories(maven_repository(), gradle_cache())


def _ordered(version: str) -> list[tuple[int, int, str]]:
    """Return a key that orders versions: numbers by value, and words such as `rc` before numbers."""
    parts = _NUMBERS.findall(version)
    return [(1, int(part[:18]), "") if part.isdigit() else (0, 0, part.lower()) for part in parts]


def _is_excluded(coordinates: Coordinates, excluded: frozenset[str]) -> bool:
    group, artifact, _ = coordinates
    return bool(excluded) and any(name in excluded for name in (f"{group}:{artifact}", f"{group}:*", f"*:{artifact}", "*:*"))
