"""Attributes that class patterns of `match` read by position: `case Point(x, y)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..facts.operations import Op
from . import class_order, member_lookup
from .types import UNKNOWN, ClassInfo, Instance, Type, bounded, parts, union

if TYPE_CHECKING:
    from .engine import NominalEngine

#: Classes whose first positional subpattern matches the whole value: `case int(count)`.
_WHOLE: Final = frozenset(("bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"))


def field_at(engine: NominalEngine, kind: Type, place: int) -> Type:
    """Return the type of the attribute that the subpattern at a position of a class pattern matches."""
    found: list[Type] = []
    for part in parts(bounded(kind)):
        if not isinstance(part, Instance):
            continue
        if part.cls.module == "builtins" and part.cls.name in _WHOLE:
            found.append(part if place == 0 else UNKNOWN)
            continue
        names = _positional_names(engine, part.cls)
        if place < len(names):
            found.append(member_lookup.member_type(engine, part, names[place]))
    return union(found)


def _positional_names(engine: NominalEngine, info: ClassInfo) -> list[str]:
    """Return the names of the attributes that positional subpatterns match: `__match_args__`, else the fields."""
    order = class_order.linear_order(engine, info).order
    for ancestor in order:
        for member in ancestor.cls.members_named("__match_args__"):
            unit = ancestor.cls.unit
            node = unit.decls[member.extra].b if member.extra >= 0 else member.value
            if node < 0 or unit.code[node] != Op.ARRAY:
                return []
            items = unit.items(unit.code[node + 1])
            return [unit.strings[unit.code[item + 2]] if unit.code[item] == Op.STRING else "" for item in items]
    fields: dict[str, None] = {}
    for ancestor in reversed(order):
        if not ancestor.cls.module:
            members = ancestor.cls.unit.shapes[ancestor.cls.shape].members
            fields.update(dict.fromkeys(each.name for each in members if each.type >= 0 and each.static and each.function < 0))
    return list(fields)
