"""Read pyproject.toml: the tables of the standard (PEP 621, PEP 735) and of tools.

The tools are setuptools, Poetry, Flit, Hatch, PDM, uv, Maturin, scikit-build and pytest.
"""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Iterable, Iterator
from typing import Final

from .....schema.records import Problem
from ....files.jsonc import object_value, text_list, text_value
from ...module_manifests import DeclaredDependency
from .declared import Declared, folders_of_packages
from .requirements import DEPENDENCIES, DEVELOPMENT, OPTIONAL, normalized, requirements, section_of_extra

_LINE: Final = re.compile(r"line (\d+)")
#: Settings that name folders of packages, below `tool`.
_SOURCE_SETTINGS: Final = (
    "setuptools.packages.find.where",
    "hatch.build.sources",
    "hatch.build.targets.wheel.sources",
    "pdm.package-dir",
    "pdm.build.package-dir",
    "maturin.python-source",
    "uv.build-backend.module-root",
    "pytest.ini_options.pythonpath",
)
#: Settings that name the folders of single packages, below `tool`.
_PACKAGE_SETTINGS: Final = ("hatch.build.packages", "hatch.build.targets.wheel.packages", "scikit-build.wheel.packages")


def read_pyproject(content: bytes) -> Declared:
    """Read a pyproject.toml. Report damaged TOML as a problem."""
    try:
        data: dict[str, object] = tomllib.loads(content.decode("utf-8-sig", "replace").replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found = _LINE.search(str(error))
        return Declared(problem=Problem(int(found[1]) if found else 1, f"not valid TOML: {error or 'it nests too deeply'}"))
    project, tool = object_value(data, "project"), object_value(data, "tool")
    poetry, flit = object_value(tool, "poetry"), _table_at(tool, "flit.metadata")
    name = (
        text_value(project, "name") or text_value(poetry, "name") or text_value(flit, "dist-name") or text_value(flit, "module")
    )
    found_dependencies = [*_of_project(project), *_of_groups(data, tool), *_of_poetry(poetry), *_of_flit(flit)]
    folders, packages = folders_of_packages(_setting(tool, "setuptools.package-dir"))
    return Declared(
        is_package=bool(name or found_dependencies),
        name=name or "",
        version=text_value(project, "version") or text_value(poetry, "version") or "",
        version_constant=_version_constant(tool) or _flit_version(data, name or ""),
        version_path=text_value(_table_at(tool, "hatch.version"), "path")
        or text_value(_table_at(tool, "pdm.version"), "path")
        or "",
        dependencies=tuple(found_dependencies),
        has_other_dependencies="dependencies" in text_list(project.get("dynamic")),
        source_folders=(*folders, *_source_folders(tool, poetry)),
        package_folders=packages,
        entry_points=tuple(_entry_points(project, poetry, tool)),
    )


def _table_at(holder: dict[str, object], path: str) -> dict[str, object]:
    for key in path.split("."):
        holder = object_value(holder, key)
    return holder


def _setting(tool: dict[str, object], path: str) -> object:
    table, _, key = path.rpartition(".")
    return _table_at(tool, table).get(key)


def _version_constant(tool: dict[str, object]) -> str:
    version = _setting(tool, "setuptools.dynamic.version")
    return (text_value(version, "attr") or "") if isinstance(version, dict) else ""


def _flit_version(data: dict[str, object], name: str) -> str:
    """Return the file of the package, from which Flit reads the version."""
    is_flit = (text_value(object_value(data, "build-system"), "build-backend") or "").startswith("flit")
    module = text_value(_table_at(data, "tool.flit.module"), "name") or text_value(
        _table_at(data, "tool.flit.metadata"), "module"
    )
    return f"{module or normalized(name).replace('-', '_')}.__version__" if is_flit and name else ""


def _source_folders(tool: dict[str, object], poetry: dict[str, object]) -> Iterator[str]:
    for setting in _SOURCE_SETTINGS:
        value = _setting(tool, setting)
        yield from [value] if isinstance(value, str) else text_list(value)
    for setting in _PACKAGE_SETTINGS:
        yield from map(posixpath.dirname, text_list(_setting(tool, setting)))
    packages = poetry.get("packages")
    for package in packages if isinstance(packages, list) else ():
        if isinstance(package, dict) and isinstance(folder := package.get("from"), str):
            yield folder


def _of_project(project: dict[str, object]) -> Iterator[DeclaredDependency]:
    yield from requirements(text_list(project.get("dependencies")), DEPENDENCIES)
    yield from _of_extras(object_value(project, "optional-dependencies"))


def _of_extras(extras: dict[str, object]) -> Iterator[DeclaredDependency]:
    for extra, texts in extras.items():
        yield from requirements(text_list(texts), section_of_extra(extra))


def _entry_points(project: dict[str, object], poetry: dict[str, object], tool: dict[str, object]) -> Iterator[tuple[str, str]]:
    """Yield the names and objects of programs and plugins."""
    flit = object_value(tool, "flit")
    tables = [project.get("scripts"), project.get("gui-scripts"), poetry.get("scripts"), flit.get("scripts")]
    for groups in (object_value(project, "entry-points"), object_value(poetry, "plugins"), object_value(flit, "entrypoints")):
        tables += groups.values()
    for table in tables:
        for name, value in table.items() if isinstance(table, dict) else ():
            target = value.get("reference", value.get("callable")) if isinstance(value, dict) else value
            if isinstance(target, str):
                yield name, target


def _of_groups(data: dict[str, object], tool: dict[str, object]) -> Iterator[DeclaredDependency]:
    for groups in (object_value(data, "dependency-groups"), _table_at(tool, "pdm.dev-dependencies")):
        for texts in groups.values():
            yield from requirements(text_list(texts), DEVELOPMENT)
    yield from requirements(text_list(_setting(tool, "uv.dev-dependencies")), DEVELOPMENT)


def _of_flit(flit: dict[str, object]) -> Iterator[DeclaredDependency]:
    yield from requirements(text_list(flit.get("requires")), DEPENDENCIES)
    yield from _of_extras(object_value(flit, "requires-extra"))


def _of_poetry(poetry: dict[str, object]) -> Iterator[DeclaredDependency]:
    yield from _of_table(object_value(poetry, "dependencies"), DEPENDENCIES)
    yield from _of_table(object_value(poetry, "dev-dependencies"), DEVELOPMENT)
    for group in object_value(poetry, "group").values():
        if isinstance(group, dict):
            yield from _of_table(object_value(group, "dependencies"), DEVELOPMENT)


def _of_table(table: dict[str, object], section: str) -> Iterator[DeclaredDependency]:
    for name, value in table.items():
        if normalized(name) == "python":
            continue  # a requirement on the version of Python
        for constraint in value if isinstance(value, list) else [value]:
            version = constraint if isinstance(constraint, str) else ""
            is_optional = False
            if isinstance(constraint, dict):
                version = next(_texts_at(constraint, ("version", "git", "url", "path")), "")
                is_optional = constraint.get("optional") is True
            yield DeclaredDependency(normalized(name), version, OPTIONAL if is_optional and section == DEPENDENCIES else section)


def _texts_at(holder: dict[str, object], keys: Iterable[str]) -> Iterator[str]:
    return (value for key in keys if isinstance(value := holder.get(key), str))
