"""Names that tables and columns have in the database after all migrations, where they differ from those of their declarations.

A column that a migration adds is declared outside of its table, and may be renamed later. The tables of models have names that
the object mapper gives them: the class `User` of the application `library` is the table `library_user`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...schema.records import Symbol
from ..database import GraphDatabase
from .id_batches import rows_for_ids
from .symbol_table import symbols_of

_COLUMNS = "MATCH (c:Symbol)-[o:COLUMN_OF]->(t:Symbol) WHERE c.id IN $ids RETURN c.id, t.id, o.name"
_OF_TABLES = """
    MATCH (t:Symbol)<-[o:COLUMN_OF]-(c:Symbol) WHERE t.id IN $ids AND o.position >= 0 AND lower(o.name) = $name AND c.id <> t.id
    RETURN offset(id(c))"""
_LAST_NAMES = "MATCH (t:Symbol)-[r:CHANGED_IN]->(:File) WHERE t.id IN $ids RETURN t.id, r.name"
_NEW_NAMES = """
    MATCH (t:Symbol)-[r:CHANGED_IN]->(:File)
    WHERE (r.kind = 'renamed' OR (r.kind = 'created' AND t.name <> r.name))
        AND (lower(r.name) = $name OR lower(r.name) ENDS WITH $tail)
        AND (t.kind IN ['table', 'view'] OR EXISTS { MATCH (t)<-[:COLUMN_OF]-(:Symbol) })
    RETURN DISTINCT t.id"""
_OF_SCHEMAS = frozenset(("table", "view"))


def names_in_database(database: GraphDatabase, ids: Iterable[str]) -> dict[str, str]:
    """Return the name of each table and view among symbols, and the name of each column behind that of its table, by id."""
    symbols = symbols_of(database).symbols(ids)
    rows = rows_for_ids(database, _COLUMNS, [each.id for each in symbols.values() if each.kind == "column"])
    names = table_names(
        database, [*(each.id for each in symbols.values() if each.kind in _OF_SCHEMAS), *(row[1] for row in rows)]
    )
    names |= {column: f"{names[table]}.{name}" for column, table, name in rows}
    return {id: names[id] for id in symbols if id in names}


def table_names(database: GraphDatabase, ids: Iterable[str]) -> dict[str, str]:
    """Return the name of each table in the database by the id of the table or of its model, without the name of a schema."""
    names = {id: symbol.name for id, symbol in symbols_of(database).symbols(ids).items()}
    return names | {id: name.rpartition(".")[2] for id, name in rows_for_ids(database, _LAST_NAMES, names)}


def columns_named(database: GraphDatabase, table: str, column: str, file: str | None = None) -> Sequence[Symbol]:
    """Return the columns that tables of a name have after all migrations, by file and line. `file` declares the table."""
    tables = [*symbols_of(database).named([table]), *tables_with_name(database, table)]
    ids = list(dict.fromkeys(each.id for each in tables if file in (None, each.relative_path)))
    rows = rows_for_ids(database, _OF_TABLES, ids, {"name": column.lower()})
    found = symbols_of(database).symbols_at([offset for (offset,) in rows])
    return sorted(found, key=lambda each: (each.relative_path, each.start_line, each.id))


def tables_with_name(database: GraphDatabase, name: str) -> Sequence[Symbol]:
    """Return the tables and views that have a name in the database only: a migration or an object mapper gives them the name."""
    ids = [id for (id,) in database.rows(_NEW_NAMES, {"name": name.lower(), "tail": f".{name.lower()}"})]
    return [each for each in symbols_of(database).symbols(ids).values() if each.name != name]
