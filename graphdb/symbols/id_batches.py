"""Query a list of nodes with the fastest statement for the length of the list.

Measured on 60,000 symbols and their callers:

- One key is looked up in the index of the primary key: 1 ms, and less per key in a union of a few keys.
- `IN` over texts compares each row with each key: 9 ms for 10 keys, 100 ms for 300.
- A join with the unwound list reads whole tables: 60 ms and more, and seconds if a relationship repeats.
- `IN` over internal offsets, which are looked up once (6 ms) and cached: 7 ms for 10 keys, 23 ms for 300.

Measured on 970,180 symbols, with five properties: 3.2 ms for a union of 16 keys, and 39 ms for a union of 100 keys, because the
time for its plan grows faster than the number of its branches. Without the index, any number of keys takes 180 ms to 1.8 s. So
in a large graph, more keys than a union has branches are looked up by several unions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from ...schema import ddl
from ..database import NODES_PER_LOOKUP, GraphDatabase

_CONDITION = re.compile(r"\b(\w+)\.(\w+) IN \$ids\b")
#: Maximum number of keys for which `IN` compares texts.
_MAX_IN_LENGTH = 64
#: Maximum number of keys for which each key has its own branch of a union. A branch uses the index and takes 0.3 to 1 ms.
_MAX_BRANCHES = 4
#: The same limit for a query that returns properties of the nodes: without the index, the engine reads these properties for the
#: whole table.
_MAX_BRANCHES_OF_PROPERTIES = 16
#: Maximum number of branches of one union.
_MAX_UNION = 16
#: Clauses that forbid a union, because a branch would apply them only to its own rows.
_OVER_ALL_ROWS = re.compile(r"\b(ORDER BY|LIMIT|SKIP|DISTINCT|UNION|count|sum|min|max|avg|collect)\b", re.IGNORECASE)


def rows_for_ids(
    database: GraphDatabase,
    statement: str,
    ids: Iterable[str],
    parameters: Mapping[str, Any] | None = None,
) -> list[tuple[Any, ...]]:
    """Return the rows of a statement that begins with MATCH and contains the condition `node.key IN $ids` once.

    The first `(node:Table` of the statement names the table. Repeated ids count once. Without ids, no query runs.
    """
    distinct = list(dict.fromkeys(ids))
    given = dict(parameters or {})
    if not distinct:
        return []
    if len(distinct) == 1:
        return database.rows(_CONDITION.sub(r"\1.\2 = $id", statement, count=1), {**given, "id": distinct[0]})
    table = _keyed_table(statement)
    if table is not None and len(distinct) <= _most_branches(statement, table, database):
        batches = (distinct[start : start + _MAX_UNION] for start in range(0, len(distinct), _MAX_UNION))
        return [row for batch in batches for row in _by_branches(database, statement, batch, given)]
    if table is not None:
        offsets = database.node_offsets(table, distinct)
        if not offsets:
            return []
        return database.rows(_CONDITION.sub(r"offset(id(\1)) IN $offsets", statement, count=1), {**given, "offsets": offsets})
    if len(distinct) > _MAX_IN_LENGTH:
        statement = "UNWIND $ids AS givenId " + _CONDITION.sub(r"\1.\2 = givenId", statement, count=1)
    return database.rows(statement, {**given, "ids": distinct})


def _most_branches(statement: str, table: ddl.Table, database: GraphDatabase) -> int:
    condition = _CONDITION.search(statement)
    if condition is None or _OVER_ALL_ROWS.search(statement):
        return 0
    node, key = condition.groups()
    if re.search(rf"\b{node}\.(?!{key}\b)\w", statement):
        return max(_MAX_BRANCHES_OF_PROPERTIES, database.node_count(table.name) // NODES_PER_LOOKUP)
    return 0 if database.knows_offsets(table) else _MAX_BRANCHES


def _by_branches(
    database: GraphDatabase, statement: str, keys: Sequence[str], parameters: Mapping[str, Any]
) -> list[tuple[Any, ...]]:
    """Return the rows of a union with one branch per key. "" pads the keys to a power of two, so that the engine plans few
    different unions.
    """
    length = 2
    while length < len(keys):
        length *= 2
    numbered = dict(zip_longest((f"id{number}" for number in range(length)), keys, fillvalue=""))
    branches = (_CONDITION.sub(rf"\1.\2 = ${name}", statement, count=1) for name in numbered)
    return database.rows("\nUNION ALL\n".join(branches), {**parameters, **numbered})


def _keyed_table(statement: str) -> ddl.Table | None:
    """Return the table whose primary key the condition names; None if the condition names another property."""
    condition = _CONDITION.search(statement)
    label = re.search(rf"\({condition[1]}:(\w+)", statement) if condition is not None else None
    if condition is None or label is None:
        raise ValueError(f"no condition on $ids: {statement}")
    table = ddl.tables()[label[1]]
    return table if table.primary_key == condition[2] else None
