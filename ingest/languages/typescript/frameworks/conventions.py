"""The description of a framework: the packages that identify it, and its conventions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...framework_rules.lazy_pattern import LazyPattern

#: Extensions of modules and of components.
_EXTENSION = r"\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx)"


@dataclass(frozen=True, slots=True)
class Convention:
    """Paths at which a framework finds files, and the names of the exports that the framework reads from these files."""

    #: Matches a whole path, relative to the folder of the package.
    place: LazyPattern
    #: None for all exports.
    exports: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Framework:
    """A framework with its conventions."""

    name: str
    #: Packages. At least one must be a dependency; `@scope/*` matches all packages of a scope.
    packages: tuple[str, ...]
    conventions: tuple[Convention, ...]
    #: Name of the configuration beside the framework's folders; "" if these folders are only in the folder of the package.
    configuration: str = ""
    #: Settings in the configuration, each with the folder of the conventions that it replaces.
    moved_by: tuple[tuple[str, str], ...] = ()


def place(pattern: str, exports: str | None = None) -> Convention:
    """Return the convention for paths without extension; `exports` are names with spaces between them."""
    return Convention(LazyPattern(f"(?:{pattern}){_EXTENSION}"), None if exports is None else frozenset(exports.split()))


def framework(
    name: str,
    packages: str,
    conventions: Iterable[Convention | str],
    configuration: str = "",
    moved_by: Iterable[tuple[str, str]] = (),
) -> Framework:
    """Return a framework.

    `packages` are names with spaces between them. A convention that is only a text is the pattern of the paths; all exports of
    these files are read.
    """
    made = (place(each) if isinstance(each, str) else each for each in conventions)
    return Framework(name, tuple(packages.split()), tuple(made), configuration, tuple(moved_by))
