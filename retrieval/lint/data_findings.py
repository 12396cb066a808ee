"""Find faults of tables: foreign keys without an index, columns that no code names, and statements with unknown names.

Uncertain cases are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final, NamedTuple

from ...graphdb.database import GraphDatabase
from ...ingest.files.path_roles import is_migration_script, is_test_path
from ...schema.languages import DATA, is_document_path, language_of
from ..text_search.indexed_text import IndexedTexts
from .model.findings import Diagnostic

#: Names of columns that the database or an object mapper writes and reads.
_BY_MAPPERS: Final = re.compile(r"id|pk|\w*_ptr(_id)?|created(_?at|_on)?|updated(_?at|_on)?|deleted_?at|version", re.IGNORECASE)
#: Columns of accounts that adapters of Auth.js (first) and Better Auth (second) read and write at run time, by the columns by
#: which such a table is known; all names without underscores.
_OF_ADAPTERS: Final = (
    (
        frozenset(("provider", "provideraccountid")),
        frozenset(("accesstoken", "expiresat", "idtoken", "refreshtoken", "scope", "sessionstate", "tokentype")),
    ),
    (
        frozenset(("accountid", "providerid", "userid")),
        frozenset(
            ("accesstoken", "accesstokenexpiresat", "idtoken", "password", "refreshtoken", "refreshtokenexpiresat", "scope")
        ),
    ),
)
#: A word in UTF-8; all characters beyond ASCII count as letters.
_WORD: Final = re.compile(rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*")
_SOURCE: Final = "data"
#: Nouns for unknown names, by the reason why they are unknown.
_UNKNOWN: Final = {
    "table": "The statement uses the table {}, which no schema or migration creates.",
    "column": "The statement uses the column {}, which no schema or migration creates.",
    "dropped": "The statement uses the table {}, which a migration dropped.",
}
_DROPPED: Final = "The statement uses the {} {}, which {}:{} dropped."


class _Column(NamedTuple):
    """A column, with its name in the declaration and its name in the database."""

    path: str
    line: int
    declared: str
    name: str
    table: str
    table_id: str


def data_findings(graph: GraphDatabase, texts: Callable[[], IndexedTexts]) -> list[Diagnostic]:
    """Return hints about foreign keys and columns, and warnings about statements."""
    renamed = _renamed_tables(graph)
    found = [*_keys_without_index(graph, renamed), *_unread_columns(graph, texts, renamed)]
    found += _unknown_names(graph, renamed)
    return sorted(set(found), key=lambda each: (each.file, each.line, each.message))


def _renamed_tables(graph: GraphDatabase) -> dict[str, str]:
    """Return the present names of tables that migrations renamed, by id."""
    statement = "MATCH (t:Symbol)-[e:CHANGED_IN]->(:File) WHERE e.kind = 'renamed' RETURN t.id, e.name"
    return dict(graph.rows(statement))


def _keys_without_index(graph: GraphDatabase, renamed: Mapping[str, str]) -> Iterator[Diagnostic]:
    """Yield foreign keys whose first column is not the first column of an index. A delete in the referenced table then reads the
    whole table.
    """
    statement = """
        MATCH (c:Symbol)-[f:FOREIGN_KEY]->(:Symbol)
        MATCH (c)-[o:COLUMN_OF]->(t:Symbol)
        WHERE f.position = 0 AND o.position >= 0 AND c.id <> t.id
        AND NOT EXISTS { MATCH (:Symbol)-[i:INDEXES]->(c) WHERE i.position = 0 }
        AND NOT EXISTS { MATCH (c)-[:MAPS_TO]->(:Symbol) }
        RETURN c.relativePath, c.declarationLine, t.id, t.name, o.name"""
    for path, line, table_id, declared, column in graph.rows(statement):
        if is_test_path(path):
            continue
        table = renamed.get(table_id, declared)
        message = (
            f"No index begins with {table}.{column}, which is a foreign key: deletes of what it refers to read the whole table."
        )
        yield Diagnostic(path, line, "hint", message, _SOURCE)


def _unknown_names(graph: GraphDatabase, renamed: Mapping[str, str]) -> Iterator[Diagnostic]:
    """Yield statements that name tables and columns that no database of the repository has."""
    statement = "MATCH (s:Symbol)-[r:DATA_UNRESOLVED]->(n:UnresolvedName) RETURN s.relativePath, r.lines, r.reason, n.name"
    rows = graph.rows(statement)
    places = _places_of_drops(graph, renamed) if rows else {}
    for path, lines, reason, name in rows:
        dropped = places.get(name.lower())
        was_dropped = dropped is not None or reason == "dropped"
        if is_test_path(path) or (was_dropped and is_migration_script(path)):
            continue  # tests make tables of their own, and scripts about migrations use tables as they were before
        if is_document_path(path) and not was_dropped:
            continue  # examples in documents have tables of their own
        kind = "column" if reason == "column" else "table"
        message = _DROPPED.format(kind, name, *dropped) if dropped is not None else _UNKNOWN[reason].format(name)
        for line in lines:
            yield Diagnostic(path, line, "warning", message, _SOURCE)


def _places_of_drops(graph: GraphDatabase, renamed: Mapping[str, str]) -> dict[str, tuple[str, int]]:
    """Return the file and the line that dropped each table and column, by the name in lower case: `users.old_name`."""
    statement = """
        MATCH (s:Symbol)-[e:CHANGED_IN]->(f:File) WHERE e.kind = 'dropped'
        OPTIONAL MATCH (s)-[o:COLUMN_OF]->(t:Symbol) WHERE s.id <> t.id
        RETURN e.name, t.id, t.name, f.relativePath, e.line"""
    found: dict[str, tuple[str, int]] = {}
    for name, table_id, table, path, line in graph.rows(statement):
        names = [name] if table is None else [f"{each}.{name}" for each in {table, renamed.get(table_id, table)}]
        found.update((each.lower(), (path, line)) for each in names)
    return found


def _unread_columns(graph: GraphDatabase, texts: Callable[[], IndexedTexts], renamed: Mapping[str, str]) -> Iterator[Diagnostic]:
    """Yield columns that no statement reads and whose names occur only in schemas.

    Only tables that code uses are checked. A column that no field of a model declares, although its table has a model, may belong
    to a base class in another package, which reads it. Statements in documents show how people may use a table and are not
    enough: what a project of dbt offers to others often has no reader in the repository.
    """
    statement = """
        MATCH (c:Symbol)-[o:COLUMN_OF]->(t:Symbol)
        WHERE o.position >= 0 AND c.id <> t.id
        AND EXISTS { MATCH (:Symbol)-[:READS|MODIFIES]->(t) }
        AND NOT EXISTS { MATCH (:Symbol)-[:READS]->(c) }
        AND NOT EXISTS { MATCH (c)-[:FOREIGN_KEY]->(:Symbol) }
        AND NOT EXISTS { MATCH (:Symbol)-[:FOREIGN_KEY]->(c) }
        AND NOT EXISTS { MATCH (:Symbol)-[:INDEXES]->(c) }
        AND NOT EXISTS { MATCH (c)-[:MAPS_TO]->(:Symbol) }
        AND NOT (
            EXISTS { MATCH (:External)<-[:EXTENDS]-(:Symbol)-[:MAPS_TO]->(t) }
            AND NOT EXISTS { MATCH (:Symbol)-[:MAPS_TO]->(c) }
        )
        RETURN c.relativePath, c.declarationLine, c.name, o.name, t.name, t.id"""
    columns = [
        _Column(path, line, declared, name, renamed.get(table_id, table), table_id)
        for path, line, declared, name, table, table_id in graph.rows(statement)
    ]
    columns = [each for each in columns if _BY_MAPPERS.fullmatch(each.name) is None and not is_test_path(each.path)]
    used = _used_tables(graph) if columns else set()
    of_adapters = _adapter_columns(graph, {each.table_id for each in columns})
    columns = [each for each in columns if each.table_id in used and (each.table_id, each.name) not in of_adapters]
    if not columns:
        return
    mapped = _mapped_names(graph)
    counts: dict[bytes, int] = {
        _letters(name.encode()): 0
        for each in columns
        for name in (each.declared, each.name, *(name for name, _ in mapped.get((each.path, each.line, each.declared), ())))
    }
    schemas = {path for (path,) in graph.rows("MATCH (:Symbol)-[:CHANGED_IN]->(f:File) RETURN DISTINCT f.relativePath")}
    models = {each.path for each in columns}
    for path, text in texts().items():
        if is_document_path(path) or language_of(path) in DATA or (path in schemas and path not in models):
            continue
        for word in _WORD.findall(_letters(text.text)):
            if word in counts:
                counts[word] += 1
    for each in columns:
        # The declaration in the file of a model contains the name of the column once.
        own = 0 if language_of(each.path) in DATA else 1
        declared, name = _letters(each.declared.encode()), _letters(each.name.encode())
        fields = mapped.get((each.path, each.line, each.declared), [])
        seen = sum(path not in schemas or path in models for _, path in fields)
        if any(counts[_letters(other.encode())] > seen for other, _ in fields):
            continue  # code uses the field of a model
        if counts[declared] <= own and (name == declared or not counts[name]):
            message = f"Nothing reads {each.table}.{each.name}: no statement names it, and no code has its name."
            yield Diagnostic(each.path, each.line, "hint", message, _SOURCE)


def _adapter_columns(graph: GraphDatabase, tables: Collection[str]) -> set[tuple[str, str]]:
    """Return the columns of `tables` that the adapter of a library reads and writes, as ids of tables and names."""
    names: dict[str, dict[str, str]] = {table: {} for table in tables}
    statement = "MATCH (:Symbol)-[o:COLUMN_OF]->(t:Symbol) WHERE t.id IN $tables RETURN t.id, o.name"
    for table, name in graph.rows(statement, {"tables": list(tables)}) if tables else ():
        names[table][_letters(name.encode()).decode()] = name
    return {
        (table, columns[each])
        for table, columns in names.items()
        for keys, read in _OF_ADAPTERS
        if keys <= columns.keys()
        for each in read & columns.keys()
    }


def _used_tables(graph: GraphDatabase) -> set[str]:
    """Return the ids of the tables that code, queries, views or routines use. Scripts about migrations do not count."""
    rows = graph.rows("""
        MATCH (user:Symbol)-[:READS|MODIFIES]->(t:Symbol)
        WHERE EXISTS { MATCH (:Symbol)-[:COLUMN_OF]->(t) }
        RETURN DISTINCT t.id, user.relativePath""")
    return {table_id for table_id, path in rows if not is_document_path(path) and not is_migration_script(path)}


def _mapped_names(graph: GraphDatabase) -> dict[tuple[str, int, str], list[tuple[str, str]]]:
    """Return the fields of models that stand for columns, as names and paths, by path, line and name of the declaration."""
    statement = "MATCH (m:Symbol)-[:MAPS_TO]->(c:Symbol) RETURN c.relativePath, c.declarationLine, c.name, m.name, m.relativePath"
    found: dict[tuple[str, int, str], list[tuple[str, str]]] = {}
    for path, line, declared, name, model in graph.rows(statement):
        if language_of(model) not in DATA:
            found.setdefault((path, line, declared), []).append((name, model))
    return found


def _letters(text: bytes) -> bytes:
    """Return a text in lower case and without underscores, so that `line_no` and `LineNo` are equal."""
    return text.lower().replace(b"_", b"")
