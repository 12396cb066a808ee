"""Functions and methods that have signatures, but no implementation."""

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
