"""Object literals as arguments: their entries, and the constants among the values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....facts.model import DeclKind
from ....facts.operations import Op
from ..resolve.call_targets import unwrapped
from ..resolve.model.unit import Unit

#: Maximum number of names that are followed to an expression.
_MAX_NAMES: Final = 10


def entries(unit: Unit, node: int) -> Iterator[tuple[str, int]]:
    """Yield the names and values of an object literal, of the objects in a list, or of a literal in a constant.

    There are none for other expressions.
    """
    node = constant(unit, node)
    if node < 0:
        return
    if unit.code[node] == Op.OBJECT:
        for spread in unit.items(unit.code[node + 2]).tolist():
            yield from entries(unit, unit.code[spread + 1])
        for member in unit.shapes[unit.code[node + 1]].members:
            yield member.name, member.value
    elif unit.code[node] == Op.ARRAY:
        for each in unit.items(unit.code[node + 1]).tolist():
            yield from entries(unit, each)


def entry(unit: Unit, node: int, name: str) -> int:
    """Return the value of the entry with a name; -1 if there is none."""
    return next((value for own, value in entries(unit, node) if own == name), -1)


def is_object(unit: Unit, node: int) -> bool:
    """Return whether an expression is an object literal, or a list."""
    node = constant(unit, node)
    return node >= 0 and unit.code[node] in (Op.OBJECT, Op.ARRAY)


def constant(unit: Unit, node: int) -> int:
    """Return the initial value of a variable of the file. Return any other expression without casts."""
    for _ in range(_MAX_NAMES):
        node = unwrapped(unit, node) if node >= 0 else -1
        if node < 0 or unit.code[node] != Op.NAME or unit.code[node + 1] < 0:
            return node
        decls = unit.bindings[unit.code[node + 1]].decls
        decl = unit.decls[decls[0]] if len(decls) == 1 else None
        if decl is None or decl.kind != DeclKind.VARIABLE or decl.b < 0:
            return node
        node = decl.b
    return -1


def is_false(unit: Unit, node: int) -> bool:
    """Return whether an expression is the constant false."""
    return node >= 0 and unit.code[node] == Op.BOOLEAN and unit.code[node + 1] == 0
