"""Statements that calls of object mappers and query builders make, by the tables of rules.

A chain is read from its first receiver outwards: `Post.scope("new").findAll({ … })`, `db.selectFrom("users").select("id")`. The
receiver is a model, a row, a query, or a connection. A method has a rule for each kind of receiver.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ....facts.data import TABLE_NAME, ModelUse
from ....facts.model import DeclKind, ShapeKind
from ....facts.operations import Op
from ..resolve.call_targets import resolve_call, unwrapped
from ..resolve.engine import Engine
from ..resolve.model.unit import SymbolIds, Unit
from .argument_roles import Arguments
from .held.held_models import HeldModels
from .held.held_value import Held
from .held.target import Target
from .mappers.rules import Mapper, Method, Result, Role, association_of
from .statements import Statement
from .unknown_receivers import UnknownReceivers

#: Usual names of members that hold a connection. Types decide whether a member with such a name really does.
_CONNECTIONS: Final = frozenset(("db", "knex", "trx", "tx", "transaction", "connection"))
#: Methods with which MikroORM saves the changes of rows.
_FLUSHES: Final = frozenset(("flush", "persistAndFlush", "removeAndFlush", "commit", "transactional"))
#: Maximum number of calls in a chain.
_MAX_CHAIN: Final = 200


class FoundStatement(NamedTuple):
    """A statement that a call makes."""

    node: int
    kind: str
    uses: tuple[ModelUse, ...]
    #: "declared" if the receiver is known by its name only.
    evidence: str = "call"


class _State(NamedTuple):
    """The state of a chain after one of its calls: the kind of the result, and the statement that the calls so far build."""

    kind: str
    target: Target | None
    mapper: Mapper | None
    statement: Statement | None = None
    #: The call that determines the statement.
    node: int = -1
    #: The call that made the query in the variable that begins the chain; -1 for other chains.
    begun: int = -1


class MapperCalls:
    """Reads the statements of files."""

    def __init__(self, engine: Engine, symbol_id: SymbolIds, mappers: Sequence[Mapper]) -> None:
        self._engine = engine
        self._held = HeldModels(engine, symbol_id, mappers)
        self._mappers = mappers
        self._names = frozenset(name for each in mappers for name in each.names)
        self._verbs = frozenset(verb for each in mappers for verb in each.of_association)

    def of_file(self, unit: Unit) -> Iterator[FoundStatement]:
        """Yield the statements that the calls of a file make."""
        yield from _File(self._engine, self._held, unit, self._mappers, self._names, self._verbs).statements()

    def arguments(self, unit: Unit) -> Iterator[tuple[str, Target]]:
        """Yield the slots that a file fills, each with its model."""
        for shape, fact in enumerate(unit.shapes):
            if fact.kind == ShapeKind.CLASS and fact.extends and fact.symbol >= 0:
                self._engine.refuel()
                yield from self._held.slots.filled(unit, shape)
        for call in unit.facts.calls:
            if unit.code[call] in (Op.CALL, Op.NEW) and unit.code[call + 2] >= 0 and len(unit.items(unit.code[call + 2])):
                self._engine.refuel()
                yield from self._held.passed(unit, call)


class _File:
    def __init__(
        self,
        engine: Engine,
        held: HeldModels,
        unit: Unit,
        mappers: Sequence[Mapper],
        names: frozenset[str],
        verbs: frozenset[str],
    ) -> None:
        self._engine = engine
        self._mappers = mappers
        self._held = held
        self._unit = unit
        self._names = names
        self._verbs = verbs
        self._arguments = Arguments(unit, held)
        self._unknown = UnknownReceivers(held, mappers)
        self._states: dict[int, _State | None] = {}
        #: The calls that make queries in variables, and their statements.
        self._initial: dict[int, Statement] = {}

    def statements(self) -> Iterator[FoundStatement]:
        unit, code = self._unit, self._unit.code
        calls = [node for node in unit.facts.calls if code[node] == Op.CALL]
        inner = {receiver for node in calls if (receiver := self._receiver(node)) >= 0}
        found: list[tuple[int, Statement, int]] = []
        replaced: set[int] = set()
        #: Calls whose receivers are known by their names only.
        declared: set[int] = set()
        #: Kinds of the statements of queries that variables hold.
        begun: dict[int, str] = {}
        #: Calls that extend such queries and have no kind of their own.
        open_ended: dict[int, int] = {}
        for node in calls:
            if node in inner:
                continue
            self._engine.refuel()
            if not self._may_matter(node):
                continue
            state = self._state(node)
            if state is None or state.statement is None:
                for each in self._of_unknown(node) if state is None else ():
                    if each.statement is not None:
                        found.append((node, each.statement, each.node if each.node >= 0 else node))
                        declared.add(node)
                continue
            found.append((node, state.statement, state.node if state.node >= 0 else node))
            if state.begun >= 0 and state.statement.kind:
                begun[state.begun] = state.statement.kind
            if state.begun >= 0 and not state.statement.kind:
                open_ended[node] = state.begun
            initial = self._initial.get(state.begun)
            if initial is not None and initial.kind != state.statement.kind:
                replaced.add(state.begun)  # `query.delete()` for a query that began with only a table
        yield from self._tracked()
        kinds = {node: begun.get(call, "") for node, call in open_ended.items()}
        for node, statement, at in found:
            if node not in replaced:
                statement.become(kinds.get(node, "") or statement.usual_kind)
                for kind, uses in statement.uses():
                    resolved = (
                        # Which classes are known depends on the files that were read before.
                        [use for use in uses if not (use.path and use.model.startswith(TABLE_NAME))]
                        if node in declared
                        else [each for use in uses for each in self._held.objection.resolved(use)]
                    )
                    if resolved:
                        yield FoundStatement(at, kind, tuple(resolved), "declared" if node in declared else "call")

    def _may_matter(self, node: int) -> bool:
        """Return whether a method of a chain has the name of a method of some library."""
        unit, code = self._unit, self._unit.code
        for _ in range(_MAX_CHAIN):
            callee = unwrapped(unit, code[node + 1])
            if code[callee] == Op.NAME:
                return True
            if code[callee] != Op.MEMBER:
                return False
            name = unit.strings[code[callee + 2]]
            if name in self._names or name in _CONNECTIONS or association_of(name)[0] in self._verbs:
                return True
            node = self._receiver(node)
            if node < 0:
                return False
        return False

    def _receiver(self, node: int) -> int:
        """Return the call whose result is the receiver of a call; -1 if the receiver is not a call."""
        unit, code = self._unit, self._unit.code
        callee = unwrapped(unit, code[node + 1])
        if code[callee] != Op.MEMBER:
            return -1
        receiver = unwrapped(unit, code[callee + 1])
        if code[receiver] == Op.AWAIT:
            # The grammar reads `await a<T>(b).c()` as `(await a<T>(b)).c()`.
            inner = unwrapped(unit, code[receiver + 1])
            receiver = inner if code[inner] == Op.CALL and code[inner + 3] >= 0 else receiver
        return receiver if code[receiver] == Op.CALL else -1

    def _tracked(self) -> Iterator[FoundStatement]:
        """Yield the assignments to fields of loaded rows, if a mapper saves them later: `user.name = name; await em.flush()`."""
        unit, code = self._unit, self._unit.code
        if not any(self._is_flush(node) for node in unit.facts.calls):
            return
        for assigned in self._held.assigned(unit).of_variables.values():
            for each in assigned:
                self._engine.refuel()
                held = self._held.held(unit, each.receiver)
                tracks = held is not None and held.kind == Result.ROW and held.mapper is not None and held.mapper.tracks_rows
                if held is None or held.target is None or not tracks or self._is_new(each.receiver):
                    continue
                use = ModelUse(*held.target, True, ((each.name,),), of_fields=True)
                yield FoundStatement(code[each.node + 1], "update", (use,))

    def _is_flush(self, node: int) -> bool:
        unit, code = self._unit, self._unit.code
        callee = unwrapped(unit, code[node + 1]) if code[node] == Op.CALL else -1
        return callee >= 0 and code[callee] == Op.MEMBER and unit.strings[code[callee + 2]] in _FLUSHES

    def _is_new(self, node: int) -> bool:
        """Return whether the value of a variable is a new row, which the mapper inserts."""
        unit, code = self._unit, self._unit.code
        for index in unit.bindings[code[node + 1]].decls:
            value = unwrapped(unit, unit.decls[index].b) if unit.decls[index].b >= 0 else -1
            callee = unwrapped(unit, code[value + 1]) if value >= 0 and code[value] == Op.CALL else -1
            if value >= 0 and code[value] == Op.NEW:
                return True
            if callee >= 0 and code[callee] == Op.MEMBER and unit.strings[code[callee + 2]] == "create":
                return True
        return False

    # ------------------------------------------------------------------ chains

    def _of_unknown(self, node: int) -> Iterator[_State]:
        """Yield what a chain may do whose first receiver has no type, for each library and each kind of value."""
        unit, code = self._unit, self._unit.code
        links = [node]
        while (receiver := self._receiver(links[-1])) >= 0 and len(links) < _MAX_CHAIN:
            links.append(receiver)
        for held in self._unknown.of(unit, links):
            state = self._chained(links, _State(held.kind, held.target, held.mapper))
            if state is not None:
                yield state
        mapper = self._unknown.called(unit, links)
        if mapper is not None:
            begun = self._begun(mapper, links[-1], unit.items(code[links[-1] + 2]).tolist())
            state = self._chained(links[:-1], begun)
            if state is not None:
                yield state

    def _chained(self, links: Sequence[int], state: _State | None) -> _State | None:
        """Return the state of a chain after its calls; `links` are the calls from the last one to the first one."""
        unit, code = self._unit, self._unit.code
        for each in reversed(links):
            name = unit.strings[code[unwrapped(unit, code[each + 1]) + 2]]
            state = self._applied(each, name, unit.items(code[each + 2]).tolist(), state) if state is not None else None
        return state

    def _state(self, node: int) -> _State | None:
        """Return the state of a chain after its last call, or None if it is not a chain of a library."""
        links = [node]
        while (receiver := self._receiver(links[-1])) >= 0 and len(links) < _MAX_CHAIN:
            links.append(receiver)
        state: _State | None = None
        for each in reversed(links):
            if each not in self._states:
                self._states[each] = None  # used if a query depends on itself
                self._states[each] = self._after(each, state)
            state = self._states[each]
        return state

    def _after(self, node: int, before: _State | None) -> _State | None:
        """Return the state of a chain after one of its calls. `before` is the state before the call; None for the first call."""
        unit, code = self._unit, self._unit.code
        callee = unwrapped(unit, code[node + 1])
        arguments = unit.items(code[node + 2]).tolist()
        if code[callee] == Op.NAME:
            return self._called(node, callee, arguments)
        if code[callee] != Op.MEMBER:
            return None
        name = unit.strings[code[callee + 2]]
        if self._receiver(node) >= 0 and before is not None:
            state: _State | None = before
        else:
            state = self._root(code[callee + 1])
        if state is None:
            return self._called(node, callee, arguments)
        mapper = state.mapper or self._library(node)
        if mapper is None:
            return self._called(node, callee, arguments)
        return self._applied(node, name, arguments, state._replace(mapper=mapper)) or self._called(node, callee, arguments)

    def _library(self, node: int) -> Mapper | None:
        """Return the library that declares the called function; None for functions of the repository."""
        site = resolve_call(self._engine, self._unit, node)
        for target in site.targets if site is not None else ():
            if target.outside and (mapper := self._held.libraries.mapper(target.outside.partition("#")[0])) is not None:
                return mapper
        return None

    def _is_own(self, node: int) -> bool:
        """Return whether a call calls a function of the repository."""
        site = resolve_call(self._engine, self._unit, node)
        return site is not None and any(target.unit is not None for target in site.targets)

    def _root(self, node: int) -> _State | None:
        """Return the state of a chain before its first call, from its first receiver."""
        unit = self._unit
        held = self._held.held(unit, node)
        if held is None:
            return None
        if held.kind != Result.QUERY:
            return _State(held.kind, held.target, held.mapper)
        made = self._of_variable(unwrapped(unit, node))
        if made is not None and made.statement is not None:
            return made
        return _State(held.kind, held.target, held.mapper, Statement(held.target))

    def _of_variable(self, node: int) -> _State | None:
        """Return the query that is the initial value of a variable of the file, or None."""
        unit = self._unit
        if unit.code[node] != Op.NAME or unit.code[node + 1] < 0:
            return None
        for index in unit.bindings[unit.code[node + 1]].decls:
            decl = unit.decls[index]
            value = unwrapped(unit, decl.b) if decl.kind == DeclKind.VARIABLE and decl.b >= 0 else -1
            if value >= 0 and unit.code[value] == Op.AWAIT:
                value = unwrapped(unit, unit.code[value + 1])
            if value >= 0 and unit.code[value] == Op.CALL:
                state = self._state(value)
                if state is None or state.statement is None:
                    return None
                self._initial[value] = state.statement
                return state._replace(statement=state.statement.copy(), node=-1, begun=value)
        return None

    def _called(self, node: int, callee: int, arguments: Sequence[int]) -> _State | None:
        """Return the state after a call of a connection itself: `knex("users")`, `this.db("users")`."""
        if not arguments:
            return None
        held: Held | None = self._held.held(self._unit, callee)
        if held is None or held.kind != Result.MANAGER or held.mapper is None:
            return None
        name = self._held.libraries.imported_name(self._unit, callee)
        if name in held.mapper.of_manager:
            return self._applied(node, name, arguments, _State(Result.MANAGER, None, held.mapper))
        if not held.mapper.is_callable:
            return None
        return self._begun(held.mapper, node, arguments)

    def _begun(self, mapper: Mapper, node: int, arguments: Sequence[int]) -> _State:
        """Return the state after a call of a connection with the name of a table."""
        statement = Statement()
        statement.become("select")
        self._arguments.read(statement, mapper, (Role.TABLE,), arguments)
        return _State(Result.QUERY, statement.main, mapper, statement, node)

    def _applied(self, node: int, name: str, arguments: Sequence[int], state: _State) -> _State | None:
        mapper, code = state.mapper, self._unit.code
        assert mapper is not None
        method = mapper.method(state.kind, name)
        if method is None and state.kind == Result.ROW:
            verb, association = association_of(name)
            added = mapper.of_association.get(verb)
            if added is not None:
                return self._of_association(node, added, association, arguments, state)
        if method is None:
            return state if state.statement is not None else None
        if state.kind in (Result.MODEL, Result.ROW) and self._is_own(node):
            return None
        statement = state.statement if state.kind == Result.QUERY and state.statement is not None else Statement(state.target)
        statement.become(method.statement)
        statement.usual_kind = "select" if mapper.is_callable else ""
        statement.reads_first = statement.reads_first or method.reads_first
        statement.of_links = statement.of_links or method.of_links
        statement.writes_joined = statement.writes_joined or method.writes_joined
        statement.is_whole = statement.is_whole or method.is_whole
        self._arguments.read(statement, mapper, method.arguments, arguments)
        if method.compares:
            if state.kind == Result.ROW:
                self._arguments.save_row(statement, code[unwrapped(self._unit, code[node + 1]) + 1])
            statement.reads_first = statement.is_loaded
        is_linked = method.arguments[:1] == (Role.LINK,)
        target = statement.main if is_linked or state.kind in (Result.MANAGER, Result.QUERY) else state.target
        at = node if method.statement or state.node < 0 else state.node
        if method.result in (Result.MODEL, Result.MANAGER):
            return _State(method.result, target, mapper)
        return _State(method.result or Result.ROW, target, mapper, statement, at, state.begun)

    def _of_association(
        self, node: int, method: Method, association: str, arguments: Sequence[int], state: _State
    ) -> _State | None:
        """Return the state after a method that a library adds to rows for an association."""
        mapper = state.mapper
        if state.target is None or mapper is None or self._is_own(node):
            return None
        statement = Statement(state.target)
        statement.become(method.statement)
        statement.of_links, statement.reads_first = method.of_links, method.reads_first
        statement.link(association)
        self._arguments.read(statement, mapper, method.arguments, arguments)
        return _State(method.result or Result.ROW, statement.main, mapper, statement, node)
