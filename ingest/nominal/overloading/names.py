"""Meanings of names that are not local variables: members of enclosing types, imports, packages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...facts.model import Decl, DeclKind
from ...languages.typescript.resolve.model.unit import Unit
from .. import class_order
from ..types import UNKNOWN, ClassValue, Found, FunctionValue, Instance, ModuleValue, Outside, Type
from . import members

if TYPE_CHECKING:
    from ..engine import NominalEngine

#: Package whose types every file imports implicitly.
CORE: Final = "java.lang"


class ImportTable:
    """The imports of one file."""

    def __init__(self, unit: Unit) -> None:
        #: Imports of single types by name.
        self.types: Final[dict[str, Decl]] = {}
        #: Static imports of single members by name.
        self.members: Final[dict[str, list[Decl]]] = {}
        #: Packages and types before `.*` in imports.
        self.packages: Final[list[str]] = []
        #: Types before `.*` in static imports.
        self.holders: Final[list[str]] = []
        #: First components of the names of the file's package and of imported packages: `com` of `com.shop.cart`.
        self.roots: Final[set[str]] = {unit.facts.package.partition(".")[0]}
        for decl in unit.decls:
            if decl.kind != DeclKind.IMPORT:
                continue
            module = unit.strings[decl.a]
            self.roots.add(module.partition(".")[0])
            if decl.name == "*":
                (self.holders if decl.c == 1 else self.packages).append(module)
            elif decl.c == 1:
                self.members.setdefault(decl.name, []).append(decl)
            else:
                self.types.setdefault(decl.name, decl)


def imports_of(engine: NominalEngine, unit: Unit) -> ImportTable:
    """Return the imports of a file."""
    found = engine.import_tables.get(id(unit))
    if found is None:
        found = engine.import_tables[id(unit)] = ImportTable(unit)
    return found


def own_instance(engine: NominalEngine, unit: Unit, shape: int) -> Instance:
    """Return a type with its own type parameters as arguments: the type of `this`."""
    info = engine.program.class_info(unit, shape)
    return Instance(info, class_order.class_parameters(engine, info))


def shapes_around(unit: Unit, shape: int) -> list[int]:
    """Return the type `shape` and the types around it, the innermost first; empty for -1."""
    found: list[int] = []
    while shape >= 0:
        found.append(shape)
        shape = unit.shapes[shape].outer
    return found


# ---------------------------------------------------------------------- types


def type_named(engine: NominalEngine, unit: Unit, shape: int, name: str) -> Type:
    """Return the type that a simple name means: a `ClassValue`, an `Outside`, or UNKNOWN."""
    key = (id(unit), shape, name)
    found = engine.named_types.get(key)
    if found is None:
        found = _find_type(engine, unit, shape, name)
        if found is not UNKNOWN or not engine.open_names:
            engine.named_types[key] = found
    return found


def type_or_package(engine: NominalEngine, unit: Unit, shape: int, name: str) -> Type:
    """Return the type that a simple name means, or else a package if the name may be the first part of one."""
    kind = type_named(engine, unit, shape, name)
    if kind is UNKNOWN and name.islower():
        return ModuleValue(name, unit.path, None)
    return kind


def _find_type(engine: NominalEngine, unit: Unit, shape: int, name: str) -> Type:
    for around in shapes_around(unit, shape):
        inner = members.nested_type(engine, engine.program.class_info(unit, around), name)
        if inner is not None:
            return inner
    table = imports_of(engine, unit)
    imported = table.types.get(name)
    if imported is not None:
        return qualified(engine, unit, f"{unit.strings[imported.a]}.{name}")
    found = in_package(engine, unit, unit.facts.package, name)
    if found is not None:
        return found
    for decl in table.members.get(name, ()):
        holder = qualified(engine, unit, unit.strings[decl.a])
        inner = members.nested_type(engine, holder.instance.cls, name) if isinstance(holder, ClassValue) else None
        if inner is not None:
            return inner
    for module in [*table.packages, *table.holders]:
        found = in_package(engine, unit, module, name)
        if found is None:
            holder = qualified(engine, unit, module)
            found = members.nested_type(engine, holder.instance.cls, name) if isinstance(holder, ClassValue) else None
        if found is not None:
            return found
    found = in_package(engine, unit, CORE, name)
    if found is None and not unit.external:
        found = _beside_another_type(engine, unit, name)
    return found if found is not None else UNKNOWN


def _beside_another_type(engine: NominalEngine, unit: Unit, name: str) -> Type | None:
    """Return a type of the file's package that another folder has in a file with another name, or None.

    A test in `src/test/java/shop` may use a type that `src/main/java/shop/Cart.java` declares below `Cart`.
    """
    package = unit.facts.package
    for other, binding in engine.program.packages.other_names(unit).get(name, ()):
        stem = other.path.rpartition("/")[2].rpartition(".")[0]
        if engine.program.module(f"{package}.{stem}", unit.path) is other:
            return engine.binding(other, binding)
    return None


def in_package(engine: NominalEngine, unit: Unit, package: str, name: str) -> Type | None:
    """Return a type of a package by its name, or None."""
    program = engine.program
    if not package:
        return None
    if not unit.external or program.is_installed(unit):
        source = program.module(f"{package}.{name}", unit.path)
        is_own = source is not None and (not source.external or program.is_installed(source))
        if source is not None and is_own and source.facts.package == package and source.scopes:
            binding = source.scopes[0].names.get(name)
            if binding is not None:
                return engine.binding(source, binding)
        if package == unit.facts.package and not unit.external:
            beside = program.packages.of(unit)
            place = beside.names.get(name) if beside is not None else None
            if place is not None:
                return engine.binding(*place)
            found = _elsewhere(engine, unit, package, name)
            if found is not None:
                return found
    declared = program.runtime(package)
    binding = declared.scopes[0].names.get(name) if declared is not None and declared.scopes else None
    if declared is not None:
        return engine.binding(declared, binding) if binding is not None else None
    return _elsewhere(engine, unit, package, name) if not unit.external and package != unit.facts.package else None


def _elsewhere(engine: NominalEngine, unit: Unit, package: str, name: str) -> Type | None:
    """Return a type whose file is in a folder that does not have the name of its package, or None."""
    written = package if package.startswith("(") else f"({package})"
    source = engine.program.module(f"{written}.{name}", unit.path)
    if source is None or source.external or source.facts.package != package or not source.scopes:
        return None
    binding = source.scopes[0].names.get(name)
    return engine.binding(source, binding) if binding is not None else None


def qualified(engine: NominalEngine, unit: Unit, path: str) -> Type:
    """Return the type of a dotted name: a package, then a type and nested types."""
    key = (id(unit), -2, path)
    known = engine.named_types.get(key)
    if known is not None:
        return known
    names = path.split(".")
    found: Type = Outside(path)
    for length in range(len(names) - 1, -1, -1):
        start = in_package(engine, unit, ".".join(names[:length]) or "(default)", names[length])
        if start is None:
            continue
        for name in names[length + 1 :]:
            inner = members.nested_type(engine, start.instance.cls, name) if isinstance(start, ClassValue) else None
            start = inner if inner is not None else UNKNOWN
        found = start
        break
    engine.named_types[key] = found
    return found


def member_of_package(engine: NominalEngine, unit: Unit, package: ModuleValue, name: str) -> Type:
    """Return the declaration after the dot of a package's name: a type, or a package."""
    found = in_package(engine, unit, package.name, name)
    if found is not None:
        return found
    path = f"{package.name}.{name}"
    if not name[:1].isupper():
        return ModuleValue(path, unit.path, None)
    first = path.partition(".")[0]
    is_seen = engine.program.rules.is_package(first) or first in imports_of(engine, unit).roots
    return Outside(path) if is_seen else UNKNOWN


