"""Query sets and models of Django: https://docs.djangoproject.com/en/stable/ref/models/querysets/."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ....facts.data import COMPARED
from ....facts.node_scan import any_of, nodes_of
from ....facts.operations import MemberFlag, Op
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ..models.django_entities import CHOSEN, HELD
from .django_classes import class_queries
from .held_models import Held, HeldModels
from .query_set_methods import LINKING, RUN, STATEMENTS
from .returned_queries import returned_values
from .written_calls import WrittenCall, keys_of, text_of, texts_in, written_call

_Fields = tuple[tuple[str, ...], ...]

#: Methods of instances.
_OF_INSTANCES: Final = {
    **dict.fromkeys(("save", "asave", "save_base"), "merge"),
    **dict.fromkeys(("delete", "adelete"), "delete"),
    **dict.fromkeys(("refresh_from_db", "arefresh_from_db"), "select"),
}
#: Methods of instances that compare the values of keys with the rows of tables.
_COMPARING: Final = frozenset(("full_clean", "validate_unique", "clean_fields"))
#: Method of rows of Tortoise ORM that reads relations.
_FETCHING: Final = "fetch_related"
#: Methods whose named arguments are conditions, and methods whose named arguments are values of fields.
_CONDITIONS: Final = frozenset(
    ("filter", "exclude", "get", "aget", "get_or_none", "complex_filter", "get_object_or_404", "get_list_or_404")
)
_VALUES: Final = frozenset(
    f"{prefix}{name}" for prefix in ("", "a") for name in ("create", "update", "get_or_create", "update_or_create")
)
#: Methods whose string arguments name fields.
_NAMING: Final = frozenset(
    ("order_by", "values", "values_list", "only", "distinct", "dates", "datetimes", "latest", "earliest", "alatest", "aearliest")
)
#: Methods of query sets after which a statement does not read whole rows.
_PARTIAL: Final = frozenset(
    f"{prefix}{name}" for prefix in ("", "a")
    for name in ("values", "values_list", "only", "count", "exists", "contains", "aggregate", "dates", "datetimes", "explain")
)  # fmt: skip
#: Methods whose string arguments name relations to read.
_RELATING: Final = frozenset(("select_related", "prefetch_related"))
#: Functions of Django that take a model, a manager or a query set.
_SHORTCUTS: Final = re.compile(r"django:a?get_(?:object|list)_or_404")
#: Classes of Django that occur in expressions, and classes whose arguments belong to another query.
_EXPRESSION: Final = re.compile(r"django:[A-Z]\w*")
_OTHER_QUERY: Final = frozenset(("django:OuterRef", "django:Subquery", "django:Exists", "django:Value", "django:RawSQL"))
#: Functions of Python that read all rows of their argument.
_READERS: Final = frozenset(
    ("list", "tuple", "set", "len", "sorted", "bool", "any", "all", "sum", "min", "max", "enumerate", "zip", "iter", "next",
     "reversed", "map", "frozenset")
)  # fmt: skip
#: Operations that may run the statement of a query set or of a relation.
_READING: Final = any_of(Op.ITERATED, Op.INDEX, Op.IN, Op.MEMBER)
#: Maximum depth of expressions.
_MAX_DEPTH: Final = 12
#: Maximum number of methods of the repository that call each other to build a query set.
_MAX_METHODS: Final = 4
#: Maximum number of calls in a chain.
_MAX_CHAIN: Final = 60
#: Maximum number of steps from a name to its values, and of values in each step.
_MAX_ASSIGNED: Final = 4
#: Maximum number of expressions that are read for the relations of one query set.
_MAX_RELATING: Final = 200


def django_queries(file: QueryFile, calls: Sequence[WrittenCall]) -> Iterator[FoundQuery]:
    """Yield the database statements that the calls of a file run."""
    yield from _Reading(file, {}).queries(calls)
    yield from class_queries(file, calls)


class _Reading:
    def __init__(self, file: QueryFile, readings: dict[str, _Reading]) -> None:
        """`readings` has the readings of the files whose functions build query sets, by path."""
        self._file = file
        self._readings = readings
        self._held = HeldModels(file, lambda other: self._reading(other)._held)
        #: Calls on query sets, by node.
        self._chained: dict[int, WrittenCall] = {}

    def _reading(self, file: QueryFile) -> _Reading:
        if file.path == self._file.path:
            return self
        found = self._readings.get(file.path)
        if found is None:
            found = self._readings[file.path] = _Reading(file, self._readings)
        return found

    def queries(self, calls: Sequence[WrittenCall]) -> Iterator[FoundQuery]:
        file = self._file
        others: list[WrittenCall] = []
        for call in calls:
            is_of_django = call.receiver >= 0 and self._held.sets(call.receiver) and not file.runs_own_code(call.callee)
            if is_of_django and (call.name in STATEMENTS or call.name in LINKING or self._held.is_foreign(call)):
                self._chained[call.node] = call
            else:
                others.append(call)
        inner = {call.receiver for call in self._chained.values()}
        # A query set with a call of a method of the repository is not the end of a chain.
        inner |= {call.receiver for call in others if call.receiver in self._chained and self._held.sets(call.receiver)}
        for node, call in self._chained.items():
            if node not in inner:
                for each in self._held.sets(call.receiver):
                    yield from self._chain(call, each)
                yield from self._of_instances(call)
        for call in others:
            yield from self._other(call)
        yield from self._reads_of_values()

    # ------------------------------------------------------------------ query sets

    def _chain(self, last: WrittenCall, held: Held) -> Iterator[FoundQuery]:
        conditions: dict[tuple[str, ...], None] = {}
        related: dict[tuple[str, ...], None] = {}
        for call in self._links(last):
            conditions.update(dict.fromkeys(self._conditions(call)))
            related.update(dict.fromkeys(self._relations_read(call, set())))
        is_whole = last.name not in _PARTIAL and not any(call.name in _PARTIAL for call in self._links(last))
        if is_whole:
            related.update(dict.fromkeys(self._related(last.node, set())))
        others = [FoundUse(held.model, (*held.path, *path)) for path in related]
        if last.name in LINKING and held.path:
            use = self._use(held, "many", modifies=True)._replace(of_links=True)
            yield self._query(last, held, LINKING[last.name], [use])
            if last.name in ("set", "aset"):  # `set` reads the current members first
                yield self._query(last, held, "select", [self._use(held, "many")._replace(of_links=True)])
        elif last.name != "none":
            statement = STATEMENTS.get(last.name, "select")
            plain = last.name.removeprefix("a") if last.name not in RUN else last.name
            written = self._fields_written(last)
            if statement == "select" or plain in ("get_or_create", "update_or_create"):
                use = self._use(held, "many", fields=tuple(conditions))._replace(is_whole=is_whole)
                yield self._query(last, held, "select", [use, *others])
            if statement != "select":
                # Django first reads the rows that a query set deletes if other rows refer to them.
                is_whole = statement == "delete"
                uses = [self._use(held, "many", modifies=True, fields=written)._replace(is_whole=is_whole)]
                if statement != "insert" and conditions:
                    uses.append(self._use(held, "many", fields=tuple(conditions))._replace(of_condition=True))
                yield self._query(last, held, statement, uses)

    def _links(self, last: WrittenCall) -> Iterator[WrittenCall]:
        """Yield the calls of a chain from its end to its beginning."""
        call: WrittenCall | None = last
        for _ in range(_MAX_CHAIN):
            if call is None:
                return
            yield call
            call = written_call(self._file, call.receiver)
            if call is not None and (call.receiver < 0 or not self._held.sets(call.receiver)):
                return

    def _use(self, held: Held, leads_to: str, *, modifies: bool = False, fields: _Fields = ()) -> FoundUse:
        if held.kind == "links":
            return FoundUse(held.model, held.path, modifies, of_links=True)
        return FoundUse(held.model, held.path, modifies, fields, leads_to=leads_to if held.kind == "relation" else "")

    def _query(self, call: WrittenCall, held: Held, statement: str, uses: Sequence[FoundUse]) -> FoundQuery:
        return FoundQuery(call.node, statement, uses, held.is_inferred)

    # ------------------------------------------------------------------ other calls

    def _other(self, call: WrittenCall) -> Iterator[FoundQuery]:
        file = self._file
        if call.receiver < 0:
            yield from self._function(call)
            return
        # A method of the repository runs its own statements, unless it returns a query set.
        behind = self._held.sets(call.receiver)
        if behind and file.runs_own_code(call.callee) and self._held.sets(call.node):
            fields = tuple(dict.fromkeys((*self._conditions_before(call), *self._conditions(call))))
            for each in behind:
                yield self._query(call, each, "select", [self._use(each, "many", fields=fields)])
        yield from self._of_instances(call)

    def _of_instances(self, call: WrittenCall) -> Iterator[FoundQuery]:
        file = self._file
        if call.name == "get_object":
            for each in self._held.of(call.node):
                yield self._query(call, each, "select", [self._use(each, "one")._replace(is_whole=True)])
        if call.name == _FETCHING:
            for each in self._held.instances(call.receiver):
                paths = [_path(name) for argument in call.positional for name in texts_in(file, argument) if name]
                uses = [FoundUse(each.model, (*each.path, *path[: count + 1])) for path in paths for count in range(len(path))]
                yield self._query(call, each, "select", uses)
        if call.name in _COMPARING and not file.runs_own_code(call.callee):
            left_out = [name for name in texts_in(file, call.argument("exclude", 0)) if name]
            for each in self._held.instances(call.receiver):
                compared = FoundUse(each.model, (*each.path, " ".join((COMPARED, *left_out))))
                yield self._query(call, each, "select", [compared])
        commits = call.named.get("commit", -1)
        is_deferred = commits >= 0 and file.code[commits] == Op.BOOLEAN and not file.code[commits + 1]
        if call.name in _OF_INSTANCES and not is_deferred and not file.runs_own_code(call.callee):
            statement = _OF_INSTANCES[call.name]
            written = tuple((name,) for name in texts_in(file, call.named.get("update_fields", -1)) if name)
            for each in self._held.instances(call.receiver):
                use = self._use(each, "one", modifies=statement != "select", fields=written)
                use = use._replace(is_whole=statement == "select")
                yield self._query(call, each, statement, [use])
                if call.name == "save" and not each.path:  # for a form or a serializer
                    yield self._query(call, each, statement, [use._replace(path=(HELD,))])

    def _conditions_before(self, call: WrittenCall) -> Iterator[tuple[str, ...]]:
        before = written_call(self._file, call.receiver)
        if before is not None and before.node in self._chained:
            for each in self._links(before):
                yield from self._conditions(each)

    def _conditions(self, call: WrittenCall, depth: int = _MAX_METHODS) -> Iterator[tuple[str, ...]]:
        """Yield the fields in the conditions of a call, or in those of the query set that a method of the repository builds."""
        yield from self._fields_read(call)
        if depth and call.name not in STATEMENTS and self._file.runs_own_code(call.callee):
            for value in returned_values(self._file, call):
                code, reading = value.file.code, self._reading(value.file)
                node = code[value.node + 1] if code[value.node] == Op.INDEX else value.node
                last = written_call(value.file, node)
                for each in reading._links(last) if last is not None else ():
                    yield from reading._conditions(each, depth - 1)

    def _function(self, call: WrittenCall) -> Iterator[FoundQuery]:
        origin = self._file.origin(call.callee)
        if _SHORTCUTS.fullmatch(origin) and call.positional:
            fields = tuple(self._fields_read(call._replace(name="get", positional=call.positional[1:])))
            for each in self._held.of(call.positional[0]):
                if each.kind != "one":
                    use = self._use(each, "many", fields=fields)._replace(is_whole=True)
                    yield self._query(call, each, "select", [use])
        elif call.name in _READERS and not self._file.runs_own_code(call.callee):
            for argument in call.positional:
                if argument not in self._chained:
                    yield from self._read_whole(argument)

    def _read_whole(self, node: int) -> Iterator[FoundQuery]:
        """Yield the statement that runs when code uses the rows of a query set from a variable."""
        for each in self._held.of(node):
            if each.kind == "set" or (each.kind == "relation" and each.path[-1].startswith(CHOSEN)):
                related = dict.fromkeys(self._related(node, set()))
                others = [FoundUse(each.model, (*each.path, *path)) for path in related]
                yield FoundQuery(node, "select", [self._use(each, "many")._replace(is_whole=True), *others], each.is_inferred)

    def _reads_of_values(self) -> Iterator[FoundQuery]:
        """Yield the statements that loops, subscripts, tests of membership and accesses to single related objects run."""
        file, code = self._file, self._file.code
        seen: set[tuple[int, Held]] = set()
        callees = {code[node + 1] for node in file.facts.calls}
        for at in nodes_of(file.facts, _READING):
            if code[at] != Op.MEMBER:
                rows = code[at + (2 if code[at] == Op.IN else 1)]
                if rows not in self._chained:
                    yield from (each._replace(node=at) for each in self._read_whole(rows))
            elif at not in callees and not code[at + 3] & MemberFlag.WRITTEN:
                name = file.facts.strings[code[at + 2]]
                for each in self._held.instances(code[at + 1]):
                    followed = each._replace(kind="relation", path=(*each.path, name))
                    key = (file.owner(at), followed)
                    if key not in seen:
                        seen.add(key)
                        use = self._use(followed, "one")._replace(is_whole=True)
                        yield FoundQuery(at, "select", [use], followed.is_inferred, is_of_row=True)

    # ------------------------------------------------------------------ fields

    def _fields_read(self, call: WrittenCall) -> Iterator[tuple[str, ...]]:
        if call.name in _CONDITIONS:
            yield from (_path(name) for name in call.named)
            yield from (_path(name) for name in self._unpacked_names(call))
        if call.name in ("get_or_create", "update_or_create", "aget_or_create", "aupdate_or_create"):
            yield from (_path(name) for name in call.named if not name.endswith("defaults"))
        if call.name in _NAMING:
            for argument in call.positional:
                yield from (_path(name) for name in texts_in(self._file, argument) if name)
        yield from self._fields_in([*call.positional, *call.named.values()], _MAX_DEPTH)

    def _unpacked_names(self, call: WrittenCall) -> Iterator[str]:
        """Yield the constant keys of the dictionaries that a call unpacks: `filter(**{"author__name": name})`."""
        file, code = self._file, self._file.code
        for argument in file.items(code[call.node + 2]):
            reached = [code[argument + 1]] if code[argument] == Op.SPREAD else []
            for _ in range(_MAX_ASSIGNED):
                for value in reached:
                    yield from keys_of(file, value)
                reached = list(dict.fromkeys(value for each in reached for value in file.values(each)))[:_MAX_ASSIGNED]

    def _relations_read(self, call: WrittenCall, seen: set[tuple[str, int]]) -> Iterator[tuple[str, ...]]:
        """Yield the relations that a call adds to a query set. The query set of a `Prefetch` may add further relations."""
        if call.name not in _RELATING:
            return
        for argument in call.positional:
            inner, queries = written_call(self._file, argument), -1
            if inner is not None and inner.positional and self._file.origin(inner.callee) == "django:Prefetch":
                argument = inner.positional[0]
                queries = inner.argument("queryset", 1)
            name = text_of(self._file, argument)
            if name:
                path = _path(name)
                yield from (path[: count + 1] for count in range(len(path)))
                yield from ((*path, *further) for further in self._related(queries, seen))

    def _related(self, node: int, seen: set[tuple[str, int]]) -> Iterator[tuple[str, ...]]:
        """Yield the relations that a query set reads with its rows, also if a variable or another function added them.

        `seen` has the expressions that were read before, each with its file.
        """
        key = (self._file.path, node)
        if node < 0 or key in seen or len(seen) >= _MAX_RELATING:
            return
        seen.add(key)
        call = written_call(self._file, node)
        if call is None:
            for value in (*self._file.values(node), *self._held.assigned(node)):
                yield from self._related(value, seen)
            return
        yield from self._relations_read(call, seen)
        yield from self._related(call.receiver, seen)
        if self._file.runs_own_code(call.callee):
            for returned in returned_values(self._file, call):
                yield from self._reading(returned.file)._related(returned.node, seen)

    def _fields_written(self, call: WrittenCall) -> _Fields:
        names: list[str] = []
        if call.name in _VALUES:
            names = [name for name in call.named if not name.endswith("defaults")]
            for key in ("defaults", "create_defaults"):
                names += keys_of(self._file, call.named.get(key, -1))
        elif call.name in ("bulk_update", "abulk_update"):
            fields = call.argument("fields", 1)
            names = [name for name in texts_in(self._file, fields) if name]
        return tuple((name.partition("__")[0],) for name in names)

    def _fields_in(self, nodes: Sequence[int], depth: int) -> Iterator[tuple[str, ...]]:
        """Yield the fields in expressions among arguments: `F("price")`, `Q(author__name="…")`, `Count("books")`."""
        file, code = self._file, self._file.code
        for node in nodes if depth else ():
            op = code[node]
            if op == Op.CALL:
                call = written_call(file, node)
                if call is None or node in self._chained:
                    continue
                origin = file.origin(call.callee)
                if origin in _OTHER_QUERY:
                    continue
                if origin == "django:Q":
                    yield from (_path(name) for name in call.named)
                elif _EXPRESSION.fullmatch(origin) and call.positional and (name := text_of(file, call.positional[0])):
                    yield _path(name)
                elif file.runs_own_code(call.callee):  # a function that makes a condition: `filter(visible_to(user))`
                    for value in returned_values(file, call):
                        yield from self._reading(value.file)._fields_in([value.node], depth - 1)
                yield from self._fields_in([*call.positional, *call.named.values()], depth - 1)
            elif op == Op.OPERATOR:
                yield from self._fields_in([each for each in (code[node + 1], code[node + 2]) if each >= 0], depth - 1)
            elif op in (Op.NOT, Op.SPREAD):
                yield from self._fields_in([code[node + 1]], depth - 1)
            elif op == Op.CONDITIONAL:
                yield from self._fields_in([code[node + 2], code[node + 3]], depth - 1)
            elif op == Op.ARRAY:
                yield from self._fields_in(file.items(code[node + 1]), depth - 1)
            elif op in (Op.FLOW, Op.DECLARED):
                yield from self._fields_in(file.values(node), depth - 1)


def _path(name: str) -> tuple[str, ...]:
    return tuple(name.lstrip("-+").split("__"))
