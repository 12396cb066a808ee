"""Functions that packages make from files of SQL: `queries = aiosql.from_path("queries", "asyncpg")`, `queries.get_user(…)`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ....facts.data import NAMED_QUERY
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from .written_calls import WrittenCall

#: Origins of the functions: aiosql, its predecessor anosql, and PugSQL.
_FUNCTION: Final = re.compile(
    r"(?:aiosql:from_(?:path|str)|anosql:(?:from_path|from_str|load_queries)|pugsql:module)\(\)\.(?:\w+\.)*(\w+)"
)
#: The suffix that aiosql adds to the name of a query, for a function that returns a cursor.
_CURSOR: Final = "_cursor"


def named_queries(file: QueryFile, calls: Sequence[WrittenCall]) -> Iterator[FoundQuery]:
    """Yield the queries in SQL files that the calls of a file run by name."""
    for call in calls:
        found = _FUNCTION.fullmatch(file.origin(call.callee)) if call.receiver >= 0 else None
        if found is not None:
            yield FoundQuery(call.node, "", [FoundUse(f"{NAMED_QUERY}{found[1].removesuffix(_CURSOR)}")])
