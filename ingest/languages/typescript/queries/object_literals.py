"""Object literals as arguments: their entries, and the constants among the values."""

from __future__ import annotations

from collections.abc import Iterator

from ....facts.operations import Op
from ..resolve.call_targets import unwrapped
from ..resolve.model.program import Unit


def entries(unit: Unit, node: int) -> Iterator[tuple[str, int]]:
    """Yield the names and values of an object literal, or of each object in a list. Other expressions have none."""
    if node < 0:
        return
    node = unwrapped(unit, node)
    if unit.code[node] == Op.OBJECT:
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
    return node >= 0 and unit.code[unwrapped(unit, node)] in (Op.OBJECT, Op.ARRAY)


def is_no(unit: Unit, node: int) -> bool:
    """Return whether an expression is the constant false."""
    return node >= 0 and unit.code[node] == Op.BOOLEAN and unit.code[node + 1] == 0
