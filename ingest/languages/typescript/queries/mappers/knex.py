"""Calls of Knex, and of Objection, which has the queries of Knex: https://knexjs.org/guide/query-builder.html."""

from __future__ import annotations

import re
from typing import Final

from .rules import Mapper, Method, Result, Role, methods

_JOINS: Final = "join innerJoin leftJoin leftOuterJoin rightJoin rightOuterJoin fullOuterJoin crossJoin"
_FILTERS: Final = (
    "where andWhere orWhere whereNot andWhereNot orWhereNot whereIn orWhereIn whereNotIn orWhereNotIn whereNull orWhereNull "
    "whereNotNull orWhereNotNull whereBetween whereNotBetween whereLike whereILike andWhereLike orWhereLike orWhereILike "
    "whereJsonPath having orHaving havingIn"
)  # fmt: skip
_METHODS: Final = {
    **methods("", (Role.TABLE,), "from into table"),
    **methods("", (Role.JOIN, Role.FIELDS), _JOINS),
    **methods("", (Role.WHERE,), _FILTERS),
    **methods("select", (Role.FIELDS,), "select column columns distinct first pluck count min max sum avg countDistinct"),
    **methods("", (Role.FIELDS,), "orderBy groupBy returning distinctOn on andOn orOn"),
    **methods("insert", (Role.VALUES,), "insert"),
    **methods("merge", (Role.VALUES,), "upsert"),
    **methods("", (Role.VALUES,), "merge"),
    **methods("", (Role.FIELDS,), "onConflict"),
    **methods("update", (Role.VALUES,), "update"),
    **methods("update", (Role.WRITTEN,), "increment decrement"),
    **methods("delete", (), "del delete truncate"),
}  # fmt: skip
_QUERY: Final = {name: each._replace(result=Result.QUERY) for name, each in _METHODS.items()}

KNEX: Final = Mapper(
    "knex",
    re.compile(r"npm:(?:knex|@types/knex|nestjs-knex|nest-knexjs)(?:/.*)?"),
    of_query=_QUERY,
    of_manager={
        **{name: each for name, each in _QUERY.items() if name not in ("count", "first", "min", "max", "sum", "avg")},
        **methods("insert", (Role.TABLE, Role.VALUES), "batchInsert", Result.QUERY),
        **methods("", (), "transaction withSchema queryBuilder", Result.MANAGER),
    },
    is_callable=True,
    names_tables=True,
)


def _with_read(statement: str, arguments: tuple[str, ...], names: str) -> dict[str, Method]:
    """Return methods that change rows and then read them."""
    return dict.fromkeys(names.split(), Method(statement, arguments, Result.ROW, reads_first=True))


#: Methods that only Objection has. Some take names of relations, such as `relatedQuery`.
_OBJECTION: Final = {
    **_QUERY,
    **methods("update", (Role.VALUES,), "patch", Result.QUERY),
    **methods("insert", (Role.VALUES,), "insertGraph", Result.ROW),
    **_with_read("insert", (Role.VALUES,), "insertAndFetch insertGraphAndFetch"),
    **_with_read("merge", (Role.VALUES,), "upsertGraph upsertGraphAndFetch"),
    **_with_read("update", (Role.NONE, Role.VALUES), "patchAndFetchById updateAndFetchById"),
    **_with_read("update", (Role.VALUES,), "patchAndFetch updateAndFetch"),
    **methods("delete", (), "deleteById"),
    **methods("select", (), "findById findByIds resultSize", Result.QUERY),
    **methods("select", (Role.WHERE,), "findOne", Result.QUERY),
    **methods("", (Role.GRAPH,), "withGraphFetched withGraphJoined joinRelated innerJoinRelated leftJoinRelated "
                                 "leftOuterJoinRelated eager joinEager mergeEager",
              Result.QUERY),
    **methods("", (Role.ALLOWED_GRAPH,), "allowGraph", Result.QUERY),
    **dict.fromkeys(("relate", "unrelate"), Method("update", (), Result.QUERY, of_links=True)),
    **methods("", (Role.NONE,), "throwIfNotFound modify runBefore runAfter page range limit offset", Result.QUERY),
}  # fmt: skip

OBJECTION: Final = Mapper(
    "objection",
    re.compile(r"npm:objection(?:/.*)?"),
    of_model={
        **methods("select", (), "query", Result.QUERY),
        **methods("select", (Role.LINK,), "relatedQuery", Result.QUERY),
        **methods("", (), "bindKnex bindTransaction", Result.MODEL),
    },
    of_row={
        **methods("select", (), "$query", Result.QUERY),
        **methods("select", (Role.GRAPH,), "$fetchGraph", Result.QUERY),
        **methods("select", (Role.LINK,), "$relatedQuery", Result.QUERY),
    },
    of_query=_OBJECTION,
    joins_tables=True,
    guesses_tables=True,
)
