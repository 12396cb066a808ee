"""Find values that are rows of models of SQLAlchemy: by their types, by the queries that return them, and by relations."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from ....facts.model import DeclKind
from ....facts.operations import NAME_OPS, Op
from ...framework_rules.queries import QueryFile
from ...framework_rules.wiring import SymbolPlace
from ..models.carried_rows import carrier_of
from ..models.hints import CARRIED
from ..models.sqlalchemy_entities import LOGGED_IN
from .named_models import NamedModels
from .passed_values import MAX_INFERRED, given_to, parameter_of
from .returned_queries import returned_values
from .written_calls import WrittenCall, calls_by_name, text_of, written_call

PACKAGES: Final = r"(?:sqlalchemy|flask_sqlalchemy|sqlmodel|flask_sqlalchemy_lite|alchemical)"
_BASE: Final = re.compile(rf"{PACKAGES}:.*")
#: Methods of queries and results that return a row.
_ONE: Final = frozenset(
    ("first", "one", "one_or_none", "get", "get_one", "get_or_404", "first_or_404", "one_or_404", "scalar", "scalar_one",
     "scalar_one_or_none")
)  # fmt: skip
#: Methods of sessions that return rows of the statement in their argument.
_RUNNING: Final = frozenset(
    ("execute", "scalars", "scalar", "exec", "stream", "stream_scalars", "first_or_404", "one_or_404")
)  # fmt: skip
#: Methods of results, and of relations that are queries, after which the rows are still rows of the same model.
_KEEPING: Final = frozenset(
    ("all", "distinct", "execution_options", "fetchall", "fetchmany", "filter", "filter_by", "limit", "offset", "options",
     "order_by", "paginate", "partitions", "scalars", "select", "unique", "where", "yield_per")
)  # fmt: skip
#: Functions of Python that return the items of their argument.
_COPYING: Final = frozenset(("list", "tuple", "set", "frozenset", "sorted", "reversed", "iter"))
#: Functions of Python that return an item of their argument.
_CHOOSING: Final = frozenset(("max", "min", "next"))
#: Types whose argument is the type of the items.
_LISTS: Final = ("builtins.list", "builtins.set", "builtins.tuple")
#: Classes of factory_boy that make rows, and their methods that return one row.
_FACTORY: Final = re.compile(r"factory:\w*Factory")
_MAKING: Final = frozenset(("create", "build"))
#: Attribute of a page of Flask-SQLAlchemy with its rows, and methods that add a row to a list.
_OF_PAGE: Final = "items"
_ADDING: Final = frozenset(("append", "add", "insert", "appendleft"))
#: Functions of SQLAlchemy that make a function a receiver of events, the events before and after statements, whose third
#: argument is the row, and events whose first argument is the row.
_LISTENING: Final = frozenset(("listens_for", "listen"))
_OF_FLUSH: Final = re.compile(r"(?:before|after)_(?:insert|update|delete)")
_OF_ROWS: Final = frozenset(("append", "expire", "init", "load", "modified", "refresh", "remove", "set"))
#: Maximum number of relations on the path to a row.
_MAX_PATH: Final = 4
_MAX_STEPS: Final = 30
#: Maximum number of assignments between a new row and its use, with the nodes of the flow between them.
_MAX_ASSIGNED: Final = 4
#: Maximum number of values that are looked at in each step.
_MAX_REACHING: Final = 20


class Row(NamedTuple):
    """A row of a model, or of the model at the end of relations. A relation to many rows is a row in this sense, too."""

    #: The class, or a name in its place.
    model: SymbolPlace | str
    path: tuple[str, ...] = ()
    #: Whether the row is in a parameter, and call sites tell its model.
    is_inferred: bool = False


class HeldRows:
    """Finds the rows in the values of a file. Each value is read only once."""

    def __init__(
        self,
        file: QueryFile,
        returned: Callable[[int], Sequence[Row]],
        named: NamedModels,
        others: Callable[[QueryFile], HeldRows],
    ) -> None:
        """`returned` returns the rows that a query returns, and () for an expression that is not a query.

        `named` finds the classes in whose attribute the model of a new row is: `self.model(**values)`.
        `others` returns the rows in the values of another file.
        """
        self._file = file
        self._returned = returned
        self._named = named
        self._others = others
        self._known: dict[int, Sequence[Row]] = {}
        self._models: dict[tuple[str, int], bool] = {}
        #: The models whose events functions receive, by the symbol of the function, each with the place of the row.
        self._received: dict[int, list[tuple[int, int]]] = defaultdict(list)
        if not _LISTENING.isdisjoint(file.facts.strings):
            self._add_receivers()

    def _add_receivers(self) -> None:
        """Record the functions in `@event.listens_for(User, "before_insert")` and `event.listen(User, "load", function)`."""
        file, facts = self._file, self._file.facts
        for decl in facts.decls:
            if decl.kind == DeclKind.FUNCTION and decl.symbol >= 0:
                for decorator in file.items(decl.b):
                    self._add_receiver(decl.symbol, written_call(file, decorator))
        for call in calls_by_name(file).get("listen", ()):
            for each in file.declarations(call.positional[2]) if len(call.positional) > 2 else ():
                if each.facts.kind == DeclKind.FUNCTION and each.file.path == file.path and each.facts.symbol >= 0:
                    self._add_receiver(each.facts.symbol, call)

    def _add_receiver(self, symbol: int, call: WrittenCall | None) -> None:
        if call is None or call.name not in _LISTENING or len(call.positional) < 2:
            return
        event, code, source = text_of(self._file, call.positional[1]), self._file.code, call.positional[0]
        if code[source] == Op.MEMBER and not any(self._named.classes(source)):
            source = code[source + 1]  # of a column: `event.listens_for(User.name, "set")`
        if _OF_FLUSH.fullmatch(event) is not None:
            self._received[symbol].append((source, 2))
        elif event in _OF_ROWS:
            self._received[symbol].append((source, 0))

    def _received_by(self, node: int) -> Iterator[Row]:
        """Yield the rows that the mapper passes to the parameter of a receiver of events that a name denotes."""
        parameter = parameter_of(self._file, node) if self._received else None
        if parameter is None:
            return
        function = self._file.facts.functions[parameter.c]
        names = [each.name for each in function.parameters]
        for source, place in self._received.get(function.symbol, ()):
            if names[place : place + 1] == [parameter.name]:
                yield from map(Row, self._named.classes(source))

    def is_model(self, place: SymbolPlace | str) -> bool:
        """Return whether a class derives from a class of SQLAlchemy, perhaps through classes of the repository, declares a table
        with columns of SQLAlchemy, or has a model in an attribute. Other packages have bases, too, which need not be installed.
        """
        if isinstance(place, str) or self._named.is_holder(place):
            return True
        key = (place.file.path, place.symbol)
        known = self._models.get(key)
        if known is None:
            origins = place.base_origins
            is_model = any(_BASE.fullmatch(origin) is not None for origin in origins)
            known = self._models[key] = is_model or (bool(origins) and _declares_table(place))
        return known

    def of(self, node: int, steps: int = _MAX_STEPS) -> Sequence[Row]:
        """Return the rows that an expression may be."""
        if node < 0 or steps <= 0:
            return ()
        known = self._known.get(node)
        if known is None:
            self._known[node] = ()  # used if an expression depends on itself
            known = self._known[node] = tuple(dict.fromkeys(self._find(node, steps - 1)))
        return known

    def is_new(self, node: int) -> bool:
        """Return whether an expression may be a row that the function has made: `book = Book()`, or `self` in `__init__`."""
        file, values = self._file, [node]
        for _ in range(_MAX_ASSIGNED):
            calls = (call for value in values if (call := written_call(file, value)) is not None)
            if any(each.facts.kind == DeclKind.CLASS for call in calls for each in file.declarations(call.callee)):
                return True
            reaching = (each for value in values if file.code[value] != Op.CALL for each in file.values(value))
            values = list(islice(dict.fromkeys(reaching), _MAX_REACHING))
        parameter = parameter_of(file, node)
        symbol = file.facts.functions[parameter.c].symbol if parameter is not None else -1
        return symbol >= 0 and file.facts.symbols[symbol].name == "__init__"

    def listed(self, node: int) -> Iterator[Row]:
        """Yield the rows in a list, which may have a type, or which code may write or fill."""
        code = self._file.code
        for value in self._file.items(code[node + 1]) if code[node] == Op.ARRAY else ():
            yield from self.of(value)
        for kind in self._file.types(node):
            for item in (each for library in _LISTS for each in kind.argument(library)):
                if item.declared is not None and not item.is_class:
                    yield self._row(item.declared)
        yield from self._behind(node, _MAX_STEPS)

    def _find(self, node: int, steps: int) -> Iterator[Row]:
        file, code = self._file, self._file.code
        made = self._made(node)
        if made is not None:
            yield made
            return
        kinds = file.types(node)
        is_inferred = file.is_inferred
        rows = [self._row(kind.declared) for kind in kinds if kind.declared is not None and not kind.is_class]
        if not is_inferred or len(rows) <= MAX_INFERRED:
            yield from (row._replace(is_inferred=is_inferred) for row in rows)
        op = code[node]
        if kinds:
            if op == Op.MEMBER:  # a relation may have a type, too: `author: Mapped["Author"] = relationship()`
                yield from self._related(node, steps)
            return
        if op in NAME_OPS and file.origin(node) == LOGGED_IN:
            yield Row(LOGGED_IN)
        carrier = carrier_of(self._dotted(code[node + 1])) if op == Op.MEMBER else ""
        if carrier:
            yield Row(f"{CARRIED}{carrier}.{file.facts.strings[code[node + 2]]}")
        call = written_call(file, node)
        if call is not None:
            queried = self._returned(node)
            if call.name in _ONE and queried:
                yield queried[0]
            elif call.name in _ONE or call.name in _RUNNING:
                for each in self._sources(call):
                    yield from self._behind(each, steps)
            elif call.name in _CHOOSING and call.receiver < 0 and call.positional and not file.runs_own_code(call.callee):
                yield from self._behind(call.positional[0], steps)
            if call.name in _MAKING and call.receiver >= 0:
                makers = [kind.declared for kind in file.types(call.receiver) if kind.is_class]
                rows = [self._row(maker) for maker in makers if maker is not None]
                yield from (row for row in rows if row.path)
            for returned in returned_values(file, call):
                yield from self._others(returned.file).of(returned.node, steps)
        elif op == Op.ITERATED or (op == Op.INDEX and code[code[node + 2]] != Op.SLICE):
            yield from self._behind(code[node + 1], steps)
        elif op == Op.MEMBER:
            yield from self._related(node, steps)
        else:
            for value in file.values(node):
                yield from self.of(value, steps)
            yield from self._received_by(node)
            for given in given_to(file, node):
                yield from (row._replace(is_inferred=True) for row in self.of(given, steps))

    def _related(self, node: int, steps: int) -> Iterator[Row]:
        """Yield the rows behind an attribute of a row, which may be a relation."""
        code = self._file.code
        for row in self.of(code[node + 1], steps):
            if len(row.path) < _MAX_PATH and self.is_model(row.model):
                yield row._replace(path=(*row.path, self._file.facts.strings[code[node + 2]]))

    def _dotted(self, node: int) -> str:
        """Return the name of an object that may carry rows: its origin with dots, or `request` with its attribute."""
        code, origin = self._file.code, self._file.origin(node)
        if origin:
            return origin.replace(":", ".")
        name = self._file.name(node)
        return f"{self._file.name(code[node + 1])}.{name}" if code[node] == Op.MEMBER and name != "request" else name

    def _made(self, node: int) -> Row | None:
        """Return the new row in `self.model(**values)`, perhaps through a variable; None for other expressions.

        A type variable gives the value the type of all models.
        """
        values = [node] if self._named.has_holders else []
        for _ in range(_MAX_ASSIGNED):
            for value in values:
                call = written_call(self._file, value)
                holder = self._named.holder(call.callee) if call is not None else None
                if call is not None and holder is not None:
                    return Row(holder, (call.name,))
            reaching = (each for value in values if self._file.code[value] != Op.CALL for each in self._file.values(value))
            values = list(islice(dict.fromkeys(reaching), _MAX_REACHING))
        return None

    def _row(self, place: SymbolPlace) -> Row:
        """Return the row in an instance of a class. A call of a factory of rows returns a row of the model of the factory."""
        if not any(_FACTORY.fullmatch(origin) for origin in place.base_origins):
            return Row(place)
        self._named.hold(place, "model")
        return Row(place, ("model",))

    def _behind(self, node: int, steps: int) -> Iterator[Row]:
        """Yield the rows that a query, a result, a statement or a relation contains."""
        if node < 0 or steps <= 0:
            return
        code = self._file.code
        queried = self._returned(node)
        call = written_call(self._file, node)
        if queried:
            yield queried[0]
        elif call is not None:
            for each in self._sources(call):
                yield from self._behind(each, steps - 1)
            for returned in returned_values(self._file, call):
                yield from self._others(returned.file)._behind(returned.node, steps - 1)
        elif code[node] == Op.MEMBER:
            if self._file.facts.strings[code[node + 2]] == _OF_PAGE:  # the rows of a page: `query.paginate(page=1).items`
                yield from self._behind(code[node + 1], steps - 1)
            yield from self.of(node, steps - 1)
        elif code[node] == Op.COMPREHENSION:
            yield from self.of(code[node + 1], steps - 1)
        elif code[node] == Op.INDEX and code[code[node + 2]] == Op.SLICE:
            yield from self._behind(code[node + 1], steps - 1)
        else:
            yield from self._added(node, steps - 1)
            for value in self._file.values(node):
                yield from self._behind(value, steps - 1)
            for given in given_to(self._file, node):
                yield from (row._replace(is_inferred=True) for row in self._behind(given, steps - 1))

    def _added(self, node: int, steps: int) -> Iterator[Row]:
        """Yield the rows that code adds to the empty list in a name: `found.append(row)`."""
        code, facts = self._file.code, self._file.facts
        binding = code[node + 1] if code[node] in NAME_OPS else -1
        for added in facts.bindings[binding].assigned if binding >= 0 else ():
            call = written_call(self._file, added)
            if call is not None and call.name in _ADDING and call.positional:
                yield from self.of(call.positional[-1], steps)

    def _sources(self, call: WrittenCall) -> Sequence[int]:
        """Return the expressions whose rows a call returns. Nothing is known about the rows of other calls."""
        if call.receiver < 0:
            return call.positional[:1] if call.name in _COPYING and not self._file.runs_own_code(call.callee) else ()
        receiver = [call.receiver] if call.name in _ONE or call.name in _KEEPING else []
        return [*receiver, *(call.positional[:1] if call.name in _RUNNING else ())]


def _declares_table(place: SymbolPlace) -> bool:
    data = place.file.facts.data
    models = data.models if data is not None else ()
    return any(
        each.symbol == place.symbol and each.framework == "sqlalchemy" and bool(each.table) and bool(each.fields)
        for each in models
    )
