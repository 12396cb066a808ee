"""Import and export statements, which may rename symbols, and imports of whole modules."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ...schema.languages import is_partly_resolved_path
from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids
from .files import FileImport, importers_of


class PassingStatement(msgspec.Struct, frozen=True, gc=False):
    """An import or export statement that names a symbol."""

    #: Id of the requested symbol.
    symbol_id: str
    path: str
    #: The text of the statement.
    text: str
    #: First line of the statement.
    start_line: int
    #: Local or exported names that differ from the symbol's own name.
    names: tuple[str, ...]
    #: Lines and columns of the symbol's name in the statement.
    lines: tuple[int, ...]
    columns: tuple[int, ...]


class LocalName(msgspec.Struct, frozen=True, gc=False):
    """An import statement in a file that binds names."""

    path: str
    text: str
    start_line: int


def passing_statements(database: GraphDatabase, ids: Iterable[str]) -> list[PassingStatement]:
    """Return the import and export statements that name the symbols, by path and line."""
    statement = """
        MATCH (o:Symbol)<-[r:REFERENCES]-(s:Symbol) WHERE o.id IN $ids AND s.kind IN ['import', 're-export', 'export']
            AND r.role IN ['import', 'export', 'type', 'read', 'heritage']
        RETURN o.id, s.relativePath, s.signature, s.startLine, r.names, r.lines, r.columns"""
    found = [PassingStatement(*row) for row in rows_for_ids(database, statement, ids)]
    return sorted(found, key=lambda at: (at.path, at.lines, at.columns))


def named_in_statements(database: GraphDatabase, name: str, path: str | None = None) -> list[str]:
    """Return the ids of the symbols that have this name in an import or export statement, of one file or of any file."""
    statement = """
        MATCH (o:Symbol)<-[r:REFERENCES]-(s:Symbol)
        WHERE r.role IN ['import', 'export'] AND list_contains(r.names, $name) AND s.kind IN ['import', 're-export', 'export']
            AND ($path = '' OR s.relativePath = $path)
        RETURN DISTINCT o.id ORDER BY o.id"""
    return [row[0] for row in database.rows(statement, {"name": name, "path": path or ""})]


def import_statements(database: GraphDatabase, paths: Iterable[str]) -> list[LocalName]:
    """Return all import and re-export statements of some files, in source order."""
    statement = """
        MATCH (s:Symbol) WHERE s.relativePath IN $ids AND s.kind IN ['import', 're-export', 'export']
        RETURN s.relativePath, s.signature, s.startLine"""
    found = [LocalName(*row) for row in rows_for_ids(database, statement, paths)]
    return sorted(found, key=lambda at: (at.path, at.start_line))


def whole_module_imports(database: GraphDatabase, paths: Iterable[str]) -> list[FileImport]:
    """Return the imports and exports that may name the files as a whole: `import * as`, `export *`, and all imports in Python."""
    return [found for found in importers_of(database, paths) if found.form in ("import", "export") and _is_whole(found)]


def _is_whole(found: FileImport) -> bool:
    """Return whether an import may name a whole module.

    In Python, one record has all imports of a file, so callers must check the statements.
    """
    return "*" in found.names or is_partly_resolved_path(found.from_path)
