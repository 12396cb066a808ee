"""Parameters without types, whose methods may run statements: `async function publish(post) { await post.update({ … }) }`.

The callers decide which models or rows such a parameter holds, so each parameter is a slot that calls fill. A field of a class
that only holds a parameter of the constructor is the same slot.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .....facts.data import SLOT
from .....facts.model import DeclKind
from .....facts.operations import Op, ThisKind
from ...resolve.call_targets import unwrapped
from ...resolve.model.unit import SymbolIds, Unit
from .assigned_members import AssignedMembers

#: Types that say nothing about a value.
_ANY: Final = frozenset(("any", "unknown", "object", "Object"))
#: A function of a file, by its symbol, and the position of a parameter.
_Place = tuple[int, int]


class OpenParameters:
    """The parameters without types in one file."""

    def __init__(self, unit: Unit, symbol_id: SymbolIds, assigned: AssignedMembers) -> None:
        self._unit = unit
        self._assigned = assigned
        self._places: Final = _places(unit)
        self._symbol_id = symbol_id
        #: The positions of the open parameters of each function, by its symbol. They depend on the declaration alone: callers in
        #: other files are not read again if the body of the function changes.
        self.positions: dict[int, set[int]] = {}
        for symbol, position in self._places.values():
            self.positions.setdefault(symbol, set()).add(position)

    def slot(self, node: int) -> str:
        """Return the slot of an expression that is an open parameter, or a field with its value; "" for other expressions."""
        place = self._place(unwrapped(self._unit, node))
        return self.slot_of(*place) if place is not None else ""

    def slot_of(self, symbol: int, position: int) -> str:
        """Return the slot of a parameter of a function."""
        return f"{SLOT}{self._symbol_id(self._unit, symbol)} ({position})"

    def _place(self, node: int) -> _Place | None:
        unit, code = self._unit, self._unit.code
        if code[node] == Op.MEMBER:
            receiver = unwrapped(unit, code[node + 1])
            if code[receiver] != Op.THIS or code[receiver + 1] != ThisKind.INSTANCE:
                return None
            values = self._assigned.of_fields.get((code[receiver + 2], unit.strings[code[node + 2]]), ())
            node = unwrapped(unit, values[0]) if len(values) == 1 else -1
        if node < 0 or code[node] != Op.NAME or code[node + 1] < 0:
            return None
        decls = unit.bindings[code[node + 1]].decls
        return self._places.get(decls[0]) if len(decls) == 1 else None


def _places(unit: Unit) -> Mapping[int, _Place]:
    """Return the parameters without types of the functions of a file that have symbols, by their declarations."""
    found: dict[int, _Place] = {}
    for function in unit.functions:
        for position, parameter in enumerate(function.parameters if function.symbol >= 0 and function.has_body else ()):
            decl = unit.decls[parameter.decl] if parameter.decl >= 0 else None
            if decl is not None and decl.kind == DeclKind.PARAMETER and (parameter.type < 0 or _is_any(unit, parameter.type)):
                found[parameter.decl] = (function.symbol, position)
    return found


def _is_any(unit: Unit, annotation: int) -> bool:
    """Return whether an annotation says nothing about a value: `any`, `object`, or `{Object}` in a JSDoc comment."""
    code, op = unit.code, unit.code[annotation]
    if op == Op.T_UNION:
        return any(_is_any(unit, part) for part in unit.items(code[annotation + 1]).tolist())
    if op == Op.T_REFERENCE:
        return _is_any(unit, code[annotation + 1])
    return op in (Op.T_PRIMITIVE, Op.T_NAME) and unit.strings[code[annotation + 2]] in _ANY
