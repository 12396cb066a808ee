"""Builders of SQL: squirrel, go-sqlbuilder and goqu, whose calls name tables and columns in texts.

    sq.Select("u.name").From("users u").Join("posts p ON p.user_id = u.id").Where("u.id = ?", id)

The calls of one builder make one statement, in a chain or on a variable.
See https://pkg.go.dev/github.com/Masterminds/squirrel and https://pkg.go.dev/github.com/huandu/go-sqlbuilder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ....facts.data import TABLE_NAME, UNQUALIFIED
from ....facts.model import DeclKind
from ....facts.node_scan import CELLS
from ....facts.operations import NAME_OPS, Op
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile

_PACKAGE: Final = re.compile(
    r"github\.com/(?:Masterminds/squirrel|huandu/go-sqlbuilder|(?:doug-martin|go-goqu)/goqu)(?:/v\d+)?:(?P<made>.*)"
)
#: Calls that name the table whose rows a statement changes, with the kind of the statement.
_TARGETS: Final = {
    **dict.fromkeys(("Insert", "InsertInto", "InsertIgnoreInto", "Into"), "insert"),
    **dict.fromkeys(("Replace", "ReplaceInto"), "merge"),
    "Update": "update",
    **dict.fromkeys(("Delete", "DeleteFrom"), "delete"),
}
#: Calls that set up all statements of a program.
_SETTINGS: Final = re.compile(r"Dialect|New|PlaceholderFormat|RunWith|WithDialect|SetDefaultFlavor")
#: Functions that make a table, a column or a text of SQL, as in `goqu.T("users")` and `goqu.C("name").Eq("a")`.
_PARTS: Final = ("T", "Table", "I", "C", "L", "Expr")
#: Calls that name further tables. A text may be followed by an alias and a condition.
_SOURCES: Final = re.compile(
    r"From|(?:Inner|Left|Right|Full|FullOuter|LeftOuter|RightOuter|Cross|Natural|NaturalLeft)?Join(?:WithOption)?"
)
#: Calls whose texts are columns that the statement writes.
_WRITTEN: Final = ("Columns", "Cols", "Set", "SetMap", "Rows", "Assign", "Incr", "Decr", "Add", "Sub", "Mul", "Div")
#: Calls whose arguments may be literals with columns as keys.
_MAPPING: Final = ("Where", "Having", "On", "Set", "SetMap", "Rows")
#: Calls whose texts are no SQL: they name a result.
_NAMING: Final = ("As", "BuilderAs", "Suffix", "Prefix", "Alias")
_TEXT: Final = re.compile(r"'(?:[^']|'')*'")
#: A table with its alias, as in `public.users AS u`.
_TABLE: Final = re.compile(
    r"\s*([`\"]?[A-Za-z_]\w*[`\"]?(?:\.[`\"]?[A-Za-z_]\w*[`\"]?)?)(?:\s+(?:AS\s+)?(?!ON\b|USING\b)([A-Za-z_]\w*))?",
    re.IGNORECASE,
)
_COLUMN: Final = re.compile(r"(?:[`\"]?([A-Za-z_]\w*)[`\"]?\.)?[`\"]?([A-Za-z_]\w*)[`\"]?(?!\s*\()")
_QUOTES: Final = '`"'
_MAX_CHAIN: Final = 60
#: Maximum number of cells of the literals in the arguments of a call.
_MAX_LITERAL: Final = 4_000
_MAX_DEPTH: Final = 6


class _Call(NamedTuple):
    """A call of a builder."""

    node: int
    name: str
    arguments: Sequence[int]


class _Names(NamedTuple):
    """What the calls of one statement name."""

    #: Tables by alias, and by name where there is no alias.
    tables: dict[str, str]
    #: Columns that the statement writes or reads: the alias of the table or "", and the name.
    written: dict[tuple[str, str], None]
    read: dict[tuple[str, str], None]


def builder_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the database statements that the builders of a file make."""
    reading = _Reading(file)
    groups: dict[tuple[int, int], list[_Call]] = {}
    for node in file.facts.calls:
        call = reading.call(node)
        if call is not None:
            groups.setdefault((file.owner(node), reading.root(node)), []).append(call)
    for calls in groups.values():
        yield from reading.statement(calls)


