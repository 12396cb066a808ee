"""Statements and sessions of SQLAlchemy and related packages: https://docs.sqlalchemy.org/en/20/orm/queryguide/."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from ....facts.node_scan import any_of, nodes_of
from ....facts.operations import NAME_OPS, MemberFlag, Op
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ...framework_rules.wiring import SymbolPlace
from ..models.hints import MAPPED
from .held_rows import PACKAGES, HeldRows, Row
from .named_models import OWN_TABLE, Models, NamedModels
from .returned_queries import argument_for, declared_results, returned_values
from .written_calls import WrittenCall, keys_of, written_call

_MEMBERS: Final = any_of(Op.MEMBER)
_READING: Final = any_of(Op.ITERATED, Op.INDEX)
#: Classes of queries, which classes of the repository extend with methods.
_QUERY_CLASS: Final = re.compile(rf"{PACKAGES}:(?:.*\.)?(?:Base)?Query")
#: The classes of sessions and of queries in our declarations.
_SESSIONS: Final = frozenset(("sqlalchemy.orm.Session", "sqlalchemy.ext.asyncio.AsyncSession"))
_QUERY: Final = "sqlalchemy.orm.Query"
#: Attribute of a model of Flask-SQLAlchemy that names the class of its queries.
_OF_MODEL: Final = "query_class"
#: Functions that begin a statement, by their origin.
_BEGIN: Final = re.compile(rf"{PACKAGES}:(?:SQLAlchemy\(\)\.)?(select|insert|update|delete|exists)")
#: The functions among these that need not name a model, and the methods that may name it later.
_NAMELESS: Final = frozenset(("select", "exists"))
_GIVING_MODELS: Final = frozenset(("where", "filter", "select_from", "join", "outerjoin"))
#: Origins of the methods of a session. The session comes from an extension, a factory or an annotation. The pattern also matches
#: functions of the package with these names, such as `delete`: their arguments are classes, not instances.
_SESSION: Final = re.compile(rf"{PACKAGES}:(?:.*\.)?(query|get|get_one|get_or_404|add|add_all|bulk_\w+|delete|merge|refresh)")
#: Methods of a session, and names of variables with a session whose type is not known: `request.dbsession`, `self._session`.
_OF_SESSIONS: Final = frozenset(
    ("get", "get_one", "add", "add_all", "bulk_save_objects", "bulk_insert_mappings", "bulk_update_mappings", "delete", "merge",
     "refresh")
)  # fmt: skip
_SESSION_NAME: Final = re.compile(r"_{0,2}(?:\w+_)?(?:db|(?:db)?[sS]ession|DB[sS]ession)")
#: Methods that begin a statement: of tables without a class, and of classes of models in Alchemical, `User.select()`.
_OF_CLASSES: Final = frozenset(("select", "insert", "update", "delete"))
_ALCHEMICAL: Final = "alchemical:"
#: Methods of the collection of a relation, with the kind of their statement: `user.followers.append(other)`.
_LINKING: Final = {"append": "insert", "add": "insert", "extend": "insert", "add_all": "insert", "remove": "delete"}
#: Methods of a query that change rows.
_CHANGING: Final = frozenset(("update", "delete"))
#: Methods of a statement or a query whose named arguments are conditions.
_CONDITIONS: Final = frozenset(("filter_by",))
#: Methods of a statement or a query whose named arguments are values.
_VALUES: Final = frozenset(("values", "update"))
#: Kinds of statements, by the method of a session whose arguments are instances.
_OF_INSTANCES: Final = {"add": "insert", "delete": "delete", "merge": "merge", "refresh": "select"}
#: The same for methods whose argument is a list of instances, and for methods whose first argument is a class.
_OF_LISTS: Final = {"add_all": "insert", "bulk_save_objects": "insert"}
_OF_MAPPINGS: Final = {"bulk_insert_mappings": "insert", "bulk_update_mappings": "update"}
#: Kinds of statements of all these methods.
_WITH_ROWS: Final = {**_OF_INSTANCES, **_OF_LISTS, **_OF_MAPPINGS}
#: Methods of Flask-SQLAlchemy's session and extension whose argument is a class.
_TAKES_CLASS: Final = frozenset(("query", "get", "get_one", "get_or_404"))
#: Methods of statements and queries that name the relations to read.
_RELATING: Final = frozenset(
    (
        "join",
        "outerjoin",
        "options",
        "joinedload",
        "selectinload",
        "subqueryload",
        "contains_eager",
        "immediateload",
        "any",
        "has",
    )
)
#: Methods after which a query does not return whole rows.
_PARTIAL: Final = frozenset(
    ("count", "exists", "with_entities", "with_only_columns", "values", "update", "delete", "subquery", "scalar_subquery", "cte")
)
#: Methods that run the statement in their argument, and functions of Python that read all rows of a query.
_RUNNING: Final = frozenset(
    ("execute", "scalars", "scalar", "exec", "stream", "stream_scalars", "list", "tuple", "set", "sorted", "enumerate", "any",
     "all", "next", "iter", "paginate")
)  # fmt: skip
#: Classes of statements that the result of a function may name.
_WRITTEN_QUERY: Final = re.compile(rf"{PACKAGES}:(?:.*\.)?(Select|Insert|Update|Delete|Query)")
#: Methods after which the rows of a session are read again: those of sessions, and the usual method of rows that commits.
_EXPIRING: Final = frozenset(("commit", "rollback", "expire", "expire_all", "save"))
_MAX_CHAIN: Final = 60


class _Begun(NamedTuple):
    """The beginning of a chain: its kind, and its classes."""

    statement: str
    models: Models
    #: The classes whose rows the query returns.
    rows: Sequence[SymbolPlace] = ()
    #: Whether a function of the repository built the query, which runs only where code uses it.
    is_built: bool = False


def sqlalchemy_queries(file: QueryFile, calls: Sequence[WrittenCall]) -> Iterator[FoundQuery]:
    """Yield the database statements that the calls of a file run."""
    reading = _Reading(file, {}, {})
    for query in reading.queries(calls):
        yield query._replace(uses=[*query.uses, *reading.of_mapped_classes(query.uses)])


class _Reading:
    def __init__(self, file: QueryFile, readings: dict[str, _Reading], held: dict[SymbolPlace, str]) -> None:
        """`readings` has the readings of the files whose functions build queries, by path.

        `held` has the classes that stand for the models in an attribute, each with the name of the attribute.
        """
        self._file = file
        self._readings = readings
        self._begun: dict[int, _Begun | None] = {}
        self._held = held
        #: Classes that are no models, and whose rows code saves: models derive from them.
        self._mixins: set[SymbolPlace | str] = set()
        self._named = NamedModels(file, lambda node: self._beginning(node) is not None, held)
        self._rows = HeldRows(file, self._returned, self._named, lambda other: self._reading(other)._rows)

    def _reading(self, file: QueryFile) -> _Reading:
        found = self._readings.get(file.path)
        if found is None:
            found = self._readings[file.path] = _Reading(file, self._readings, self._held)
        return found

    def queries(self, calls: Sequence[WrittenCall]) -> Iterator[FoundQuery]:
        chained = {call.receiver for call in calls if call.receiver >= 0 and self._beginning(call.receiver) is not None}
        for call in calls:
            begun = self._beginning(call.node)
            if begun is not None and call.node not in chained:
                if not (begun.is_built and self._file.runs_own_code(call.callee)):
                    yield from self._chain(call, begun)
            elif begun is None:
                yield from self._of_session(call)
                yield from self._of_relation(call)
            if begun is None and call.name in _RUNNING:
                yield from self._of_built(call.node, call.positional[:1])
        yield from self._of_bare_queries()
        yield from self._of_attributes({self._file.owner(call.node) for call in calls if call.name in _EXPIRING})

    def of_mapped_classes(self, uses: Sequence[FoundUse]) -> Iterator[FoundUse]:
        """Yield the uses of classes that are not models by themselves, by the names of the classes: a call may map them."""
        for each in uses:
            if isinstance(each.model, SymbolPlace) and not self._rows.is_model(each.model) and each.model.shape >= 0:
                yield each._replace(model=f"{MAPPED}{each.model.file.facts.symbols[each.model.symbol].name}")

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
            is_query = all(_QUERY in kind.libraries for kind in file.types(node))
            return _Begun("select", models, tuple(models)) if models and is_query else None
        call = written_call(file, node)
        if call is None:
            found = [self._beginning(value) for value in file.values(node)]
            return next((each for each in found if each is not None), None)
        origin = file.origin(call.callee)
        begins = _BEGIN.fullmatch(origin)
        if begins is not None:
            statement = "select" if begins[1] == "exists" else begins[1]
            models = self._named.of(call.positional)
            return _Begun(statement, models, self._classes_among(call.positional)) if models else None
        if call.name in _OF_CLASSES and call.receiver >= 0 and not file.runs_own_code(call.callee):
            models = {place: dict[tuple[str, ...], None]() for place in self._named.classes(call.receiver)}
            is_table = self._named.table(call.receiver) is not None or file.name(call.receiver) == OWN_TABLE
            if models and (is_table or all(_is_of_alchemical(place) for place in models)):
                return _Begun(call.name, models, tuple(models))
        method = self._method_of_session(call)
        if method in _TAKES_CLASS:
            given = call.positional[:1] if method != "query" else call.positional
            models = self._named.of(given)
            if models:  # a query, too, has a method `get`, whose argument is a key
                return _Begun("select", models, self._classes_among(given))
        built = self._built(call)
        if built is not None or call.receiver < 0:
            return built
        if code[call.receiver] in NAME_OPS and file.name(call.receiver) == "self" and not file.runs_own_code(call.callee):
            models = {place: dict[tuple[str, ...], None]() for place in self._of_query_class(call.receiver)}
            if models:
                return _Begun("select", models, tuple(models))
        return self._beginning(call.receiver) or self._of_conditions(call)

    def _method_of_session(self, call: WrittenCall) -> str:
        """Return the name of the method of a session that a call runs; "" for any other call.

        If the type of the receiver is not known, the arguments tell: only sessions have a method `query` that takes models. Other
        methods also need a receiver with the usual name.
        """
        file, known = self._file, _SESSION.fullmatch(self._file.origin(call.callee))
        if known is not None:
            return known[1]
        is_query = call.name == "query"
        if call.receiver < 0 or not call.positional or not (is_query or call.name in _OF_SESSIONS):
            return ""
        # The name goes first: most calls of `get` and `add` are of dictionaries and sets, and need no questions to the engine.
        is_named = _SESSION_NAME.fullmatch(file.name(call.receiver)) is not None
        if not (is_named or is_query) or file.runs_own_code(call.callee):
            return ""
        kinds = file.types(call.receiver)
        if kinds and all(_SESSIONS.isdisjoint(kind.libraries) for kind in kinds):
            return ""
        if call.name not in _TAKES_CLASS or kinds:
            return call.name
        models = self._named.of(call.positional[:1])
        return call.name if models and (is_named or all(map(self._rows.is_model, models))) else ""

    def _of_conditions(self, call: WrittenCall) -> _Begun | None:
        """Return the query whose beginning names no model, if a call gives it one: `select(count()).where(User.age > 3)`."""
        models = self._named.of([*call.positional, *call.named.values()]) if call.name in _GIVING_MODELS else {}
        first = call
        for _ in range(_MAX_CHAIN if models else 0):
            inner = written_call(self._file, first.receiver)
            if inner is None:
                break
            first = inner
        begins = _BEGIN.fullmatch(self._file.origin(first.callee)) if models else None
        return _Begun("select", models) if begins is not None and begins[1] in _NAMELESS else None

    def _built(self, call: WrittenCall) -> _Begun | None:
        """Return the query that a called function of the repository builds, or extends if an argument is a query."""
        rows = self._rows.of(call.receiver) if call.receiver >= 0 else ()
        models = [row.model for row in rows if not row.path and not isinstance(row.model, str)]
        for value in returned_values(self._file, call, models):
            reading = self._reading(value.file)
            begun = reading._beginning(value.node)
            if begun is not None:
                return _Begun(begun.statement, *reading._models_of(value.node, begun), True)
            last = written_call(value.file, value.node)
            for _ in range(_MAX_CHAIN if last is not None else 0):
                inner = written_call(value.file, last.receiver) if last is not None else None
                if inner is None:
                    break
                last = inner
            given = argument_for(value, last.receiver if last is not None else value.node, call)
            begun = self._beginning(given) if given >= 0 else None
            if begun is not None:
                return _Begun(begun.statement, *self._models_of(given, begun), True)
        for file, result in declared_results(self._file, call):
            begun = self._reading(file)._declared_query(result)
            if begun is not None:
                return begun
        return None

    def _declared_query(self, result: int) -> _Begun | None:
        """Return the query that a written result names with its models: `Select[tuple[User]]`."""
        file, code = self._file, self._file.code
        kind = _WRITTEN_QUERY.fullmatch(file.origin(code[result + 1])) if code[result] == Op.INDEX else None
        if kind is None:
            return None
        places, waiting = dict[SymbolPlace, None](), [code[result + 2]]
        for _ in range(_MAX_CHAIN):
            if not waiting:
                break
            node = waiting.pop()
            if code[node] == Op.INDEX:
                waiting.append(code[node + 2])
            elif code[node] == Op.ARRAY:
                waiting += file.items(code[node + 1])
            else:
                places.update(dict.fromkeys(self._named.classes(node)))
        statement = kind[1].lower() if kind[1] != "Query" else "select"
        models = {place: dict[tuple[str, ...], None]() for place in places}
        return _Begun(statement, models, tuple(models), True) if models else None

    def _models_of(self, node: int, begun: _Begun) -> tuple[Models, Sequence[SymbolPlace]]:
        """Return the models of a chain with their named attributes, and the classes whose rows it returns."""
        models: Models = {place: dict(fields) for place, fields in begun.models.items()}
        rows, call = begun.rows, written_call(self._file, node)
        for _ in range(_MAX_CHAIN):
            if call is None or self._beginning(call.node) is None:
                break
            for place, fields in self._named.of([*call.positional, *call.named.values()]).items():
                models.setdefault(place, {}).update(fields)
            rows = () if call.name in _PARTIAL else rows
            call = written_call(self._file, call.receiver)
        return models, rows

    def _of_query_class(self, node: int) -> Iterator[SymbolPlace]:
        """Yield the models whose class of queries an object is: those that name the class, else the model around it."""
        facts = self._file.facts
        for kind in self._file.types(node):
            cls = kind.declared
            if cls is None or kind.is_class or cls.file.path != self._file.path:
                continue
            if not any(_QUERY_CLASS.fullmatch(origin) for origin in cls.base_origins):
                continue
            own = facts.symbols[cls.symbol]
            named = [shape.symbol for shape in facts.shapes for member in shape.members
                     if member.name == _OF_MODEL and member.value >= 0 and self._file.name(member.value) == own.name]  # fmt: skip
            around = [own.parent] if own.parent >= 0 and facts.symbols[own.parent].kind == "class" else []
            yield from (SymbolPlace(cls.file, symbol) for symbol in named or around)

    def _classes_among(self, nodes: Sequence[int]) -> Sequence[SymbolPlace]:
        return [place for node in nodes for place in self._named.classes(node)]

    def _returned(self, node: int) -> Sequence[Row]:
        """Return the rows that a query returns; () for an expression that is not a query, or a query of columns."""
        begun = self._beginning(node)
        return [Row(place, self._path(place)) for place in list(begun.rows)[:1]] if begun is not None else ()

    def _path(self, place: SymbolPlace) -> tuple[str, ...]:
        """Return the attribute of a class that has the model; () for a model."""
        return (self._held[place],) if place in self._held else ()

    def _chain(self, last: WrittenCall, begun: _Begun) -> Iterator[FoundQuery]:
        models: Models = {place: dict(fields) for place, fields in begun.models.items()}
        statement, written = begun.statement, dict[tuple[str, ...], None]()
        related, rows = dict[FoundUse, None](), begun.rows
        main = next(iter(models))
        call: WrittenCall | None = last
        for _ in range(_MAX_CHAIN):
            if call is None or self._beginning(call.node) is None:
                break
            arguments = [*call.positional, *call.named.values()]
            for place, fields in self._named.of(arguments).items():
                models.setdefault(place, {}).update(fields)
                if call.name in _RELATING:
                    related.update(dict.fromkeys(FoundUse(place, path) for path in fields))
            if call.name in _PARTIAL:
                rows = ()
            if call.name in _CONDITIONS:
                models[main].update(dict.fromkeys((name,) for name in call.named))
            if call.name in _CHANGING and call.receiver >= 0 and self._beginning(call.receiver) is not None:
                statement = call.name
            if call.name in _VALUES and call.receiver >= 0:
                names = [*call.named, *(key for each in call.positional for key in keys_of(self._file, each))]
                written.update(dict.fromkeys((name,) for name in names if name != "synchronize_session"))
            call = written_call(self._file, call.receiver)
        uses = list(self._uses(statement, main, models, tuple(written)))
        uses = [each._replace(is_whole=not each.modifies and each.model in rows) for each in uses]
        yield FoundQuery(last.node, statement, [*uses, *related], False)

    def _uses(
        self, statement: str, main: SymbolPlace, models: Models, written: tuple[tuple[str, ...], ...]
    ) -> Iterator[FoundUse]:
        for place, fields in models.items():
            path = self._path(place)
            if place != main or statement == "select":
                yield FoundUse(place, path, False, tuple(fields))
            else:
                yield FoundUse(place, path, True, written)
                if fields and statement != "insert":
                    yield FoundUse(place, path, False, tuple(fields), True)

    def _of_relation(self, call: WrittenCall) -> Iterator[FoundQuery]:
        """Yield the uses of the models that a query of a dynamic relation names: `user.posts.join(Post.tags).filter(…)`."""
        models = self._named.of(call.positional) if call.name in _GIVING_MODELS and call.receiver >= 0 else {}
        first: WrittenCall | None = call
        for _ in range(_MAX_CHAIN if models else 0):
            inner = written_call(self._file, first.receiver) if first is not None else None
            if inner is None:
                break
            first = inner
        if models and first is not None and any(row.path for row in self._rows.of(first.receiver)):
            uses = [FoundUse(place, (), False, tuple(fields)) for place, fields in models.items()]
            related = [FoundUse(place, path) for place, fields in models.items() for path in fields if call.name in _RELATING]
            yield FoundQuery(call.node, "select", [*uses, *related])

    def _of_bare_queries(self) -> Iterator[FoundQuery]:
        """Yield the statements of loops over a query without calls, and of subscripts of it: `for user in User.query`."""
        code = self._file.code
        for at in nodes_of(self._file.facts, _READING):
            begun = self._beginning(code[at + 1]) if code[code[at + 1]] == Op.MEMBER else None
            if begun is not None:
                yield FoundQuery(at, "select", [FoundUse(place, is_whole=True) for place in begun.models])
            else:
                yield from self._of_built(at, [code[at + 1]])

    def _of_built(self, at: int, nodes: Sequence[int]) -> Iterator[FoundQuery]:
        """Yield the statements of queries that functions of the repository built, at the place that runs them."""
        for node in nodes:
            begun = self._beginning(node)
            if begun is not None and begun.is_built:
                uses = list(self._uses(begun.statement, next(iter(begun.models)), begun.models, ()))
                uses = [each._replace(is_whole=not each.modifies and each.model in begun.rows) for each in uses]
                yield FoundQuery(at, begun.statement, uses)

    # ------------------------------------------------------------------ sessions

    def _of_session(self, call: WrittenCall) -> Iterator[FoundQuery]:
        if call.name == "setattr" and call.receiver < 0 and call.positional and not self._file.runs_own_code(call.callee):
            for row in self._rows.of(call.positional[0]):
                if self._rows.is_model(row.model):
                    yield FoundQuery(call.node, "merge", [FoundUse(row.model, row.path, True)], row.is_inferred)
            return
        yield from self._of_links(call)
        if call.name not in _WITH_ROWS or call.receiver < 0 or not call.positional or not self._method_of_session(call):
            return
        given, statement = call.positional[0], _WITH_ROWS[call.name]
        rows: Iterable[Row] = self._rows.of(given)
        if call.name in _OF_MAPPINGS:
            rows = [Row(place) for place in self._named.classes(given)]
        elif call.name in _OF_LISTS:
            rows = self._rows.listed(given)
        for row in dict.fromkeys(rows):
            if not self._rows.is_model(row.model):
                self._mixins.add(row.model)
            use = FoundUse(row.model, row.path, statement != "select", is_whole=statement in ("select", "delete"))
            yield FoundQuery(call.node, statement, [use], row.is_inferred)

    def _of_links(self, call: WrittenCall) -> Iterator[FoundQuery]:
        """Yield the statement that adds rows to the collection of a relation, or removes rows from it, at the next flush."""
        code, receiver = self._file.code, call.receiver
        if receiver >= 0 and code[receiver] == Op.PHI:  # a condition told something about the attribute
            receiver = code[receiver + 2]
        if call.name not in _LINKING or receiver < 0 or code[receiver] != Op.MEMBER or self._file.runs_own_code(call.callee):
            return
        name = self._file.facts.strings[code[receiver + 2]]
        for row in dict.fromkeys(self._rows.of(code[receiver + 1])):
            if self._rows.is_model(row.model):
                use = FoundUse(row.model, (*row.path, name), True, leads_to="many", of_links=True)
                yield FoundQuery(call.node, _LINKING[call.name], [use], row.is_inferred)

    # ------------------------------------------------------------------ attributes of rows

    def _of_attributes(self, expiring: Container[int]) -> Iterator[FoundQuery]:
        """Yield the statements by which code reads the rows of relations, and reads and changes the columns of rows.

        In the functions `expiring`, a row may be read again from the database, such as after a commit, with all that the mapper
        loads together with a row. A change is written later, when the session is flushed. The code that assigns the value is the
        code that changes the row.
        """
        file, code = self._file, self._file.code
        seen: set[tuple[int, Row, str, bool]] = set()
        callees = {code[node + 1] for node in file.facts.calls}
        for at in nodes_of(file.facts, _MEMBERS):
            if at in callees:
                continue
            name, is_written = file.facts.strings[code[at + 2]], bool(code[at + 3] & MemberFlag.WRITTEN)
            for row in self._rows.of(code[at + 1]):
                key = (file.owner(at), row, name, is_written)
                is_model = self._rows.is_model(row.model) or (row.model in self._mixins and file.owner(at) in expiring)
                if key in seen or not is_model:
                    continue
                seen.add(key)
                if is_written:
                    use = FoundUse(row.model, row.path, True, ((name,),), of_fields=True)
                    yield FoundQuery(at, "merge", [use], row.is_inferred)
                    if not self._rows.is_new(code[at + 1]):  # the mapper compares the rows of a relation with the earlier ones
                        use = FoundUse(row.model, (*row.path, name), leads_to="many")
                        yield FoundQuery(at, "select", [use], row.is_inferred, is_of_row=True)
                else:
                    uses = [
                        FoundUse(row.model, (*row.path, name), is_whole=True),
                        FoundUse(row.model, row.path, False, ((name,),), is_whole=file.owner(at) in expiring, of_fields=True),
                    ]
                    yield FoundQuery(at, "select", uses, row.is_inferred, is_of_row=True)


def _is_of_alchemical(place: SymbolPlace) -> bool:
    return any(origin.startswith(_ALCHEMICAL) for origin in place.base_origins)
