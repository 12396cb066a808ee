"""Methods of the object mappers whose models run statements: what the methods of each mapper do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from ....facts.operations import Op
from ...framework_rules.queries import QueryFile
from .written_calls import text_of

_NOTHING: Final[Mapping[str, str]] = {}
#: Operators of MongoEngine before the name of a field: `update(set__name="x")`.
_OPERATOR: Final = re.compile(
    r"(?:set|unset|set_on_insert|inc|dec|mul|min|max|push|push_all|pop|pull|pull_all|add_to_set|rename|upsert)__"
)
#: Maximum depth of the operators in a document: `{"$set": {"name": 1}}`.
_MAX_DEPTH: Final = 4


class MapperMethods(NamedTuple):
    """The methods of an object mapper."""

    #: Origins of the classes from which models derive.
    base: re.Pattern[str]
    #: Methods of models that begin a statement, with its kind.
    begin: Mapping[str, str]
    #: Methods of statements and rows that return a row.
    one: frozenset[str]
    #: Methods of rows that run a statement.
    of_instances: Mapping[str, str]
    #: Methods whose named arguments are values of fields.
    values: frozenset[str]
    #: Methods whose named arguments are conditions on fields.
    lookups: frozenset[str]
    #: Methods of statements that change the kind of the statement.
    ends: Mapping[str, str] = _NOTHING
    #: Attributes of models that stand for all rows: `User.objects`.
    managers: frozenset[str] = frozenset()
    #: Methods whose texts are names of fields.
    texts: frozenset[str] = frozenset()
    #: Whether documents in arguments name fields: `{"name": "x", "$or": [{"age": 3}]}`.
    has_documents: bool = False
    #: Whether an index of a model is a row by its key: `User[7]`.
    has_rows_by_key: bool = False


_PEEWEE: Final = MapperMethods(
    base=re.compile(r"(?:peewee|playhouse|aiopeewee|peewee_async):.*"),
    begin={
        **dict.fromkeys(("select", "get", "get_or_none", "get_by_id", "filter", "raw"), "select"),
        **dict.fromkeys(("insert", "insert_many", "insert_from", "replace", "replace_many", "create", "bulk_create"), "insert"),
        **dict.fromkeys(("update", "bulk_update", "set_by_id"), "update"),
        **dict.fromkeys(("delete", "delete_by_id"), "delete"),
        "get_or_create": "merge",
    },
    one=frozenset(("get", "get_or_none", "get_by_id", "first", "create", "peek")),
    of_instances={"save": "merge", "delete_instance": "delete"},
    values=frozenset(("insert", "create", "update", "replace", "get_or_create")),
    lookups=frozenset(("filter", "get")),
    has_rows_by_key=True,
)
#: https://piccolo-orm.readthedocs.io/en/latest/piccolo/query_types/index.html
_PICCOLO: Final = MapperMethods(
    base=re.compile(r"piccolo(?:_\w+)?:.*"),
    begin={
        **dict.fromkeys(("select", "objects", "count", "exists", "raw"), "select"),
        "insert": "insert",
        "update": "update",
        "delete": "delete",
    },
    one=frozenset(("get", "first", "get_or_create", "create")),
    of_instances={"save": "merge", "remove": "delete", "refresh": "select"},
    values=frozenset(("insert", "update")),
    lookups=frozenset(),
    ends={"get_or_create": "merge", "create": "insert"},
)
#: https://docs.mongoengine.org/guide/querying.html
_MONGOENGINE: Final = MapperMethods(
    base=re.compile(r"(?:\w+_)?mongoengine:.*"),
    begin={"objects": "select"},
    one=frozenset(("get", "first", "create", "modify", "get_or_404", "first_or_404")),
    of_instances={"save": "merge", "delete": "delete", "update": "update", "modify": "update", "reload": "select"},
    values=frozenset(("create", "update", "update_one", "modify", "upsert_one")),
    lookups=frozenset(("objects", "filter", "get", "get_or_404", "first_or_404")),
    ends={
        **dict.fromkeys(("insert", "create"), "insert"),
        **dict.fromkeys(("update", "update_one", "modify"), "update"),
        "upsert_one": "merge",
        "delete": "delete",
    },
    managers=frozenset(("objects",)),
    texts=frozenset(("only", "order_by", "scalar", "values_list", "distinct", "sum", "average", "item_frequencies")),
)
#: https://beanie-odm.dev/tutorial/finding-documents/
_BEANIE: Final = MapperMethods(
    base=re.compile(r"(?:beanie|bunnet):.*"),
    begin={
        **dict.fromkeys(
            ("find", "find_one", "find_many", "find_all", "all", "get", "count", "aggregate", "distinct", "exists"), "select"
        ),
        **dict.fromkeys(("insert_one", "insert_many"), "insert"),
        **dict.fromkeys(("update_all", "replace_many"), "update"),
        "delete_all": "delete",
    },
    one=frozenset(("find_one", "get", "first_or_none")),
    of_instances={
        **dict.fromkeys(("insert", "create"), "insert"),
        **dict.fromkeys(("save", "upsert"), "merge"),
        **dict.fromkeys(("save_changes", "replace", "update", "set", "inc", "current_date"), "update"),
        **dict.fromkeys(("sync", "fetch_link", "fetch_all_links"), "select"),
        "delete": "delete",
    },
    values=frozenset(("update", "update_one", "update_many", "update_all", "set", "inc", "current_date")),
    lookups=frozenset(),
    ends={
        **dict.fromkeys(("update", "update_one", "update_many", "set", "inc", "current_date", "replace_one"), "update"),
        **dict.fromkeys(("delete", "delete_one", "delete_many"), "delete"),
        "upsert": "merge",
    },
    texts=frozenset(("sort", "distinct", "sum", "avg", "min", "max")),
    has_documents=True,
)
MAPPERS: Final = (_PEEWEE, _PICCOLO, _MONGOENGINE, _BEANIE)
BEGIN: Final = frozenset(name for each in MAPPERS for name in each.begin)
OF_INSTANCES: Final = frozenset(name for each in MAPPERS for name in each.of_instances)
MANAGERS: Final = frozenset(name for each in MAPPERS for name in each.managers)
ONE: Final = frozenset(name for each in MAPPERS for name in each.one)


def field_path(name: str) -> tuple[str, ...]:
    """Return the path to a field that a named argument states: `author__name`, `set__name`."""
    return tuple(_OPERATOR.sub("", name, count=1).split("__")) if "__" in name else (name,)


def text_path(text: str) -> tuple[str, ...]:
    """Return the path to a field that a text states: `-created`, `address.street`."""
    return tuple(text.lstrip("+-").replace("__", ".").split("."))


def document_keys(file: QueryFile, node: int, depth: int = _MAX_DEPTH) -> list[str]:
    """Return the names of fields in a document, also inside of operators: `{"$set": {"name": "x"}}`."""
    code = file.code
    if node < 0 or depth <= 0:
        return []
    if code[node] == Op.ARRAY:
        return [name for each in file.items(code[node + 1]) for name in document_keys(file, each, depth - 1)]
    if code[node] != Op.DICT:
        return []
    found: list[str] = []
    for key, value in zip(file.items(code[node + 1]), file.items(code[node + 2]), strict=False):
        text = text_of(file, key)
        found += document_keys(file, value, depth - 1) if not text or text.startswith("$") else [text]
    return found
