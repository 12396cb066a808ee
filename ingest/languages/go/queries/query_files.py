"""Methods that sqlc generates from SQL files.

Such a method passes a constant to the database. The constant begins with the name of the query: `-- name: GetUser :one`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....facts.data import NAMED_QUERY
from ....facts.model import DeclKind
from ....facts.operations import Op
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile

_NAME: Final = re.compile(r"[`\"]?-- name: (\w+) :\w+")


def named_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the queries in SQL files that the methods of a generated file run."""
    names = dict(_constants(file))
    for node in file.facts.calls if names else ():
        for argument in file.items(file.code[node + 2]) if file.code[node] == Op.CALL else ():
            name = names.get(file.name(argument))
            if name:
                yield FoundQuery(node, "", [FoundUse(f"{NAMED_QUERY}{name}")])


def _constants(file: QueryFile) -> Iterator[tuple[str, str]]:
    """Yield the constants that contain a named query, each with the name of the query."""
    code, facts = file.code, file.facts
    for decl in facts.decls:
        if decl.kind == DeclKind.VARIABLE and decl.b >= 0 and code[decl.b] == Op.STRING:
            found = _NAME.match(facts.strings[code[decl.b + 2]])
            if found is not None:
                yield decl.name, found[1]
