"""Calls of entity managers and repositories of MikroORM: https://mikro-orm.io/docs/entity-manager."""

from __future__ import annotations

import re
from typing import Final

from .rules import Gives, Mapper, Method, Role, methods

_REPOSITORY: Final = {
    **methods("select", (Role.WHERE, Role.OPTIONS), "find findOne findOneOrFail findAndCount findByCursor", Gives.ROW),
    **methods("select", (Role.OPTIONS,), "findAll", Gives.ROW),
    **methods("select", (Role.WHERE, Role.OPTIONS), "count"),
    **methods("insert", (Role.VALUES,), "insert insertMany create", Gives.ROW),
    **methods("merge", (Role.VALUES,), "upsert upsertMany", Gives.ROW),
    **methods("update", (Role.WHERE, Role.VALUES), "nativeUpdate"),
    **methods("delete", (Role.WHERE,), "nativeDelete"),
    **methods("", (), "map merge getReference", Gives.ROW),
    "createQueryBuilder": Method("", (Role.ALIAS,), Gives.QUERY),
    "qb": Method("", (Role.ALIAS,), Gives.QUERY),
}
#: Methods of an entity manager that take rows.
_OF_ROWS: Final = {
    **methods("merge", (Role.TABLE,), "persist persistAndFlush", Gives.ROW),
    **methods("delete", (Role.TABLE,), "remove removeAndFlush", Gives.ROW),
    **methods("select", (Role.TABLE, Role.RELATIONS), "populate refresh", Gives.ROW),
}
_BUILDER: Final = {
    **methods("select", (Role.FIELDS,), "select addSelect", Gives.QUERY),
    **methods("", (Role.JOIN_RELATION, Role.ALIAS), "leftJoin innerJoin join leftJoinAndSelect innerJoinAndSelect", Gives.QUERY),
    **methods("", (Role.WHERE,), "where andWhere orWhere orderBy groupBy having", Gives.QUERY),
    **methods("insert", (Role.VALUES,), "insert", Gives.QUERY),
    **methods("update", (Role.VALUES,), "update", Gives.QUERY),
    **methods("delete", (Role.WHERE,), "delete", Gives.QUERY),
    **methods("select", (), "count getResult getResultList getSingleResult getCount getResultAndCount", Gives.ROW),
    **methods("", (), "limit offset execute", Gives.QUERY),
}

MIKRO_ORM: Final = Mapper(
    "mikro-orm",
    re.compile(r"npm:@mikro-orm/.*"),
    of_model={**_REPOSITORY, **_OF_ROWS},
    of_row={
        **dict.fromkeys(("add", "remove", "removeAll", "set"), Method("update", of_links=True)),
        **methods("select", (), "init load loadItems loadCount matching", Gives.ROW),
    },
    of_query=_BUILDER,
    of_manager={
        **{name: Method(each.statement, (Role.TABLE, *each.arguments), each.gives) for name, each in _REPOSITORY.items()},
        **_OF_ROWS,
        **methods("", (Role.TABLE,), "getRepository", Gives.MODEL),
        **methods("", (), "fork getConnection", Gives.MANAGER),
    },
    options={
        "populate": Role.RELATIONS, "fields": Role.FIELDS, "orderBy": Role.WHERE, "where": Role.WHERE,
        "populateWhere": Role.WHERE,
    },
)  # fmt: skip
