"""Read setup.cfg and setup.py of setuptools."""

from __future__ import annotations

import ast
import configparser
from collections.abc import Iterator

from .....schema.records import Problem
from ...module_manifests import DeclaredDependency
from .declared import Declared, folders_of_packages
from .literals import Literals, constants_of, parse_code, strings
from .requirements import DEPENDENCIES, DEVELOPMENT, requirements, section_of_extra


def read_setup_cfg(content: bytes) -> Declared:
    """Read a setup.cfg. Report a damaged file as a problem."""
    parser = configparser.ConfigParser(interpolation=None, strict=False, delimiters=("=", ":"))
    try:
        parser.read_string(content.decode("utf-8-sig", "replace"))
    except configparser.Error as error:
        line = getattr(error, "lineno", None) or next((at for at, _ in getattr(error, "errors", ())), 1)
        return Declared(problem=Problem(line, f"not valid: {error.message.splitlines()[0]}"))
    tables = {name: dict(parser.items(name)) for name in parser.sections()}
    metadata, options = tables.get("metadata", {}), tables.get("options", {})
    name = metadata.get("name", "")
    version = metadata.get("version", "")
    directive, _, constant = version.partition(":")
    pairs = [line.partition("=") for line in strings(options.get("package_dir", "").replace(",", "\n"))]
    folders, packages = folders_of_packages({key.strip(): folder.strip() for key, _, folder in pairs})
    dependencies = tuple(_of_setup_cfg(options, tables.get("options.extras_require", {})))
    is_elsewhere = options.get("install_requires", "").startswith("file:")
    return Declared(
        is_package=bool(name or dependencies),
        name=name,
        version=version if not constant and "\n" not in version else "",
        version_constant=constant.strip() if directive.strip() == "attr" else "",
        dependencies=dependencies,
        has_other_dependencies=is_elsewhere,
        source_folders=(
            *folders,
            *strings(tables.get("options.packages.find", {}).get("where", "")),
            *tables.get("tool:pytest", {}).get("pythonpath", "").split(),
        ),
        package_folders=packages,
        entry_points=tuple(_entry_points(tables.get("options.entry_points", {}))),
    )


def _entry_points(groups: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the names and objects in lines such as `shop = shop.cli:main`."""
    for text in groups.values():
        for line in _lines(text):
            name, sign, target = line.partition("=")
            if sign:
                yield name.strip(), target.strip()


def _of_setup_cfg(options: dict[str, str], extras: dict[str, str]) -> Iterator[DeclaredDependency]:
    yield from requirements(_lines(options.get("install_requires", "")), DEPENDENCIES)
    yield from requirements(_lines(options.get("tests_require", "")), DEVELOPMENT)
    for extra, text in extras.items():
        yield from requirements(_lines(text), section_of_extra(extra))


def _lines(text: str) -> list[str]:
    return [line for line in strings(text) if not line.startswith(("#", "file:"))]


def read_setup_script(content: bytes) -> Declared:
    """Read the call of `setup` in a setup.py from its syntax tree. Report a file that Python cannot parse as a problem."""
    try:
        tree = parse_code(content)
    except SyntaxError as error:
        return Declared(problem=Problem(error.lineno or 1, f"not valid Python: {error.msg}"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _last_name(node.func) == "setup"]
    call = next((node for node in calls if node.keywords), None)
    if call is None:
        return Declared()
    literals = Literals(constants_of(tree))
    given = {entry.arg: entry.value for entry in call.keywords if entry.arg is not None}
    spread = [literals.value(entry.value) for entry in call.keywords if entry.arg is None]
    values: dict[str, object] = {key: literals.value(node) for key, node in given.items()}
    for each in spread:
        values |= {key: value for key, value in each.items() if isinstance(key, str)} if isinstance(each, dict) else {}
    return _of_arguments(values, given)


def _of_arguments(values: dict[str, object], given: dict[str, ast.expr]) -> Declared:
    name, version = values.get("name"), values.get("version")
    dependencies = [
        *requirements(strings(values.get("install_requires")), DEPENDENCIES),
        *requirements(strings(values.get("tests_require")), DEVELOPMENT),
    ]
    extras = values.get("extras_require")
    for extra, texts in extras.items() if isinstance(extras, dict) else ():
        # An extra may have a condition: "dev:python_version < '3'".
        dependencies += requirements(strings(texts), section_of_extra(str(extra).partition(":")[0]))
    folders, packages = folders_of_packages(values.get("package_dir"))
    return Declared(
        is_package="name" in values or bool(dependencies),
        name=name if isinstance(name, str) else "",
        version=version if isinstance(version, str) else "",
        dependencies=tuple(dependencies),
        has_other_dependencies="install_requires" in values and values["install_requires"] is None,
        source_folders=(*folders, *_found_in(given.get("packages"))),
        package_folders=packages,
    )


def _found_in(packages: ast.expr | None) -> list[str]:
    """Return the folder that `find_packages("src")` searches."""
    if not isinstance(packages, ast.Call) or not _last_name(packages.func).startswith(
        ("find_packages", "find_namespace_packages")
    ):
        return []
    where = [*packages.args[:1], *[entry.value for entry in packages.keywords if entry.arg == "where"]]
    return [node.value for node in where if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
