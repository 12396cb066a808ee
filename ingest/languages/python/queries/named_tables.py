"""Tables that the arguments of calls name: identifiers of psycopg in statements, and functions of pandas and asyncpg.

See https://www.psycopg.org/psycopg3/docs/api/sql.html, https://pandas.pydata.org/docs/reference/io.html#sql and
https://magicstack.github.io/asyncpg/current/api/index.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ....data.sql.embedded import parsed_text
from ....data.sql.queries import DIALECTS
from ....facts.data import PLACEHOLDER, TABLE_NAME
from ....facts.operations import Op
from ...framework_rules.composed_statements import use_of
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from .written_calls import WrittenCall, constant_texts, texts_in, written_call

#: Origins of the classes of psycopg that compose statements.
_COMPOSED: Final = re.compile(r"psycopg2?(?:\.sql)?:(?:sql\.)?(SQL|Identifier)")
#: A part of a text that `format` replaces: `{}`, `{0}`, `{table}`.
_FIELD: Final = re.compile(r"\{(\w*)\}")
_VERB: Final = re.compile(r"\s*(?:SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|TRUNCATE|WITH)\s", re.IGNORECASE)
_NAME: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?")
_PANDAS: Final = re.compile(r"(?:\w*pandas|dask\.dataframe)(?:[.:].*)?")
#: Maximum depth of the parts of a statement, and maximum length of the text of a part.
_MAX_DEPTH: Final = 6
_MAX_LENGTH: Final = 20_000
#: Maximum number of digits of a place in a text.
_MAX_DIGITS: Final = 3


class _Named(NamedTuple):
    """A function whose argument is the name of a table."""

    statement: str
    #: Name and position of the argument with the table.
    argument: str
    place: int
    #: Name of the argument with the columns; "" if there is none.
    columns: str
    #: Number of arguments that a call has at least.
    needed: int = 2
    is_of_pandas: bool = False


_FUNCTIONS: Final = {
    "read_sql_table": _Named("select", "table_name", 0, "columns", is_of_pandas=True),
    "read_sql": _Named("select", "sql", 0, "columns", is_of_pandas=True),
    "to_sql": _Named("insert", "name", 0, ""),
    "copy_records_to_table": _Named("insert", "table_name", 0, "columns"),
    "copy_to_table": _Named("insert", "table_name", 0, "columns"),
    "copy_from_table": _Named("select", "table_name", 0, "columns"),
}


def named_tables(file: QueryFile, calls: Sequence[WrittenCall]) -> Iterator[FoundQuery]:
    """Yield the statements on tables that the arguments of calls name."""
    for call in calls:
        if call.name == "format" and call.receiver >= 0:
            yield from _composed(file, call)
        elif call.name in _FUNCTIONS and call.receiver >= 0 and not file.runs_own_code(call.callee):
            yield from _of_function(file, call, _FUNCTIONS[call.name])


def _of_function(file: QueryFile, call: WrittenCall, function: _Named) -> Iterator[FoundQuery]:
    if len(call.positional) + len(call.named) < function.needed:
        return
    if function.is_of_pandas and _PANDAS.fullmatch(file.origin(call.callee)) is None:
        return
    node = call.argument(function.argument, function.place)
    (schema, *_) = [*constant_texts(file, call.named["schema"]), ""] if "schema" in call.named else [""]
    columns = tuple((text,) for text in texts_in(file, call.named.get(function.columns, -1)) if text)
    for name in constant_texts(file, node) if node >= 0 else ():
        if _NAME.fullmatch(name) is not None:
            table = f"{TABLE_NAME}{schema}.{name}" if schema else f"{TABLE_NAME}{name}"
            yield FoundQuery(call.node, function.statement, [FoundUse(table, (), function.statement != "select", columns)])


def _composed(file: QueryFile, call: WrittenCall) -> Iterator[FoundQuery]:
    """Yield the statement of `sql.SQL("SELECT {} FROM {}").format(sql.Identifier("name"), sql.Identifier("boats"))`."""
    text = _rendered(file, call.node, {}, _MAX_DEPTH)
    parsed = parsed_text(text, True, DIALECTS) if _VERB.match(text) is not None else None
    if parsed is not None:
        statement, uses, _ = parsed
        yield FoundQuery(call.node, statement, [use_of(each) for each in uses])


def _rendered(file: QueryFile, node: int, known: dict[int, str], depth: int) -> str:
    """Return the text of a part of a statement, with a placeholder for what is not known or too long.

    `known` has the texts of other parts by their nodes.
    """
    if node not in known:
        known[node] = PLACEHOLDER  # used if a part contains itself
        text = _text(file, node, known, depth - 1) if depth > 0 else PLACEHOLDER
        known[node] = text if len(text) <= _MAX_LENGTH else PLACEHOLDER
    return known[node]


def _text(file: QueryFile, node: int, known: dict[int, str], depth: int) -> str:
    call = written_call(file, node)
    if call is None:
        values = list(file.values(node))
        return _rendered(file, values[0], known, depth) if len(values) == 1 else PLACEHOLDER
    if call.name == "format" and call.receiver >= 0:
        return _formatted(file, call, known, depth)
    if call.name == "join" and call.receiver >= 0 and call.positional:
        parts = call.positional[0]
        between = _rendered(file, call.receiver, known, depth)
        if file.code[parts] != Op.ARRAY or between == PLACEHOLDER:
            return PLACEHOLDER
        return between.join(_rendered(file, each, known, depth) for each in file.items(file.code[parts + 1]))
    kind = _COMPOSED.fullmatch(file.origin(call.callee))
    if kind is None or not call.positional:
        return PLACEHOLDER
    texts = [next(constant_texts(file, each), "") for each in call.positional]
    if not all(texts):
        return PLACEHOLDER
    return texts[0] if kind[1] == "SQL" else ".".join(f'"{text}"' for text in texts)


def _formatted(file: QueryFile, call: WrittenCall, known: dict[int, str], depth: int) -> str:
    parts = _FIELD.split(_rendered(file, call.receiver, known, depth))
    places = iter(range(len(call.positional)))
    found = parts[:1]
    for name, text in zip(parts[1::2], parts[2::2], strict=True):
        place = next(places, -1) if not name else int(name) if name.isdecimal() and len(name) <= _MAX_DIGITS else -1
        node = call.named.get(name, call.positional[place] if 0 <= place < len(call.positional) else -1)
        found += (_rendered(file, node, known, depth) if node >= 0 else PLACEHOLDER, text)
    return "".join(found)
