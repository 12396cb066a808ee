"""The packages of a workspace of Python: pyproject.toml, setup.cfg and setup.py of each folder together."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from typing import Final

import msgspec

from .....schema.paths import path_in
from .....schema.records import Problem
from ....files.version_sources import version_lines
from ....files.workspace_files import WorkspaceFiles, join_path
from ...module_manifests import DeclaredDependency, FoundManifests, ModuleManifest
from .declared import Declared
from .literals import Literals, constants_of, parse_code
from .pyproject import read_pyproject
from .requirements import normalized, requirements_in_file
from .search_paths import read_makefile, read_pytest_ini
from .setup_files import read_setup_cfg, read_setup_script

#: Readers of the manifests of a folder, the most authoritative first.
_READERS: Final = {
    "pyproject.toml": read_pyproject,
    "setup.cfg": read_setup_cfg,
    "setup.py": read_setup_script,
    "pytest.ini": read_pytest_ini,
    "tox.ini": read_pytest_ini,
    "Makefile": read_makefile,
}
_REQUIREMENTS: Final = "requirements.txt"
_VERSION_NAMES: Final = ("__version__", "version", "VERSION")
_VERSION: Final = re.compile(r"v?\d[\w.!+-]*")


class PythonManifest(msgspec.Struct, frozen=True):
    """The manifests of one folder together. Folders are paths of the workspace."""

    folder: str
    #: The manifest that declares the package, or the first manifest.
    path: str
    name: str
    version: str
    is_package: bool
    #: The dependencies; a package occurs once per section.
    dependencies: tuple[DeclaredDependency, ...]
    #: Folders that contain packages, apart from the folder of the manifest.
    source_folders: tuple[str, ...]
    #: Folders of packages whose folder names differ from the package names, by package name.
    package_folders: dict[str, str]
    #: Entry points: pairs of a name and an object of a module, such as "shop.cli:main".
    entry_points: tuple[tuple[str, str], ...]
    problems: dict[str, Problem]


def read_manifests(files: WorkspaceFiles) -> FoundManifests:
    """Return the packages of a workspace. A manifest that only sets options of tools declares no package."""
    manifests = ManifestReader(files).all
    modules = [
        ModuleManifest(each.folder, each.name, "python", each.path, each.version, each.dependencies)
        for each in manifests
        # A broken manifest still counts as a module, so that a temporary error does not move its files to the outer module.
        if each.is_package or each.problems
    ]
    return FoundManifests(modules, {path: problem for each in manifests for path, problem in each.problems.items()})


class ManifestReader:
    """Reads the manifests among the configuration files of a workspace."""

    def __init__(self, files: WorkspaceFiles) -> None:
        self._files = files

    @cached_property
    def all(self) -> list[PythonManifest]:
        """The combined manifests of each folder, by folder."""
        folders: dict[str, dict[str, str]] = {}
        for path in self._files.configurations:
            folder, _, name = path.rpartition("/")
            if name in _READERS:
                folders.setdefault(folder, {})[name] = path
        return [self._read(folder, folders[folder]) for folder in sorted(folders)]

    def _read(self, folder: str, paths: dict[str, str]) -> PythonManifest:
        declared: dict[str, Declared] = {}
        for name, read in _READERS.items():
            content = self._files.read(paths[name]) if name in paths else None
            if content is not None:
                declared[paths[name]] = read(content)
        named = next((path for path, each in declared.items() if each.is_package), next(iter(declared), folder))
        found = list(declared.values())
        name = next((each.name for each in found if each.name), "")
        is_package = any(each.is_package for each in found)
        source_folders = [joined for each in found for inner in each.source_folders if (joined := join_path(folder, inner))]
        packages = {
            package: joined
            for each in found
            for package, inner in each.package_folders.items()
            if (joined := join_path(folder, inner)) is not None and joined.rpartition("/")[2] != package
        }
        return PythonManifest(
            folder=folder,
            path=named,
            name=name,
            version=next((version for each in found if (version := self._version(folder, each, source_folders))), ""),
            is_package=is_package,
            dependencies=tuple(self._dependencies(folder, found, name)) if is_package else (),
            source_folders=tuple(dict.fromkeys(source_folders)),
            package_folders=packages,
            entry_points=tuple(dict.fromkeys(point for each in found for point in each.entry_points)),
            problems={path: each.problem for path, each in declared.items() if each.problem is not None},
        )

    def _dependencies(self, folder: str, declared: list[Declared], name: str) -> Iterator[DeclaredDependency]:
        """Yield each dependency once per section. Leave out the package itself, which its extras may name."""
        found = [dependency for each in declared for dependency in each.dependencies]
        path = path_in(folder, _REQUIREMENTS)
        is_elsewhere = not found and any(each.has_other_dependencies for each in declared)
        content = self._files.read(path) if is_elsewhere and path in self._files.configurations else None
        known: set[tuple[str, str]] = set()
        for each in found if content is None else requirements_in_file(content):
            key = (each.package, each.section)
            if key not in known and each.package != normalized(name):
                known.add(key)
                yield each

    def _version(self, folder: str, declared: Declared, source_folders: list[str]) -> str:
        """Return the version, from the manifest or from a constant in a source file."""
        if declared.version:
            return declared.version
        if declared.version_path:
            path = join_path(folder, declared.version_path)
            return self._constant(path, _VERSION_NAMES) if path is not None else ""
        module, _, constant = declared.version_constant.rpartition(".")
        stem = module.replace(".", "/")
        roots = (*source_folders, folder, join_path(folder, "src")) if module else ()
        paths = [f"{root}/{stem}{ending}" if root else stem + ending for root in roots for ending in ("/__init__.py", ".py")]
        return next((version for path in paths if (version := self._constant(path, (constant,)))), "")

    def _constant(self, path: str, names: tuple[str, ...]) -> str:
        """Return the literal that a source file assigns to one of several names; "" if there is none.

        Only lines in the digest of the configuration are read, so that every change of the constant is noticed.
        """
        is_known = self._files.is_source(path) and path in self._files.configurations
        content = self._files.read(path) if is_known else None
        constants: dict[str, ast.expr] = {}
        for line in version_lines(content) if content is not None else ():
            with suppress(SyntaxError):
                constants |= constants_of(parse_code(line))
        literals = Literals(constants)
        for name in names:
            value = literals.value(constants.get(name))
            if isinstance(value, list) and value and all(isinstance(part, int | str) for part in value):
                value = ".".join(map(str, value))
            if isinstance(value, str) and _VERSION.fullmatch(value):
                return value
        return ""
