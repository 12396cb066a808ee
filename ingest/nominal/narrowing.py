"""Types of values after conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts.operations import NAME_OPS, Logic, Op
from ..languages.typescript.resolve.model.unit import Unit
from . import class_order, written_types
from .program import last_name
from .types import NONE, UNKNOWN, ClassValue, FunctionValue, Instance, Outside, Type, Variable, parts, union

if TYPE_CHECKING:
    from .engine import NominalEngine


def narrowed(engine: NominalEngine, unit: Unit, kind: Type, condition: int, holds: bool, key: str) -> Type:
    """Return the type of a name or chain after a condition that is true, or false."""
    code = unit.code
    op, a, b = code[condition], code[condition + 1], code[condition + 2]
    if op == Op.NOT:
        return narrowed(engine, unit, kind, a, not holds, key)
    if op == Op.LOGICAL:
        is_and = code[condition + 3] == Logic.AND
        if is_and == holds:
            return narrowed(engine, unit, narrowed(engine, unit, kind, a, holds, key), b, holds, key)
        first = narrowed(engine, unit, kind, a, holds, key)
        second = narrowed(engine, unit, narrowed(engine, unit, kind, a, not holds, key), b, holds, key)
        return union([first, second]) if first is not UNKNOWN and second is not UNKNOWN else kind
    if op == Op.CALL:
        given = unit.items(b).tolist()
        name = last_name(unit, a)
        if len(given) == 2 and name in ("isinstance", "issubclass") and _key(engine, unit, given[0]) == key:
            classes = _classes(engine, engine.type_of(unit, given[1]))
            if name == "isinstance":
                return of_classes(engine, kind, classes, holds=holds)
            return _subclasses(engine, kind, classes, holds=holds)
        if given and name == "callable" and _key(engine, unit, given[0]) == key:
            return kind
        if given and _key(engine, unit, given[0]) == key:
            return _guarded(engine, unit, kind, a, holds=holds)
        return kind
    if op in (Op.COMPARED, Op.EQUALITY) and code[a] == Op.CALL and last_name(unit, code[a + 1]) == "type":
        given = unit.items(code[a + 2]).tolist()
        cls = engine.type_of(unit, b)
        if len(given) == 1 and _key(engine, unit, given[0]) == key and isinstance(cls, ClassValue):
            return of_classes(engine, kind, [cls], holds=True) if holds == bool(code[condition + 3]) else kind
        return kind
    if op == Op.COMPARED:
        if _key(engine, unit, a) == key:
            is_none = engine.type_of(unit, b) is NONE
            if is_none:
                return _by_none(kind, is_none=holds == bool(code[condition + 3]))
        return kind
    if op == Op.EQUALITY and _key(engine, unit, a) == key and engine.type_of(unit, b) is NONE:
        return _by_none(kind, is_none=holds == bool(code[condition + 3]))
    if _key(engine, unit, condition) == key:
        return _by_none(kind, is_none=False) if holds else kind
    return kind


def _by_none(kind: Type, *, is_none: bool) -> Type:
    if is_none:
        return NONE if NONE in parts(kind) or kind is UNKNOWN else kind
    return union([each for each in parts(kind) if each is not NONE])


def _guarded(engine: NominalEngine, unit: Unit, kind: Type, callee: int, *, holds: bool) -> Type:
    """Return the type `X` of the argument of a function whose result type is `TypeGuard[X]` or `TypeIs[X]`.

    Only `TypeIs` also narrows an argument for which the function returns false.
    """
    function = engine.type_of(unit, callee)
    if not isinstance(function, FunctionValue):
        return kind
    written = function.unit.functions[function.function].return_type
    code = function.unit.code
    if written < 0 or code[written] != Op.INDEX:
        return kind
    guard = last_name(function.unit, code[written + 1])
    if guard not in ("TypeGuard", "TypeIs"):
        return kind
    wanted = engine.annotation(function.unit, code[written + 2])
    if holds or guard == "TypeGuard":
        return wanted if holds else kind
    classes: list[Type] = [ClassValue(each) for each in parts(wanted) if isinstance(each, Instance)]
    return of_classes(engine, kind, classes, holds=False) if len(classes) == len(parts(wanted)) else kind


def _classes(engine: NominalEngine, kind: Type) -> list[Type]:
    found: list[Type] = []
    for part in parts(kind):
        if isinstance(part, Instance) and part.items is not None:
            found += [each for item in part.items for each in parts(item)]
        else:
            found.append(part)
    return found


def of_classes(engine: NominalEngine, kind: Type, classes: list[Type], *, holds: bool) -> Type:
    """Return the part of a type that can be an instance of some classes; if not `holds`, the part that can be something else."""
    known = [each.instance for each in classes if isinstance(each, ClassValue)]
    is_whole = len(known) == len(classes)
    bare = [written_types.without_arguments(each) for each in known]
    if holds and not known:
        return kind
    if holds:
        if kind is UNKNOWN or any(isinstance(each, (Outside, Variable)) for each in parts(kind)):
            return union(list(bare))
        found: list[Type] = []
        for part in parts(kind):
            if not isinstance(part, Instance):
                continue
            for wanted in bare:
                if not isinstance(wanted, Instance):
                    continue
                below = class_order.is_subclass(engine, part, wanted)
                if below:
                    found.append(part)
                elif class_order.is_subclass(engine, wanted, part) or below is None:
                    found.append(wanted)
        return union(found) if found else union(list(bare))
    if not is_whole:
        return kind
    return union(
        [
            each
            for each in parts(kind)
            if not any(class_order.is_subclass(engine, each, wanted) for wanted in bare if isinstance(each, Instance))
        ]
    )


def _subclasses(engine: NominalEngine, kind: Type, classes: list[Type], *, holds: bool) -> Type:
    """Return the part of a type that can be a subclass of some classes; if not `holds`, the part that can be something else."""
    wanted = [each.instance for each in classes if isinstance(each, ClassValue)]
    if not wanted or (not holds and len(wanted) < len(classes)):
        return kind
    found: list[Type] = []
    for part in parts(kind):
        own = part.instance if isinstance(part, ClassValue) else UNKNOWN
        below = any(class_order.is_subclass(engine, own, each) for each in wanted) if own is not UNKNOWN else False
        if below == holds:
            found.append(part)
    return union(found) if found or not holds else union([ClassValue(each) for each in wanted])


def _key(engine: NominalEngine, unit: Unit, node: int) -> str:
    """Return the text of a name or of a chain of members; "" for any other expression."""
    code = unit.code
    if node < 0:
        return ""
    if code[node] == Op.PHI and code[node + 2] >= 0:
        return _key(engine, unit, code[node + 2])
    if code[node] in NAME_OPS:
        return last_name(unit, node)
    if code[node] == Op.ASSIGN:
        return ""
    if code[node] == Op.MEMBER:
        inner = _key(engine, unit, code[node + 1])
        return f"{inner}.{unit.strings[code[node + 2]]}" if inner else ""
    return ""
