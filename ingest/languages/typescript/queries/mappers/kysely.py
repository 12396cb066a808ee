"""Calls of Kysely: https://kysely.dev/docs/category/examples."""

from __future__ import annotations

import re
from typing import Final

from .rules import Mapper, Result, Role, methods

_QUERY: Final = {
    **methods("", (Role.TABLE,), "from"),
    **methods("", (Role.JOIN, Role.FIELDS),
              "innerJoin leftJoin rightJoin fullJoin crossJoin innerJoinLateral leftJoinLateral using"),
    **methods("", (Role.FIELDS,), "select distinctOn groupBy orderBy returning"),
    **methods("", (Role.WHERE,), "where having"),
    **methods("", (Role.FIELDS, Role.NONE, Role.FIELDS), "whereRef havingRef"),
    **methods("", (Role.VALUES,), "values set columns"),
    **methods("", (), "selectAll returningAll limit offset distinct forUpdate skipLocked onConflict execute executeTakeFirst "
              "executeTakeFirstOrThrow stream as clearSelect $if $call $castTo $narrowType modifyEnd expression top fetch "
              "ignore"),
}  # fmt: skip

KYSELY: Final = Mapper(
    "kysely",
    re.compile(r"npm:(?:kysely|nestjs-kysely)(?:[/-].*)?"),
    of_query={name: each._replace(result=Result.QUERY) for name, each in _QUERY.items()},
    of_manager={
        **methods("select", (Role.TABLE,), "selectFrom", Result.QUERY),
        **methods("insert", (Role.TABLE,), "insertInto replaceInto", Result.QUERY),
        **methods("update", (Role.TABLE,), "updateTable", Result.QUERY),
        **methods("delete", (Role.TABLE,), "deleteFrom", Result.QUERY),
        **methods("merge", (Role.TABLE,), "mergeInto", Result.QUERY),
        **methods("", (), "with withRecursive withSchema withPlugin withTables withoutPlugins transaction setIsolationLevel "
                  "connection", Result.MANAGER),
    },
    names_tables=True,
)  # fmt: skip
