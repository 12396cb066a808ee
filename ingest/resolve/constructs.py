"""What reading a file found of its types and enums, as records about symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...schema.records import AliasPart, MemberValue
from .program import Unit

SymbolIds = Callable[[Unit, int], str]


def alias_parts(unit: Unit, symbol_id: SymbolIds) -> Iterator[AliasPart]:
    """The parts of the file's type aliases, by alias and in order."""
    alias, place = -1, 0
    for part in unit.facts.type_parts:
        place = place + 1 if part.decl == alias else 0
        alias = part.decl
        symbol = unit.decls[part.decl].symbol
        if symbol >= 0:
            yield AliasPart(
                symbol_id(unit, symbol),
                unit.path,
                place,
                part.parent,
                part.role,
                part.kind,
                part.text,
                part.name,
                part.readonly,
                part.optional,
            )


def member_values(unit: Unit, symbol_id: SymbolIds) -> Iterator[MemberValue]:
    """The values of the members of the file's enums, in order."""
    for value in unit.facts.enum_values:
        shape = unit.shapes[value.shape]
        member = shape.members[value.member].symbol
        if shape.symbol >= 0 and member >= 0:
            ends = symbol_id(unit, shape.symbol), symbol_id(unit, member)
            yield MemberValue(*ends, value.member, value.text, value.computed, value.constant)
