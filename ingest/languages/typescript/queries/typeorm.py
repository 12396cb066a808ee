"""Calls of repositories, entity managers and query builders of TypeORM: https://typeorm.io/repository-api."""

from __future__ import annotations

import re
from typing import Final

from .rules import Gives, Mapper, Method, Role, methods

_WHERE: Final = (Role.WHERE,)

_REPOSITORY: Final = {
    **methods("select", (Role.OPTIONS,), "find findOne findAndCount findOneOrFail count exists exist", Gives.ROW),
    **methods("select", _WHERE, "findBy findOneBy findAndCountBy findOneByOrFail countBy existsBy", Gives.ROW),
    **methods("select", (Role.NONE,), "findByIds findOneById", Gives.ROW),
    **methods("select", (Role.FIELDS, Role.WHERE), "sum average minimum maximum"),
    **methods("select", (), "findTrees findRoots findDescendants findDescendantsTree findAncestors countDescendants", Gives.ROW),
    **methods("merge", (Role.VALUES,), "save", Gives.ROW),
    **methods("insert", (Role.VALUES,), "insert"),
    **methods("merge", (Role.VALUES, Role.FIELDS), "upsert"),
    **methods("update", (Role.WHERE, Role.VALUES), "update"),
    **methods("update", (Role.VALUES,), "updateAll"),
    **methods("update", (Role.WHERE, Role.WRITTEN), "increment decrement"),
    **methods("update", _WHERE, "softDelete restore"),
    **methods("update", (Role.NONE,), "softRemove recover", Gives.ROW),
    **methods("delete", _WHERE, "delete"),
    **methods("delete", (Role.NONE,), "remove clear deleteAll", Gives.ROW),
    **methods("", (), "create merge preload", Gives.ROW),
}  # fmt: skip
_BUILDER: Final = {
    **methods("", (Role.ALIAS,), "createQueryBuilder", Gives.QUERY),
    **methods("select", (Role.FIELDS,), "select addSelect distinctOn", Gives.QUERY),
    **methods("", (Role.TABLE, Role.ALIAS), "from into", Gives.QUERY),
    **methods("", (Role.JOIN, Role.ALIAS, Role.SQL), "addFrom", Gives.QUERY),
    **methods("", (Role.JOIN_RELATION, Role.ALIAS, Role.SQL),
              "leftJoin innerJoin leftJoinAndSelect innerJoinAndSelect", Gives.QUERY),
    **methods("", (Role.NONE, Role.JOIN_RELATION, Role.ALIAS, Role.SQL),
              "leftJoinAndMapOne leftJoinAndMapMany innerJoinAndMapOne innerJoinAndMapMany", Gives.QUERY),
    **methods("", (Role.SQL,), "where andWhere orWhere having andHaving orHaving orderBy addOrderBy groupBy addGroupBy",
              Gives.QUERY),
    **methods("", (), "take skip limit offset setParameter setParameters setLock withDeleted cache setFindOptions returning "
                      "onConflict "
              "orIgnore orUpdate of clone useTransaction printSql whereInIds andWhereInIds", Gives.QUERY),
    **methods("insert", (Role.TABLE, Role.WRITTEN), "insert into", Gives.QUERY),
    **methods("update", (Role.TABLE, Role.VALUES), "update", Gives.QUERY),
    **methods("update", (Role.VALUES,), "set", Gives.QUERY),
    **methods("insert", (Role.VALUES,), "values", Gives.QUERY),
    **methods("delete", (), "delete", Gives.QUERY),
    **methods("update", (), "softDelete restore", Gives.QUERY),
    **methods("select", (), "getOne getMany getOneOrFail getManyAndCount getRawMany getRawOne getRawAndEntities getCount "
                            "getExists "
              "stream", Gives.ROW),
    **methods("", (), "execute"),
    **methods("", (Role.TABLE, Role.LINK), "relation", Gives.QUERY),
}  # fmt: skip

TYPEORM: Final = Mapper(
    "typeorm",
    re.compile(r"npm:(?:typeorm|@nestjs/typeorm|nestjs-typeorm-paginate)(?:/.*)?"),
    of_model={
        **_REPOSITORY,
        "createQueryBuilder": _BUILDER["createQueryBuilder"],
        **methods("", (), "extend withRepository getRepository", Gives.MODEL),
    },
    of_row={
        **methods("merge", (), "save", Gives.ROW),
        **methods("delete", (), "remove", Gives.ROW),
        **methods("update", (), "softRemove recover", Gives.ROW),
        **methods("select", (), "reload"),
    },
    of_manager={
        **{name: Method(each.statement, (Role.TABLE, *each.arguments), each.gives) for name, each in _REPOSITORY.items()},
        **methods("", (Role.TABLE,), "getRepository getTreeRepository getMongoRepository withRepository", Gives.MODEL),
        "createQueryBuilder": Method("", (Role.TABLE, Role.ALIAS), Gives.QUERY),
    },
    of_query=_BUILDER,
    options={
        "where": Role.WHERE, "select": Role.FIELDS, "relations": Role.RELATIONS, "order": Role.WHERE,
    },
)  # fmt: skip
