"""Look up symbols by exact name, and return a hint if no symbol has the name.

Names in another case, and files by the end of their path, only appear in hints. Each hint says which part of the path was not
found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.answers import MAX_NESTING_DEPTH, exported_as
from ...graphdb.queries.files import file_places, files_by_path, files_of_name, similar_paths
from ...graphdb.queries.members import inherited_members
from ...graphdb.queries.symbols import (
    innermost_symbol,
    symbol_importance,
    symbols_assigned_to,
    symbols_by_breadcrumb,
    symbols_by_path,
    symbols_with_similar_name,
)
from ...graphdb.symbols.database_names import columns_named, tables_with_name
from ...graphdb.symbols.notebook_cells import cells_of
from ...graphdb.symbols.symbol_table import symbols_of
from ...schema.manifest import Exclusion
from ...schema.notebook_cells import CellPlace
from ...schema.records import Symbol, SymbolRef
from ...schema.symbol_kinds import DIAGRAM_KINDS, STATEMENTS, TYPE_KINDS
from ..query.symbol_path import SymbolPath
from .data_file import about_data_file
from .path_hints import what_would_match, why_left_out

#: Names of files in other languages.
_OTHER_FILE = re.compile(r"[\w-]\.(?:json|md|css|s[ac]ss|less|html|ya?ml|toml|sql)$")
_VARIABLES = frozenset(("const", "variable"))
#: The end of the signature of a variable or a destructuring pattern whose value is a required module, or a member of a required
#: module.
_REQUIRED = re.compile(r"= require\([^()]*\)(?:\.[\w$]+)?;?$")
#: Maximum number of suggested symbols and paths in a hint.
_MAX_SUGGESTIONS = 5
#: Maximum number of suggested declarations for an identifier in a query.
_MAX_NEAR = 3
#: Advice for a name without similar names.
_ALTERNATIVES = "Ask in words what it does, or look for the text itself with the mode literal."
#: Separators of the parts of a qualified name.
_PART_SEPARATOR = re.compile(r"[.\\]")
#: Maximum number of characters of a wanted name in a hint.
_MAX_ECHO_LENGTH = 100
#: Minimum similarity of a name and its misspelling, by `SequenceMatcher.ratio`, 0 to 1.
_MIN_SPELLING_RATIO = 0.8
#: Maximum number of members of a parent in a hint.
_MAX_MEMBERS = 20


@dataclass(frozen=True, slots=True)
class Found:
    """The symbols that a path names, best first."""

    symbols: tuple[Symbol, ...]


@dataclass(frozen=True, slots=True)
class FoundFile:
    """The file to which a path without symbol names refers."""

    path: str


@dataclass(frozen=True, slots=True)
class NotFound:
    """A hint with the reason why nothing was found, and with similar names."""

    hint: str


def look_up(graph: GraphDatabase, wanted: SymbolPath, exclusions: Sequence[Exclusion] = ()) -> Found | FoundFile | NotFound:
    """Return the target of a symbol path; `exclusions` are the files and folders that the index leaves out."""
    if wanted.literal != wanted.text and (written := symbols_by_breadcrumb(graph, wanted.literal)):
        return Found(tuple(_best_first(graph, written)))
    if len(wanted.names) > MAX_NESTING_DEPTH:
        return NotFound(f"No symbol is nested in {MAX_NESTING_DEPTH} others: name fewer of them.")
    if wanted.file is not None and not files_by_path(graph, [wanted.file]):
        return NotFound(why_left_out(wanted.file, exclusions) or about_data_file(graph, wanted.file) or _no_file(graph, wanted))
    if wanted.file is not None and wanted.line is not None:
        line = _line_of(graph, wanted.file, wanted.line, wanted.cell)
        if line is None:
            return NotFound(
                f'"{wanted.file}" has no line {wanted.line} in a cell {wanted.cell}: `symbol = {wanted.file}` shows it.'
            )
        innermost = innermost_symbol(graph, wanted.file, line)
        return Found((innermost,)) if innermost else NotFound(_no_line(graph, wanted.file, line))
    if not wanted.names:
        return FoundFile(wanted.file) if wanted.file else NotFound("Name a symbol: `symbol = Name` or `symbol = Parent > Child`.")
    for path in _readings(wanted):
        symbols = _declared(graph, path) or _exported(graph, path)
        if symbols:
            columns = _columns(graph, path) if symbols[0].kind == "column" else ()
            # A property of a class may have the name of a column.
            others = [symbol for symbol in symbols if symbol.kind != "column"]
            return Found((*columns, *others) if columns else tuple(symbols))
    in_database = next(filter(None, (_in_database(graph, path) for path in _readings(wanted))), None)
    if in_database:
        return Found(tuple(in_database))
    written = symbols_by_breadcrumb(graph, wanted.literal) or _assigned(graph, wanted)
    if written:
        return Found(tuple(_best_first(graph, written)))
    inherited = next(filter(None, (_inherited(graph, path) for path in _readings(wanted))), None)
    if inherited:
        return Found(tuple(inherited))
    return NotFound(_in_file_of_that_name(graph, wanted) or _no_symbol(graph, wanted))


def _line_of(graph: GraphDatabase, path: str, line: int, cell: int | None) -> int | None:
    """Convert a line in a cell of a notebook to a line of the file; None if the cell has no such line."""
    return line if cell is None else cells_of(graph).line(path, CellPlace(cell, line))


def names_near(graph: GraphDatabase, name: str) -> Sequence[SymbolRef]:
    """Return a few declarations of a name, or of the name in another case, or of names with a similar spelling."""
    exact = [symbol for symbol in symbols_by_path(graph, [name]) if symbol.kind not in STATEMENTS]
    if exact:
        return _best_first(graph, exact)[:_MAX_NEAR]
    return [symbol for symbol in _near(graph, name) if _is_spelt_like(symbol.name, name)][:_MAX_NEAR]


def _is_spelt_like(one: str, other: str) -> bool:
    return SequenceMatcher(None, one.lower(), other.lower()).ratio() >= _MIN_SPELLING_RATIO


def _readings(wanted: SymbolPath) -> Iterable[SymbolPath]:
    """Yield the path as written, then with its names split at separators, as in `Parent#child` (documentation), `Parent.child`
    (answers) and `Space\\Name` (PHP).
    """
    yield wanted
    names = wanted.names
    inner = 0 if wanted.file else 1
    if any(name.startswith("#") for name in names[inner:]):
        names = (*names[:inner], *(name.removeprefix("#") for name in names[inner:]))
        yield replace(wanted, names=names)
    for whole in dict.fromkeys((wanted.names, names)):
        parts = tuple(part for name in whole for part in _PART_SEPARATOR.split(name) if part)
        if parts and parts != whole:
            yield replace(wanted, names=parts)


def _declared(graph: GraphDatabase, wanted: SymbolPath) -> list[Symbol]:
    found = symbols_by_path(graph, wanted.names, wanted.file)
    found = [symbol for symbol in found if wanted.file in (None, symbol.relative_path)]
    declarations = [symbol for symbol in found if symbol.kind not in STATEMENTS]
    if wanted.file is None:  # a node of a diagram usually has the name of a declaration
        declarations = [symbol for symbol in declarations if symbol.kind not in DIAGRAM_KINDS] or declarations
    declarations = _without_own_constructors(declarations)
    own = _not_required(graph, declarations) if wanted.file is None and len(declarations) > 1 else declarations
    return _best_first(graph, own or declarations or found)


def _in_database(graph: GraphDatabase, wanted: SymbolPath) -> Sequence[Symbol]:
    """Return the tables or columns whose names in the database are those of a path, but not the names of their declarations."""
    if len(wanted.names) > 1:
        return _columns(graph, wanted)
    found = tables_with_name(graph, wanted.names[0])
    return [symbol for symbol in found if wanted.file in (None, symbol.relative_path)]


def _columns(graph: GraphDatabase, wanted: SymbolPath) -> Sequence[Symbol]:
    """Return the columns whose table and column have the two names of a path in the database. A dropped column may have the same
    name. A path of three names may begin with a schema, which the names of tables lack.
    """
    return columns_named(graph, wanted.names[0], wanted.names[1], wanted.file) if len(wanted.names) == 2 else ()


def _without_own_constructors(symbols: Sequence[Symbol]) -> list[Symbol]:
    """Return the symbols without the constructors of the classes among them, which have the names of their classes.

    `Order > Order` names the constructor of a class `Order`.
    """
    ids = {symbol.id for symbol in symbols}
    return [symbol for symbol in symbols if symbol.kind != "constructor" or symbol.parent_id not in ids]


def _assigned(graph: GraphDatabase, wanted: SymbolPath) -> list[Symbol]:
    """Return the symbols assigned to a member: `res.send`, or `View > lookup` for `View.prototype.lookup = …`."""
    owner, _, name = ".".join(wanted.names).rpartition(".")
    members = [f"{owner}.{name}", f"{owner}.prototype.{name}"]
    found = symbols_assigned_to(graph, members, wanted.file) if owner and name else []
    return [symbol for symbol in found if symbol.kind not in STATEMENTS]


def _inherited(graph: GraphDatabase, wanted: SymbolPath) -> list[Symbol]:
    """Return the members that types inherit: `Client > send` if only a base class of `Client` declares `send`."""
    *outer, name = wanted.names
    owners = _declared(graph, replace(wanted, names=tuple(outer))) if outer else []
    found = inherited_members(symbols_of(graph), [owner.id for owner in owners if owner.kind in TYPE_KINDS], name)
    return _best_first(graph, [symbol for symbol in found if symbol.kind not in STATEMENTS])


def _in_file_of_that_name(graph: GraphDatabase, wanted: SymbolPath) -> str:
    """Return a hint if a file has the name of the parent, or "".

    `Effect.gen` is the declaration `gen` of a file that code imports as a namespace.
    """
    owner, _, name = ".".join(wanted.names).rpartition(".")
    files = files_of_name(graph, owner) if owner and name and not wanted.file else []
    declared = {symbol.relative_path for symbol in symbols_by_path(graph, [name])} if files else set()
    lookups = " or ".join(f"`symbol = {path} > {name}`" for path in files if path in declared)
    return f'No symbol "{_short(name)}" found in "{_short(owner)}", but in a file of that name: {lookups}.' if lookups else ""


def _not_required(graph: GraphDatabase, symbols: Sequence[Symbol]) -> list[Symbol]:
    """Return the symbols without the variables that `require(…)` fills. Such variables, destructured or not, are imports."""
    inner = [symbol.id for symbol in symbols if symbol.kind in _VARIABLES and symbol.depth > 0]
    table = symbols_of(graph)
    patterns = {id: around[-1].id for id, around in table.enclosing(inner).items()}
    details = table.symbols(patterns.values())

    def is_required(symbol: Symbol) -> bool:
        pattern = details.get(patterns.get(symbol.id, ""), symbol)
        return symbol.kind in _VARIABLES and any(_REQUIRED.search(each.signature) for each in (symbol, pattern))

    return [symbol for symbol in symbols if not is_required(symbol)]


def _exported(graph: GraphDatabase, wanted: SymbolPath) -> list[Symbol]:
    """Return symbols by the name under which a file exports them: a renamed export, or `default`."""
    if len(wanted.names) > 1 or (wanted.names[0] == "default" and wanted.file is None):
        return []
    return _best_first(graph, symbols_of(graph).symbols(exported_as(graph, wanted.names[0], wanted.file)).values())


def _best_first(graph: GraphDatabase, symbols: Iterable[Symbol]) -> list[Symbol]:
    """Sort symbols of one name: exported symbols first, then symbols outside of tests, then symbols with a higher centrality."""
    found = list(symbols)
    if len(found) < 2:
        return found
    tests = {file.path for file in file_places(graph, {symbol.relative_path for symbol in found}) if file.is_test}
    importance = symbol_importance(graph, [symbol.id for symbol in found])

    def order(symbol: Symbol) -> tuple[bool, bool, int, str, int]:
        is_test = symbol.relative_path in tests
        return not symbol.exported, is_test, -importance.get(symbol.id, 0), symbol.relative_path, symbol.start_line

    return sorted(found, key=order)


def _no_file(graph: GraphDatabase, wanted: SymbolPath) -> str:
    similar = similar_paths(graph, wanted.file or "", _MAX_SUGGESTIONS)
    if similar:
        return f'No file "{_short(wanted.file)}" found. Similar paths: {", ".join(similar)}'
    return f'No file "{_short(wanted.file)}" is in the index.{what_would_match(graph, [])}'


def _no_line(graph: GraphDatabase, path: str, line: int) -> str:
    lines = files_by_path(graph, [path])[path].lines
    why = f"which has {lines:,} lines" if not 0 < line <= lines else "it is blank, or no declaration holds it"
    return f'Nothing stands at line {line} of "{path}", {why}: `symbol = {path}` shows the file.'


def _no_symbol(graph: GraphDatabase, wanted: SymbolPath, within: tuple[str, ...] = ()) -> str:
    """Return a hint about the first unknown name of a path; `within` are the names after the path."""
    *outer, name = wanted.names
    if outer:
        parents = _declared(graph, replace(wanted, names=tuple(outer)))
        return _no_child(graph, name, parents) if parents else _no_symbol(graph, replace(wanted, names=tuple(outer)), (name,))
    where = f' in "{wanted.file}"' if wanted.file else ""
    if name == "default" and wanted.file:
        return f'"{wanted.file}" has no default export: `symbol = {wanted.file}` shows what it holds.'
    if name == "default":
        return "Many files have a default export: name the file too, `symbol = src/file.ts > default`."
    if _OTHER_FILE.search(name):
        if message := about_data_file(graph, name):
            return message
        return f'No file "{_short(name)}" is in the index: files of that kind are not read.'
    near = _near(graph, name)
    is_case = any(symbol.name.lower() == name.lower() for symbol in near)
    if not wanted.file and not is_case and (files := files_of_name(graph, name)):
        lookups = " or ".join(f"`symbol = {' > '.join((path, *within))}`" for path in files)
        return f'No symbol "{_short(name)}" found, but a file of that name: {lookups}.'
    member = name.rpartition(".")[2]
    if member != name and (same := _exported_of_name(graph, member)):
        return f'No symbol "{_short(name)}" found{where}, but elsewhere: {_suggested(same)}.'
    here = [symbol for symbol in near if wanted.file in (None, symbol.relative_path)]
    if here:
        return f'No symbol "{_short(name)}" found{where}. Did you mean {_suggested(here)}?'
    elsewhere = symbols_by_path(graph, [name]) if wanted.file else []
    if elsewhere:
        return f'No symbol "{_short(name)}" found{where}, but elsewhere: {_suggested(elsewhere)}.'
    return f'No symbol "{_short(name)}" found{where}. {_ALTERNATIVES}'


def _no_child(graph: GraphDatabase, name: str, parents: Sequence[Symbol]) -> str:
    inside = symbols_of(graph).children(sorted(parent.id for parent in parents))
    members = [member for within in inside.values() for member in within]
    place = ", ".join(f"{parent.relative_path}:{parent.start_line}" for parent in parents[:_MAX_SUGGESTIONS])
    head = f'No symbol "{_short(name)}" found in "{parents[0].qualified_name}" ({place}).'
    same_letters = [member for member in members if member.name.lower() == name.lower()]
    if same_letters:
        return f"{head} Did you mean {_suggested(same_letters)}?"
    if same := _exported_of_name(graph, name):
        head = f"{head} Elsewhere: {_suggested(same)}."
    names = list(dict.fromkeys(member.name for member in members if member.kind not in STATEMENTS))
    more = f" and {len(names) - _MAX_MEMBERS} more" if len(names) > _MAX_MEMBERS else ""
    return f"{head} It holds: {', '.join(names[:_MAX_MEMBERS])}{more}." if names else head


def _exported_of_name(graph: GraphDatabase, name: str) -> list[Symbol]:
    """Return a few exported declarations of a name."""
    found = [symbol for symbol in symbols_by_path(graph, [name]) if symbol.exported and symbol.kind not in STATEMENTS]
    return _best_first(graph, found)[:_MAX_NEAR]


def _short(name: str | None) -> str:
    """Return the part of a name that a hint repeats."""
    text = name or ""
    return text if len(text) <= _MAX_ECHO_LENGTH else text[:_MAX_ECHO_LENGTH] + "…"


def _near(graph: GraphDatabase, name: str) -> Sequence[SymbolRef]:
    same_letters = [symbol for symbol in symbols_of(graph).named_any_case(name) if symbol.kind not in STATEMENTS]
    own = _not_required(graph, same_letters) if len(same_letters) > 1 else same_letters
    return _best_first(graph, own or same_letters) or symbols_with_similar_name(graph, name, _MAX_SUGGESTIONS)


def _suggested(symbols: Sequence[SymbolRef]) -> str:
    shown = [f'"{symbol.name}" ({symbol.relative_path}:{symbol.start_line})' for symbol in symbols[:_MAX_SUGGESTIONS]]
    more = len(symbols) - len(shown)
    return " or ".join(shown) + (f" or {more} more" if more > 0 else "")
