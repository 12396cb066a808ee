"""The packages, namespace packages and modules of a workspace, found by the rules of Python's import system.

As in `importlib.machinery.FileFinder`, in one folder a package precedes a module of the same name. A folder without `__init__.py`
is a part of a namespace package, which counts only if there is no package or module. A `.pyi` file represents a module without a
`.py` file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Final

from .....schema.paths import parent_of
from ....files.path_roles import is_test_path
from .stub_files import STUBS

#: Files that make their folder a package, in order of preference.
_PACKAGE: Final = ("__init__.py", "__init__.pyi")


@lru_cache(maxsize=2)
def module_tree(sources: frozenset[str]) -> ModuleTree:
    """Return the modules among the files of a workspace. Updates that add and remove no file share the result."""
    return ModuleTree(sources)


class ModuleTree:
    """Finds the files of modules below a folder that is on the search path."""

    def __init__(self, sources: Iterable[str]) -> None:
        self._sources = frozenset(path for path in sources if path.endswith((".py", ".pyi")))
        self._roots: dict[str, str] = {}

    @cached_property
    def has_declarations(self) -> bool:
        """Whether there is a `.pyi` file."""
        return any(path.endswith(".pyi") for path in self._sources)

    def file(self, root: str, parts: tuple[str, ...]) -> str | None:
        """Return the file of a module, given the parts of its dotted name below a folder; None if there is none."""
        folder = root
        for part in parts[:-1]:
            folder = _join(folder, part)
            if f"{folder}.py" in self._sources and not self.is_package(folder):
                return None  # the module hides a folder with the same name
        return self._module(_join(folder, parts[-1])) if parts else self._first(folder, _PACKAGE)

    def has_module(self, root: str, name: str) -> bool:
        """Return whether a folder contains a package or a module with a name. A namespace package does not count."""
        return self._module(_join(root, name)) is not None

    def is_namespace(self, root: str, parts: tuple[str, ...]) -> bool:
        """Return whether a dotted name below a folder is a folder with Python files at any depth, but without `__init__.py`."""
        return _join(root, *parts) in self._folders and self.file(root, parts) is None

    def has_sources(self, folder: str) -> bool:
        """Return whether there are Python files below a folder, which is not the root."""
        return bool(folder) and folder in self._folders

    def is_package(self, folder: str) -> bool:
        """Return whether a folder is a regular package."""
        return self._first(folder, _PACKAGE) is not None

    def has_stubs(self, root: str, name: str) -> bool:
        """Return whether a folder contains a stub package for a package with a name."""
        return self.is_package(_join(root, name + STUBS))

    def stub(self, root: str, parts: tuple[str, ...]) -> str | None:
        """Return the file of a module in a stub package."""
        return self.file(root, (parts[0] + STUBS, *parts[1:]))

    def package_root(self, folder: str) -> str:
        """Return the nearest folder that is not a regular package. The files of a folder are imported from there."""
        found = self._roots.get(folder)
        if found is None:
            inside = folder and self.is_package(folder)
            found = self._roots[folder] = self.package_root(parent_of(folder)) if inside else folder
        return found

    def ending(self, parts: tuple[str, ...]) -> str | None:
        """Return the only module whose dotted name ends with the given parts, of which there are at least two.

        Modules of tests count only if there is no other one. The result is None for several modules.
        """
        tail = "/".join(parts)
        found = [path for path in self._by_ending.get(parts[-2:], ()) if f"/{_stem(path)}".endswith(f"/{tail}")]
        found = [path for path in found if not is_test_path(path)] or found
        return found[0] if len(found) == 1 else None

    @cached_property
    def _by_ending(self) -> dict[tuple[str, ...], list[str]]:
        """Paths of modules by the last two parts of their dotted names."""
        found: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for path in sorted(self._sources):
            if path.endswith(".py"):
                found[tuple(_stem(path).split("/")[-2:])].append(path)
        return found

    @cached_property
    def outermost(self) -> dict[str, list[str]]:
        """Folders that contain an outermost regular package, by the name of the package."""
        found: dict[str, list[str]] = defaultdict(list)
        for folder in sorted({parent_of(path) for path in self._sources if path.rpartition("/")[2] in _PACKAGE}):
            parent, _, name = folder.rpartition("/")
            if folder and self.package_root(parent) == parent:
                found[name.removesuffix(STUBS)].append(parent)
        return found

    @cached_property
    def stubbed(self) -> frozenset[str]:
        """Names of the packages for which there is a stub package."""
        folders = {parent_of(path).rpartition("/")[2] for path in self._sources if path.endswith("/__init__.pyi")}
        return frozenset(folder.removesuffix(STUBS) for folder in folders if folder.endswith(STUBS))

    @cached_property
    def loose(self) -> dict[str, list[str]]:
        """Folders that contain a module outside of regular packages, by the name of the module."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self._sources):
            folder, _, file = path.rpartition("/")
            if not self.is_package(folder):
                found[file.rpartition(".")[0]].append(folder)
        return found

    @cached_property
    def folders_named(self) -> dict[str, list[str]]:
        """Folders with Python files at any depth, by name."""
        found: dict[str, list[str]] = defaultdict(list)
        for folder in sorted(self._folders):
            found[folder.rpartition("/")[2]].append(folder)
        return found

    @cached_property
    def _folders(self) -> frozenset[str]:
        found: set[str] = set()
        for path in self._sources:
            folder = parent_of(path)
            while folder not in found:
                found.add(folder)
                folder = parent_of(folder)
        return frozenset(found)

    def _module(self, stem: str) -> str | None:
        # A source file precedes a stub file, even if the stub is a package and the source is a module.
        return (
            self._first(stem, _PACKAGE[:1])
            or self._named(f"{stem}.py")
            or self._first(stem, _PACKAGE[1:])
            or self._named(f"{stem}.pyi")
        )

    def _first(self, folder: str, names: Iterable[str]) -> str | None:
        return next((path for name in names if (path := _join(folder, name)) in self._sources), None)

    def _named(self, path: str) -> str | None:
        return path if path in self._sources else None


def _stem(path: str) -> str:
    """Return the path of a module without the ending of its file, and without `__init__` for a package."""
    return path.removesuffix(".py").removesuffix("/__init__")


def _join(folder: str, *parts: str) -> str:
    return "/".join((folder, *parts)) if folder else "/".join(parts)
