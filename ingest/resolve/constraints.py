"""What is known of a type that waits for a type parameter: its constraint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from . import declared
from .reduction import indexed_type, is_waiting_for
from .type_model import (
    ANY,
    STRING,
    UNRESOLVED,
    Conditional,
    Indexed,
    Instance,
    KeyOf,
    Type,
    TypeParameter,
    parts_of,
    union,
)

if TYPE_CHECKING:
    from .engine import Engine

#: How often a conditional type is taken apart inside itself: a recursive one goes on for ever where nothing decides it.
_MOST_UNROLLED: Final = 2

#: Conditional types that are taken apart for one constraint.
_MOST_CONDITIONALS: Final = 64


def constraint(engine: Engine, kind: Type) -> Type:
    """What is known of a type that waits for a type parameter; unresolved where that is nothing."""
    if isinstance(kind, KeyOf):
        return STRING
    if isinstance(kind, TypeParameter):
        return engine.declared_type(kind.unit, kind.unit.decls[kind.decl].a)
    if isinstance(kind, Conditional):
        return _of_conditional(engine, kind)
    if isinstance(kind, Instance):
        return _of_application(engine, kind) if engine.is_waiting(kind) else UNRESOLVED
    return _of_indexed(engine, kind) if isinstance(kind, Indexed) else UNRESOLVED


def _of_application(engine: Engine, kind: Instance) -> Type:
    bounds = [engine.constraint(part) if is_waiting_for(engine, part) else part for part in kind.arguments]
    found = declared.entity_type(engine, kind.entity, tuple(bounds)) if UNRESOLVED not in bounds else UNRESOLVED
    return found if found != kind else UNRESOLVED


def _of_indexed(engine: Engine, kind: Indexed) -> Type:
    target = engine.constraint(kind.target) if is_waiting_for(engine, kind.target) else UNRESOLVED
    return indexed_type(engine, target, kind.index) if target is not UNRESOLVED and target != kind.target else UNRESOLVED


def _of_conditional(engine: Engine, kind: Conditional) -> Type:
    """The union of its branches, without `any`; conditional types among them are taken apart as well."""
    leaves: dict[Type, None] = {}
    _take_apart(engine, kind, [], {kind: None}, leaves)
    if len(leaves) > 1:
        leaves.pop(ANY, None)
    return union(leaves)


def _take_apart(
    engine: Engine, kind: Conditional, inside: list[tuple[int, int]], seen: dict[Type, None], leaves: dict[Type, None]
) -> None:
    inside.append((kind.unit.index, kind.index))
    _, _, yes, no = kind.unit.items(kind.unit.code[kind.index + 1])
    for node in (yes, no):
        for part in parts_of(engine.declared_type(kind.unit, node, kind.env)):
            if not isinstance(part, Conditional):
                leaves[part] = None
            elif part not in seen and len(seen) < _MOST_CONDITIONALS:
                seen[part] = None
                if inside.count((part.unit.index, part.index)) < _MOST_UNROLLED:
                    _take_apart(engine, part, inside, seen, leaves)
    inside.pop()
