"""Find the files that frameworks load, by the manifests that depend on them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from .....schema.paths import folders_above, parent_of
from ....files.jsonc import object_value
from ..module_resolution.packages.package_manifest import DEPENDENCY_SECTIONS
from .conventions import Framework
from .programs import PROGRAMS
from .sites import SITES

FRAMEWORKS = (*SITES, *PROGRAMS)


class FrameworkFile(NamedTuple):
    """A file that a framework loads."""

    framework: str
    #: Names of the exports that the framework reads; None for all.
    exports: frozenset[str] | None


def framework_files(
    sources: Collection[str], dependencies: Mapping[str, Collection[str]], read: Callable[[str], str]
) -> dict[str, FrameworkFile]:
    """Return the sources that frameworks load, by path.

    `dependencies` maps the folders of packages to the names of the packages that their manifests depend on. `read` returns the
    text of a source.
    """
    found: dict[str, FrameworkFile] = {}
    ordered = sorted(sources)
    for framework in FRAMEWORKS:
        for home, configurations in _homes(framework, ordered, dependencies).items():
            prefix = f"{home}/" if home else ""
            moves = [move for path in configurations for move in _configured_folders(framework, read(path))]
            for path in ordered[bisect_left(ordered, prefix) :]:
                if not path.startswith(prefix):
                    break
                _add(found, path, framework, _usual_place(path[len(prefix) :], moves))
    return found


def _configured_folders(framework: Framework, text: str) -> Iterator[tuple[str, str]]:
    """Yield the folders that a configuration sets, each with the usual folder in its place."""
    for setting, usual in framework.moved_by:
        for found in re.finditer(rf"""\b{setting}['"]?\s{{0,9}}:\s{{0,9}}['"](?:\./)?([^'"\n]{{1,100}}?)/?['"]""", text):
            yield found[1], usual


def _usual_place(path: str, moves: Iterable[tuple[str, str]]) -> str:
    """Return the path of a file with the usual names in place of configured folders."""
    return next((usual + path[len(moved) :] for moved, usual in moves if path.startswith((f"{moved}/", f"{moved}."))), path)


def _add(found: dict[str, FrameworkFile], path: str, framework: Framework, inner: str) -> None:
    for convention in framework.conventions:
        if convention.place.fullmatch(inner):
            earlier = found.get(path)
            exports = convention.exports
            if earlier is not None:
                exports = None if exports is None or earlier.exports is None else exports | earlier.exports
            found[path] = FrameworkFile(framework.name, exports)


def _homes(framework: Framework, sources: Iterable[str], dependencies: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
    """Return the folders of packages that depend on a framework, and the folders below them that contain its configuration.

    Each folder is mapped to the paths of the configurations in it.
    """
    users = {folder for folder, names in dependencies.items() if any(_depends(names, package) for package in framework.packages)}
    found: dict[str, list[str]] = {folder: [] for folder in sorted(users)}
    if users and framework.configuration:
        configuration = re.compile(rf"(?:.*/)?{framework.configuration}\.[cm]?[jt]s")
        for path in sources:
            if configuration.fullmatch(path) and not users.isdisjoint(folders_above(parent_of(path))):
                found.setdefault(parent_of(path), []).append(path)
    return found


def _depends(names: Collection[str], package: str) -> bool:
    if package.endswith("*"):
        return any(name.startswith(package[:-1]) for name in names)
    return package in names


def dependencies_of(data: dict[str, object]) -> Iterator[str]:
    """Yield the names of the packages that a package.json depends on, in any section."""
    for section in DEPENDENCY_SECTIONS:
        yield from object_value(data, section)
