"""The fields of each kind of node, and the operators that compare them with parameters."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import NamedTuple

from ...schema.errors import UsageError
from ...schema.languages import DOCUMENTS
from ...schema.symbol_kinds import SECTION_KINDS
from .plan import Kind, Test, Value

#: The noun in messages for a value of each type.
_CALLED = {
    "text": "a text",
    "number": "a whole number",
    "flag": "true or false",
    "existence": "true or false",
    "texts": "a text",
    "members": "a text",
    "extension": "a text such as '.ts'",
}
#: Operators of each type of field, in the order in which messages list them.
OPERATORS: Mapping[str, tuple[str, ...]] = {
    "text": ("eq", "not", "in", "not_in", "contains", "icontains", "startswith", "endswith", "matches", "under"),
    "number": ("eq", "not", "in", "not_in", "gt", "gte", "lt", "lte"),
    "flag": ("eq", "not"),
    "texts": ("has",),
    "members": ("eq", "in"),
    "extension": ("eq", "not", "in", "not_in"),
    "existence": ("eq", "not"),
}
_COMPARED = {"eq": "=", "not": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<=", "in": "IN"}
_LIST_OPERATORS = ("in", "not_in")
#: Maximum number of values of a list: the engine compares each value with every node.
MAX_VALUES = 1_000
#: Maximum length of a text in characters. Names and paths are shorter.
MAX_TEXT = 2_000
#: A regular expression without special characters, except `^` at its beginning and `$` at its end.
_PLAIN_PATTERN = re.compile(r"(\^?)([\w \-/:@#]+)(\$?)")
#: Plain characters at the beginning of a regular expression. No quantifier follows the last of these characters.
_PLAIN_BEGINNING = re.compile(r"(\^?)([\w \-/:@#]+)(?![\w \-/:@#*?+{])")
_INT64 = 1 << 63


class Field(NamedTuple):
    """A field of a kind of node."""

    #: Cypher expression of the field, with `{n}` for the node, and `{o}` for the other node of `pattern`.
    expression: str
    #: text, number or flag; texts (a list); members (texts of other nodes, one of which is compared); extension (of a path);
    #: existence (a condition).
    type: str
    #: Cypher pattern for another node that has the field, such as the file of a symbol, with `{n}` and `{o}`; "" if the node
    #: has the field.
    pattern: str = ""
    #: Condition that joins `{n}` and `{o}`; "" if the pattern joins them.
    joined_by: str = ""

    @property
    def is_ordered(self) -> bool:
        """Whether nodes can be ordered by the field."""
        return not self.pattern and self.type in ("text", "number", "flag")


def _of_file(expression: str, type_: str) -> Field:
    """Return a field of the file that contains a symbol."""
    return Field(expression, type_, "({o}:File)", "{o}.relativePath = {n}.relativePath")


def _of_column(name: str, type_: str) -> Field:
    """Return a field of a column after all migrations. The field has a value for each table of the column."""
    return Field(f"{{o}}.{name}", type_, "({n})-[{o}:COLUMN_OF]->(:Symbol)")


_DROPPED = "EXISTS {{ MATCH ({n})-[{n}e:CHANGED_IN]->(:File) WHERE {n}e.kind = 'dropped' }}"
_TABLE_DROPPED = "EXISTS {{ MATCH ({n})-[:COLUMN_OF]->(:Symbol)-[{n}d:CHANGED_IN]->(:File) WHERE {n}d.kind = 'dropped' }}"
_FILE = {
    "path": Field("{n}.relativePath", "text"),
    "ext": Field("{n}.relativePath", "extension"),
    "language": Field("{n}.language", "text"),
    "lines": Field("{n}.lines", "number"),
    "size": Field("{n}.size", "number"),
    "is_test": Field("{n}.isTest", "flag"),
    "status": Field("{n}.parseStatus", "text"),
    "importance": Field("{n}.importance", "number"),
}
_SYMBOL = {
    "id": Field("{n}.id", "text"),
    "name": Field("{n}.name", "text"),
    "qualified_name": Field("{n}.qualifiedName", "text"),
    "kind": Field("{n}.kind", "text"),
    "path": Field("{n}.relativePath", "text"),
    "start_line": Field("{n}.startLine", "number"),
    "end_line": Field("{n}.endLine", "number"),
    "lines": Field("({n}.endLine - {n}.startLine + 1)", "number"),
    "depth": Field("{n}.depth", "number"),
    "signature": Field("{n}.signature", "text"),
    "doc": Field("{n}.doc", "text"),
    "exported": Field("{n}.exported", "flag"),
    "importance": Field("{n}.importance", "number"),
    "modifiers": Field("{n}.modifiers", "texts"),
    "language": _of_file("{o}.language", "text"),
    "is_test": _of_file("{o}.isTest", "flag"),
}
FIELDS: Mapping[Kind, Mapping[str, Field]] = {
    "repository": {"name": Field("{n}.name", "text"), "commit": Field("{n}.gitHead", "text")},
    "module": {
        "path": Field("{n}.id", "text"),
        "name": Field("{n}.name", "text"),
        "kind": Field("{n}.kind", "text"),
        "manifest": Field("{n}.manifestPath", "text"),
        "version": Field("{n}.version", "text"),
        "language": Field("{o}.language", "members", "({n})-[:CONTAINS]->({o}:File)"),
    },
    "file": _FILE,
    "symbol": _SYMBOL,
    "package": {"name": Field("{n}.name", "text")},
    "table": {**_SYMBOL, "dropped": Field(_DROPPED, "existence")},
    "column": {
        **_SYMBOL,
        "type": _of_column("type", "text"),
        "nullable": _of_column("nullable", "flag"),
        "default": _of_column("defaultValue", "text"),
        "dropped": Field(f"({_DROPPED} OR {_TABLE_DROPPED})", "existence"),
    },
    "document": _FILE,
    "section": _SYMBOL,
    "step": _SYMBOL,
}
#: Table of each kind.
TABLES: Mapping[Kind, str] = {
    "repository": "Repository",
    "module": "Module",
    "file": "File",
    "symbol": "Symbol",
    "package": "Package",
    "table": "Symbol",
    "column": "Symbol",
    "document": "File",
    "section": "Symbol",
    "step": "Symbol",
}
#: Fields of the rows for each kind, in order.
_COLUMNS_OF_TABLES = {
    "Repository": ("name", "commit"),
    "Module": ("path", "name", "kind", "version"),
    "File": ("path", "language", "lines", "is_test", "importance"),
    "Symbol": (
        "id", "name", "qualified_name", "kind", "path", "start_line", "end_line", "signature", "exported", "importance",
    ),
    "Package": ("name",),
}  # fmt: skip
COLUMNS: Mapping[Kind, tuple[str, ...]] = {kind: _COLUMNS_OF_TABLES[table] for kind, table in TABLES.items()}
_KEYS_OF_TABLES = {"Repository": "id", "Module": "id", "File": "relativePath", "Symbol": "id", "Package": "name"}
#: Primary key of each kind.
KEYS: Mapping[Kind, str] = {kind: _KEYS_OF_TABLES[table] for kind, table in TABLES.items()}
_ORDER_OF_TABLES = {
    "Repository": ("name",),
    "Module": ("path",),
    "File": ("path",),
    "Symbol": ("path", "start_line", "depth", "id"),
    "Package": ("name",),
}
#: Fields of the default order of each kind.
ORDER: Mapping[Kind, tuple[str, ...]] = {kind: _ORDER_OF_TABLES[table] for kind, table in TABLES.items()}
#: Kinds whose table also has nodes of other kinds, each with the kind of all nodes of the table.
WHOLES: Mapping[Kind, Kind] = {
    "table": "symbol",
    "column": "symbol",
    "document": "file",
    "section": "symbol",
    "step": "symbol",
}
#: Condition that selects the nodes of each kind in `WHOLES` from its table.
PARTS: Mapping[Kind, str] = {
    # Models of object mappers are classes.
    "table": "({n}.kind IN ['table', 'view'] OR EXISTS {{ MATCH ({n})<-[:COLUMN_OF]-(:Symbol) }})",
    # Columns that a table inherits from another table have no symbol. Their edge COLUMN_OF begins and ends at the table.
    # A comparison of both ends inside of the subquery would take three times as long.
    "column": "(EXISTS {{ MATCH ({n})-[:COLUMN_OF]->(:Symbol) }} AND NOT EXISTS {{ MATCH ({n})<-[:COLUMN_OF]-(:Symbol) }})",
    "document": f"{{n}}.language IN {sorted(DOCUMENTS)}",
    "section": f"{{n}}.kind IN {sorted(SECTION_KINDS)}",
    "step": "{n}.kind = 'step'",
}
#: Edges that begin at every node of a kind and end at another node. Reading these edges is 18 times as fast as testing the
#: condition in `PARTS` on every node.
EDGES_OF_PARTS: Mapping[Kind, str] = {"column": "-[:COLUMN_OF]->"}


def field_of(kind: Kind, name: str) -> Field:
    """Return a field of a kind of node. Raises UsageError, with the nearest field, if the kind has no field of that name."""
    fields = FIELDS[kind]
    if name in fields:
        return fields[name]
    raise UsageError(f"A {kind} has no field `{name}`. {did_you_mean(name, fields)}")


def did_you_mean(word: str, known: Mapping[str, object] | tuple[str, ...]) -> str:
    """Return a sentence with the known word that is most similar to a word, or with all known words if none is similar."""
    near = get_close_matches(word, list(known), 1)
    return f"Did you mean `{near[0]}`?" if near else f"There are: {', '.join(known)}."


def read_test(kind: Kind, keyword: str, value: object) -> Test:
    """Return the comparison that a keyword argument such as `lines__gt` requests.

    Raises UsageError, with the nearest word, for an unknown field or operator.
    """
    name, _, operator = keyword.partition("__")
    field = field_of(kind, name)
    operators = OPERATORS[field.type]
    operator = operator or operators[0]
    if operator not in operators:
        raise UsageError(f"`{name}` has no operator `{operator}`. {did_you_mean(operator, operators)}")
    if operator in _LIST_OPERATORS:
        if isinstance(value, str | bytes) or not isinstance(value, list | tuple | set | frozenset):
            raise UsageError(f"`{keyword}` takes a list, not {_shown(value)}.")
        if len(value) > MAX_VALUES:
            raise UsageError(f"`{keyword}` takes at most {MAX_VALUES:,} values, not {len(value):,}.")
        return Test(name, operator, tuple(_value(keyword, field.type, each) for each in value))  # type: ignore[arg-type]
    return Test(name, operator, _value(keyword, field.type, value))


def _value(keyword: str, type_: str, value: object) -> str | int | bool:
    if type_ in ("flag", "existence") and isinstance(value, bool):
        return value
    if type_ == "number" and isinstance(value, int) and not isinstance(value, bool):
        if not -_INT64 <= value < _INT64:
            raise UsageError(f"`{keyword}` takes a number of at most 64 bits.")
        return value
    if type_ in ("text", "texts", "members") and isinstance(value, str):
        return plain_text(keyword, value)
    if type_ == "extension" and isinstance(value, str) and value.strip(". "):
        return f".{plain_text(keyword, value).removeprefix('.')}"
    raise UsageError(f"`{keyword}` takes {_CALLED[type_]}, not {_shown(value)}.")


def plain_text(name: str, value: str) -> str:
    """Replace lone surrogates and zero characters, which the graph cannot store.

    Raises UsageError for a text of more than `MAX_TEXT` characters.
    """
    if len(value) > MAX_TEXT:
        raise UsageError(f"`{name}` takes at most {MAX_TEXT:,} characters, not {len(value):,}.")
    return value.encode("utf-8", "replace").decode().replace("\0", "�")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def condition_of(test: Test, type_: str, expression: str, bind: Callable[[Value], str]) -> str:
    """Return the condition of a comparison in Cypher; `bind` adds a value to the parameters, and returns the name of the
    parameter.
    """
    operator, value = test.operator, test.value
    if type_ == "existence":
        return expression if value == (operator == "eq") else f"NOT {expression}"
    if type_ == "extension":
        return _extension(operator, value, expression, bind)
    if operator in _LIST_OPERATORS and not value:
        return f"{expression} IS NULL" if operator == "in" else f"{expression} IS NOT NULL"
    if operator in _COMPARED:
        return f"{expression} {_COMPARED[operator]} {bind(value)}"
    if operator == "not_in":
        return f"NOT {expression} IN {bind(value)}"
    if operator == "has":
        return f"list_contains({expression}, {bind(value)})"
    text = str(value)
    if operator == "under":
        text = text.strip("/").removeprefix("./")
    if text in (("", ".") if operator == "under" else ("",)):
        return f"{expression} IS NOT NULL"  # the engine does not find an empty text in a text
    if operator == "icontains":
        return f"lower({expression}) CONTAINS {bind(text.lower())}"
    if operator == "under":
        folder = bind(text)
        return f"({expression} = {folder} OR {expression} STARTS WITH concat({folder}, '/'))"
    if operator == "matches":
        return _pattern(expression, text, bind)
    spelled = {"contains": "CONTAINS", "startswith": "STARTS WITH", "endswith": "ENDS WITH"}[operator]
    return f"{expression} {spelled} {bind(text)}"


def _extension(operator: str, value: Value, path: str, bind: Callable[[Value], str]) -> str:
    """Return the condition on the extension of a path. `ENDS WITH` is a hundred times as fast as a regular expression."""
    ends = [f"{path} ENDS WITH {bind(each)}" for each in (value if isinstance(value, tuple) else (value,))]
    joined = f"({' OR '.join(ends)})" if ends else f"{path} IS NULL"
    return joined if operator in ("eq", "in") else f"NOT {joined}"


def _pattern(expression: str, pattern: str, bind: Callable[[Value], str]) -> str:
    """Return the condition of a regular expression. A match takes 6 µs per node, and a comparison of texts a hundredth of that
    time. So a regular expression without special characters becomes a comparison, and plain characters at the beginning of an
    expression are compared first.
    """
    plain = _PLAIN_PATTERN.fullmatch(pattern)
    if plain is not None:
        starts, text, ends = plain.groups()
        if starts and ends:
            return f"{expression} = {bind(text)}"
        return f"{expression} {'STARTS WITH' if starts else 'ENDS WITH' if ends else 'CONTAINS'} {bind(text)}"
    matched = f"regexp_matches({expression}, {bind(pattern)})"
    beginning = _PLAIN_BEGINNING.match(pattern)
    if beginning is None or "|" in pattern:
        return matched
    starts, text = beginning.groups()
    return f"({expression} {'STARTS WITH' if starts else 'CONTAINS'} {bind(text)} AND {matched})"
