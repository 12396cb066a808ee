"""Calls of models of Sequelize: https://sequelize.org/docs/v6/core-concepts/model-querying-basics/."""

from __future__ import annotations

import re
from typing import Final

from .rules import Mapper, Method, Result, Role, methods

_OPTIONS: Final = (Role.OPTIONS,)

SEQUELIZE: Final = Mapper(
    "sequelize",
    re.compile(r"npm:(?:@sequelize/core|sequelize|sequelize-typescript)(?:/.*)?"),
    of_model={
        **methods("select", _OPTIONS, "find findAll findOne findAndCountAll findAllWithPagination", Result.ROW),
        **methods("select", (Role.NONE, Role.OPTIONS), "findByPk findById", Result.ROW),
        **methods("select", _OPTIONS, "count"),
        **methods("select", (Role.FIELDS, Role.OPTIONS), "max min sum"),
        **methods("select", (Role.FIELDS, Role.NONE, Role.OPTIONS), "aggregate"),
        **dict.fromkeys(
            ("create", "bulkCreate"), Method("insert", (Role.VALUES, Role.OPTIONS), Result.ROW, writes_joined=True)
        ),
        **methods("merge", (Role.VALUES, Role.OPTIONS), "upsert", Result.ROW),
        **methods("update", (Role.VALUES, Role.OPTIONS), "update"),
        **methods("update", (Role.WRITTEN, Role.OPTIONS), "increment decrement"),
        **methods("update", _OPTIONS, "restore"),
        **methods("delete", _OPTIONS, "destroy truncate"),
        **dict.fromkeys(("findOrCreate", "findCreateFind"), Method("insert", _OPTIONS, Result.ROW, reads_first=True)),
        **methods("", _OPTIONS, "build findOrBuild bulkBuild", Result.ROW),
        **methods("", (), "scope unscoped schema withScope withoutScope", Result.MODEL),
    },
    of_row={
        **methods("merge", (), "save", Result.ROW),
        **methods("update", (Role.VALUES,), "update", Result.ROW),
        **methods("update", (Role.WRITTEN,), "increment decrement", Result.ROW),
        **methods("update", (), "restore"),
        **methods("delete", (), "destroy"),
        **methods("select", _OPTIONS, "reload", Result.ROW),
        **methods("", (), "set setAttributes", Result.ROW),
        **methods("select", (Role.LINK, Role.OPTIONS), "$get", Result.ROW),
        **methods("select", (Role.LINK, Role.OPTIONS), "$count $has"),
        **dict.fromkeys(("$set", "$add", "$remove"), Method("update", (Role.LINK,), of_links=True)),
        **methods("insert", (Role.LINK, Role.VALUES), "$create"),
    },
    of_association={
        "get": Method("select", _OPTIONS, Result.ROW),
        "count": Method("select", _OPTIONS),
        "has": Method("select"),
        "set": Method("update", of_links=True, reads_first=True),
        **dict.fromkeys(("add", "remove"), Method("update", of_links=True)),
        "create": Method("insert", (Role.VALUES,), Result.ROW),
    },
    of_manager=methods("", (Role.TABLE,), "model", Result.MODEL),
    options={
        "where": Role.WHERE, "attributes": Role.FIELDS, "order": Role.FIELDS, "group": Role.FIELDS, "include": Role.INCLUDE,
        "defaults": Role.VALUES, "fields": Role.NONE, "updateOnDuplicate": Role.WRITTEN,
    },
    makers=frozenset(("define",)),
    own_names=frozenset(("findByPk", "findAndCountAll", "findOrCreate", "bulkCreate", "findCreateFind")),
)  # fmt: skip
