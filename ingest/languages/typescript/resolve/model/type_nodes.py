"""Walk the nodes of a type without computing the type."""

from __future__ import annotations

from .....facts.operations import Op
from .unit import Unit

#: The operands of type operations that are types: "a" and "b" are types, "l" is a list of types in operand a, and "m" is a list
#: of types in operand b.
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


_NAMES = frozenset((Op.T_NAME, Op.T_QUALIFIED))
_FUNCTIONS = frozenset((Op.T_FUNCTION, Op.T_CONSTRUCTOR))


def type_names(unit: Unit, node: int) -> list[int]:
    """Return the name nodes in a type, in source order, also inside function signatures and object types."""
    code = unit.code
    found: list[int] = []
    stack = [node]
    while stack:
        at = stack.pop()
        if at < 0:
            continue
        op = code[at]
        if op in _NAMES:
            found.append(at)
            continue
        inner: list[int] = []
        for operand in OPERANDS.get(op, ""):
            cell = code[at + 1] if operand in "al" else code[at + 2]
            inner += unit.items(cell) if operand in "lm" else (cell,)
        if op in _FUNCTIONS:
            function = unit.functions[code[at + 1]]
            inner += [entry.type for entry in function.parameters]
            inner.append(function.return_type)
        elif op == Op.T_OBJECT:
            inner += [member.type for member in unit.shapes[code[at + 1]].members]
        inner.reverse()
        stack += inner
    return found
