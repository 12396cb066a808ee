"""Find the symbol that a symbol path names, or the reason why the path does not name exactly one symbol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.aliases import named_in_statements
from ...graphdb.queries.files import files_by_path, similar_paths
from ...graphdb.queries.projects import AmbientHome, added_declarations, ambient_homes
from ...graphdb.queries.references import references_from
from ...graphdb.symbols.data_objects import sides_of_one
from ...graphdb.symbols.symbol_table import symbols_of
from ...schema.errors import UsageError
from ...schema.languages import LANGUAGE_BY_EXTENSION
from ...schema.manifest import Exclusion
from ...schema.records import Symbol, SymbolRef
from ..lookup.data_file import about_data_file
from ..lookup.lookup import FoundFile, NotFound, look_up, names_near
from ..lookup.path_hints import why_left_out
from ..query.symbol_path import SymbolPath, read_symbol_path
from .subject import Candidate, EmptyReason, FileSubject, Subject

#: Maximum number of similar paths that a message suggests.
_MAX_SIMILAR_PATHS = 5
_SOURCE_SUFFIXES = tuple(LANGUAGE_BY_EXTENSION)
#: Kinds of declarations in order of preference for a symbol's main declaration. A declaration at the root comes before nested
#: declarations.
_MAIN_FIRST = ("class", "function", "component", "enum", "interface", "const", "variable", "type", "namespace")
#: Kinds of declarations that a `declare module` can extend.
_MERGED = frozenset(("interface", "class", "enum", "namespace"))
_NO_HOMES: Mapping[str, AmbientHome] = {}


def find_subject(graph: GraphDatabase, requested: str, exclusions: Sequence[Exclusion] = ()) -> Subject:
    """Return the symbol that a path such as `Parent > Child` or `file > Name` names. The path may begin with `symbol = `.

    Raises UsageError for an empty path.
    """
    path = read_symbol_path(requested) or read_symbol_path(f"symbol = {requested}")
    if path is None or not (path.file or path.names):
        raise UsageError("Name a symbol: `Name`, `Parent > Child` or `file > Parent > Child`.")
    found = look_up(graph, path)
    if isinstance(found, FoundFile):
        return Subject(
            requested, (), EmptyReason("notApplicable", f"{found.path} is a file: ask for a symbol in it, or `ws.file(…)`.")
        )
    if isinstance(found, NotFound):
        renamed = _known_as(graph, path)
        if renamed:
            return _subject(graph, requested, path, renamed)
        return Subject(requested, (), _missing(graph, path, found, exclusions))
    return _subject(graph, requested, path, _aliased(graph, found.symbols))


def _aliased(graph: GraphDatabase, symbols: Sequence[Symbol]) -> Sequence[Symbol]:
    """Return the targets of `import A = B.C` statements if only such statements declare the name; otherwise the symbols."""
    if any(symbol.kind != "import" for symbol in symbols):
        return symbols
    last = {symbol.signature.rstrip("; ").rpartition(".")[2] for symbol in symbols}
    targets = {use.other.id for use in references_from(graph, [symbol.id for symbol in symbols]) if use.other.name in last}
    return list(symbols_of(graph).symbols(targets).values()) or symbols


def _known_as(graph: GraphDatabase, path: SymbolPath) -> list[Symbol]:
    """Return the symbols that have the name in import or export statements, of one file or of any file."""
    if len(path.names) != 1:
        return []
    return list(symbols_of(graph).symbols(named_in_statements(graph, path.names[0], path.file)).values())


def _subject(graph: GraphDatabase, requested: str, path: SymbolPath, symbols: Sequence[Symbol]) -> Subject:
    groups = _entities(symbols)
    if len(groups) > 1:
        homes = ambient_homes(graph, [symbol.id for symbol in symbols if symbol.kind in _MERGED or symbol.depth > 1])
        groups = _entities(symbols, homes) if homes else groups
    if len(groups) == 1:
        return Subject(requested, _all_declarations(graph, groups[0]))
    one = sides_of_one(graph, symbols)
    if one:
        return Subject(requested, tuple(symbols_of(graph).symbols(one)[id] for id in one))
    candidates = tuple(_candidate(group[0]) for group in groups)
    message = f"{path.text} names {len(groups)} symbols. Name one of them by its path:"
    return Subject(requested, (), EmptyReason("ambiguous", message, candidates))


def subject_of_ids(graph: GraphDatabase, requested: str, ids: Sequence[str]) -> Subject | None:
    """Return the subject whose declarations have these ids; None if a declaration no longer exists."""
    known = symbols_of(graph).symbols(ids)
    return Subject(requested, tuple(known[id] for id in ids)) if len(known) == len(ids) else None


def find_file(graph: GraphDatabase, path: str, exclusions: Sequence[Exclusion] = ()) -> FileSubject:
    """Return the file at a path relative to the root."""
    wanted = path.removeprefix("./").rstrip("/")
    if file := files_by_path(graph, [wanted]).get(wanted):
        return FileSubject(path, file)
    return FileSubject(path, None, not_indexed(graph, wanted, exclusions))


def not_indexed(graph: GraphDatabase, path: str, exclusions: Sequence[Exclusion]) -> EmptyReason:
    """Return why a file is not in the index."""
    if left_out := why_left_out(path, exclusions):
        return EmptyReason("notIndexed", left_out)
    if message := about_data_file(graph, path):
        return EmptyReason("notIndexed", message)
    if PurePosixPath(path).suffix and not path.endswith(_SOURCE_SUFFIXES):
        return EmptyReason("notIndexed", f"{path} is not indexed: it is no source file of a language that is read.")
    similar = similar_paths(graph, path, _MAX_SIMILAR_PATHS)
    hint = f" Similar paths: {', '.join(similar)}" if similar else ""
    return EmptyReason("notFound", f'No file "{path}" is in the index.{hint}')


def _missing(graph: GraphDatabase, path: SymbolPath, found: NotFound, exclusions: Sequence[Exclusion]) -> EmptyReason:
    if path.file is not None:
        file = files_by_path(graph, [path.file]).get(path.file)
        if file is None:
            return not_indexed(graph, path.file, exclusions)
        if file.parse_status != "ok":
            line, reason = file.problem_lines[0], file.problem_reasons[0]
            return EmptyReason("notFound", f"{found.hint} The file has parts that could not be read: line {line}, {reason}.")
    near = names_near(graph, path.names[-1]) if path.names else ()
    return EmptyReason("notFound", found.hint, tuple(_candidate(symbol) for symbol in near))


def _entities(symbols: Iterable[Symbol], homes: Mapping[str, AmbientHome] = _NO_HOMES) -> list[list[Symbol]]:
    """Group the declarations that have the same qualified name in the same file: overloads, merged declarations, a type and a
    value, two accessors.

    A declaration in an ambient block counts as a declaration of the module that the block extends, or else of the name of the
    block.
    """
    groups: dict[tuple[str, str], list[Symbol]] = {}
    for symbol in symbols:
        home = homes.get(symbol.id)
        # Migrations in code add columns of one name to several tables.
        key = (symbol.relative_path, symbol.id if symbol.kind == "column" else symbol.qualified_name)
        if home is not None:
            key = (home.module, ".".join((*home.holders, symbol.name)))
        groups.setdefault(key, []).append(symbol)
    return list(groups.values())


def _all_declarations(graph: GraphDatabase, declarations: Sequence[Symbol]) -> tuple[Symbol, ...]:
    """Return all declarations of a symbol, including `declare module` in other files; the main declaration comes first."""
    ordered = sorted(declarations, key=_main_first)
    known = {symbol.id for symbol in ordered}
    added = added_declarations(graph, [symbol.id for symbol in ordered if symbol.kind in _MERGED and not symbol.depth])
    return (*ordered, *(symbol for symbol in added if symbol.id not in known))


def _main_first(symbol: Symbol) -> tuple[int, int, str, int]:
    kind = _MAIN_FIRST.index(symbol.kind) if symbol.kind in _MAIN_FIRST else len(_MAIN_FIRST)
    return symbol.depth, kind, symbol.relative_path, symbol.start_line


def _candidate(symbol: SymbolRef) -> Candidate:
    if isinstance(symbol, Symbol):
        return Candidate(symbol.ref, symbol.breadcrumb)
    return Candidate(symbol, f"{symbol.relative_path} > {symbol.qualified_name}")
