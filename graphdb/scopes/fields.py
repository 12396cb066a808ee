"""The fields of each kind of node, and the operators that compare them with parameters."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import NamedTuple

from ...schema.errors import UsageError
from .plan import Kind, Test, Value

#: What a value of each type of field is called in messages.
_CALLED = {"text": "a text", "number": "a whole number", "flag": "true or false", "texts": "a text"}
#: Operators of each type of field, in the order in which messages list them.
OPERATORS: Mapping[str, tuple[str, ...]] = {
    "text": ("eq", "not", "in", "not_in", "contains", "icontains", "startswith", "endswith", "matches", "under"),
    "number": ("eq", "not", "in", "not_in", "gt", "gte", "lt", "lte"),
    "flag": ("eq", "not"),
    "texts": ("has",),
}
_COMPARED = {"eq": "=", "not": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<=", "in": "IN"}
_LIST_OPERATORS = ("in", "not_in")
#: Most values of a list: the engine compares each with every node.
MAX_VALUES = 1_000
#: Most characters of a text: names and paths are shorter.
MAX_TEXT = 2_000
#: A pattern without any special character, apart from one at each end.
_PLAIN_PATTERN = re.compile(r"(\^?)([\w \-/:@#]+)(\$?)")
#: Plain characters at the beginning of a pattern, the last of which nothing repeats or makes optional.
_PLAIN_BEGINNING = re.compile(r"(\^?)([\w \-/:@#]+)(?![\w \-/:@#*?+{])")
_INT64 = 1 << 63


class Field(NamedTuple):
    """A field of a kind of node."""

    #: Expression of the field, with `{n}` for the node.
    expression: str
    #: text, number, flag or texts.
    type: str
    #: Whether the expression is about the file that contains the node.
    of_file: bool = False


_FILE = {
    "path": Field("{n}.relativePath", "text"),
    "language": Field("{n}.language", "text"),
    "lines": Field("{n}.lines", "number"),
    "size": Field("{n}.size", "number"),
    "is_test": Field("{n}.isTest", "flag"),
    "status": Field("{n}.parseStatus", "text"),
    "importance": Field("{n}.importance", "number"),
}
FIELDS: Mapping[Kind, Mapping[str, Field]] = {
    "repository": {"name": Field("{n}.name", "text"), "commit": Field("{n}.gitHead", "text")},
    "module": {
        "path": Field("{n}.id", "text"),
        "name": Field("{n}.name", "text"),
        "kind": Field("{n}.kind", "text"),
        "manifest": Field("{n}.manifestPath", "text"),
        "version": Field("{n}.version", "text"),
    },
    "file": _FILE,
    "symbol": {
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
        "language": Field("{n}.language", "text", of_file=True),
        "is_test": Field("{n}.isTest", "flag", of_file=True),
    },
    "package": {"name": Field("{n}.name", "text")},
}
#: Fields that a result has, in order: what rows of each kind contain.
COLUMNS: Mapping[Kind, tuple[str, ...]] = {
    "repository": ("name", "commit"),
    "module": ("path", "name", "kind", "version"),
    "file": ("path", "language", "lines", "is_test", "importance"),
    "symbol": ("id", "name", "qualified_name", "kind", "path", "start_line", "end_line", "signature", "exported", "importance"),
    "package": ("name",),
}
#: Table of each kind, its primary key, and the fields that order nodes if nothing else does.
TABLES: Mapping[Kind, str] = {
    "repository": "Repository",
    "module": "Module",
    "file": "File",
    "symbol": "Symbol",
    "package": "Package",
}
KEYS: Mapping[Kind, str] = {"repository": "id", "module": "id", "file": "relativePath", "symbol": "id", "package": "name"}
ORDER: Mapping[Kind, tuple[str, ...]] = {
    "repository": ("name",),
    "module": ("path",),
    "file": ("path",),
    "symbol": ("path", "start_line", "depth", "id"),
    "package": ("name",),
}


def field_of(kind: Kind, name: str) -> Field:
    """Return a field of a kind of node. Raises UsageError, with the nearest field, if there is none of that name."""
    fields = FIELDS[kind]
    if name in fields:
        return fields[name]
    raise UsageError(f"A {kind} has no field `{name}`. {did_you_mean(name, fields)}")


def did_you_mean(word: str, known: Mapping[str, object] | tuple[str, ...]) -> str:
    """Return a sentence that names the nearest of some words, or all of them."""
    near = get_close_matches(word, list(known), 1)
    return f"Did you mean `{near[0]}`?" if near else f"There are: {', '.join(known)}."


def read_test(kind: Kind, keyword: str, value: object) -> Test:
    """Return the comparison that a keyword such as `lines__gt` makes. Raises UsageError with the nearest word."""
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
    if type_ == "flag" and isinstance(value, bool):
        return value
    if type_ == "number" and isinstance(value, int) and not isinstance(value, bool):
        if not -_INT64 <= value < _INT64:
            raise UsageError(f"`{keyword}` takes a number of at most 64 bits.")
        return value
    if type_ in ("text", "texts") and isinstance(value, str):
        return plain_text(keyword, value)
    raise UsageError(f"`{keyword}` takes {_CALLED[type_]}, not {_shown(value)}.")


def plain_text(name: str, value: str) -> str:
    """Return a text that the graph can hold: it has no lone surrogates and no zeros. Raises UsageError for a long one."""
    if len(value) > MAX_TEXT:
        raise UsageError(f"`{name}` takes at most {MAX_TEXT:,} characters, not {len(value):,}.")
    return value.encode("utf-8", "replace").decode().replace("\0", "�")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def condition_of(test: Test, expression: str, bind: Callable[[Value], str]) -> str:
    """Return the condition of a comparison in Cypher; `bind` makes a value a parameter and returns its name."""
    operator, value = test.operator, test.value
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
        return f"{expression} IS NOT NULL"  # the engine finds no empty text in a text
    if operator == "icontains":
        return f"lower({expression}) CONTAINS {bind(text.lower())}"
    if operator == "under":
        folder = bind(text)
        return f"({expression} = {folder} OR {expression} STARTS WITH concat({folder}, '/'))"
    if operator == "matches":
        return _pattern(expression, text, bind)
    spelled = {"contains": "CONTAINS", "startswith": "STARTS WITH", "endswith": "ENDS WITH"}[operator]
    return f"{expression} {spelled} {bind(text)}"


def _pattern(expression: str, pattern: str, bind: Callable[[Value], str]) -> str:
    """Return the condition of a regular expression, which costs the engine 6 µs a node; a comparison costs a hundredth.

    A pattern without special characters is a comparison, and of one that begins with plain characters these are compared first.
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
