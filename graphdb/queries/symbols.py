"""Find symbols by name, path of names, breadcrumb or line. The symbol table finds symbols by id or offset."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...schema.languages import is_resolved_path
from ...schema.records import Symbol, SymbolRef
from ..database import GraphDatabase, shared
from ..symbols.id_batches import rows_for_ids
from ..symbols.symbol_table import symbols_of

#: Maximum length of a name for which similar names are searched, in characters.
MAX_NAME_LENGTH = 200

#: Maximum number of symbols whose importance is looked up one by one. For more symbols, the importance of all is read once.
_FEW = 16

#: Kinds of symbols that a line with their name selects. A line that only declares a local variable or a property selects the
#: enclosing symbol.
_NAMED_PLACES = frozenset(
    ("class", "interface", "enum", "type", "namespace", "function", "component", "method", "constructor", "getter", "setter")
)


@shared
def greatest_depth(database: GraphDatabase) -> int:
    """Return the greatest depth of a symbol; 0 if there are no symbols."""
    ((depth,),) = database.rows("MATCH (s:Symbol) RETURN max(s.depth)")
    return depth or 0


def symbols_by_name(database: GraphDatabase, names: Iterable[str], file: str | None = None) -> list[Symbol]:
    """Return symbols with one of these names, by file and line. `file` is a relative path or the end of a path."""
    found = symbols_of(database).named(list(names))
    return [symbol for symbol in found if file is None or _is_file(symbol.relative_path, file)]


def symbols_with_similar_name(database: GraphDatabase, name: str, limit: int = 10) -> list[SymbolRef]:
    """Return declarations with a similar name, most similar first, as hints after a lookup without a result.

    For names of up to two characters or of more than `MAX_NAME_LENGTH`, the result is empty.
    """
    if not 2 < len(name) <= MAX_NAME_LENGTH:
        return []
    rows = database.rows(
        """
        MATCH (s:Symbol) WHERE NOT s.kind IN ['import', 're-export', 'export', 'expression', 'comment', 'diagramNode']
        WITH s, lower(s.name) AS name, lower($name) AS wanted
        WITH s, levenshtein(name, wanted) AS changes,
            name CONTAINS wanted OR (size(name) * 2 >= size(wanted) AND wanted CONTAINS name) AS within
        WHERE changes <= $tolerance OR within
        RETURN offset(id(s)) ORDER BY CASE WHEN changes <= $tolerance THEN changes ELSE $tolerance + changes END,
            s.name, s.relativePath, s.startLine
        LIMIT $limit
        """,
        {"name": name, "limit": limit, "tolerance": max(1, len(name) // 3)},
    )
    return symbols_of(database).refs_at([offset for (offset,) in rows])


def symbols_by_breadcrumb(database: GraphDatabase, text: str) -> list[Symbol]:
    """Return symbols whose breadcrumb is the text or ends with " > " and the text, by file and line. Final spaces are ignored."""
    where = "rtrim(s.breadcrumb) = $text OR ends_with(rtrim(s.breadcrumb), ' > ' + $text)"
    return _symbols_where(database, where, {"text": text})


def symbol_importance(database: GraphDatabase, ids: Iterable[str]) -> dict[str, int]:
    """Return the importance of each symbol, by id."""
    table, wanted = symbols_of(database), list(dict.fromkeys(ids))
    if len(wanted) <= _FEW:
        return dict(rows_for_ids(database, "MATCH (s:Symbol) WHERE s.id IN $ids RETURN s.id, s.importance", wanted))
    offsets = table.offsets(wanted)
    return dict(zip(table.ids_at(offsets), table.importance_at(offsets), strict=True))


def symbols_assigned_to(database: GraphDatabase, members: Sequence[str], file: str | None = None) -> list[Symbol]:
    """Return symbols that are assigned to one of the members, as in `res.send = function () {}`, by file and line."""
    where = "rtrim(split_part(s.signature, '=', 1)) IN $members AND ($file = '' OR s.relativePath = $file)"
    return _symbols_where(database, where, {"members": list(members), "file": file or ""})


def _symbols_where(database: GraphDatabase, condition: str, parameters: dict[str, Any]) -> list[Symbol]:
    """Return the symbols `s` that meet a condition, by file and line, outer before inner."""
    statement = f"""
        MATCH (s:Symbol) WHERE {condition} RETURN offset(id(s)) ORDER BY s.relativePath, s.startLine, s.depth, s.id"""
    return symbols_of(database).symbols_at([offset for (offset,) in database.rows(statement, parameters)])


def symbols_by_path(database: GraphDatabase, names: Sequence[str], file: str | None = None) -> list[Symbol]:
    """Return symbols named by a path of names, outermost first, such as "TokenService > validateToken".

    Each name must enclose the next one, directly or indirectly. If some symbols match with only direct nesting, only these are
    returned.
    `file` is a relative path or the end of a path.
    """
    found = symbols_by_name(database, names[-1:], file)
    outer = list(names[:-1])
    if not outer or not found:
        return found
    around = symbols_of(database).enclosing(symbol.id for symbol in found)
    chains = {symbol.id: [each.name for each in around.get(symbol.id, ())] for symbol in found}
    for symbol in found:
        chains[symbol.id] += _owners(symbol, chains[symbol.id])
    direct = [symbol for symbol in found if chains[symbol.id][-len(outer) :] == outer]
    return (
        direct
        or [symbol for symbol in found if _is_subsequence(outer, chains[symbol.id])]
        or [symbol for symbol in found if _is_qualified(outer, chains[symbol.id], symbol.relative_path)]
    )


def _is_qualified(outer: Sequence[str], chain: Sequence[str], path: str) -> bool:
    """Return whether the names are the end of a symbol's full name, which consists of its folders, its file and the enclosing
    symbols.

    Code in syntax-only languages contains such full names: `flask.app.Flask`, `com.shop.Basket`.
    """
    if is_resolved_path(path):
        return False
    *folders, file = path.split("/")
    wanted = list(outer[1:] if outer[0] == "crate" else outer)
    # Full names contain the file's name in Python and Rust. In Java, full names contain only the name of the type.
    names = ([*folders, file.partition(".")[0], *chain], [*folders, *chain])
    return bool(wanted) and any(each[-len(wanted) :] == wanted for each in names)


def _owners(symbol: Symbol, around: Sequence[str]) -> list[str]:
    """Return the types that own a symbol without enclosing it, such as `Engine` for a method in Go."""
    outer = "".join(f"{name}." for name in around)
    owner = symbol.qualified_name.removeprefix(outer).removesuffix(symbol.name).rstrip(".")
    return owner.split(".") if owner and symbol.qualified_name.startswith(outer) else []


def innermost_symbol(database: GraphDatabase, path: str, line: int) -> Symbol | None:
    """Return the type or function whose name is on a line of a file, otherwise the deepest chunk that contains the line. A doc
    comment belongs to its declaration. Returns None if no declaration contains the line.
    """
    around = symbols_of(database).around(path, line)
    named = [symbol for symbol in around if symbol.name_line == line and symbol.kind in _NAMED_PLACES]
    outermost = min(named, key=lambda symbol: symbol.depth, default=None)
    return outermost or min(around, key=lambda symbol: (not symbol.is_chunk, -symbol.depth, symbol.start_line), default=None)


def _is_file(path: str, wanted: str) -> bool:
    return f"/{path}".endswith("/" + wanted.removeprefix("./"))


def _is_subsequence(wanted: Sequence[str], names: Sequence[str]) -> bool:
    remaining = iter(names)
    return all(name in remaining for name in wanted)
