"""Write what SQLAlchemy itself knows of the tables of a program as JSON, for `schema_quality --catalogue`.

    PYTHONPATH=PROGRAM python sqlalchemy_catalogue.py MODULE... > catalogue.json

It runs where the program and its packages are installed, imports the modules, and writes the tables of all metadata that then
exist; with `MODULE:NAME`, those of the base, the extension or the metadata with that name. A key without a name has none in
the rows: the database would name it.
"""

from __future__ import annotations

import gc
import importlib
import json
import sys

from sqlalchemy import ForeignKeyConstraint, MetaData, PrimaryKeyConstraint, Table, UniqueConstraint
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import SQLAlchemyError

_DIALECT = postgresql.dialect()
#: Schemas of PostgreSQL, of which its dialect has tables.
_SYSTEM = frozenset(("pg_catalog", "information_schema"))
_RULES = {"CASCADE": "c", "SET NULL": "n", "SET DEFAULT": "d", "RESTRICT": "r"}


def _type(kind: object) -> str:
    try:
        return str(kind.compile(dialect=_DIALECT))  # type: ignore[attr-defined]
    except SQLAlchemyError:
        return str(kind)


def _name(item: object) -> str:
    name = item.name  # type: ignore[attr-defined]
    return _DIALECT.identifier_preparer.format_constraint(item).strip('"') if isinstance(name, str) else ""  # type: ignore[no-untyped-call,arg-type]


def _rows(table: Table) -> list[list[str]]:
    schema, name = table.schema or "public", table.name
    rows = [["table", schema, name]]
    for column in table.columns:
        rows.append(["column", schema, name, column.name, _type(column.type), str(not column.nullable).lower()])
    for constraint in table.constraints:
        columns = ",".join(column.name for column in constraint.columns) if hasattr(constraint, "columns") else ""
        if isinstance(constraint, PrimaryKeyConstraint) and columns:
            rows.append(["primary key", schema, name, _name(constraint), columns, "", ""])
        elif isinstance(constraint, UniqueConstraint):
            rows.append(["unique", schema, name, _name(constraint), columns, "", ""])
        elif isinstance(constraint, ForeignKeyConstraint):
            target = constraint.elements[0].target_fullname.split(".")[-2]
            rule = _RULES.get((constraint.ondelete or "").upper(), "a")
            rows.append(["foreign key", schema, name, _name(constraint), columns, target, rule])
    rows += [["index", schema, name, _name(index), str(bool(index.unique)).lower()] for index in table.indexes]
    return rows


def main() -> None:
    """Import the modules, and write the rows of all tables."""
    named: list[object] = []
    for each in sys.argv[1:]:
        module, _, name = each.partition(":")
        imported = importlib.import_module(module)
        if name:
            named.append(getattr(imported, name))
    chosen = [getattr(each, "metadata", each) for each in named] or gc.get_objects()
    found = [table for each in chosen if isinstance(each, MetaData) for table in each.tables.values()]
    tables = [table for table in found if (table.schema or "").lower() not in _SYSTEM]
    json.dump(sorted(row for table in tables for row in _rows(table)), sys.stdout, indent=0)


if __name__ == "__main__":
    main()
