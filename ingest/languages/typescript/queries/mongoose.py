"""Calls of models and documents of Mongoose: https://mongoosejs.com/docs/queries.html."""

from __future__ import annotations

import re
from typing import Final

from .rules import Gives, Mapper, Method, Role, methods

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
        **methods("select", _FIND, "find findOne", Gives.QUERY),
        **methods("select", (Role.NONE, Role.FIELDS, Role.OPTIONS), "findById", Gives.QUERY),
        **methods("select", (Role.WHERE,), "countDocuments count exists where", Gives.QUERY),
        **methods("select", (), "estimatedDocumentCount watch", Gives.QUERY),
        **methods("select", (Role.FIELDS, Role.WHERE), "distinct", Gives.QUERY),
        **methods("select", (Role.NONE,), "aggregate", Gives.QUERY),
        **methods("select", (Role.WHERE,), "paginate", Gives.ROW),
        **methods("insert", (Role.VALUES,), "create insertMany insertOne", Gives.ROW),
        **methods("update", _CHANGE, "updateOne updateMany replaceOne update"),
        **methods("delete", (Role.WHERE,), "deleteOne deleteMany remove"),
        **dict.fromkeys(("findOneAndUpdate", "findOneAndReplace"), Method("update", _CHANGE, Gives.QUERY, reads_first=True)),
        "findByIdAndUpdate": Method("update", (Role.NONE, Role.VALUES, Role.OPTIONS), Gives.QUERY, reads_first=True),
        **dict.fromkeys(("findOneAndDelete", "findOneAndRemove"), Method("delete", (Role.WHERE,), Gives.QUERY, reads_first=True)),
        **dict.fromkeys(
            ("findByIdAndDelete", "findByIdAndRemove"), Method("delete", (Role.NONE,), Gives.QUERY, reads_first=True)
        ),
        **methods("merge", (), "bulkWrite bulkSave"),
        **methods("", (), "hydrate", Gives.ROW),
    },
    of_row={
        **methods("merge", (), "save", Gives.ROW),
        **methods("delete", (), "deleteOne remove delete"),
        **methods("update", (Role.VALUES,), "updateOne replaceOne", Gives.QUERY),
        **methods("select", (Role.RELATIONS,), "populate", Gives.ROW),
        **methods("", (), "set toObject toJSON", Gives.ROW),
    },
    of_query={name: each._replace(gives=Gives.QUERY) for name, each in _OF_QUERY.items()},
    of_manager=methods("", (Role.TABLE,), "model", Gives.MODEL),
    options={"populate": Role.RELATIONS, "sort": Role.FIELDS, "select": Role.FIELDS, "projection": Role.FIELDS},
    makers=frozenset(("model",)),
)
