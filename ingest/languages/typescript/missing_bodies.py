"""Functions and methods that have signatures, but no implementation, and overloads of which only some are exported."""

from __future__ import annotations

from collections.abc import Iterator

from ...facts.model import DeclKind, FileFacts, Member, MemberKind, ShapeKind
from ...files.path_roles import is_declaration_file


def missing_bodies(facts: FileFacts, path: str) -> dict[str, int]:
    """Return the lines of functions and methods that lack a body, by qualified name.

    Ambient declarations, abstract methods and optional methods need no body.
    """
    if is_declaration_file(path):
        return {}
    found: dict[str, int] = {}
    for symbol, functions in _overloads(facts):
        if not any(facts.functions[each].has_body for each in functions) and not _is_bodiless(facts, symbol):
            found[_qualified_name(facts, symbol)] = facts.symbols[symbol].declaration_line
    return found


def unlike_exports(facts: FileFacts, path: str) -> dict[str, list[int]]:
    """Return the offsets of the signatures that are exported although the implementation is not, or the reverse, by name.

    An export list exports all signatures of a function, so only `export` before a signature counts.
    """
    if is_declaration_file(path):
        return {}
    starts: dict[int, list[int]] = {}
    for entry in facts.exports:
        if entry.binding >= 0:
            starts.setdefault(entry.binding, []).append(entry.position)
    found: dict[str, list[int]] = {}
    for binding, exported in starts.items():
        places = [
            decl.position for each in facts.bindings[binding].decls if (decl := facts.decls[each]).kind == DeclKind.FUNCTION
        ]
        marked = {
            place for place, before in zip(places, [-1, *places], strict=False) if any(before < at < place for at in exported)
        }
        is_exported = bool(places) and places[-1] in marked
        unlike = [place for place in places if (place in marked) != is_exported]
        if unlike:
            found[facts.bindings[binding].name] = unlike
    return found


def _overloads(facts: FileFacts) -> Iterator[tuple[int, list[int]]]:
    """Yield the first symbol of each function and method, and the functions that declare it."""
    for binding in facts.bindings:
        decls = [facts.decls[index] for index in binding.decls]
        symbols = [decl.symbol for decl in decls if decl.kind == DeclKind.FUNCTION and decl.symbol >= 0]
        if symbols:
            yield symbols[0], [decl.a for decl in decls if decl.kind == DeclKind.FUNCTION]
    for shape in facts.shapes:
        if shape.kind != ShapeKind.CLASS:
            continue
        methods: dict[tuple[str, int, bool], list[Member]] = {}
        for member in shape.members:
            if member.kind in (MemberKind.METHOD, MemberKind.CONSTRUCTOR) and member.symbol >= 0 and not member.optional:
                methods.setdefault((member.name, member.kind, member.static), []).append(member)
        for overloads in methods.values():
            yield overloads[0].symbol, [each.function for each in overloads]


def _is_bodiless(facts: FileFacts, symbol: int) -> bool:
    """Return whether a symbol needs no body: it is abstract, or it is in an ambient declaration."""
    if "abstract" in facts.symbols[symbol].modifiers:
        return True
    return any("declare" in each.modifiers for each in facts.symbols_around(symbol))


def _qualified_name(facts: FileFacts, symbol: int) -> str:
    return ".".join(reversed([each.name for each in facts.symbols_around(symbol)]))
