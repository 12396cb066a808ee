"""What exists: files with their packages, what they export and import, and all imports among them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Literal

import msgspec

from .database import GraphDatabase
from .id_batches import rows_for_ids


class FileEntry(msgspec.Struct, frozen=True, gc=False):
    """A file as a map needs it."""

    path: str
    lines: int
    is_test: bool
    importance: int
    #: Number of places that could not be read as they stand.
    problems: int
    language: str
    #: ok, recovered or failed.
    parse_status: str


class PackageEntry(msgspec.Struct, frozen=True):
    """A package boundary. `folder` is "." for the root."""

    folder: str
    name: str


class ExportEntry(msgspec.Struct, frozen=True, gc=False):
    """A name that a file offers."""

    path: str
    name: str
    kind: str
    signature: str
    doc: str
    importance: int
    #: Where the symbol is declared: another file for a re-export.
    declared_in: str
    line: int


class Declaration(msgspec.Struct, frozen=True, gc=False):
    """A symbol at the top of a file that is not exported."""

    path: str
    name: str
    kind: str
    signature: str
    doc: str
    importance: int
    line: int


class ImportLink(msgspec.Struct, frozen=True, gc=False):
    """A file imports another; all its import statements for that file together."""

    from_path: str
    to_path: str
    #: Every one of them vanishes when it is compiled.
    type_only: bool


#: Kinds of symbols at the top of a file that are no declarations.
_STATEMENTS = ("import", "re-export", "export", "expression", "comment")
#: Which texts of a symbol are read: they are most of what it holds.
Texts = Literal["none", "signatures", "docs"]
_TEXTS: dict[Texts, str] = {
    "none": "'' AS signature, '' AS doc",
    "signatures": "s.signature, '' AS doc",
    "docs": "s.signature, s.doc",
}


def all_files(database: GraphDatabase) -> list[FileEntry]:
    """Every file, by path. Shared among all who ask."""
    return database.once(_all_files)


def _all_files(database: GraphDatabase) -> list[FileEntry]:
    statement = """
        MATCH (f:File)
        RETURN f.relativePath, f.lines, f.isTest, f.importance, CAST(size(f.problemLines) AS INT64), f.language, f.parseStatus
        ORDER BY f.relativePath"""
    return [FileEntry(*row) for row in database.rows(statement)]


def all_packages(database: GraphDatabase) -> list[PackageEntry]:
    """Every package, by folder. Shared among all who ask."""
    return database.once(_all_packages)


def _all_packages(database: GraphDatabase) -> list[PackageEntry]:
    return [PackageEntry(*row) for row in database.rows("MATCH (m:Module) RETURN m.id, m.name ORDER BY m.id")]


def export_counts(database: GraphDatabase, kinds: Sequence[str] = ()) -> dict[str, int]:
    """By path, the number of names that each file exports and declares itself; of some kinds, or of all."""
    counts: dict[str, int] = {}
    for path, kind, count in database.once(_exports_by_kind):
        if not kinds or kind in kinds:
            counts[path] = counts.get(path, 0) + count
    return counts


def export_kinds(database: GraphDatabase, paths: Container[str], kinds: Sequence[str] = ()) -> dict[str, int]:
    """By kind, the number of names that some files export and declare themselves; of some kinds, or of all."""
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


def exports_of(database: GraphDatabase, paths: Iterable[str], kinds: Sequence[str], texts: Texts) -> list[ExportEntry]:
    """What some files export, by path and line; symbols of some kinds, or of all."""
    statement = f"""
        MATCH (f:File)-[e:EXPORTS]->(s:Symbol) WHERE f.relativePath IN $ids {_of_kinds(kinds)}
        RETURN f.relativePath, e.name, s.kind, {_TEXTS[texts]}, s.importance, s.relativePath, s.nameLine"""
    rows = rows_for_ids(database, statement, paths, {"kinds": list(kinds)} if kinds else None)
    return sorted((ExportEntry(*row) for row in rows), key=lambda entry: (entry.path, entry.line, entry.name))


def declarations_of(database: GraphDatabase, paths: Iterable[str], kinds: Sequence[str], texts: Texts) -> list[Declaration]:
    """What some files declare at their top without exporting it, by path and line."""
    statement = f"""
        MATCH (f:File)-[:CONTAINS]->(s:Symbol)
        WHERE f.relativePath IN $ids AND NOT s.exported AND NOT s.kind IN $statements {_of_kinds(kinds)}
        RETURN s.relativePath, s.name, s.kind, {_TEXTS[texts]}, s.importance, s.nameLine"""
    rows = rows_for_ids(
        database, statement, paths, {"statements": list(_STATEMENTS), **({"kinds": list(kinds)} if kinds else {})}
    )
    return sorted((Declaration(*row) for row in rows), key=lambda entry: (entry.path, entry.line, entry.name))


def import_links(database: GraphDatabase) -> list[ImportLink]:
    """All imports among the files, by path. Shared among all who ask."""
    return database.once(_import_links)


def _import_links(database: GraphDatabase) -> list[ImportLink]:
    statement = """
        MATCH (f:File)-[r:IMPORTS]->(t:File)
        RETURN f.relativePath, collect(t.relativePath), collect(r.typeOnly) ORDER BY f.relativePath"""
    links: list[ImportLink] = []
    for start, ends, only_types in database.rows(statement):
        merged: dict[str, bool] = {}
        for end, type_only in zip(ends, only_types, strict=True):
            merged[end] = type_only and merged.get(end, True)
        links += [ImportLink(start, end, merged[end]) for end in sorted(merged)]
    return links


def import_specifiers(database: GraphDatabase, paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """By path, what each file writes behind `from`, in the order of the statements."""
    wanted = list(paths)
    found: dict[str, dict[str, int]] = {}
    for table, target in (("IMPORTS", "File"), ("IMPORTS_EXTERNAL", "Package")):
        statement = f"""
            MATCH (f:File)-[r:{table}]->(t:{target}) WHERE f.relativePath IN $ids
            RETURN f.relativePath, r.specifier, min(r.line)"""
        for path, specifier, line in rows_for_ids(database, statement, wanted):
            found.setdefault(path, {})[specifier] = line
    return {path: tuple(sorted(lines, key=lambda text: (lines[text], text))) for path, lines in found.items()}


def _of_kinds(kinds: Sequence[str]) -> str:
    return "AND s.kind IN $kinds" if kinds else ""
