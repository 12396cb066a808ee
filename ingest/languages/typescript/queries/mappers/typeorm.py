"""Calls of repositories, entity managers and query builders of TypeORM: https://typeorm.io/repository-api."""

from __future__ import annotations

import re
from typing import Final

from .rules import Mapper, Method, Result, Role, methods

_WHERE: Final = (Role.WHERE,)


def _whole(arguments: tuple[str, ...], names: str) -> dict[str, Method]:
    """Return methods that read rows with the relations that an entity loads with each row."""
    return dict.fromkeys(names.split(), Method("select", arguments, Result.ROW, is_whole=True))


_REPOSITORY: Final = {
    **_whole((Role.OPTIONS,), "find findOne findAndCount findOneOrFail"),
    **methods("select", (Role.OPTIONS,), "count exists exist"),
    **_whole(_WHERE, "findBy findOneBy findAndCountBy findOneByOrFail"),
    **methods("select", _WHERE, "countBy existsBy"),
    **_whole((Role.NONE,), "findByIds findOneById"),
    **methods("select", (Role.FIELDS, Role.WHERE), "sum average minimum maximum"),
    **methods("select", (), "findTrees findRoots findDescendants findDescendantsTree findAncestors countDescendants", Result.ROW),
    "save": Method("merge", (Role.SAVED,), Result.ROW, is_whole=True, compares=True),
    **methods("insert", (Role.VALUES,), "insert"),
    **methods("merge", (Role.VALUES, Role.FIELDS), "upsert"),
    **methods("update", (Role.WHERE, Role.VALUES), "update"),
    **methods("update", (Role.VALUES,), "updateAll"),
    **methods("update", (Role.WHERE, Role.WRITTEN), "increment decrement"),
    **methods("update", _WHERE, "softDelete restore"),
    **methods("update", (Role.NONE,), "softRemove recover", Result.ROW),
    **methods("delete", _WHERE, "delete"),
    "remove": Method("delete", (Role.NONE,), Result.ROW, reads_first=True),
    **methods("delete", (), "clear deleteAll"),
    **methods("", (), "create merge preload", Result.ROW),
}  # fmt: skip
_BUILDER: Final = {
    **methods("", (Role.ALIAS,), "createQueryBuilder", Result.QUERY),
    **methods("select", (Role.FIELDS,), "select addSelect distinctOn", Result.QUERY),
    **methods("", (Role.TABLE, Role.ALIAS), "from into", Result.QUERY),
    **methods("", (Role.JOIN, Role.ALIAS, Role.SQL), "addFrom", Result.QUERY),
    **methods("", (Role.JOIN_RELATION, Role.ALIAS, Role.SQL),
              "leftJoin innerJoin leftJoinAndSelect innerJoinAndSelect", Result.QUERY),
    **methods("", (Role.NONE, Role.JOIN_RELATION, Role.ALIAS, Role.SQL),
              "leftJoinAndMapOne leftJoinAndMapMany innerJoinAndMapOne innerJoinAndMapMany", Result.QUERY),
    **methods("", (Role.SQL,), "where andWhere orWhere having andHaving orHaving orderBy addOrderBy groupBy addGroupBy",
              Result.QUERY),
    **methods("", (), "take skip limit offset setParameter setParameters setLock withDeleted cache setFindOptions returning "
                      "onConflict "
              "orIgnore orUpdate of clone useTransaction printSql whereInIds andWhereInIds", Result.QUERY),
    **methods("insert", (Role.TABLE, Role.WRITTEN), "insert into", Result.QUERY),
    **methods("update", (Role.TABLE, Role.VALUES), "update", Result.QUERY),
    **methods("update", (Role.VALUES,), "set", Result.QUERY),
    **methods("insert", (Role.VALUES,), "values", Result.QUERY),
    **methods("delete", (), "delete", Result.QUERY),
    **methods("update", (), "softDelete restore", Result.QUERY),
    **methods("select", (), "getOne getMany getOneOrFail getManyAndCount getRawMany getRawOne getRawAndEntities getCount "
                            "getExists "
              "stream", Result.ROW),
    **methods("", (), "execute"),
    **methods("", (Role.TABLE, Role.LINK), "relation", Result.QUERY),
    **dict.fromkeys(("add", "addAndRemove", "remove"), Method("update", of_links=True)),
    **methods("select", (), "loadOne loadMany", Result.ROW),
    **methods("", (Role.NONE, Role.JOIN_RELATION, Role.ALIAS), "loadRelationCountAndMap loadRelationIdAndMap", Result.QUERY),
    **methods("", (), "subQuery", Result.MANAGER),
}  # fmt: skip

TYPEORM: Final = Mapper(
    "typeorm",
    re.compile(r"npm:(?:typeorm|@nestjs/typeorm|nestjs-typeorm-paginate)(?:/.*)?"),
    schemas=frozenset(("EntitySchema",)),
    of_model={
        **_REPOSITORY,
        "createQueryBuilder": _BUILDER["createQueryBuilder"],
        **methods("", (), "extend withRepository getRepository", Result.MODEL),
    },
    of_row={
        "save": Method("merge", (), Result.ROW, is_whole=True, compares=True),
        **methods("delete", (), "remove", Result.ROW),
        **methods("update", (), "softRemove recover", Result.ROW),
        **methods("select", (), "reload"),
    },
    of_manager={
        **{name: each._replace(arguments=(Role.TABLE, *each.arguments)) for name, each in _REPOSITORY.items()},
        **methods("", (Role.TABLE,), "getRepository getTreeRepository getMongoRepository withRepository", Result.MODEL),
        "createQueryBuilder": Method("", (Role.TABLE, Role.ALIAS), Result.QUERY),
        # The methods of a subquery.
        "subQuery": Method("", (), Result.MANAGER),
        **{name: _BUILDER[name] for name in ("select", "from")},
    },
    of_query=_BUILDER,
    awaits_queries=False,
    options={
        "where": Role.WHERE, "select": Role.FIELDS, "relations": Role.RELATIONS, "order": Role.WHERE,
    },
)  # fmt: skip
