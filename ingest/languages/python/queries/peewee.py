"""Queries and models of Peewee: https://docs.peewee-orm.com/en/latest/peewee/querying.html."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ....facts.model import DeclKind
from ....facts.node_scan import any_of, nodes_of
from ....facts.operations import MemberFlag, Op
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ...framework_rules.wiring import SymbolPlace, WiredFile
from ..models.hints import PEEWEE
from .named_models import Models, NamedModels
from .written_calls import WrittenCall, keys_of, written_call

_BASE: Final = re.compile(r"(?:peewee|playhouse|aiopeewee|peewee_async):.*")
#: Methods of models that begin a statement, with its kind.
_BEGIN: Final = {
    **dict.fromkeys(("select", "get", "get_or_none", "get_by_id", "filter", "raw"), "select"),
    **dict.fromkeys(("insert", "insert_many", "insert_from", "replace", "replace_many", "create", "bulk_create"), "insert"),
    **dict.fromkeys(("update", "bulk_update", "set_by_id"), "update"),
    **dict.fromkeys(("delete", "delete_by_id"), "delete"),
    "get_or_create": "merge",
}
#: Methods whose named arguments are values of fields.
_VALUES: Final = frozenset(("insert", "create", "update", "replace", "get_or_create"))
#: Methods of models, statements and rows that return a row.
_ONE: Final = frozenset(("get", "get_or_none", "get_by_id", "first", "create", "peek"))
_OF_INSTANCES: Final = {"save": "merge", "delete_instance": "delete"}
_MEMBERS: Final = any_of(Op.MEMBER)
_MAX_CHAIN: Final = 60
_MAX_STEPS: Final = 30


class _Begun(NamedTuple):
    """The beginning of a chain: the call of a method of a model, and the model."""

    call: WrittenCall
    model: SymbolPlace
    #: Whether the last call of the chain returns a row.
    is_row: bool


def peewee_queries(file: QueryFile, calls: Sequence[WrittenCall]) -> Iterator[FoundQuery]:
    """Yield the database statements that the calls of a file run."""
    yield from _Reading(file).queries(calls)


class _Reading:
    def __init__(self, file: QueryFile) -> None:
        self._file = file
        self._begun: dict[int, _Begun | None] = {}
        self._models: dict[tuple[str, int], bool] = {}
        self._rows: dict[int, Sequence[SymbolPlace]] = {}
        self._named = NamedModels(file, lambda node: self._beginning(node) is not None)

    def queries(self, calls: Sequence[WrittenCall]) -> Iterator[FoundQuery]:
        chained = {call.receiver for call in calls if call.receiver >= 0}
        for call in calls:
            begun = self._beginning(call.node)
            if begun is not None and call.node not in chained:
                yield from self._chain(call, begun)
            elif begun is None and call.name in _OF_INSTANCES and not self._file.runs_own_code(call.callee):
                statement = _OF_INSTANCES[call.name]
                for place in self._row(call.receiver):
                    yield FoundQuery(call.node, statement, [FoundUse(place, (), True)], self._file.is_inferred)
        yield from self._followed()

    def _is_model(self, place: SymbolPlace) -> bool:
        """Return whether a class derives from Peewee's model, perhaps through classes of the repository."""
        key = (place.file.path, place.symbol)
        known = self._models.get(key)
        if known is None:
            shape = place.shape
            known = self._models[key] = shape >= 0 and _derives(place.file, shape)
        return known

    def _class(self, node: int) -> SymbolPlace | None:
        """Return the model that an expression refers to, perhaps through an alias; None for other expressions."""
        for place in self._named.classes(node):
            if self._is_model(place):
                return place
        for value in self._file.values(node):
            call = written_call(self._file, value)
            if call is not None and call.name == "alias" and call.receiver >= 0:
                return self._class(call.receiver)
        return None

    # ------------------------------------------------------------------ chains

    def _beginning(self, node: int, steps: int = _MAX_CHAIN) -> _Begun | None:
        """Return the beginning of the chain that ends with a call, perhaps through a variable; None for other expressions."""
        if node not in self._begun:
            self._begun[node] = None  # used if an expression depends on itself
            self._begun[node] = self._find(node, steps)
        return self._begun[node]

    def _find(self, node: int, steps: int) -> _Begun | None:
        if steps <= 0:
            return None
        call = written_call(self._file, node)
        if call is None:
            found = (self._beginning(value, steps - 1) for value in self._file.values(node))
            return next((each for each in found if each is not None), None)
        if call.receiver < 0:
            return None
        if call.name in _BEGIN:
            model = self._class(call.receiver)
            if model is not None:
                return _Begun(call, model, call.name in _ONE) if not self._file.runs_own_code(call.callee) else None
        begun = self._beginning(call.receiver, steps - 1)
        return begun._replace(is_row=call.name in _ONE) if begun is not None and not begun.is_row else None

    def _chain(self, last: WrittenCall, begun: _Begun) -> Iterator[FoundQuery]:
        models: Models = {begun.model: {}}
        written, call = dict[tuple[str, ...], None](), last
        for _ in range(_MAX_CHAIN):
            is_first = call.node == begun.call.node
            values = call.name in _VALUES and is_first
            arguments = [*call.positional, *(() if values else call.named.values())]
            for place, fields in self._named.of(arguments).items():
                if values and place == begun.model:
                    written.update(fields)
                else:
                    models.setdefault(place, {}).update(fields)
            if values:
                written.update(dict.fromkeys((name,) for name in call.named))
                written.update(dict.fromkeys((name,) for each in call.positional for name in keys_of(self._file, each)))
            elif call.name in ("filter", "get"):
                models[begun.model].update(dict.fromkeys(tuple(name.split("__")) for name in call.named))
            before = written_call(self._file, call.receiver) if not is_first else None
            if before is None:
                break
            call = before
        yield from self._statements(last, _BEGIN[begun.call.name], begun.model, models, tuple(written))

    def _statements(
        self, last: WrittenCall, statement: str, main: SymbolPlace, models: Models, written: tuple[tuple[str, ...], ...]
    ) -> Iterator[FoundQuery]:
        conditions = tuple(models.pop(main))
        others = [FoundUse(place, (), False, tuple(fields)) for place, fields in models.items()]
        if statement in ("select", "merge"):
            fields = conditions if statement == "select" else written
            yield FoundQuery(last.node, "select", [FoundUse(main, (), False, fields), *others])
        if statement != "select":
            uses = [FoundUse(main, (), True, written)]
            if conditions and statement != "insert":
                uses.append(FoundUse(main, (), False, conditions, True))
            yield FoundQuery(last.node, statement, [*uses, *(others if statement != "merge" else ())])

    # ------------------------------------------------------------------ rows

    def _row(self, node: int, steps: int = _MAX_STEPS) -> Sequence[SymbolPlace]:
        """Return the models whose row a value may be."""
        if node < 0 or not steps:
            return ()
        known = self._rows.get(node)
        if known is None:
            self._rows[node] = ()
            known = self._rows[node] = tuple(dict.fromkeys(self._find_rows(node, steps - 1)))
        return known

    def _find_rows(self, node: int, steps: int) -> Iterator[SymbolPlace]:
        kinds = self._file.types(node)
        for each in kinds:
            if each.declared is not None and not each.is_class and self._is_model(each.declared):
                yield each.declared
        if kinds:
            return
        if written_call(self._file, node) is not None:
            begun = self._beginning(node)
            if begun is not None and begun.is_row:
                yield begun.model
        elif self._file.code[node] == Op.ITERATED:
            begun = self._beginning(self._file.code[node + 1])
            if begun is not None and not begun.is_row and _BEGIN[begun.call.name] == "select":
                yield begun.model
        else:
            for value in self._file.values(node):
                yield from self._row(value, steps)

    def _followed(self) -> Iterator[FoundQuery]:
        """Yield the statements by which rows of other tables are read through relations: `tweet.user`, `user.tweets`."""
        file, code = self._file, self._file.code
        seen: set[tuple[int, SymbolPlace, str]] = set()
        callees = {code[node + 1] for node in file.facts.calls}
        for at in nodes_of(file.facts, _MEMBERS):
            if at in callees or code[at + 3] & MemberFlag.WRITTEN:
                continue
            name = file.facts.strings[code[at + 2]]
            for model in self._row(code[at + 1]):
                if (key := (file.owner(at), model, name)) not in seen:
                    seen.add(key)
                    yield FoundQuery(at, "select", [FoundUse(model, (name,))], file.is_inferred)


def _derives(file: WiredFile, shape: int) -> bool:
    """Return whether a class derives from a class of Peewee. The base may come from `from peewee import *`."""
    if any(_BASE.fullmatch(origin) is not None for origin in file.base_origins(shape)):
        return True
    return any(
        decl.kind == DeclKind.IMPORT and decl.name == "*" and PEEWEE.match(each.facts.strings[decl.a]) is not None
        for each, _ in file.ancestors(shape)
        for decl in each.facts.decls
    )
