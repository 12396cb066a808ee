"""Symbols: by id, by name, by path of names, and around each other in the tree of nesting.

What is asked often is told from the table of symbols, which is read once for a graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from ...schema.languages import is_resolved_path
from ...schema.symbol_kinds import STATEMENTS
from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids
from ..symbols.record_properties import property_list
from ..symbols.symbol_table import symbols_of


class SymbolRef(msgspec.Struct, frozen=True, gc=False):
    """What an answer needs to name a symbol and find its lines."""

    id: str
    name: str
    qualified_name: str
    kind: str
    relative_path: str
    start_line: int
    end_line: int


class SymbolDetails(msgspec.Struct, frozen=True, gc=False):
    """All properties of a symbol; `graph.cypher` documents each."""

    id: str
    name: str
    qualified_name: str
    kind: str
    relative_path: str
    depth: int
    ordinal: int
    start_line: int
    end_line: int
    declaration_line: int
    name_line: int
    signature: str
    doc: str
    modifiers: tuple[str, ...]
    exported: bool
    breadcrumb: str
    is_chunk: bool
    captures: tuple[int, ...]
    comment_imports: tuple[str, ...]


class Child(msgspec.Struct, frozen=True, gc=False):
    """A symbol directly inside another: a member of a class, a function within a function."""

    parent_id: str
    position: int
    symbol: SymbolDetails


class Ancestor(msgspec.Struct, frozen=True, gc=False):
    """A symbol around another. `distance` is 1 for the parent."""

    symbol_id: str
    distance: int
    ancestor: SymbolRef


#: Characters of a name to which others are compared.
MAX_NAME_LENGTH = 200

REF = property_list(SymbolRef, "s")
REF_LENGTH = len(SymbolRef.__struct_fields__)
_DETAILS = property_list(SymbolDetails, "s")
#: Kinds that a line is asked for by: who names a line with a local variable or a property means what it stands in.
_NAMED_PLACES = frozenset(
    ("class", "interface", "enum", "type", "namespace", "function", "component", "method", "constructor", "getter", "setter")
)
_IN_ORDER = "ORDER BY s.relativePath, s.startLine, s.depth, s.id"


def symbols_by_id(database: GraphDatabase, ids: Iterable[str]) -> dict[str, SymbolDetails]:
    """The symbols that exist among the ids, by id."""
    return {symbol.id: symbol for symbol in symbols_of(database).records(ids, SymbolDetails)}


def symbols_by_name(database: GraphDatabase, names: Iterable[str], file: str | None = None) -> list[SymbolDetails]:
    """Symbols with exactly one of these names, by file and line. `file` is a relative path or the end of one."""
    found = symbols_of(database).named(list(names), SymbolDetails)
    return [symbol for symbol in found if file is None or _is_file(symbol.relative_path, file)]


def symbols_by_name_any_case(database: GraphDatabase, name: str) -> list[SymbolDetails]:
    """Symbols with this name in any case, by file and line."""
    return symbols_of(database).named_any_case(name, SymbolDetails)


def symbols_with_similar_name(database: GraphDatabase, name: str, limit: int = 10) -> list[SymbolRef]:
    """Declarations whose name is near the given one, nearest first: for hints after a lookup that found nothing.

    To a name of one or two letters everything short is near, and to a text of pages nothing.
    """
    if not 2 < len(name) <= MAX_NAME_LENGTH:
        return []
    rows = database.rows(
        f"""
        MATCH (s:Symbol) WHERE NOT s.kind IN ['import', 're-export', 'export', 'expression', 'comment']
        WITH s, lower(s.name) AS name, lower($name) AS wanted
        WITH s, levenshtein(name, wanted) AS changes,
            name CONTAINS wanted OR (size(name) * 2 >= size(wanted) AND wanted CONTAINS name) AS within
        WHERE changes <= $tolerance OR within
        RETURN {REF} ORDER BY CASE WHEN changes <= $tolerance THEN changes ELSE $tolerance + changes END,
            s.name, s.relativePath, s.startLine
        LIMIT $limit
        """,
        {"name": name, "limit": limit, "tolerance": max(1, len(name) // 3)},
    )
    return [SymbolRef(*row) for row in rows]


def symbols_by_breadcrumb(database: GraphDatabase, text: str) -> list[SymbolDetails]:
    """Symbols whose breadcrumb is the text, or ends with it behind a " > ", spaces at its end aside; by file and line."""
    statement = f"""
        MATCH (s:Symbol) WHERE rtrim(s.breadcrumb) = $text OR ends_with(rtrim(s.breadcrumb), ' > ' + $text)
        RETURN {_DETAILS} {_IN_ORDER}"""
    return [SymbolDetails(*row) for row in database.rows(statement, {"text": text})]


def symbol_importance(database: GraphDatabase, ids: Iterable[str]) -> dict[str, int]:
    """How much depends on each symbol, by id."""
    return dict(rows_for_ids(database, "MATCH (s:Symbol) WHERE s.id IN $ids RETURN s.id, s.importance", ids))


def symbols_assigned_to(database: GraphDatabase, members: Sequence[str], file: str | None = None) -> list[SymbolDetails]:
    """Symbols that their declaration assigns to one of some members, as `res.send = function () {}` does; by file and line."""
    statement = f"""
        MATCH (s:Symbol) WHERE rtrim(split_part(s.signature, '=', 1)) IN $members AND ($file = '' OR s.relativePath = $file)
        RETURN {_DETAILS} {_IN_ORDER}"""
    return [SymbolDetails(*row) for row in database.rows(statement, {"members": list(members), "file": file or ""})]


def symbols_by_path(database: GraphDatabase, names: Sequence[str], file: str | None = None) -> list[SymbolDetails]:
    """Symbols named by a path of names, outermost first, as in "TokenService > validateToken".

    Each name stands somewhere inside the one before it; where some symbols match name by name without a gap, only those
    count. `file` is a relative path or the end of one.
    """
    found = symbols_by_name(database, names[-1:], file)
    outer = list(names[:-1])
    if not outer or not found:
        return found
    chains: dict[str, list[str]] = {symbol.id: [] for symbol in found}
    for entry in ancestors(database, chains):
        chains[entry.symbol_id].insert(0, entry.ancestor.name)
    for symbol in found:
        chains[symbol.id] += _owners(symbol, chains[symbol.id])
    direct = [symbol for symbol in found if chains[symbol.id][-len(outer) :] == outer]
    return (
        direct
        or [symbol for symbol in found if _is_subsequence(outer, chains[symbol.id])]
        or [symbol for symbol in found if _is_qualified(outer, chains[symbol.id], symbol.relative_path)]
    )


def _is_qualified(outer: Sequence[str], chain: Sequence[str], path: str) -> bool:
    """Whether names are those of the modules and packages of a file, from any of them on, and of what stands around a symbol.

    In languages of which there is an outline, code itself writes a name in full so: `flask.app.Flask`, `com.shop.Basket`.
    """
    if is_resolved_path(path):
        return False
    *folders, file = path.split("/")
    wanted = list(outer[1:] if outer[0] == "crate" else outer)
    # The file is a part of the name in Python and Rust, and not in Java; there it is called as the type.
    names = ([*folders, file.partition(".")[0], *chain], [*folders, *chain])
    return bool(wanted) and any(each[-len(wanted) :] == wanted for each in names)


def _owners(symbol: SymbolDetails, around: Sequence[str]) -> list[str]:
    """The types that a symbol belongs to without standing in them: `Engine` of a method of Go."""
    outer = "".join(f"{name}." for name in around)
    owner = symbol.qualified_name.removeprefix(outer).removesuffix(symbol.name).rstrip(".")
    return owner.split(".") if owner and symbol.qualified_name.startswith(outer) else []


def symbols_in_files(database: GraphDatabase, paths: Iterable[str]) -> list[SymbolDetails]:
    """All symbols of the files, by file and line, outer before inner."""
    return symbols_of(database).in_files(paths, SymbolDetails)


def innermost_symbol(database: GraphDatabase, path: str, line: int) -> SymbolDetails | None:
    """The type or function whose name stands on a line of a file; else the deepest declaration that is shown on its own
    and holds the line, doc comments counted; None where no declaration does."""
    around = symbols_of(database).around(path, line, SymbolDetails)
    named = [symbol for symbol in around if symbol.name_line == line and symbol.kind in _NAMED_PLACES]
    outermost = min(named, key=lambda symbol: symbol.depth, default=None)
    return outermost or min(around, key=lambda symbol: (not symbol.is_chunk, -symbol.depth, symbol.start_line), default=None)


def declarations_around(database: GraphDatabase, paths: Iterable[str]) -> list[SymbolRef]:
    """All declarations in some files, by file and line, outer before inner: one of them may stand around a line."""
    return [symbol for symbol in symbols_of(database).in_files(paths, SymbolRef) if symbol.kind not in STATEMENTS]


def declarations_of_lines(database: GraphDatabase, lines: Sequence[tuple[str, int]]) -> list[SymbolRef | None]:
    """For each line of a file the innermost declaration around it."""
    return symbols_of(database).innermost(lines, STATEMENTS, SymbolRef)


def children(database: GraphDatabase, ids: Iterable[str]) -> list[Child]:
    """Symbols directly inside the given ones, by parent and in source order. Members of a class are its children."""
    found = symbols_of(database).children_as(ids, SymbolDetails)
    return [Child(id, position, symbol) for id in sorted(found) for position, symbol in enumerate(found[id])]


def ancestors(database: GraphDatabase, ids: Iterable[str]) -> list[Ancestor]:
    """Symbols around the given ones, nearest first."""
    found = symbols_of(database).enclosing_as(ids, SymbolRef)
    return [Ancestor(id, distance, outer) for id in sorted(found) for distance, outer in enumerate(reversed(found[id]), 1)]


def refs_at(database: GraphDatabase, offsets: Sequence[int]) -> list[SymbolRef]:
    """The symbols at internal offsets, one for each."""
    return symbols_of(database).records_at(offsets, SymbolRef)


def _is_file(path: str, wanted: str) -> bool:
    return f"/{path}".endswith("/" + wanted.removeprefix("./"))


def _is_subsequence(wanted: Sequence[str], names: Sequence[str]) -> bool:
    remaining = iter(names)
    return all(name in remaining for name in wanted)
