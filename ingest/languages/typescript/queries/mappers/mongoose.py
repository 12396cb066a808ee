"""Calls of models and documents of Mongoose: https://mongoosejs.com/docs/queries.html."""

from __future__ import annotations

import re
from typing import Final

from .rules import Mapper, Method, Result, Role, methods

_FIND: Final = (Role.WHERE, Role.FIELDS, Role.OPTIONS)
_CHANGE: Final = (Role.WHERE, Role.VALUES, Role.OPTIONS)
_OF_QUERY: Final = {
    **methods("", (Role.RELATIONS,), "populate"),
    **methods("", (Role.FIELDS,), "select sort distinct"),
    **methods("", (Role.WHERE,), "where and or nor find findOne"),
    **methods("", (), "limit skip lean exec orFail session collation hint batchSize cursor equals gt gte lt lte ne in nin "
                      "exists all "
              "regex setOptions transform maxTimeMS read allowDiskUse"),
    **methods("update", _CHANGE, "updateOne updateMany"),
    **methods("delete", (Role.WHERE,), "deleteOne deleteMany"),
}  # fmt: skip

MONGOOSE: Final = Mapper(
    "mongoose",
    re.compile(r"npm:(?:mongoose|@nestjs/mongoose|@typegoose/typegoose|mongoose-[\w-]+)(?:/.*)?"),
    of_model={
        **methods("select", _FIND, "find findOne", Result.QUERY),
        **methods("select", (Role.NONE, Role.FIELDS, Role.OPTIONS), "findById", Result.QUERY),
        **methods("select", (Role.WHERE,), "countDocuments count exists where", Result.QUERY),
        **methods("select", (), "estimatedDocumentCount watch", Result.QUERY),
        **methods("select", (Role.FIELDS, Role.WHERE), "distinct", Result.QUERY),
        **methods("select", (Role.STAGES,), "aggregate", Result.QUERY),
        **methods("select", (Role.WHERE,), "paginate", Result.ROW),
        **methods("insert", (Role.VALUES,), "create insertMany insertOne", Result.ROW),
        **methods("update", _CHANGE, "updateOne updateMany replaceOne update"),
        **methods("delete", (Role.WHERE,), "deleteOne deleteMany remove"),
        **dict.fromkeys(("findOneAndUpdate", "findOneAndReplace"), Method("update", _CHANGE, Result.QUERY, reads_first=True)),
        "findByIdAndUpdate": Method("update", (Role.NONE, Role.VALUES, Role.OPTIONS), Result.QUERY, reads_first=True),
        **dict.fromkeys(
            ("findOneAndDelete", "findOneAndRemove"), Method("delete", (Role.WHERE,), Result.QUERY, reads_first=True)
        ),
        **dict.fromkeys(
            ("findByIdAndDelete", "findByIdAndRemove"), Method("delete", (Role.NONE,), Result.QUERY, reads_first=True)
        ),
        **methods("merge", (), "bulkWrite bulkSave"),
        **methods("", (), "hydrate", Result.ROW),
    },
    of_row={
        **methods("merge", (), "save", Result.ROW),
        **methods("delete", (), "deleteOne remove delete"),
        **methods("update", (Role.VALUES,), "updateOne replaceOne", Result.QUERY),
        **methods("select", (Role.RELATIONS,), "populate", Result.ROW),
        **methods("", (), "set toObject toJSON", Result.ROW),
    },
    of_query={name: each._replace(result=Result.QUERY) for name, each in _OF_QUERY.items()},
    of_manager=methods(
        "", (Role.TABLE,), "model getModelForClass addModelToTypegoose getDiscriminatorModelForClass", Result.MODEL
    ),
    options={"populate": Role.RELATIONS, "sort": Role.FIELDS, "select": Role.FIELDS, "projection": Role.FIELDS},
    makers=frozenset(("model",)),
    own_names=frozenset(("findByIdAndUpdate", "findByIdAndDelete", "findOneAndUpdate", "countDocuments", "insertMany")),
)