class _Reading:
    def __init__(self, file: QueryFile) -> None:
        self._file = file

    def call(self, node: int) -> _Call | None:
        """Return a call of a function or a method of a builder; None for other expressions."""
        code = self._file.code
        callee = code[node + 1] if node >= 0 and code[node] == Op.CALL else -1
        if callee < 0 or _PACKAGE.fullmatch(self._file.origin(callee)) is None:
            return None
        return _Call(node, self._file.name(callee), self._file.items(code[node + 2]))

    def root(self, node: int) -> int:
        """Return what the calls of one statement have in common: the variable of the builder, or the first call of a chain."""
        code = self._file.code
        for _ in range(_MAX_CHAIN):
            callee = code[node + 1]
            receiver = code[callee + 1] if code[callee] == Op.MEMBER else -1
            if receiver < 0 or self.call(receiver) is None:
                return self._variable(receiver, node)
            node = receiver
        return node

    def _variable(self, receiver: int, call: int) -> int:
        """Return the number of a local variable, below zero, that has a builder; the call if there is none."""
        code, facts = self._file.code, self._file.facts
        if receiver < 0 or code[receiver] not in NAME_OPS or code[receiver + 1] < 0:
            return call
        declared = facts.bindings[code[receiver + 1]].decls
        values = (facts.decls[each].b for each in declared)
        is_own = any(self._is_builder(value) for value in values) or self._is_parameter(declared)
        return -2 - code[receiver + 1] if is_own else call

    def _is_builder(self, node: int) -> bool:
        """Return whether a value is the builder of one statement, and not of all statements of a dialect."""
        for _ in range(_MAX_CHAIN):
            call = self.call(node)
            if call is None:
                return False
            if _SETTINGS.fullmatch(call.name) is None:
                return True
            callee = self._file.code[node + 1]
            node = self._file.code[callee + 1] if self._file.code[callee] == Op.MEMBER else -1
        return False

    def _is_parameter(self, declared: Sequence[int]) -> bool:
        return any(self._file.facts.decls[each].kind == DeclKind.PARAMETER for each in declared)

    # ------------------------------------------------------------------ statements

    def statement(self, calls: Sequence[_Call]) -> Iterator[FoundQuery]:
        """Yield the statements of the calls of one builder."""
        names = _Names({}, {}, {})
        statement, target, place = "select", "", -1
        for call in calls:
            texts = [text for argument in call.arguments for text in self._texts(argument)]
            if call.name in _TARGETS:
                statement, place = _TARGETS[call.name], call.node
                target = self._add_table(names, texts[0]) if texts else target
            elif _SOURCES.fullmatch(call.name) is not None:
                place = call.node if place < 0 else place
                self._add_sources(names, call.name, texts)
            elif call.name not in _NAMING:
                is_one = call.name in _WRITTEN and call.name not in ("Columns", "Cols")
                for text in (*(texts[:1] if is_one else texts), *self._keys(call)):
                    _add_columns(names.written if call.name in _WRITTEN else names.read, text)
        if statement != "select" and not target:  # `Delete("").From("users")`, `From("users").Update()`
            target = next(iter(names.tables.values()), "")
        for table in dict.fromkeys(names.tables.values()):
            read = self._fields(names, names.read, table)
            if table != target:
                yield self._query(place, "select", FoundUse(f"{TABLE_NAME}{table}", fields=read))
                continue
            written = self._fields(names, names.written, table)
            yield self._query(place, statement, FoundUse(f"{TABLE_NAME}{table}", (), True, written))
            if read and statement != "insert":
                yield self._query(place, statement, FoundUse(f"{TABLE_NAME}{table}", (), False, read, True))

    def _add_sources(self, names: _Names, name: str, texts: Sequence[str]) -> None:
        """Add the tables of `From`, or the table and the condition of a join: `Join("posts p ON p.user_id = u.id")`."""
        for text in texts if name == "From" else texts[:1]:
            self._add_table(names, text)
        if name != "From" and texts:
            table = _TABLE.match(texts[0])
            for text in (texts[0][table.end() :] if table is not None else "", *texts[1:]):
                _add_columns(names.read, text)

    def _query(self, place: int, statement: str, use: FoundUse) -> FoundQuery:
        return FoundQuery(place, statement, [use], self._file.is_inferred)

    def _fields(self, names: _Names, columns: dict[tuple[str, str], None], table: str) -> tuple[tuple[str, ...], ...]:
        """Return the columns of a table. Without a qualifier, a column belongs to the only table that has such a column."""
        is_alone = len(set(names.tables.values())) == 1
        found: dict[tuple[str, ...], None] = {}
        for qualifier, name in columns:
            if names.tables.get(qualifier) == table or (not qualifier and is_alone):
                found[name,] = None
            elif not qualifier:
                found[UNQUALIFIED, name] = None
        return tuple(found)

    def _add_table(self, names: _Names, text: str) -> str:
        """Add the table at the beginning of a text. Return its name; "" for other texts."""
        match = _TABLE.match(text)
        if match is None:
            return ""
        table = "".join(sign for sign in match[1] if sign not in _QUOTES)
        names.tables[match[2] or table.rpartition(".")[2]] = table
        return table

    def _keys(self, call: _Call) -> Iterator[str]:
        """Yield the texts in literals among the arguments of a call: `Where(goqu.Ex{"name": name})`."""
        code = self._file.code
        literal = next((each for each in call.arguments if each >= 0 and code[each] == Op.AS and code[each + 1] < 0), call.node)
        if call.name in _MAPPING:
            for node in range(literal, min(call.node, literal + _MAX_LITERAL), CELLS):  # the call comes after its arguments
                if code[node] == Op.STRING:
                    yield self._file.facts.strings[code[node + 2]][1:-1]

    def _texts(self, node: int, depth: int = _MAX_DEPTH) -> Iterator[str]:
        """Yield the texts in an argument, and in calls such as `goqu.T("users")` in it."""
        code = self._file.code
        if node < 0 or depth <= 0:
            return
        if code[node] == Op.STRING:
            yield self._file.facts.strings[code[node + 2]][1:-1]
        elif code[node] in (Op.AS, Op.SPREAD):
            yield from self._texts(code[node + 1], depth - 1)
        elif code[node] == Op.ARRAY:
            for item in self._file.items(code[node + 1]):
                yield from self._texts(item, depth - 1)
        elif code[node] == Op.CALL:
            last = self.call(node)
            first = self.call(self.root(node)) if last is not None else None
            if last is not None and first is not None and first.name in _PARTS and first.arguments:
                alias = next(self._texts(last.arguments[0], depth - 1), "") if last.name == "As" and last.arguments else ""
                for text in self._texts(first.arguments[0], depth - 1):
                    yield f"{text} {alias}".rstrip()
        else:
            values = self._file.values(node)[:1]
            for value in values:
                yield from self._texts(value, depth - 1)
            constant = self._file.constant(node) if not values else None
            if constant is not None and constant.file.path != self._file.path:
                yield from _Reading(self._file.view(constant.file))._texts(constant.facts.b, depth - 1)


def _add_columns(columns: dict[tuple[str, str], None], text: str) -> None:
    columns.update(dict.fromkeys((qualifier, name) for qualifier, name in _COLUMN.findall(_TEXT.sub("", text))))
