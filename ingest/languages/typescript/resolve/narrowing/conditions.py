"""Narrowing: the type of a reference under the conditions around it.

In `if (typeof id === "string") use(id)`, an `id` of type `string | number` is a `string` at `use(id)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .....facts.model import Decl, DeclKind
from .....facts.operations import Logic, Op
from ..model.type_model import (
    ANY,
    BIGINT,
    BOOLEAN,
    NEVER,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    SYMBOL,
    UNDEFINED,
    UNRESOLVED,
    ClassExpression,
    FunctionType,
    Instance,
    Literal,
    Overloads,
    Primitive,
    Static,
    Template,
    Type,
    TypeParameter,
    intersection,
    may_lack_parts,
    non_nullish,
    parts_of,
    union,
)
from ..relations import assignable

if TYPE_CHECKING:
    from ..engine import Engine
    from ..model.unit import Unit

_TYPEOF = {
    "string": STRING,
    "number": NUMBER,
    "boolean": BOOLEAN,
    "bigint": BIGINT,
    "symbol": SYMBOL,
    "undefined": UNDEFINED,
    "object": OBJECT,
}


def narrowed_type(engine: Engine, unit: Unit, node: int) -> Type:
    """Return the type of a NARROW node: its reference under all its conditions, the outermost applied first."""
    reference = unit.code[node + 1]
    kind = engine.type_of(unit, reference)
    pairs = unit.items(unit.code[node + 2])
    for position in range(len(pairs) - 2, -1, -2):
        kind = narrowed_by(engine, unit, reference, kind, pairs[position], bool(pairs[position + 1]))
    return kind


def narrowed_by(engine: Engine, unit: Unit, reference: int, kind: Type, condition: int, assume_true: bool) -> Type:
    """Return the type of a reference where a condition is true, or false."""
    code = unit.code
    op = code[condition]
    if op == Op.LOGICAL:
        return _logical(engine, unit, reference, kind, condition, assume_true)
    if op == Op.NOT:
        return narrowed_by(engine, unit, reference, kind, code[condition + 1], not assume_true)
    if op in (Op.NARROW, Op.NON_NULL, Op.ASSIGN):
        return narrowed_by(engine, unit, reference, kind, code[condition + 1], assume_true)
    if op == Op.INSTANCEOF and _same(unit, code[condition + 1], reference):
        return _instanceof(engine, unit, kind, code[condition + 2], assume_true)
    if op == Op.EQUALITY:
        return _equality(engine, unit, reference, kind, condition, assume_true == bool(code[condition + 3]))
    if op == Op.CASE:
        return _case(engine, unit, reference, kind, condition, assume_true)
    if op == Op.IN and _same(unit, code[condition + 2], reference):
        return _in(engine, unit, kind, code[condition + 1], assume_true)
    if op == Op.CALL:
        return _guard_call(engine, unit, reference, kind, condition, assume_true)
    if op == Op.MEMBER and _same(unit, code[condition + 1], reference):
        return _truthy_member(engine, kind, unit.strings[code[condition + 2]], assume_true)
    if op in (Op.NAME, Op.MEMBER) and _same(unit, condition, reference):
        return non_nullish(kind) if assume_true else kind
    if op == Op.NAME and (stored := _constant_condition(unit, condition, reference)) >= 0:
        return narrowed_by(engine, unit, reference, kind, stored, assume_true)
    return kind


def _constant_condition(unit: Unit, name: int, reference: int) -> int:
    """Return the condition that a constant stores, if neither the constant nor the reference can change; else -1."""
    decl = _only_declaration(unit, name)
    if decl is None or decl.kind != DeclKind.VARIABLE or decl.c != 1 or decl.a >= 0 or not 0 <= decl.b < name:
        return -1
    root = _only_declaration(unit, reference)
    is_constant = root is not None and (root.kind == DeclKind.PARAMETER or (root.kind == DeclKind.VARIABLE and root.c == 1))
    return decl.b if is_constant and not unit.bindings[unit.code[reference + 1]].assigned else -1


def _only_declaration(unit: Unit, node: int) -> Decl | None:
    if unit.code[node] != Op.NAME or unit.code[node + 1] < 0:
        return None
    decls = unit.bindings[unit.code[node + 1]].decls
    return unit.decls[decls[0]] if len(decls) == 1 else None


def _logical(engine: Engine, unit: Unit, reference: int, kind: Type, condition: int, assume_true: bool) -> Type:
    left, right, logic = unit.code[condition + 1], unit.code[condition + 2], unit.code[condition + 3]
    if logic not in (Logic.AND, Logic.OR):
        return kind
    first = narrowed_by(engine, unit, reference, kind, left, assume_true)
    if (logic == Logic.AND) == assume_true:
        return narrowed_by(engine, unit, reference, first, right, assume_true)
    between = narrowed_by(engine, unit, reference, kind, left, not assume_true)
    return union((first, narrowed_by(engine, unit, reference, between, right, assume_true)))


def _same(unit: Unit, node: int, reference: int) -> bool:
    """Return whether two nodes are the same reference: the same binding and the same member names."""
    code = unit.code
    while True:
        while code[node] in (Op.NARROW, Op.NON_NULL, Op.AS, Op.ASSIGN):
            node = code[node + 1]
        while code[reference] in (Op.NARROW, Op.NON_NULL, Op.AS):
            reference = code[reference + 1]
        op = code[node]
        if op != code[reference]:
            return False
        if op == Op.NAME:
            return code[node + 1] == code[reference + 1] and code[node + 2] == code[reference + 2]
        if op == Op.THIS:
            return code[node + 1] == code[reference + 1] and code[node + 2] == code[reference + 2]
        if op == Op.INDEX:
            if not _same_key(unit, code[node + 2], code[reference + 2]):
                return False
        elif op != Op.MEMBER or code[node + 2] != code[reference + 2]:
            return False
        node, reference = code[node + 1], code[reference + 1]


def _same_key(unit: Unit, index: int, other: int) -> bool:
    """Return whether two keys of element accesses are the same literal."""
    code = unit.code
    is_literal = index >= 0 and other >= 0 and code[index] in (Op.STRING, Op.NUMBER)
    return is_literal and code[index] == code[other] and code[index + 2] == code[other + 2]


def _filtered(kind: Type, keep: Callable[[Type], bool]) -> Type:
    kept = [part for part in parts_of(kind) if keep(part)]
    return union(kept) if kept else NEVER


def to_type(engine: Engine, kind: Type, wanted: Type) -> Type:
    """Return the type after a successful check for a type.

    The result has the parts that fit the wanted type, and the wanted type in place of wider parts.
    """
    if kind.opaque:
        return wanted
    parts = parts_of(kind)
    kept: list[Type] = []
    for part in parts:
        fits = _fits(engine, part, wanted)
        if fits:
            kept.append(part)
        elif assignable(engine, wanted, part) or part.opaque:
            kept.append(wanted)
        elif isinstance(part, TypeParameter):
            kept.append(intersection((wanted, part)))
        elif len(parts) == 1 and not isinstance(part, Primitive | Literal):  # the members of both types are kept
            kept.append(intersection((part, wanted)))
        elif fits is None and not part.nullish:
            kept.append(part)
    return union(kept) if kept else wanted


def without_type(engine: Engine, kind: Type, wanted: Type) -> Type:
    """Return the type after a failed check for a type: the parts that do not fit the checked type."""
    return _filtered(kind, lambda part: _fits(engine, part, wanted) is not True) if not kind.opaque else kind


def _fits(engine: Engine, part: Type, wanted: Type) -> bool | None:
    """Return whether all values of a part of a union are of a type.

    Only some values of `Either<L, R>` are of the type `Either<L, never>`, so the answer is False.
    """
    if isinstance(part, Instance) and isinstance(wanted, Instance) and part.entity == wanted.entity:
        pairs = zip(part.arguments, wanted.arguments, strict=False)
        return all(one == other or one is UNRESOLVED or _argument_fits(engine, one, other) for one, other in pairs)
    return assignable(engine, part, wanted)


def _argument_fits(engine: Engine, one: Type, other: Type) -> bool:
    return other.opaque or (one is not ANY and assignable(engine, one, other) is True)


def _instanceof(engine: Engine, unit: Unit, kind: Type, class_node: int, assume_true: bool) -> Type:
    wanted = engine.instance_of(engine.type_of(unit, class_node))
    if wanted is UNRESOLVED:
        wanted = engine.constructed(unit, class_node, engine.type_of(unit, class_node))
    if wanted is UNRESOLVED:
        return kind
    wanted = engine.erased(wanted)
    if not isinstance(wanted, Instance):
        return to_type(engine, kind, wanted) if assume_true else without_type(engine, kind, wanted)
    return _instances_of(engine, kind, wanted) if assume_true else _non_instances_of(engine, kind, wanted)


def _instances_of(engine: Engine, kind: Type, wanted: Instance) -> Type:
    """Return the parts that are instances of a class; structural matches count only if no part is related by inheritance."""
    related: list[Type] = []
    parameters: list[Type] = []
    for part in parts_of(kind):
        if isinstance(part, TypeParameter):
            parameters.append(intersection((wanted, part)))
        elif isinstance(part, Instance):
            if part.entity == wanted.entity or engine.has_base(part, wanted.entity):
                related.append(part)
            elif engine.has_base(wanted, part.entity):
                related.append(wanted)
    return union((*related, *parameters)) if related else to_type(engine, kind, wanted)


def _non_instances_of(engine: Engine, kind: Type, wanted: Instance) -> Type:
    """Return the parts that do not derive from a class; parts that only match the class structurally are kept."""
    is_any = engine.is_lib(wanted, "Function", "Object", "Array", "ReadonlyArray")

    def keep(part: Type) -> bool:
        if isinstance(part, Instance) and not is_any:
            return part.entity != wanted.entity and not engine.has_base(part, wanted.entity)
        return not is_any or assignable(engine, part, wanted) is not True

    return _filtered(kind, keep) if not kind.opaque else kind


def _equality(engine: Engine, unit: Unit, reference: int, kind: Type, condition: int, equal: bool) -> Type:
    left, right = unit.code[condition + 1], unit.code[condition + 2]
    for side, other in ((left, right), (right, left)):
        side = unit.unnarrowed(side)
        if unit.code[side] == Op.TYPEOF and _same(unit, unit.code[side + 1], reference):
            return _typeof(engine, kind, unit, other, equal)
        if _same(unit, side, reference):
            return _equal_to(engine, kind, engine.type_of(unit, other), equal)
        if unit.code[side] == Op.MEMBER and _same(unit, unit.code[side + 1], reference):
            name, value = unit.strings[unit.code[side + 2]], engine.type_of(unit, other)
            if name == "constructor" and isinstance(value, Static | ClassExpression):
                return _constructed_by(engine, kind, value) if equal else kind
            return discriminated(engine, kind, name, [value], equal)
    return kind


def _constructed_by(engine: Engine, kind: Type, value: Type) -> Type:
    """Return the parts for which `x.constructor === C` may be true: instances of C itself, or types that fit its structure."""
    wanted = engine.instance_of(value)
    if wanted is UNRESOLVED:
        return kind
    if kind.opaque:
        return engine.erased(wanted)

    def keep(part: Type) -> bool:
        if isinstance(part, Instance) and isinstance(wanted, Instance):
            return part.entity == wanted.entity
        return assignable(engine, part, wanted) is not False

    return _filtered(kind, keep)


def _equal_to(engine: Engine, kind: Type, value: Type, equal: bool) -> Type:
    if value is NULL or value is UNDEFINED:
        if equal:
            return _filtered(kind, lambda part: part.nullish or part.opaque)
        return non_nullish(kind)
    if isinstance(value, Literal):
        if equal:
            return _filtered(kind, lambda part: assignable(engine, value, part) is not False)
        return _filtered(kind, lambda part: part != value)
    return kind


def discriminated(engine: Engine, kind: Type, name: str, values: list[Type], equal: bool) -> Type:
    """Return the parts whose member can equal one of the values; without `equal`, the parts whose member can differ from them."""
    if not all(isinstance(value, Literal | Primitive) or engine.is_unit(value) for value in values):
        return kind

    def keep(part: Type) -> bool:
        if part.nullish:
            return not equal
        if part.opaque or isinstance(part, TypeParameter):
            return True
        member = engine.property_type(part, name)
        if member.opaque:
            return member is not UNRESOLVED or not equal or not engine.lacks(part, name)
        parts = parts_of(member)
        could = may_lack_parts(parts) or any(engine.overlaps(inner, value) for inner in parts for value in values)
        if equal:
            return could
        return not (isinstance(member, Literal) and member in values)

    return _filtered(kind, keep) if len(parts_of(kind)) > 1 else kind


def _typeof(engine: Engine, kind: Type, unit: Unit, other: int, equal: bool) -> Type:
    if unit.code[other] != Op.STRING:
        return kind
    name = unit.strings[unit.code[other + 2]]
    if name == "function":
        return _filtered(kind, lambda part: _is_function(engine, part) is not (not equal)) if not kind.opaque else kind
    wanted = _TYPEOF.get(name)
    if wanted is None:
        return kind
    if kind.opaque:
        return wanted if equal and wanted is not OBJECT else kind

    def fits(part: Type) -> bool | None:
        if part.opaque or isinstance(part, TypeParameter):
            return None
        base = part.base if isinstance(part, Literal) else STRING if isinstance(part, Template) else part
        if wanted is OBJECT:
            return base is NULL or base is OBJECT or (not isinstance(base, Primitive) and _is_function(engine, part) is not True)
        return base is wanted or (wanted is UNDEFINED and base.nullish and base is not NULL)

    return _filtered(kind, lambda part: fits(part) is not (not equal))


def _is_function(engine: Engine, kind: Type) -> bool | None:
    if kind.opaque or isinstance(kind, TypeParameter):
        return None
    if isinstance(kind, FunctionType | Overloads | ClassExpression | Static):
        return True
    return engine.is_lib(kind, "Function") or bool(engine.signatures(kind, False) or engine.signatures(kind, True))


def _case(engine: Engine, unit: Unit, reference: int, kind: Type, condition: int, assume_true: bool) -> Type:
    """Narrow by `switch (discriminant)`: inside a case, or after all of them."""
    discriminant = unit.unnarrowed(unit.code[condition + 1])
    values = [engine.type_of(unit, item) for item in unit.items(unit.code[condition + 2])]
    if unit.code[discriminant] == Op.TYPEOF and _same(unit, unit.code[discriminant + 1], reference):
        names = list(unit.items(unit.code[condition + 2]))
        if assume_true:
            return union(_typeof(engine, kind, unit, item, True) for item in names)
        for item in names:
            kind = _typeof(engine, kind, unit, item, False)
        return kind
    if unit.code[discriminant] == Op.MEMBER and _same(unit, unit.code[discriminant + 1], reference):
        return discriminated(engine, kind, unit.strings[unit.code[discriminant + 2]], values, assume_true)
    return kind


def _in(engine: Engine, unit: Unit, kind: Type, key: int, assume_true: bool) -> Type:
    name = engine.type_of(unit, key)
    if not isinstance(name, Literal) or len(parts_of(kind)) < 2:
        return kind
    matching = _filtered(kind, lambda part: not engine.lacks(part, name.value))
    if assume_true:
        return matching if matching is not NEVER else kind
    return _filtered(kind, lambda part: not engine.requires(part, name.value))


def _truthy_member(engine: Engine, kind: Type, name: str, assume_true: bool) -> Type:
    """Narrow by `if (x.ok)`, where `ok` is a boolean discriminant."""
    if len(parts_of(kind)) < 2:
        return kind
    falsy = Literal(BOOLEAN, "false")
    truthy = Literal(BOOLEAN, "true")

    def keep(part: Type) -> bool:
        if part.nullish:
            return not assume_true
        member = engine.property_type(part, name)
        if member.opaque:
            return not (assume_true and engine.lacks(part, name))
        return member != (falsy if assume_true else truthy) and not (assume_true and member.nullish)

    kept = _filtered(kind, keep)
    return kept if kept is not NEVER else kind


def _guard_call(engine: Engine, unit: Unit, reference: int, kind: Type, call: int, assume_true: bool) -> Type:
    """Narrow by a call of a type guard or an assertion function."""
    predicate = engine.predicate(unit, call)
    if predicate is None:
        return kind
    argument, wanted, asserts = predicate
    if argument is None or (asserts and not assume_true):
        return kind
    if wanted is None:
        return narrowed_by(engine, unit, reference, kind, argument, assume_true)
    if not _same(unit, argument, reference):
        return kind
    return to_type(engine, kind, wanted) if assume_true else without_type(engine, kind, wanted)
