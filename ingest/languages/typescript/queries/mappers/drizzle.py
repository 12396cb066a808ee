"""Calls of Drizzle: https://orm.drizzle.team/docs/select and https://orm.drizzle.team/docs/rqb."""

from __future__ import annotations

import re
from typing import Final

from .rules import Mapper, Result, Role, methods

_OPTIONS: Final = (Role.OPTIONS,)
_QUERY: Final = {
    **methods("", (Role.TABLE,), "from"),
    **methods("", (Role.JOIN, Role.EXPRESSION), "innerJoin leftJoin rightJoin fullJoin crossJoin innerJoinLateral "
                                                "leftJoinLateral"),
    **methods("", (Role.EXPRESSION,), "where having orderBy groupBy"),
    **methods("", (Role.VALUES,), "values set"),
    **methods("", (), "returning limit offset onConflictDoNothing onConflictDoUpdate onDuplicateKeyUpdate $dynamic as "
                      "prepare execute "
              "all get run for"),
}  # fmt: skip

DRIZZLE: Final = Mapper(
    "drizzle",
    re.compile(r"npm:drizzle-orm(?:/.*)?"),
    of_model=methods("select", _OPTIONS, "findMany findFirst"),
    of_query={name: each._replace(result=Result.QUERY) for name, each in _QUERY.items()},
    of_manager={
        **methods("select", (Role.FIELDS,), "select selectDistinct", Result.QUERY),
        **methods("select", (Role.NONE, Role.FIELDS), "selectDistinctOn", Result.QUERY),
        **methods("insert", (Role.TABLE,), "insert", Result.QUERY),
        **methods("update", (Role.TABLE,), "update", Result.QUERY),
        **methods("delete", (Role.TABLE,), "delete", Result.QUERY),
        **methods("select", (Role.TABLE, Role.EXPRESSION), "$count"),
        **methods("", (), "with $with withReplicas", Result.MANAGER),
    },
    options={
        "with": Role.LOADED, "columns": Role.FIELDS, "where": Role.CONDITION, "orderBy": Role.CONDITION,
    },
    makers=frozenset(
        ("pgTable", "mysqlTable", "sqliteTable", "singlestoreTable", "gelTable", "cockroachTable", "pgView", "mysqlView",
        "sqliteView",
         "pgMaterializedView", "table", "view")
    ),
    has_creators=True,
)  # fmt: skip
