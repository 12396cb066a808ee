"""Calls of entity managers and repositories of MikroORM: https://mikro-orm.io/docs/entity-manager."""

from __future__ import annotations

import re
from typing import Final

from .rules import Mapper, Method, Result, Role, methods

_REPOSITORY: Final = {
    **methods("select", (Role.WHERE, Role.OPTIONS), "find findOne findOneOrFail findAndCount findByCursor", Result.ROW),
    **methods("select", (Role.OPTIONS,), "findAll", Result.ROW),
    **methods("select", (Role.WHERE, Role.OPTIONS), "count"),
    **methods("insert", (Role.VALUES,), "insert insertMany create", Result.ROW),
    **methods("merge", (Role.VALUES,), "upsert upsertMany", Result.ROW),
    **methods("update", (Role.WHERE, Role.VALUES), "nativeUpdate"),
    **methods("delete", (Role.WHERE,), "nativeDelete"),
    **methods("", (), "map merge getReference", Result.ROW),
    "createQueryBuilder": Method("", (Role.ALIAS,), Result.QUERY),
    "qb": Method("", (Role.ALIAS,), Result.QUERY),
}
#: Methods of an entity manager that take rows.
_OF_ROWS: Final = {
    **methods("merge", (Role.TABLE,), "persist persistAndFlush", Result.ROW),
    **methods("delete", (Role.TABLE,), "remove removeAndFlush", Result.ROW),
    **methods("select", (Role.TABLE, Role.RELATIONS), "populate refresh", Result.ROW),
    **methods("update", (Role.TABLE, Role.VALUES), "assign", Result.ROW),
    **methods("", (Role.TABLE,), "wrap", Result.ROW),
}
_BUILDER: Final = {
    **methods("select", (Role.FIELDS,), "select addSelect", Result.QUERY),
    **methods("", (Role.JOIN_RELATION, Role.ALIAS), "leftJoin innerJoin join leftJoinAndSelect innerJoinAndSelect", Result.QUERY),
    **methods("", (Role.WHERE,), "where andWhere orWhere orderBy groupBy having", Result.QUERY),
    **methods("insert", (Role.VALUES,), "insert", Result.QUERY),
    **methods("update", (Role.VALUES,), "update", Result.QUERY),
    **methods("delete", (Role.WHERE,), "delete", Result.QUERY),
    **methods("select", (), "count getResult getResultList getSingleResult getCount getResultAndCount", Result.ROW),
    **methods("", (), "limit offset execute", Result.QUERY),
}

MIKRO_ORM: Final = Mapper(
    "mikro-orm",
    re.compile(r"npm:@mikro-orm/.*"),
    schemas=frozenset(("defineEntity",)),
    of_model={**_REPOSITORY, **_OF_ROWS},
    of_row={
        **dict.fromkeys(("add", "remove", "removeAll", "set"), Method("update", of_links=True)),
        **methods("select", (), "init load loadItems loadCount loadOrFail loadProperty matching", Result.ROW),
        **methods("update", (Role.VALUES,), "assign", Result.ROW),
    },
    of_query=_BUILDER,
    of_manager={
        **{name: Method(each.statement, (Role.TABLE, *each.arguments), each.result) for name, each in _REPOSITORY.items()},
        **_OF_ROWS,
        **methods("", (Role.TABLE,), "getRepository", Result.MODEL),
        **methods("", (), "fork getConnection", Result.MANAGER),
    },
    tracks_rows=True,
    options={
        "populate": Role.RELATIONS, "fields": Role.FIELDS, "orderBy": Role.WHERE, "where": Role.WHERE,
        "populateWhere": Role.WHERE,
    },
)  # fmt: skip
