"""Object literals as arguments: their entries, and the constants among the values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .....facts.model import DeclKind
from .....facts.operations import Op
from ...resolve.call_targets import unwrapped
from ...resolve.model.unit import Unit

#: Maximum number of names that are followed to an expression.
_MAX_NAMES: Final = 10
#: Maximum depth of conditions around an object literal.
_MAX_DEPTH: Final = 6
#: Methods of lists that return a list of the results of a function.
_MAPPING: Final = frozenset(("map", "flatMap"))


def entries(unit: Unit, node: int) -> Iterator[tuple[str, int]]:
    """Yield the names and values of an object literal, of the objects in a list, or of a literal in a constant.

    Objects may also be branches of a condition, or results of the function of `tags.map((tag) => ({ … }))`. There are none for
    other expressions.
    """
    for literal in _literals(unit, node, _MAX_DEPTH):
        yield from _own_entries(unit, literal)


def _own_entries(unit: Unit, node: int) -> Iterator[tuple[str, int]]:
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
    """Return whether an expression is an object literal or a list, perhaps in a branch of a condition."""
    return next(_literals(unit, node, _MAX_DEPTH), None) is not None


def _literals(unit: Unit, node: int, depth: int) -> Iterator[int]:
    """Yield the object literals and lists that an expression may be."""
    node, code = constant(unit, node), unit.code
    if node < 0 or not depth:
        return
    op = code[node]
    if op in (Op.OBJECT, Op.ARRAY):
        yield node
    elif op in (Op.CONDITIONAL, Op.LOGICAL):
        for operand in (2, 3) if op == Op.CONDITIONAL else (1, 2):
            yield from _literals(unit, code[node + operand], depth - 1)
    elif op == Op.CALL:
        callee, arguments = unwrapped(unit, code[node + 1]), unit.items(code[node + 2]).tolist()
        is_map = code[callee] == Op.MEMBER and unit.strings[code[callee + 2]] in _MAPPING
        if is_map and arguments and code[arguments[0]] == Op.FUNCTION:
            for returned in unit.functions[code[arguments[0] + 1]].returns:
                yield from _literals(unit, returned, depth - 1)


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
