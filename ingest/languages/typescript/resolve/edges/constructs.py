"""Records about types, enums, side effects and names in the facts of a file, with the symbols to which they belong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ......schema.edges import AliasPart, Augmentation, LoadEffect, MemberValue, UnicodeIdentifier
from ..model.program import Program
from ..model.unit import SymbolIds, Unit


def alias_parts(unit: Unit, symbol_id: SymbolIds) -> Iterator[AliasPart]:
    """Yield the parts of a file's type aliases, by alias and in order."""
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
    """Yield the values of a file's enum members, in order."""
    for value in unit.facts.enum_values:
        shape = unit.shapes[value.shape]
        member = shape.members[value.member].symbol
        if shape.symbol >= 0 and member >= 0:
            ends = symbol_id(unit, shape.symbol), symbol_id(unit, member)
            yield MemberValue(*ends, value.member, value.text, value.computed, value.constant)


def load_effects(unit: Unit, symbol_id: SymbolIds) -> Iterator[LoadEffect]:
    """Yield the effects of loading a file, in source order."""
    for effect in unit.facts.side_effects:
        line = unit.line(effect.position)
        symbol = _root_symbol(unit, line)
        if symbol >= 0:
            yield LoadEffect(
                unit.path, symbol_id(unit, symbol), effect.kind, line, effect.target, effect.text, effect.conditional
            )


def unicode_identifiers(unit: Unit, symbol_id: SymbolIds) -> Iterator[UnicodeIdentifier]:
    """Yield a file's names with characters beyond ASCII, in source order."""
    for entry in unit.facts.unicode_names:
        line = unit.line(entry.position)
        symbol = entry.owner if entry.owner >= 0 else _root_symbol(unit, line)
        if symbol >= 0:
            yield UnicodeIdentifier(
                unit.path,
                symbol_id(unit, symbol),
                entry.name,
                entry.kind,
                line,
                unit.column(entry.position),
                entry.scope,
                tuple(entry.scripts),
                entry.mixed,
                entry.zero_width,
                entry.direction,
                entry.normal,
                tuple(entry.alike),
                entry.reason,
                entry.severity,
            )


def _root_symbol(unit: Unit, line: int) -> int:
    """Return the symbol at the root that contains a line, or -1."""
    for index, symbol in enumerate(unit.symbols):
        if symbol.depth == 0 and symbol.start_line <= line <= symbol.end_line:
            return index
    return -1


def augmentations(program: Program, units: Sequence[Unit], symbol_id: SymbolIds) -> Iterator[Augmentation]:
    """Yield the blocks of some files that augment a module of the repository, by module."""
    wanted = {unit.index for unit in units}
    for path, blocks in program.augmentations.items():
        for unit, scope in blocks if program.holds(path) else ():
            symbol = _block_symbol(unit, scope) if unit.index in wanted else -1
            if symbol >= 0:
                yield Augmentation(symbol_id(unit, symbol), path)


def _block_symbol(unit: Unit, scope: int) -> int:
    """Return the symbol of a `declare module` block, or -1. Scopes and blocks are in the same order."""
    specifier = unit.scopes[scope].ambient
    scopes = [index for index, each in sorted(unit.scopes.items()) if each.ambient == specifier]
    symbols = [index for index, each in enumerate(unit.symbols) if each.kind == "namespace" and each.name == specifier]
    place = scopes.index(scope)
    return symbols[place] if place < len(symbols) else -1
