"""Find the files that frameworks load, by the manifests that depend on them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from .....schema.paths import folders_above, parent_of
from ....files.jsonc import object_value
from ..module_resolution.package_manifest import DEPENDENCY_SECTIONS
from .conventions import Framework
from .programs import PROGRAMS
from .sites import SITES

FRAMEWORKS = (*SITES, *PROGRAMS)


class FrameworkFile(NamedTuple):
    """A file that a framework loads."""

    framework: str
    #: Names of the exports that it reads; None for all.
    exports: frozenset[str] | None


def framework_files(sources: Collection[str], dependencies: Mapping[str, Collection[str]]) -> dict[str, FrameworkFile]:
    """Return the sources that frameworks load, by path.

    `dependencies` maps the folders of packages to the names of the packages that their manifests depend on.
    """
    found: dict[str, FrameworkFile] = {}
    ordered = sorted(sources)
    for framework in FRAMEWORKS:
        for home in _homes(framework, ordered, dependencies):
            prefix = f"{home}/" if home else ""
            for path in ordered[bisect_left(ordered, prefix) :]:
                if not path.startswith(prefix):
                    break
                _add(found, path, framework, path[len(prefix) :])
    return found


def _add(found: dict[str, FrameworkFile], path: str, framework: Framework, inner: str) -> None:
    for convention in framework.conventions:
        if convention.place.fullmatch(inner):
            earlier = found.get(path)
            exports = convention.exports
            if earlier is not None:
                exports = None if exports is None or earlier.exports is None else exports | earlier.exports
            found[path] = FrameworkFile(framework.name, exports)


def _homes(framework: Framework, sources: Iterable[str], dependencies: Mapping[str, Collection[str]]) -> list[str]:
    """Return the folders of packages that depend on a framework, and those below them that hold its configuration."""
    users = {folder for folder, names in dependencies.items() if any(_depends(names, package) for package in framework.packages)}
    if not users:
        return []
    found = set(users)
    if framework.configuration:
        configuration = re.compile(rf"(?:.*/)?{framework.configuration}\.[cm]?[jt]s")
        for path in sources:
            if configuration.fullmatch(path) and not users.isdisjoint(folders_above(parent_of(path))):
                found.add(parent_of(path))
    return sorted(found)


def _depends(names: Collection[str], package: str) -> bool:
    if package.endswith("*"):
        return any(name.startswith(package[:-1]) for name in names)
    return package in names


def dependencies_of(data: dict[str, object]) -> Iterator[str]:
    """Yield the names of the packages that a package.json depends on, in any section."""
    for section in DEPENDENCY_SECTIONS:
        yield from object_value(data, section)
