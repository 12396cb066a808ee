"""Calls of models of Waterline: https://sailsjs.com/documentation/reference/waterline-orm/models."""

from __future__ import annotations

import re
from typing import Final

from .rules import Mapper, Method, Result, Role, methods

_WHERE: Final = (Role.WHERE,)
_QUERY: Final = {
    **methods("", _WHERE, "where"),
    **methods("", (Role.VALUES,), "set"),
    **methods("", (Role.FIELDS,), "select sort"),
    **methods("", (Role.RELATIONS, Role.NONE), "populate"),
    **methods("", (), "limit skip paginate omit fetch meta usingConnection intercept tolerate decrypt exec eachRecord eachBatch"),
}

WATERLINE: Final = Mapper(
    "waterline",
    re.compile(r"npm:(?:waterline|sails)(?:[/-].*)?"),
    of_model={
        **methods("select", _WHERE, "find findOne count stream", Result.QUERY),
        **methods("select", (Role.FIELDS, Role.WHERE), "sum avg", Result.QUERY),
        **methods("insert", (Role.VALUES,), "create createEach", Result.QUERY),
        "findOrCreate": Method("insert", (Role.WHERE, Role.VALUES), Result.QUERY, reads_first=True),
        **methods("update", (Role.WHERE, Role.VALUES), "update updateOne", Result.QUERY),
        **methods("delete", _WHERE, "destroy destroyOne archive archiveOne", Result.QUERY),
    },
    of_query={name: each._replace(result=Result.QUERY) for name, each in _QUERY.items()},
    has_global_models=True,
)
