"""Compute the lengths of shown symbols, and choose the bodies to collapse in symbols that are too long."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ...graphdb.symbols.symbol_table import SymbolTable
from ...schema.records import Symbol, SymbolRef
from ...schema.symbol_kinds import CALLABLE_KINDS, MEMBER_KINDS
from ..source.regions import body_of
from ..source.source_lines import SourceLines
from ..text.tokens import tokens_of_characters
from .excerpt import ShownSymbol, Stub

#: Minimum number of lines, after the first line, of a long function, method or class.
_SHORT_LINES = 5
#: A class is shown whole if it takes at most the budget divided by this number.
_WHOLE_SHARE = 4


def collapsed_bodies(
    table: SymbolTable,
    targets: Sequence[SymbolRef],
    shown: Mapping[str, SymbolRef],
    sources: Mapping[str, SourceLines],
    budget: int,
) -> dict[str, list[Stub]]:
    """Return the collapsed parts of each shown symbol that is too large: nested bodies that contain no target.

    `shown` has the shown symbol of each target. If an enclosing symbol is shown instead of the target, bodies in the target are
    collapsed, too.
    """
    large = {symbol.id: symbol for symbol in shown.values() if _is_large(symbol, sources[symbol.relative_path], budget)}
    holders: dict[str, set[str]] = {id: {id} for id in large}
    for target, symbol in shown.items():
        if symbol.id in large:
            holders[symbol.id].add(target)
    members = table.children(id for ids in holders.values() for id in ids)
    for id, symbol in large.items():
        # The nested symbols of a call belong to the callback that begins on the same line.
        first = [child.id for child in members.get(id, ()) if child.declaration_line == symbol.declaration_line]
        holders[id] = (holders[id] - {id}) | set(first) if first else holders[id]
        members.update(table.children(first))
    collapsed = {}
    for id, symbol in large.items():
        within = [target for target in targets if target.id != id]
        nested = (member for holder in holders[id] for member in members.get(holder, ()))
        has_members = symbol.kind in MEMBER_KINDS
        bodies = [member for member in nested if _has_body(member) and not holds_any(member, within)]
        bodies.sort(key=lambda member: (member.start_line, -member.end_line))
        source = sources[symbol.relative_path]
        # A signature without a body is not valid source in place of a callback within a method.
        signed = {member.id for member in bodies if has_members and member.depth == symbol.depth + 1}
        stubs = [Stub.of_member(member.ref, member.signature if member.id in signed else "", source) for member in bodies]
        stubs = [stub for stub in stubs if stub.signature or _hides_lines(stub, source)]
        if tokens_of(symbol, source) - sum(_tokens_saved(stub, source) for stub in stubs) > budget // 2:
            stubs = [replace(stub, first_line=stub.symbol.start_line) for stub in stubs]
        collapsed[id] = stubs
    return collapsed


def _hides_lines(stub: Stub, source: SourceLines) -> bool:
    """Return whether a mark takes fewer lines than the body that it replaces."""
    body = body_of(source, stub.symbol.declaration_line, stub.symbol.end_line)
    return body is not None and len(body.inner) > 1


def _has_body(member: Symbol) -> bool:
    return member.is_chunk or (member.kind in CALLABLE_KINDS and is_long(member))


def _is_large(target: SymbolRef, source: SourceLines, budget: int) -> bool:
    size = tokens_of(target, source)
    return size * (_WHOLE_SHARE if target.kind in MEMBER_KINDS else 1) > budget


def is_long(symbol: SymbolRef) -> bool:
    """Return whether a function, method or class is long. With a target that uses it, only its head is shown."""
    return symbol.end_line - symbol.declaration_line >= _SHORT_LINES


def holds_any(member: SymbolRef, targets: Collection[SymbolRef]) -> bool:
    """Return whether a target equals `member` or is inside it."""
    return any(
        member.relative_path == target.relative_path
        and member.start_line <= target.start_line
        and target.end_line <= member.end_line
        for target in targets
    )


def size_of(shown: ShownSymbol, source: SourceLines) -> int:
    """Return the number of tokens of the shown lines of a symbol."""
    return tokens_of(shown.symbol, source) - sum(_tokens_saved(stub, source) for stub in shown.stubs)


def tokens_of(symbol: SymbolRef, source: SourceLines) -> int:
    """Return the number of tokens of all lines of a symbol."""
    return tokens_of_characters(source.characters(symbol.start_line, symbol.end_line))


def _tokens_saved(stub: Stub, source: SourceLines) -> int:
    return tokens_of_characters(max(source.characters(stub.first_line, stub.symbol.end_line) - len(stub.signature), 0))