# ---------------------------------------------------------------------- variables and methods


def field_named(engine: NominalEngine, unit: Unit, shape: int, name: str) -> Found | None:
    """Return the field that a simple name means: of an enclosing type, or imported; None if no such field is known."""
    for around in shapes_around(unit, shape):
        found = members.field(engine, own_instance(engine, unit, around), name)
        if found is not None:
            return found
    for holder in _holders(engine, unit, name):
        found = members.field(engine, holder.instance, name) if isinstance(holder, ClassValue) else None
        if found is not None:
            return found
    return None


def _holders(engine: NominalEngine, unit: Unit, name: str) -> list[Type]:
    """Return the types from which static imports may import a name."""
    table = imports_of(engine, unit)
    listed = [qualified(engine, unit, unit.strings[decl.a]) for decl in table.members.get(name, ())]
    return [*listed, *[qualified(engine, unit, path) for path in table.holders]]


def methods_named(engine: NominalEngine, unit: Unit, shape: int, name: str) -> tuple[list[FunctionValue], str]:
    """Return the methods that a simple name may mean, or the dotted name of an imported external method.

    The methods belong to the innermost enclosing type that has methods with the name. If the bases of a type are unknown, methods
    of types
    around it are only likely.
    """
    is_complete = True
    for around in shapes_around(unit, shape):
        own = own_instance(engine, unit, around)
        found = members.methods(engine, own, name)
        if found:
            return found, ""
        is_complete = is_complete and class_order.linear_order(engine, own.cls).is_complete
    imported, outside = _imported_methods(engine, unit, name)
    return imported, outside


def _imported_methods(engine: NominalEngine, unit: Unit, name: str) -> tuple[list[FunctionValue], str]:
    """Return the methods that static imports by name import, or else the methods from static imports with `*`.

    The second result is the dotted name of an imported external method; "" if there is none.
    """
    table = imports_of(engine, unit)
    outside = ""
    for paths in ([unit.strings[decl.a] for decl in table.members.get(name, ())], table.holders):
        found: list[FunctionValue] = []
        for path in paths:
            holder = qualified(engine, unit, path)
            if isinstance(holder, ClassValue):
                found += [each for each in members.methods(engine, holder.instance, name) if each not in found]
            elif isinstance(holder, Outside) and paths is not table.holders:
                outside = outside or f"{holder.path}.{name}"
        if found or outside:
            return found, outside
    return [], ""
