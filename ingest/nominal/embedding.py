"""The order of member look-up in types that embed others: own members first, then embedded types level by level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..facts.model import Decl, DeclKind
from ..languages.typescript.resolve.model.unit import Unit
from . import call_results, class_order
from .types import UNKNOWN, ClassInfo, Instance, Linear, Type, parts, substitute

if TYPE_CHECKING:
    from .engine import NominalEngine

#: Maximum length of a chain of embedded types.
_MAX_LEVELS: Final = 12
#: Maximum number of types that a type embeds, directly or through other types.
_MAX_EMBEDDED: Final = 200


def order_by_depth(engine: NominalEngine, own: Instance) -> Linear:
    """Return a type with the types that it embeds, level by level."""
    found, is_complete = levels(engine, own)
    return Linear(tuple([each for level in found for group in level for each in group]), is_complete)


def levels(engine: NominalEngine, own: Instance) -> tuple[list[list[list[Instance]]], bool]:
    """Return a type and the types that it embeds, level by level, and whether all of these types are known.

    Each type is a list: the type itself, then the types that declare its methods and the members of its underlying type.
    """
    is_complete = True
    found: dict[int, None] = {id(own.cls): None}
    listed: list[list[list[Instance]]] = []
    level = [own]
    for _ in range(_MAX_LEVELS + 1):
        listed.append([[each, *methods_outside(engine, each), *_underlying(engine, each)] for each in level])
        following: list[Instance] = []
        for each in level:
            mapping = call_results.arguments_of(engine, each)
            unit = each.cls.unit
            for node in unit.shapes[each.cls.shape].extends:
                for base in parts(substitute(engine.annotation(unit, node), mapping)):
                    if not isinstance(base, Instance):
                        is_complete = False
                    elif id(base.cls) not in found and len(found) < _MAX_EMBEDDED:
                        found[id(base.cls)] = None
                        following.append(base)
        if not following:
            break
        level = following
    return listed, is_complete


def methods_outside(engine: NominalEngine, kind: Instance) -> list[Instance]:
    """Return instances for the methods that are declared outside of a type, with the type arguments of the type."""
    info = kind.cls
    package = engine.program.packages.of(info.unit)
    if package is None or info.name not in package.extensions or not _is_of_package(info):
        return []
    return [Instance(engine.program.class_info(*place), kind.arguments) for place in package.extensions[info.name]]


def extended_type(engine: NominalEngine, unit: Unit, name: str) -> ClassInfo | None:
    """Return the type with a name in the package of a file; a method belongs to the type if its receiver has this name."""
    package = engine.program.packages.of(unit)
    place = package.names.get(name) if package is not None else None
    if place is None:
        return None
    declared, binding = place
    for index in declared.bindings[binding].decls:
        if declared.decls[index].kind == DeclKind.CLASS:
            return engine.program.class_info(declared, declared.decls[index].a)
    return None


def bound_outside(engine: NominalEngine, unit: Unit, decl: Decl) -> Type:
    """Return the constraint of a type parameter that a method's receiver names, such as `T` in `func (l *List[T]) Add()`."""
    info = extended_type(engine, unit, unit.shapes[decl.b].name)
    parameters = class_order.class_parameters(engine, info) if info is not None else ()
    return parameters[decl.c].bound if 0 <= decl.c < len(parameters) else UNKNOWN


def _is_of_package(info: ClassInfo) -> bool:
    """Return whether a type is declared in the scope of its package, and not inside a function."""
    unit = info.unit
    binding = unit.scopes[0].names.get(info.name) if unit.scopes else None
    if binding is None:
        return False
    decls = [unit.decls[index] for index in unit.bindings[binding].decls]
    return any(decl.kind == DeclKind.CLASS and decl.a == info.shape for decl in decls)


def _underlying(engine: NominalEngine, kind: Instance) -> list[Instance]:
    """Return the members that a defined type inherits from its underlying type: fields and items, but no methods."""
    unit = kind.cls.unit
    mapping = call_results.arguments_of(engine, kind)
    found: list[Instance] = []
    for node in unit.shapes[kind.cls.shape].implements:
        for base in parts(substitute(engine.annotation(unit, node), mapping)):
            if isinstance(base, Instance) and base.cls is not kind.cls:
                outside = {id(each.cls) for each in methods_outside(engine, base)}
                inner = call_results.arguments_of(engine, base)
                for each in class_order.linear_order(engine, base.cls).order:
                    seen = substitute(each, inner)
                    if isinstance(seen, Instance) and id(each.cls) not in outside:
                        found.append(seen)
    return found
