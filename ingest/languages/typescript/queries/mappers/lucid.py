"""Calls of models of Lucid, and of the queries of its database: https://lucid.adonisjs.com/docs/crud-operations."""

from __future__ import annotations

import re
from typing import Final

from .knex import KNEX
from .rules import Mapper, Method, Result, Role, methods


def _with_read(statement: str, arguments: tuple[str, ...], names: str) -> dict[str, Method]:
    """Return methods that look for rows before they change or add them."""
    return dict.fromkeys(names.split(), Method(statement, arguments, Result.ROW, reads_first=True))


_FILTERS: Final = (
    "where andWhere orWhere whereNot orWhereNot whereIn orWhereIn whereNotIn orWhereNotIn whereNull orWhereNull whereNotNull "
    "orWhereNotNull whereBetween whereNotBetween whereLike whereILike orWhereLike orWhereILike whereColumn having"
)
_RELATIONS: Final = (
    "preload preloadOnce withCount withAggregate has orHas doesntHave orDoesntHave whereHas orWhereHas whereDoesntHave "
    "orWhereDoesntHave"
)
_QUERY: Final = {
    **KNEX.of_query,
    **methods("", (Role.WHERE,), _FILTERS, Result.QUERY),
    **methods("select", (Role.RELATIONS, Role.NONE), _RELATIONS, Result.QUERY),
    **methods("select", (), "firstOrFail paginate exec getCount", Result.QUERY),
    **methods("", (Role.NONE,), "if unless match apply withScopes forPage limit offset useTransaction", Result.QUERY),
}  # fmt: skip
#: Methods of a model, and of the rows of a relation.
_MODEL: Final = {
    **methods("select", (), "query", Result.QUERY),
    **methods("select", (), "all find findOrFail findMany first firstOrFail", Result.ROW),
    **methods("select", (Role.WHERE,), "findBy findByOrFail findManyBy firstOrNew", Result.ROW),
    **methods("insert", (Role.VALUES,), "create createMany createQuietly createManyQuietly", Result.ROW),
    **_with_read("insert", (Role.VALUES, Role.VALUES), "firstOrCreate"),
    **_with_read("insert", (Role.NONE, Role.VALUES), "fetchOrCreateMany"),
    **_with_read("merge", (Role.VALUES, Role.VALUES), "updateOrCreate"),
    **_with_read("merge", (Role.NONE, Role.VALUES), "updateOrCreateMany"),
    **methods("select", (), "fetchOrNewUpMany", Result.ROW),
    **methods("delete", (), "truncate"),
}  # fmt: skip

LUCID: Final = Mapper(
    "lucid",
    # The function `compose` of the helpers returns the base class of a model.
    re.compile(r"npm:(?:@adonisjs/(?:lucid(?:/(?:orm|types/.*|factories|mixins/.*))?|core/helpers)|@ioc:Adonis/(?:Lucid/Orm|Core/Helpers))"),
    of_model={
        **_MODEL,
        # Methods of the rows of a relation, `user.related("posts")`.
        **methods("merge", (), "save saveMany", Result.ROW),
        **dict.fromkeys(("attach", "detach", "sync", "associate", "dissociate"), Method("update", of_links=True)),
    },
    of_row={
        **methods("merge", (), "save saveQuietly", Result.ROW),
        **methods("delete", (), "delete deleteQuietly"),
        **methods("select", (), "refresh", Result.ROW),
        **methods("select", (Role.RELATIONS, Role.NONE), "load loadOnce loadCount loadAggregate", Result.ROW),
        **methods("", (), "fill merge useTransaction useConnection enableForceUpdate", Result.ROW),
        **methods("", (Role.LINK,), "related", Result.MODEL),
    },
    of_query=_QUERY,
    joins_tables=True,
)  # fmt: skip

LUCID_DATABASE: Final = Mapper(
    "lucid-database",
    re.compile(r"npm:(?:@adonisjs/lucid/(?:services/db|database|types/database)|@ioc:Adonis/Lucid/Database)"),
    of_query=_QUERY,
    of_manager={
        **methods("select", (Role.TABLE,), "from", Result.QUERY),
        **methods("", (Role.TABLE,), "table", Result.QUERY),
        **methods("", (), "query insertQuery knexQuery connection transaction", Result.MANAGER),
    },
    names_tables=True,
)
