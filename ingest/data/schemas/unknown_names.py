"""Find the tables and columns in statements that no database of a repository contains. Uncertain names are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ...facts.data import Action, DataFacts, Query, TableUse
from .databases import Databases
from .migrations import is_in_migrations
from .tables import Table

#: Columns that every table of a database has, functions that are called without parentheses, and placeholders for values.
_OF_DATABASES: Final = re.compile(
    r"__.*|_?rowid_?|oid|ctid|xmin|xmax|cmin|cmax|tableoid|rownum|level|rank|sysdate|systimestamp|user|dual|current_\w+|session_user"
    r"|[$:@?].*|local(?:time|timestamp)|true|false|null|excluded|new|old|inserted|deleted|value|values|default",
    re.IGNORECASE,
)
#: Tables of catalogs, temporary tables, and variables.
_OTHERS: Final = re.compile(
    r"(?:pg|sqlite|information|sys|mysql|performance|all|dba|user|v\$)_.*|dual|__value|generate_series|unnest|[#@_].*",
    re.IGNORECASE,
)


def unknown_names(databases: Databases, path: str, facts: DataFacts) -> Iterator[tuple[Query, str, str]]:
    """Yield names in the statements of a file, each with its statement and the reason: table, column or dropped.

    Files that change a schema are left out, because their statements run on an earlier state.
    """
    if facts.changes or facts.migration is not None or facts.dbt is not None or is_in_migrations(path):
        return
    if facts.embedded is not None and any(change.action != Action.CREATE for change in facts.embedded.changes):
        return
    # The meaning of names in the calls of a query builder is not certain.
    queries = [query for query in facts.queries if query.evidence not in ("call", "declared")]
    knows_tables = any(databases.tables(use.name) for query in queries for use in query.uses)
    for query in queries if knows_tables else ():
        found = [(use, databases.tables(use.name)) for use in query.uses]
        is_whole = bool(query.name) or all(tables for _, tables in found)  # a text in code may not be SQL
        for use, tables in found:
            if tables:
                unknown = list(_columns(tables, use, query.inserted)) if is_whole else []
                # If most columns are unknown, the table may be a table of another database with the same name.
                if len(unknown) < 2 or 2 * len(unknown) < len(use.columns):
                    yield from ((query, name, "column") for name in unknown)
            elif databases.is_dropped(use.name):
                yield query, use.name.name, "dropped"
            elif query.name and not use.name.schema and _OTHERS.fullmatch(use.name.name) is None:
                yield query, use.name.name, "table"  # a text in code may run in another database


def _columns(tables: Sequence[Table], use: TableUse, uncertain: Sequence[str]) -> Iterator[str]:
    """Yield the columns that certainly belong to a used table, but that are in no table with its name."""
    if any(table.kind != "table" or not table.columns or not table.has_all_columns for table in tables):
        return
    for name in use.columns:
        is_known = any(name.lower() in table.columns for table in tables)
        if not is_known and name not in uncertain and _OF_DATABASES.fullmatch(name) is None:
            yield f"{use.name.name}.{name}"
