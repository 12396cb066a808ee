"""Calls of Knex and of Objection, whose queries are those of Knex: https://knexjs.org/guide/query-builder.html."""

from __future__ import annotations

import re
from typing import Final

from .rules import Gives, Mapper, Role, methods

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
_QUERY: Final = {name: each._replace(gives=Gives.QUERY) for name, each in _METHODS.items()}

KNEX: Final = Mapper(
    "knex",
    re.compile(r"npm:(?:knex|@types/knex|nestjs-knex|nest-knexjs)(?:/.*)?"),
    of_query=_QUERY,
    of_manager={
        **{name: each for name, each in _QUERY.items() if name not in ("count", "first", "min", "max", "sum", "avg")},
        **methods("insert", (Role.TABLE, Role.VALUES), "batchInsert", Gives.QUERY),
        **methods("", (), "transaction withSchema queryBuilder", Gives.MANAGER),
    },
    is_callable=True,
    names_tables=True,
)

#: Methods that Objection has in addition to those of Knex. Some have the names of relations as arguments, such as
#: `relatedQuery`.
_OBJECTION: Final = {
    **_QUERY,
    **methods("update", (Role.VALUES,), "patch", Gives.QUERY),
    **methods("insert", (Role.VALUES,), "insertAndFetch insertGraph insertGraphAndFetch", Gives.ROW),
    **methods("merge", (Role.VALUES,), "upsertGraph upsertGraphAndFetch", Gives.ROW),
    **methods("update", (Role.NONE, Role.VALUES), "patchAndFetchById updateAndFetchById", Gives.ROW),
    **methods("update", (Role.VALUES,), "patchAndFetch updateAndFetch", Gives.ROW),
    **methods("delete", (), "deleteById"),
    **methods("select", (), "findById findByIds resultSize", Gives.QUERY),
    **methods("select", (Role.WHERE,), "findOne", Gives.QUERY),
    **methods("", (Role.RELATIONS,), "withGraphFetched withGraphJoined joinRelated innerJoinRelated leftJoinRelated eager "
                                     "joinEager",
              Gives.QUERY),
    **methods("", (Role.NONE,), "throwIfNotFound modify runBefore runAfter page range limit offset", Gives.QUERY),
}  # fmt: skip

OBJECTION: Final = Mapper(
    "objection",
    re.compile(r"npm:objection(?:/.*)?"),
    of_model={
        **methods("select", (), "query", Gives.QUERY),
        **methods("select", (Role.LINK,), "relatedQuery", Gives.QUERY),
        **methods("", (), "bindKnex bindTransaction", Gives.MODEL),
    },
    of_row={
        **methods("select", (), "$query $fetchGraph", Gives.QUERY),
        **methods("select", (Role.LINK,), "$relatedQuery", Gives.QUERY),
    },
    of_query=_OBJECTION,
)
