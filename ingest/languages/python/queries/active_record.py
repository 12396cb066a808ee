"""Queries and models of mappers whose models run statements, such as Peewee, Piccolo, MongoEngine and Beanie.

See https://docs.peewee-orm.com/en/latest/peewee/querying.html; `active_record_methods.py` has the methods of each mapper.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ....facts.model import DeclKind
from ....facts.node_scan import any_of, nodes_of
from ....facts.operations import MemberFlag, Op
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ...framework_rules.wiring import SymbolPlace, WiredFile
from ..models.hints import PEEWEE
from .active_record_methods import (
    BEGIN,
    MANAGERS,
    MAPPERS,
    OF_INSTANCES,
    ONE,
    MapperMethods,
    document_keys,
    field_path,
    text_path,
)
from .named_models import Models, NamedModels
from .passed_values import given_to
from .returned_queries import ReturnedValue, argument_for, returned_values
from .written_calls import WrittenCall, keys_of, text_of, written_call

#: Methods of the query behind a relation to many rows: `user.tweets.where(…)`.
_OF_QUERIES: Final = frozenset(
    ("where", "order_by", "count", "exists", "first", "limit", "join", "group_by", "iterator", "paginate")
)
_MEMBERS: Final = any_of(Op.MEMBER)
_INDEXES: Final = any_of(Op.INDEX)
#: Maximum number of relations on the path to a row.
_MAX_PATH: Final = 4
_MAX_CHAIN: Final = 60
_MAX_STEPS: Final = 30


class _Row(NamedTuple):
    """A row of a model, or of the model at the end of relations."""

    model: SymbolPlace
    path: tuple[str, ...] = ()
    #: Whether the row or its model is in a parameter, and call sites tell it.
    is_inferred: bool = False


class _Begun(NamedTuple):
    """The beginning of a chain: the call of a method of a model or of a relation, and the model."""

    call: WrittenCall
    model: SymbolPlace
    methods: MapperMethods
    #: Whether the last call of the chain returns a row.
    is_row: bool
    #: The relations from the model: `user.tweets.select()`.
    path: tuple[str, ...] = ()
    is_inferred: bool = False
    #: Other models whose method it may be.
    others: tuple[SymbolPlace, ...] = ()


def active_record_queries(file: QueryFile, calls: Sequence[WrittenCall]) -> Iterator[FoundQuery]:
    """Yield the database statements that the calls of a file run."""
    yield from _Reading(file, {}).queries(calls)


class _Reading:
    def __init__(self, file: QueryFile, readings: dict[str, _Reading]) -> None:
        """`readings` has the readings of the files whose functions return rows, by path."""
        self._file = file
        self._readings = readings
        self._begun: dict[int, _Begun | None] = {}
        self._models: dict[tuple[str, int], MapperMethods | None] = {}
        self._rows: dict[int, Sequence[_Row]] = {}
        self._named = NamedModels(file, lambda node: self._beginning(node) is not None)

    def queries(self, calls: Sequence[WrittenCall]) -> Iterator[FoundQuery]:
        chained = {call.receiver for call in calls if call.receiver >= 0}
        for call in [*calls, *self._managers(calls)]:
            begun = self._beginning(call.node)
            if begun is not None and call.node not in chained:
                yield from self._chain(call, begun)
            elif begun is None and call.name in OF_INSTANCES and not self._file.runs_own_code(call.callee):
                yield from self._of_instance(call)
        yield from self._read_by_key()
        yield from self._followed()

    def _of_instance(self, call: WrittenCall) -> Iterator[FoundQuery]:
        for row in self.row(call.receiver):
            methods = self._methods(row.model)
            statement = methods.of_instances.get(call.name) if methods is not None else None
            if methods is not None and statement is not None:
                fields = self._values(call, methods) if call.name in methods.values else ()
                use = FoundUse(row.model, row.path, statement != "select", fields)
                yield FoundQuery(call.node, statement, [use], row.is_inferred)

    def _values(self, call: WrittenCall, methods: MapperMethods) -> tuple[tuple[str, ...], ...]:
        """Return the fields to which a method of a row assigns values."""
        named = [path for fields in self._named.of(call.positional).values() for path in fields]
        keys = [text_path(name) for each in [*call.positional, *call.named.values()] for name in self._keys(each, methods)]
        return tuple(dict.fromkeys((*named, *map(field_path, call.named), *keys)))

    def _keys(self, node: int, methods: MapperMethods) -> list[str]:
        return document_keys(self._file, node) if methods.has_documents else keys_of(self._file, node)

    def _managers(self, calls: Sequence[WrittenCall]) -> Iterator[WrittenCall]:
        """Yield the attributes of models that stand for all rows, where no call follows: `for user in User.objects`."""
        callees = {call.callee for call in calls}
        for node in nodes_of(self._file.facts, _MEMBERS):
            manager = self._call(node) if node not in callees else None
            if manager is not None and not self._file.code[node + 3] & MemberFlag.WRITTEN:
                yield manager

    def _call(self, node: int) -> WrittenCall | None:
        """Return a call, or an attribute such as `User.objects` as a call without arguments."""
        file = self._file
        if node >= 0 and file.code[node] == Op.MEMBER and file.facts.strings[file.code[node + 2]] in MANAGERS:
            return WrittenCall(node, node, file.name(node), file.code[node + 1], (), {})
        return written_call(file, node)

    def _others(self, file: QueryFile) -> _Reading:
        if file.path == self._file.path:
            return self
        if file.path not in self._readings:
            self._readings[file.path] = _Reading(file, self._readings)
        return self._readings[file.path]

    def _methods(self, place: SymbolPlace) -> MapperMethods | None:
        """Return the methods of the mapper from whose model a class derives, perhaps through classes of the repository."""
        key = (place.file.path, place.symbol)
        if key not in self._models:
            shape = place.shape
            self._models[key] = _mapper(place.file, shape) if shape >= 0 else None
        return self._models[key]

    def _classes(self, node: int) -> list[SymbolPlace]:
        """Return the models that an expression may refer to: several for a parameter to which calls give different ones."""
        return [place for place in self._named.classes(node) if self._methods(place) is not None]

    def _with_rows_by_key(self, node: int) -> list[SymbolPlace]:
        """Return the models that an expression may refer to, if an index of them is a row: `User[7]`."""
        found = ((place, self._methods(place)) for place in self._named.classes(node))
        return [place for place, methods in found if methods is not None and methods.has_rows_by_key]

    def _class(self, node: int) -> SymbolPlace | None:
        """Return the model that an expression refers to, perhaps through an alias; None for other expressions."""
        for place in self._classes(node):
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
        call = self._call(node)
        if call is None:
            found = (self._beginning(value, steps - 1) for value in self._file.values(node))
            return next((each for each in found if each is not None), None)
        if call.receiver < 0:
            return None
        if call.name in BEGIN:
            models = self._classes(call.receiver) or list(filter(None, [self._class(call.receiver)]))
            is_inferred = self._file.is_inferred
            methods = self._methods(models[0]) if models else None
            if methods is not None and call.name in methods.begin:
                if call.callee != call.node and self._file.runs_own_code(call.callee):
                    return None
                return _Begun(call, models[0], methods, call.name in methods.one, (), is_inferred, tuple(models[1:]))
        begun = self._beginning(call.receiver, steps - 1)
        if begun is None and (call.name in BEGIN or call.name in _OF_QUERIES) and not self._file.runs_own_code(call.callee):
            for row in self.row(call.receiver, steps - 1):
                methods = self._methods(row.model) if row.path else None
                if methods is not None:
                    return _Begun(call, row.model, methods, call.name in methods.one, row.path, row.is_inferred)
        if begun is None or (begun.is_row and call.name not in begun.methods.ends):
            return None
        return begun._replace(is_row=call.name in begun.methods.one)

    def _chain(self, last: WrittenCall, begun: _Begun) -> Iterator[FoundQuery]:
        models: Models = {begun.model: {}}
        methods = begun.methods
        written, call = dict[tuple[str, ...], None](), last
        statement = ""
        for _ in range(_MAX_CHAIN):
            is_first = call.node == begun.call.node
            kind = (methods.begin if is_first else methods.ends).get(call.name, "")
            statement = statement or (kind if kind != "select" else "")
            values = call.name in methods.values and bool(kind)
            arguments = [*call.positional, *(() if values else call.named.values())]
            for place, fields in self._named.of(arguments).items():
                if values and place == begun.model:
                    written.update(fields)
                else:
                    models.setdefault(place, {}).update(fields)
            if values:
                written.update(dict.fromkeys(map(field_path, call.named)))
                written.update(dict.fromkeys(text_path(name) for each in call.positional for name in self._keys(each, methods)))
            elif call.name in methods.lookups:
                models[begun.model].update(dict.fromkeys(tuple(name.split("__")) for name in call.named))
            elif methods.has_documents:
                keys = (name for each in arguments for name in document_keys(self._file, each))
                models[begun.model].update(dict.fromkeys(map(text_path, keys)))
            if call.name in methods.texts:
                texts = (text_of(self._file, each) for each in call.positional)
                models[begun.model].update(dict.fromkeys(text_path(text) for text in texts if text))
            before = self._call(call.receiver) if not is_first else None
            if before is None:
                break
            call = before
        for each in self._statements(last, statement or "select", begun.model, models, tuple(written)):
            for model in (begun.model, *begun.others):
                uses = [use._replace(model=model, path=begun.path) if use.model == begun.model else use for use in each.uses]
                yield each._replace(uses=uses, is_inferred=begun.is_inferred)

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

    def row(self, node: int, steps: int = _MAX_STEPS) -> Sequence[_Row]:
        """Return the rows that a value may be. A relation to many rows is a row in this sense, too."""
        if node < 0 or steps <= 0:
            return ()
        known = self._rows.get(node)
        if known is None:
            self._rows[node] = ()
            known = self._rows[node] = tuple(dict.fromkeys(self._find_rows(node, steps - 1)))
        return known

    def _find_rows(self, node: int, steps: int) -> Iterator[_Row]:
        file, code = self._file, self._file.code
        kinds = file.types(node)
        is_inferred = file.is_inferred
        for each in kinds:
            if each.declared is not None and not each.is_class and self._methods(each.declared) is not None:
                yield _Row(each.declared, (), is_inferred)
        op = code[node]
        if any(not each.is_class for each in kinds):
            return  # an index of a class has the type of the class
        call = written_call(file, node)
        if call is not None:
            begun = self._beginning(node)
            if begun is not None and begun.is_row:
                yield from (_Row(model, begun.path, begun.is_inferred) for model in (begun.model, *begun.others))
            for returned in returned_values(file, call) if begun is None else ():
                rows = list(self._of_argument(returned, call))
                yield from rows or self._others(returned.file).row(returned.node, steps)
        elif op == Op.INDEX:
            models = self._with_rows_by_key(code[node + 1])
            is_inferred = file.is_inferred
            yield from (_Row(model, (), is_inferred) for model in models)
            if not models:
                yield from self._inside(code[node + 1], steps)
        elif op == Op.ITERATED:
            yield from self._inside(code[node + 1], steps)
        elif op == Op.MEMBER:
            name = file.facts.strings[code[node + 2]]
            for row in self.row(code[node + 1], steps):
                if len(row.path) < _MAX_PATH:
                    yield row._replace(path=(*row.path, name))
        else:
            for value in file.values(node):
                yield from self.row(value, steps)
            for given in given_to(file, node):
                yield from (row._replace(is_inferred=True) for row in self.row(given, steps))

    def _inside(self, node: int, steps: int) -> Iterator[_Row]:
        """Yield the rows of a query or of a relation to many rows."""
        begun = self._beginning(node)
        if begun is not None and not begun.is_row and begun.methods.begin.get(begun.call.name, "select") == "select":
            yield _Row(begun.model, begun.path, begun.is_inferred)
        else:
            yield from self.row(node, steps)

    def _of_argument(self, value: ReturnedValue, call: WrittenCall) -> Iterator[_Row]:
        """Yield the row that a function reads of the model in its argument: `return model[key]`, `return model.get(…)`."""
        code, made = value.file.code, written_call(value.file, value.node)
        start = code[value.node + 1] if code[value.node] == Op.INDEX else -1
        if made is not None and made.name in ONE:
            start = made.receiver
        given = argument_for(value, start, call) if start >= 0 else -1
        model = self._class(given) if given >= 0 else None
        if model is not None:
            yield _Row(model)

    def _read_by_key(self) -> Iterator[FoundQuery]:
        """Yield the statements that read rows by their keys: `User[7]`."""
        code = self._file.code
        for at in nodes_of(self._file.facts, _INDEXES):
            models = self._with_rows_by_key(code[at + 1])
            is_inferred = self._file.is_inferred
            for model in models:
                yield FoundQuery(at, "select", [FoundUse(model)], is_inferred)

    def _followed(self) -> Iterator[FoundQuery]:
        """Yield the statements by which rows of other tables are read through relations: `tweet.user`, `user.tweets`."""
        file, code = self._file, self._file.code
        seen: set[tuple[int, _Row, str]] = set()
        callees = {code[node + 1] for node in file.facts.calls}
        for at in nodes_of(file.facts, _MEMBERS):
            if at in callees or code[at + 3] & MemberFlag.WRITTEN:
                continue
            name = file.facts.strings[code[at + 2]]
            for row in self.row(code[at + 1]):
                if (key := (file.owner(at), row, name)) not in seen:
                    seen.add(key)
                    yield FoundQuery(at, "select", [FoundUse(row.model, (*row.path, name))], row.is_inferred)


def _mapper(file: WiredFile, shape: int) -> MapperMethods | None:
    """Return the mapper from whose classes a class derives. The base may come from `from peewee import *`."""
    origins = file.base_origins(shape)
    found = next((each for each in MAPPERS if any(map(each.base.fullmatch, origins))), None)
    if found is not None:
        return found
    is_of_peewee = any(
        decl.kind == DeclKind.IMPORT and decl.name == "*" and PEEWEE.match(each.facts.strings[decl.a]) is not None
        for each, _ in file.ancestors(shape)
        for decl in each.facts.decls
    )
    return MAPPERS[0] if is_of_peewee else None
