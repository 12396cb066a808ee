"""The tables in `schema.rb`, which Rails writes after each migration:
https://guides.rubyonrails.org/active_record_migrations.html.

Types and names of keys follow PostgreSQL. Each call is on one line, as Rails writes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Final, NamedTuple

from ....data.sql.queries import DIALECTS, parse_query
from ....facts.data import Action, DataFacts, ObjectName, Query, SchemaChange
from ....facts.model import FileFacts, SymbolFact
from ....facts.uncovered_lines import facts_of_symbols, line_of, line_offsets, renumbered_by_roots, symbols_of_gaps
from ....files.source_text import SourceText
from .inflection import singular

_CALL: Final = re.compile(
    r"\s*(?P<name>create_table|create_enum|create_view|add_foreign_key|add_index|t\.\w+)\s*\(?\s*(?P<arguments>.*)"
)
_BLOCK: Final = re.compile(r"\)?\s*do\s*\|\w+\|\s*$")
#: A token: a text, the key of an option, a symbol, a word or number, or a sign.
_TOKEN: Final = re.compile(
    r"\"(?P<text>(?:[^\"\\]++|\\.)*+)\"|'(?P<plain>[^']*+)'|(?P<key>[a-z_]\w*):(?!:)|:(?P<symbol>[a-z_]\w*)|(?P<word>-?[\w.]+)"
    r"|(?P<sign>->|=>|[\[\]{},])|\s+|."
)
_HEREDOC: Final = re.compile(r"<<[~-]?[\"']?(?P<mark>\w+)")
#: Types of PostgreSQL by type of Rails.
_TYPES: Final = {
    "string": "character varying", "float": "double precision", "decimal": "numeric", "binary": "bytea", "datetime": "timestamp",
    "timestamp": "timestamp", "timestamptz": "timestamptz", "primary_key": "bigint", "serial": "integer", "bigserial": "bigint",
    "tinyint": "smallint", "blob": "bytea", "longtext": "text", "mediumtext": "text",
}  # fmt: skip
#: Methods of a table that do not add a column.
_NO_COLUMNS: Final = frozenset(("index", "check_constraint", "unique_constraint", "exclusion_constraint", "foreign_key"))
_RULES: Final = {"cascade": "CASCADE", "nullify": "SET NULL", "restrict": "RESTRICT"}
_MAX_SIGNATURE: Final = 400


class _Arguments(NamedTuple):
    """The arguments of a call: values in order, and options by name. A list is a value with several texts."""

    values: list[list[str]]
    options: Mapping[str, list[str]]

    def option(self, name: str) -> str:
        """Return the value of an option; "" if the call lacks it."""
        return next(iter(self.options.get(name, ())), "")


def schema_facts(source: SourceText, language: str) -> FileFacts:
    """Return the facts of a schema file: a symbol for each table, column, index and view, and the changes that create these."""
    return _FileReading(source, language).facts()


class _FileReading:
    def __init__(self, source: SourceText, language: str) -> None:
        self._source = source
        self._language = language
        self._text = source.data.decode("utf-8", "replace")
        self._starts = line_offsets(self._text, len(source.line_starts))
        self._symbols: list[SymbolFact] = []
        self._data = DataFacts()
        #: The current table.
        self._table = ObjectName("")
        #: The symbol of the current table; -1 without one.
        self._place = -1

    def facts(self) -> FileFacts:
        lines = self._text.split("\n")
        number = 0
        while number < len(lines):
            line, number = lines[number], number + 1
            call = _CALL.match(line)
            if line.strip() == "end" and self._place >= 0:
                self._symbols[self._place].end_line = number
                self._place = -1
            if call is None:
                continue
            heredoc = _HEREDOC.search(line)
            body: list[str] = []
            first = number
            while heredoc is not None and number < len(lines):
                number += 1
                if lines[number - 1].strip() == heredoc["mark"]:
                    break
                body.append(lines[number - 1])
            self._call(call, first, number, "\n".join(body))
        self._symbols += symbols_of_gaps(self._text, self._starts, self._symbols, ("#",))
        self._sort()
        line_starts = self._source.line_starts
        return facts_of_symbols(
            self._language, line_starts, self._text, self._starts, self._symbols, self._source.problems, data=self._data
        )

    def _call(self, call: re.Match[str], line: int, last: int, body: str) -> None:
        name, arguments = call["name"], _arguments(_BLOCK.sub("", call["arguments"]))
        first = arguments.values[0] if arguments.values else []
        if not first:
            return
        if name == "create_table":
            self._create(arguments, line, has_block=_BLOCK.search(call["arguments"]) is not None)
        elif name.startswith("t."):
            if self._place >= 0:
                self._in_table(name[2:], arguments, line)
        elif name == "create_enum":
            change = SchemaChange(Action.CREATE, "enum", ObjectName(first[0]), self._root(first[0], "enum", line, last), line)
            change.type, change.columns = "enum", arguments.values[1] if len(arguments.values) > 1 else []
            self._data.changes.append(change)
        elif name == "create_view":
            self._view(first[0], arguments, line, last, body)
        elif name == "add_index" and len(arguments.values) > 1:
            self._index(
                ObjectName(first[0]), arguments.values[1], arguments, line, self._root(first[0], "expression", line, last)
            )
        elif name == "add_foreign_key" and len(arguments.values) > 1 and arguments.values[1]:
            self._foreign_key(first[0], arguments.values[1][0], arguments, line, last)

    def _root(self, name: str, kind: str, first: int, last: int) -> int:
        signature = line_of(self._text, self._starts, first).strip()[:_MAX_SIGNATURE].removesuffix(" do |t|")
        made = SymbolFact(name, kind, -1, 0, first, last, first, first, signature, "", [], kind != "expression", True)
        self._symbols.append(made)
        return len(self._symbols) - 1

    def _member(self, name: str, kind: str, line: int) -> int:
        signature = line_of(self._text, self._starts, line).strip()[:_MAX_SIGNATURE]
        self._symbols.append(SymbolFact(name, kind, self._place, 1, line, line, line, line, signature, "", [], True, False))
        return len(self._symbols) - 1

    # ------------------------------------------------------------------ tables

    def _create(self, arguments: _Arguments, line: int, *, has_block: bool) -> None:
        self._table = ObjectName(*arguments.values[0][0].split(".")[::-1][:2])
        place = self._place = self._root(self._table.name, "table", line, line)
        self._data.changes.append(SchemaChange(Action.CREATE, "table", self._table, place, line))
        keys = list(arguments.options.get("primary_key", ["id"]))
        id_options = arguments.options.get("id") or ["bigint"]
        if id_options != ["false"] and len(keys) == 1:
            kind = arguments.option("type") or id_options[0] if id_options != ["{"] else arguments.option("type")
            limit = arguments.option("limit")
            self._column(place, keys[0], _type_of(kind or "bigint", {"limit": [limit]} if limit else {}), line, is_null=False)
        if id_options != ["false"] or "primary_key" in arguments.options:
            self._constraint("primary key", keys, line, place)
        if not has_block:
            self._place = -1

    def _in_table(self, kind: str, arguments: _Arguments, line: int) -> None:
        first = arguments.values[0]
        if kind == "index":
            self._index(self._table, first, arguments, line, -1)
        elif kind == "unique_constraint":
            self._constraint("unique", first, line, self._member(arguments.option("name"), "constraint", line), arguments)
        elif kind == "check_constraint":
            place = self._member(arguments.option("name") or "check", "constraint", line)
            self._data.changes.append(
                SchemaChange(
                    Action.CREATE, "constraint", ObjectName(arguments.option("name")), place, line, table=self._table,
                    type="check", text=first[0],
                )
            )  # fmt: skip
        elif kind not in _NO_COLUMNS:
            written = arguments.option("enum_type") or arguments.option("type") if kind in ("enum", "virtual") else kind
            if kind == "column" and len(arguments.values) > 1 and arguments.values[1]:
                written = arguments.values[1][0]
            self._column(
                self._member(first[0], "column", line),
                first[0],
                _type_of(written or kind, arguments.options),
                line,
                is_null=arguments.option("null") != "false",
                default=arguments.option("default"),
            )

    def _column(self, place: int, name: str, kind: str, line: int, *, is_null: bool, default: str = "") -> None:
        made = SchemaChange(Action.CREATE, "column", ObjectName(name), place, line, table=self._table, type=kind)
        made.nullable, made.default = is_null, default or None
        self._data.changes.append(made)

    def _constraint(self, kind: str, columns: list[str], line: int, place: int, arguments: _Arguments | None = None) -> None:
        name = arguments.option("name") if arguments is not None else ""
        made = SchemaChange(Action.CREATE, "constraint", ObjectName(name), place, line, table=self._table, type=kind)
        made.columns = columns
        self._data.changes.append(made)

    def _index(self, table: ObjectName, columns: list[str], arguments: _Arguments, line: int, place: int) -> None:
        named = [each if re.fullmatch(r"\w+", each) is not None else "" for each in columns]
        name = arguments.option("name") or f"index_{table.name}_on_{'_and_'.join(columns)}"
        symbol = self._member(name, "index", line) if place < 0 else place
        made = SchemaChange(Action.CREATE, "index", ObjectName(name), symbol, line, table=table, columns=named)
        made.is_unique, made.text = arguments.option("unique") == "true", arguments.option("where")
        self._data.changes.append(made)

    def _foreign_key(self, table: str, target: str, arguments: _Arguments, line: int, last: int) -> None:
        columns = list(arguments.options.get("column", [f"{singular(target.rpartition('.')[2])}_id"]))
        digest = sha256(f"{table}_{'_'.join(columns)}_fk".encode()).hexdigest()
        name = arguments.option("name") or f"fk_rails_{digest[:10]}"
        place = self._root(name, "constraint", line, last)
        made = SchemaChange(Action.CREATE, "constraint", ObjectName(name), place, line, table=_object(table), type="foreign key")
        made.columns, made.target = columns, _object(target)
        made.target_columns = list(arguments.options.get("primary_key", ["id"]))
        made.on_delete = _RULES.get(arguments.option("on_delete"), "")
        made.on_update = _RULES.get(arguments.option("on_update"), "")
        self._data.changes.append(made)

    def _view(self, name: str, arguments: _Arguments, line: int, last: int, body: str) -> None:
        place = self._root(name, "view", line, last)
        change = SchemaChange(Action.CREATE, "view", _object(name), place, line)
        change.is_unique = arguments.option("materialized") == "true"
        self._data.changes.append(change)
        parsed = parse_query(body.strip().rstrip(";"), DIALECTS)
        if parsed is not None and parsed.uses:
            self._data.queries.append(Query(place, line, parsed.statement, parsed.uses, "sql", parsed.dialect))

    def _sort(self) -> None:
        self._symbols, numbers = renumbered_by_roots(self._symbols)
        for change in self._data.changes:
            change.symbol = numbers[change.symbol]
        for query in self._data.queries:
            query.symbol = numbers[query.symbol]


def _object(written: str) -> ObjectName:
    """Return a table by its name, perhaps with a schema: `audit.events`."""
    schema, _, name = written.rpartition(".")
    return ObjectName(name, schema)


def _arguments(written: str) -> _Arguments:
    """Read the arguments of a call in one line. Options in braces are options of the call."""
    values: list[list[str]] = []
    options: dict[str, list[str]] = {}
    into: list[str] | None = None
    depth = 0
    for token in _TOKEN.finditer(written):
        kind = token.lastgroup
        if kind is None:
            continue
        if kind == "key" and depth == 0:
            into = options.setdefault(token["key"], [])
        elif kind == "sign":
            if token["sign"] == "[":
                depth += 1
                if into is None:
                    values.append([])
                    into = values[-1]
            elif token["sign"] == "]":
                depth -= 1
                into = None if depth <= 0 else into
            elif token["sign"] == "{" and into is not None and depth == 0:
                into.append("{")
                into = None
            elif token["sign"] == "," and depth == 0:
                into = None
        elif kind != "key":
            text = token[kind]
            value = re.sub(r"\\(.)", r"\1", text) if kind == "text" else text
            if into is None:
                values.append([value])
            else:
                into.append(value)
    return _Arguments(values, options)


def _type_of(kind: str, options: Mapping[str, list[str]]) -> str:
    """Return the type of PostgreSQL for a column of Rails."""
    found = _TYPES.get(kind, kind)
    limit, precision, scale = (next(iter(options.get(name, ())), "") for name in ("limit", "precision", "scale"))
    if kind == "integer" and limit:
        found = {"1": "smallint", "2": "smallint", "8": "bigint"}.get(limit, "integer")
    elif kind in ("string", "char") and limit:
        found = f"{found}({limit})"
    elif kind == "decimal" and precision:
        found = f"{found}({precision},{scale or '0'})"
    elif kind in ("datetime", "timestamp", "timestamptz") and precision != "nil":
        found = f"{found}({precision or '6'})"
    return f"{found}[]" if options.get("array") == ["true"] else found
