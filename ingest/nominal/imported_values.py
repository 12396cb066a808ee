"""Values of imports: modules, their members, and the names that a module exports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ..facts.model import Decl, DeclKind, Reach
from ..facts.operations import NAME_OPS, Op
from ..languages.typescript.resolve.model.unit import Unit
from .program import last_name
from .types import Declaration, ModuleValue, Outside, Type

if TYPE_CHECKING:
    from .engine import NominalEngine

_MAX_FINDINGS: Final = 12


def imported_value(engine: NominalEngine, unit: Unit, decl: Decl) -> Type:
    """Return the value of an import declaration."""
    specifier = unit.strings[decl.a]
    if decl.b < 0:
        module = module_value(engine, specifier, unit)
        if decl.c == Reach.LIKELY and isinstance(module, ModuleValue) and not _may_be_named(module, decl.name):
            return free_value(engine, unit, decl.name)
        return module
    return imported_name(engine, unit, specifier, unit.strings[decl.b])


def free_value(engine: NominalEngine, unit: Unit, name: str) -> Type:
    """Return the value of a name that a file does not declare: from its package, from the runtime, or an imported package."""
    found = free_name(engine, unit, name)
    if found is not None:
        return engine.binding(*found)
    value = engine.builtin_value(name)
    for entry in unit.facts.imports if unit.facts.package and isinstance(value, Outside) else ():
        module = module_value(engine, entry.specifier, unit)
        if isinstance(module, ModuleValue) and module.unit is not None and module.unit.facts.package == name:
            return module
    if isinstance(value, Outside) and not engine.program.rules.is_static:
        return _own_submodule(engine, unit, name) or _undeclared(engine, unit, name) or value
    return value


def _own_submodule(engine: NominalEngine, unit: Unit, name: str) -> ModuleValue | None:
    """Return the submodule of a package from which the package imports; `from .loader import *` makes `loader` a name as well."""
    specifier = f".{name}"
    if not engine.program.is_package(unit):
        return None
    if not any(each.specifier == specifier or each.specifier.startswith(f"{specifier}.") for each in unit.facts.imports):
        return None
    module = module_value(engine, specifier, unit)
    return module if isinstance(module, ModuleValue) and module.unit is not None else None


def _undeclared(engine: NominalEngine, unit: Unit, name: str) -> Outside | None:
    """Return a name as a member of the external module that a file imports with `*`; None unless there is exactly one.

    Declarations of the runtime do not name everything: `typing` lacks the special forms.
    """
    if not unit.scopes or "*" not in unit.scopes[0].names:
        return None
    for index in unit.bindings[unit.scopes[0].names["*"]].decls:
        if engine.program.module(*engine.program.place(unit.strings[unit.decls[index].a], unit)) is None:
            return None
    modules = {each.external for each in starred(engine, unit) if each.external}
    return Outside(f"{modules.pop()}.{name}") if len(modules) == 1 else None


def _may_be_named(module: ModuleValue, name: str) -> bool:
    """Return whether a package may have a name; an unread package may have any."""
    return module.unit is None or module.unit.facts.package == name


def module_value(engine: NominalEngine, specifier: str, unit: Unit) -> Type:
    """Return the module that a specifier means in a file."""
    name, origin = engine.program.place(specifier, unit)
    return ModuleValue(name, origin, engine.program.module(name, origin))


def imported_name(engine: NominalEngine, unit: Unit, specifier: str, name: str) -> Type:
    """Return the value of `from specifier import name` in a file."""
    module = module_value(engine, specifier, unit)
    found = module_member(engine, module, name)
    outside = module.name if isinstance(module, ModuleValue) else specifier
    return found if found is not None else Outside(f"{outside}.{name}")


def module_member(engine: NominalEngine, module: Type, name: str) -> Type | None:
    """Return the value of a name in a module: a declaration of its file, or a submodule; None if there is none."""
    if not isinstance(module, ModuleValue):
        return None
    declared = exported_value(engine, module.unit, name) if module.unit is not None else None
    if declared is not None and not _is_own_import(engine, module.unit, declared, name):
        return engine.binding(*declared)
    if engine.program.rules.is_static:  # in these languages, packages do not contain other packages
        return None if module.unit is not None else Outside(f"{module.name}.{name}")
    separator = "" if module.name.endswith(".") else "."
    inner = f"{module.name}{separator}{name}"
    unit = engine.program.module(inner, module.origin)
    if unit is not None:
        return ModuleValue(inner, module.origin, unit)
    return None if module.unit is not None else Outside(inner)


def _is_own_import(engine: NominalEngine, package: Unit | None, declared: tuple[Unit, int], name: str) -> bool:
    """Return whether the name of a package is only an import of this name from the package itself, so that it means a submodule.

    In `shop/__init__.py`, `from .till import *` runs `till.py`. If that file has `from shop import prices`, then the package does
    not have the name yet, and Python imports the submodule `shop.prices`.
    """
    unit, decls = declared[0], declared[0].bindings[declared[1]].decls
    if unit is package or engine.program.rules.is_static:
        return False
    for index in decls:
        decl = unit.decls[index]
        if decl.kind != DeclKind.IMPORT or decl.b < 0 or unit.strings[decl.b] != name:
            return False
        if engine.program.module(*engine.program.place(unit.strings[decl.a], unit)) is not package:
            return False
    return bool(decls)


def exported_value(engine: NominalEngine, unit: Unit, name: str) -> tuple[Unit, int] | None:
    """Return the binding of a name of a file, also through `from … import *`; for Go, the binding in any file of the package."""
    package = engine.program.packages.of(unit)
    if package is not None and name != "*":
        found = package.named(unit, name)
        if found is not None:
            return found
    for current in _with_starred(engine, unit):
        own = current.scopes[0].names
        if name in own and name != "*" and (current is unit or _is_public(engine, current, name)):
            return current, own[name]
    return None


def starred(engine: NominalEngine, unit: Unit) -> list[Unit]:
    """Return the files from which a file imports all names by `*`, directly or through other files."""
    return [each for each in _with_starred(engine, unit) if each is not unit]


def _with_starred(engine: NominalEngine, unit: Unit) -> Iterator[Unit]:
    waiting, seen = [unit], set[int]()
    while waiting:
        current = waiting.pop(0)
        if id(current) in seen or not current.scopes:
            continue
        seen.add(id(current))
        yield current
        names = current.scopes[0].names
        if "*" in names:
            for index in current.bindings[names["*"]].decls:
                star = engine.program.module(*engine.program.place(current.strings[current.decls[index].a], current))
                if star is not None:
                    beside = engine.program.packages.of(star)
                    waiting += beside.units if beside is not None else (star,)


def free_name(engine: NominalEngine, unit: Unit, name: str) -> tuple[Unit, int] | None:
    """Return the binding of a name that a file does not declare: of its package, or from `import *`."""
    if not unit.scopes or ("*" not in unit.scopes[0].names and not unit.facts.package):
        return None
    return exported_value(engine, unit, name)


def _is_public(engine: NominalEngine, unit: Unit, name: str) -> bool:
    """Return whether `from … import *` imports a name of a file."""
    listed = listed_names(engine, unit)
    return name in listed if listed is not None else name[:1] != "_"


def listed_names(engine: NominalEngine, unit: Unit) -> frozenset[str] | None:
    """Return the names in `__all__` of a file; None if there is no `__all__`, or if code computes it."""
    if id(unit) not in engine.public_names:
        binding = unit.scopes[0].names.get("__all__")
        found = set[str]()
        is_plain = binding is not None
        for index in unit.bindings[binding].decls if binding is not None else ():
            decl = unit.decls[index]
            is_plain = is_plain and decl.kind == DeclKind.VARIABLE and _add_listed(engine, unit, decl.b, found)
        for node in unit.facts.calls:
            callee = unit.code[node + 1]  # such as `__all__.extend(…)`
            if callee >= 0 and unit.code[callee] == Op.MEMBER and last_name(unit, unit.code[callee + 1]) == "__all__":
                is_plain = False
        engine.public_names[id(unit)] = frozenset(found) if is_plain else None
    return engine.public_names[id(unit)]


def _add_listed(engine: NominalEngine, unit: Unit, node: int, found: set[str]) -> bool:
    """Add the strings of a list or of a sum of lists to a set. Return False if the expression has other parts."""
    code = unit.code
    if node < 0:
        return True
    if code[node] == Op.ARRAY:
        items = unit.items(code[node + 1]).tolist()
        found.update(unit.strings[code[item + 2]] for item in items if code[item] == Op.STRING)
        return all(code[item] == Op.STRING for item in items)
    if code[node] == Op.OPERATOR and unit.strings[code[node + 3]] in ("__add__", "__iadd__"):
        return _add_listed(engine, unit, code[node + 1], found) and _add_listed(engine, unit, code[node + 2], found)
    return code[node] in NAME_OPS and last_name(unit, node) == "__all__"  # the list before `+=`


def origin_of(engine: NominalEngine, unit: Unit, node: int) -> Declaration | None:
    """Return the last declaration of a name or dotted name, following imports; None if the name has no declaration."""
    code = unit.code
    place: tuple[Unit, int] | None = None
    if node < 0:
        return None
    if code[node] in NAME_OPS:
        binding = code[node + 1]
        place = (unit, binding) if binding >= 0 else free_name(engine, unit, last_name(unit, node))
    elif code[node] == Op.MEMBER:
        module = engine.type_of(unit, code[node + 1])
        if isinstance(module, ModuleValue) and module.unit is not None:
            place = exported_value(engine, module.unit, unit.strings[code[node + 2]])
    return declaration_at(engine, place)


def declaration_at(engine: NominalEngine, place: tuple[Unit, int] | None) -> Declaration | None:
    """Return the last declaration of a binding, following imports."""
    for _ in range(_MAX_FINDINGS):
        if place is None or not place[0].bindings[place[1]].decls:
            return None
        found = Declaration(place[0], place[0].bindings[place[1]].decls[-1])
        decl = found.facts
        if decl.kind != DeclKind.IMPORT:
            return found
        if decl.b < 0:
            return found
        place = imported_binding(engine, found.unit, decl)
    return None


def imported_binding(engine: NominalEngine, unit: Unit, decl: Decl) -> tuple[Unit, int] | None:
    """Return the file and binding that `from module import name` resolves to, or None if the module lacks the name."""
    source = engine.program.module(*engine.program.place(unit.strings[decl.a], unit))
    return exported_value(engine, source, unit.strings[decl.b]) if source is not None else None
