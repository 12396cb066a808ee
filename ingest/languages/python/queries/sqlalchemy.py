"""Statements and sessions of SQLAlchemy and related packages: https://docs.sqlalchemy.org/en/20/orm/queryguide/."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ....facts.operations import Op
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ...framework_rules.wiring import SymbolPlace
from .named_models import Models, NamedModels
from .written_calls import WrittenCall, keys_of, written_call

_PACKAGES: Final = r"(?:sqlalchemy|flask_sqlalchemy|sqlmodel|flask_sqlalchemy_lite)"
#: Functions that begin a statement, by their origin.
_BEGIN: Final = re.compile(rf"{_PACKAGES}:(?:SQLAlchemy\(\)\.)?(select|insert|update|delete|exists)")
#: Origins of the methods of a session. The session comes from an extension, a factory or an annotation. The pattern also matches
#: functions of the package with these names, such as `delete`: their arguments are classes, not instances.
_SESSION: Final = re.compile(rf"{_PACKAGES}:(?:.*\.)?(query|get|get_one|add|add_all|delete|merge|refresh)")
#: Methods of a query that change rows.
_CHANGING: Final = frozenset(("update", "delete"))
#: Methods of a statement or a query whose named arguments are conditions.
_CONDITIONS: Final = frozenset(("filter_by",))
#: Methods of a statement or a query whose named arguments are values.
_VALUES: Final = frozenset(("values", "update"))
#: Methods of queries and results that return an instance.
_ONE: Final = frozenset(
    (
        "first",
        "one",
        "one_or_none",
        "get",
        "get_or_404",
        "first_or_404",
        "one_or_404",
        "scalar",
        "scalar_one",
        "scalar_one_or_none",
    )
)
#: Kinds of statements, by the method of a session whose arguments are instances.
_OF_INSTANCES: Final = {"add": "insert", "add_all": "insert", "delete": "delete", "merge": "merge", "refresh": "select"}
#: Methods of Flask-SQLAlchemy's session and extension whose argument is a class.
_TAKES_CLASS: Final = frozenset(("query", "get", "get_one"))
_MAX_CHAIN: Final = 60
_MAX_STEPS: Final = 30


class _Begun(NamedTuple):
    """The beginning of a chain: its kind, and its classes."""

    statement: str
    models: Models


def sqlalchemy_queries(file: QueryFile, calls: Sequence[WrittenCall]) -> Iterator[FoundQuery]:
    """Yield the database statements that the calls of a file run."""
    yield from _Reading(file).queries(calls)


class _Reading:
    def __init__(self, file: QueryFile) -> None:
        self._file = file
        self._begun: dict[int, _Begun | None] = {}
        self._instances: dict[int, Sequence[SymbolPlace]] = {}
        self._named = NamedModels(file, lambda node: self._beginning(node) is not None)

    def queries(self, calls: Sequence[WrittenCall]) -> Iterator[FoundQuery]:
        chained = {call.receiver for call in calls if call.receiver >= 0 and self._beginning(call.receiver) is not None}
        for call in calls:
            begun = self._beginning(call.node)
            if begun is not None and call.node not in chained:
                yield from self._chain(call, begun)
            elif begun is None:
                yield from self._of_session(call)

    # ------------------------------------------------------------------ chains

    def _beginning(self, node: int) -> _Begun | None:
        """Return the beginning of the chain that ends with a call or an attribute; None for other expressions."""
        if node not in self._begun:
            self._begun[node] = None  # used if an expression depends on itself
            self._begun[node] = self._find(node)
        return self._begun[node]

    def _find(self, node: int) -> _Begun | None:
        file, code = self._file, self._file.code
        if code[node] == Op.MEMBER and file.facts.strings[code[node + 2]] == "query":
            models = {place: dict[tuple[str, ...], None]() for place in self._named.classes(code[node + 1])}
            return _Begun("select", models) if models and not file.types(node) else None
        call = written_call(file, node)
        if call is None:
            return None
        origin = file.origin(call.callee)
        begins = _BEGIN.fullmatch(origin)
        if begins is not None:
            statement = "select" if begins[1] == "exists" else begins[1]
            models = self._named.of(call.positional)
            return _Begun(statement, models) if models else None
        session = _SESSION.fullmatch(origin)
        if session is not None and session[1] in _TAKES_CLASS:
            models = self._named.of(call.positional[:1] if session[1] != "query" else call.positional)
            return _Begun("select", models) if models else None
        return self._beginning(call.receiver) if call.receiver >= 0 else None

    def _chain(self, last: WrittenCall, begun: _Begun) -> Iterator[FoundQuery]:
        models: Models = {place: dict(fields) for place, fields in begun.models.items()}
        statement, written = begun.statement, dict[tuple[str, ...], None]()
        main = next(iter(models))
        call: WrittenCall | None = last
        for _ in range(_MAX_CHAIN):
            if call is None or self._beginning(call.node) is None:
                break
            arguments = [*call.positional, *call.named.values()]
            for place, fields in self._named.of(arguments).items():
                models.setdefault(place, {}).update(fields)
            if call.name in _CONDITIONS:
                models[main].update(dict.fromkeys((name,) for name in call.named))
            if call.name in _CHANGING and call.receiver >= 0 and self._beginning(call.receiver) is not None:
                statement = call.name
            if call.name in _VALUES and call.receiver >= 0:
                names = [*call.named, *(key for each in call.positional for key in keys_of(self._file, each))]
                written.update(dict.fromkeys((name,) for name in names if name != "synchronize_session"))
            call = written_call(self._file, call.receiver)
        yield FoundQuery(last.node, statement, list(self._uses(statement, main, models, tuple(written))), False)

    def _uses(
        self, statement: str, main: SymbolPlace, models: Models, written: tuple[tuple[str, ...], ...]
    ) -> Iterator[FoundUse]:
        for place, fields in models.items():
            if place != main or statement == "select":
                yield FoundUse(place, (), False, tuple(fields))
            else:
                yield FoundUse(place, (), True, written)
                if fields and statement != "insert":
                    yield FoundUse(place, (), False, tuple(fields), True)

    # ------------------------------------------------------------------ sessions

    def _of_session(self, call: WrittenCall) -> Iterator[FoundQuery]:
        statement = _OF_INSTANCES.get(call.name)
        if statement is None or call.receiver < 0 or not call.positional:
            return
        session = _SESSION.fullmatch(self._file.origin(call.callee))
        if session is None:
            return
        code, given = self._file.code, call.positional[0]
        values = self._file.items(code[given + 1]) if code[given] == Op.ARRAY else [given]
        places = dict.fromkeys(place for value in values for place in self._instances_of(value, _MAX_STEPS))
        for place in places:
            yield FoundQuery(call.node, statement, [FoundUse(place, (), statement != "select")], self._file.is_inferred)

    def _instances_of(self, node: int, steps: int) -> Sequence[SymbolPlace]:
        """Return the classes whose instance a value may be."""
        if node < 0 or not steps:
            return ()
        known = self._instances.get(node)
        if known is None:
            self._instances[node] = ()
            known = self._instances[node] = tuple(dict.fromkeys(self._find_instances(node, steps - 1)))
        return known

    def _find_instances(self, node: int, steps: int) -> Iterator[SymbolPlace]:
        file, code = self._file, self._file.code
        kinds = file.types(node)
        yield from (each.declared for each in kinds if each.declared is not None and not each.is_class)
        if kinds:
            return
        call = written_call(file, node)
        if call is not None:
            begun = self._beginning(call.node)
            if begun is not None and (call.name in _ONE or call.name in _TAKES_CLASS - {"query"}):
                yield next(iter(begun.models))
            elif call.name in _ONE or call.name in ("scalars", "execute"):
                for each in (call.receiver, *call.positional[:1]):
                    inner = self._statement_of(each, steps)
                    yield from inner
        elif code[node] == Op.ITERATED:
            yield from self._statement_of(code[node + 1], steps)
        else:
            for value in file.values(node):
                yield from self._instances_of(value, steps)

    def _statement_of(self, node: int, steps: int) -> Iterator[SymbolPlace]:
        """Yield the classes of the rows that a query, a result or a statement returns."""
        if node < 0 or not steps:
            return
        begun = self._beginning(node)
        call = written_call(self._file, node)
        if begun is not None:
            yield next(iter(begun.models))
        elif call is not None:
            for each in (call.receiver, *call.positional[:1]):
                yield from self._statement_of(each, steps - 1)
        else:
            for value in self._file.values(node):
                yield from self._statement_of(value, steps - 1)
