"""Walking the nodes of a type without reading it."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Op
from .program import Unit

#: Type operations and which of their operands are types: "a", "b", a list in "l" (operand a) or "m" (operand b).
OPERANDS = {
    Op.T_UNION: "l",
    Op.T_INTERSECTION: "l",
    Op.T_TUPLE: "l",
    Op.T_CONDITIONAL: "l",
    Op.T_TEMPLATE: "l",
    Op.T_ARRAY: "a",
    Op.T_KEYOF: "a",
    Op.T_OPTIONAL: "a",
    Op.T_REST: "a",
    Op.T_READONLY: "a",
    Op.T_PREDICATE: "a",
    Op.T_INDEXED: "ab",
    Op.T_REFERENCE: "am",
    Op.T_MAPPED: "m",
}


def type_names(unit: Unit, node: int) -> Iterator[int]:
    """The name nodes in a type, in source order; those of function types' signatures and of object types included."""
    stack = [node]
    while stack:
        at = stack.pop()
        if at < 0:
            continue
        op = unit.code[at]
        if op in (Op.T_NAME, Op.T_QUALIFIED):
            yield at
            continue
        inner: list[int] = []
        for operand in OPERANDS.get(op, ""):
            cell = unit.code[at + 1] if operand in "al" else unit.code[at + 2]
            inner += unit.items(cell) if operand in "lm" else (cell,)
        if op in (Op.T_FUNCTION, Op.T_CONSTRUCTOR):
            function = unit.functions[unit.code[at + 1]]
            inner += [*(entry.type for entry in function.parameters), function.return_type]
        elif op == Op.T_OBJECT:
            inner += [member.type for member in unit.shapes[unit.code[at + 1]].members]
        stack += reversed(inner)
