"""Files with their packages, exports and imports, for the map of the codebase."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

import msgspec

from ...schema.languages import DECLARATIVE
from ...schema.symbol_kinds import STATEMENTS
from ..database import GraphDatabase, shared
from ..symbols.id_batches import rows_for_ids
from ..symbols.symbol_table import symbols_of


class FileEntry(msgspec.Struct, frozen=True, gc=False):
    """A file in the map."""

    path: str
    lines: int
    is_test: bool
    importance: int
    #: Number of parts that could not be parsed.
    problems: int
    language: str
    #: ok, recovered or failed.
    parse_status: str


class PackageEntry(msgspec.Struct, frozen=True):
    """A package boundary. `folder` is "." for the root."""

    folder: str
    name: str


class ExportEntry(msgspec.Struct, frozen=True, gc=False):
    """An exported name. A default export or `module.exports = …` has the name of its symbol, if there is one."""

    name: str
    is_default: bool
    kind: str
    importance: int
    #: Path of the declaring file, which differs from the exporting file for a re-export.
    declared_in: str
    line: int
    #: Internal offset of the symbol in the symbol table.
    offset: int


class Declaration(msgspec.Struct, frozen=True, gc=False):
    """A top-level symbol that is not exported."""

    name: str
    kind: str
    importance: int
    line: int
    #: Internal offset of the symbol in the symbol table.
    offset: int


#: When an import runs, the earliest first: "load" while the file is loaded, "lazy" later, "type" never. Imports of only types,
#: and imports in languages whose imports run no code, never run.
IMPORT_KINDS = ("load", "lazy", "type")


class ImportLink(msgspec.Struct, frozen=True, gc=False):
    """All imports of a file by another file."""

    from_path: str
    to_path: str
    #: A key of `IMPORT_KINDS`: the earliest kind among the import statements.
    kind: str = "load"


#: Names of default exports: `export default` and `export = x`.
DEFAULT_NAMES = frozenset(("default", "export="))


@shared
def all_files(database: GraphDatabase) -> list[FileEntry]:
    """Return every file, by path."""
    statement = """
        MATCH (f:File)
        RETURN f.relativePath, f.lines, f.isTest, f.importance, CAST(size(f.problemLines) AS INT64), f.language, f.parseStatus
        ORDER BY f.relativePath"""
    return [FileEntry(*row) for row in database.rows(statement)]


@shared
def all_packages(database: GraphDatabase) -> list[PackageEntry]:
    """Return every package, by folder."""
    return [PackageEntry(*row) for row in database.rows("MATCH (m:Module) RETURN m.id, m.name ORDER BY m.id")]


def export_counts(database: GraphDatabase, kinds: Sequence[str] = ()) -> dict[str, int]:
    """Return the number of declarations that each file exports, by path. `kinds` restricts the kinds of declarations."""
    counts: dict[str, int] = {}
    for path, kind, count in database.once(_exports_by_kind):
        if not kinds or kind in kinds:
            counts[path] = counts.get(path, 0) + count
    return counts


def export_kinds(database: GraphDatabase, paths: Container[str], kinds: Sequence[str] = ()) -> dict[str, int]:
    """Return the number of declarations that some files export, by kind. `kinds` restricts the kinds of declarations."""
    counts: dict[str, int] = {}
    for path, kind, count in database.once(_exports_by_kind):
        if path in paths and (not kinds or kind in kinds):
            counts[kind] = counts.get(kind, 0) + count
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _exports_by_kind(database: GraphDatabase) -> list[tuple[str, str, int]]:
    statement = """
        MATCH (f:File)-[e:EXPORTS]->(s:Symbol) WHERE s.relativePath = f.relativePath
        RETURN f.relativePath, s.kind, count(*)"""
    return [(path, kind, count) for path, kind, count in database.rows(statement)]


@shared
def exports_by_file(database: GraphDatabase) -> dict[str, list[ExportEntry]]:
    """Return the exports of each file by path, in the order of their lines."""
    rows = database.rows("MATCH (f:File)-[e:EXPORTS]->(s:Symbol) RETURN f.relativePath, e.name, offset(id(s))")
    table, offsets = symbols_of(database), [row[2] for row in rows]
    symbols = zip(table.refs_at(offsets), table.importance_at(offsets), strict=True)
    found: dict[str, list[ExportEntry]] = {}
    for (path, name, offset), (symbol, importance) in zip(rows, symbols, strict=True):
        is_default = name in DEFAULT_NAMES
        shown = symbol.name if is_default and symbol.name and symbol.kind not in STATEMENTS else name
        entry = ExportEntry(shown, is_default, symbol.kind, importance, symbol.relative_path, symbol.name_line, offset)
        found.setdefault(path, []).append(entry)
    return {path: sorted(entries, key=lambda entry: (entry.line, entry.name)) for path, entries in found.items()}


@shared
def internals_by_file(database: GraphDatabase) -> dict[str, list[Declaration]]:
    """Return the top-level symbols of each file that are not exported, by path and line."""
    table = symbols_of(database)
    symbols = table.in_files(file.path for file in all_files(database))
    kept = [symbol for symbol in symbols if not (symbol.depth or symbol.exported or symbol.kind in STATEMENTS)]
    offsets = table.offsets(symbol.id for symbol in kept)
    found: dict[str, list[Declaration]] = {}
    for symbol, offset, importance in zip(kept, offsets, table.importance_at(offsets), strict=True):
        entry = Declaration(symbol.name, symbol.kind, importance, symbol.name_line, offset)
        found.setdefault(symbol.relative_path, []).append(entry)
    return {path: sorted(entries, key=lambda entry: (entry.line, entry.name)) for path, entries in found.items()}


@shared
def import_links(database: GraphDatabase) -> list[ImportLink]:
    """Return all imports among the files, by path."""
    statement = """
        MATCH (f:File)-[r:IMPORTS]->(t:File)
        RETURN f.relativePath, collect(t.relativePath), collect(r.typeOnly OR f.language IN $declarative), collect(r.deferred)
        ORDER BY f.relativePath"""
    links: list[ImportLink] = []
    for start, ends, of_types, deferred in database.rows(statement, {"declarative": sorted(DECLARATIVE)}):
        merged: dict[str, int] = {}
        for end, is_type, is_deferred in zip(ends, of_types, deferred, strict=True):
            rank = 2 if is_type else 1 if is_deferred else 0
            merged[end] = min(rank, merged.get(end, rank))
        links += [ImportLink(start, end, IMPORT_KINDS[merged[end]]) for end in sorted(merged)]
    return links


def import_specifiers(database: GraphDatabase, paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the import specifiers of each file by path, in the order of the statements."""
    wanted = list(paths)
    found: dict[str, dict[str, int]] = {}
    for table, target in (("IMPORTS", "File"), ("IMPORTS_EXTERNAL", "Package")):
        statement = f"""
            MATCH (f:File)-[r:{table}]->(t:{target}) WHERE f.relativePath IN $ids
            RETURN f.relativePath, r.specifier, min(r.line)"""
        for path, specifier, line in rows_for_ids(database, statement, wanted):
            found.setdefault(path, {})[specifier] = line
    return {path: tuple(sorted(lines, key=lambda text: (lines[text], text))) for path, lines in found.items()}
