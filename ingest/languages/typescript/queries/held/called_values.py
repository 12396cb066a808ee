"""The models, rows, queries and connections that calls return."""

from __future__ import annotations

from typing import Final

from .....facts.operations import Op
from ...resolve.call_targets import resolve_call, unwrapped
from ...resolve.engine import Engine
from ...resolve.model.binder import Declared
from ...resolve.model.unit import Unit
from ..mappers.rules import Result, Role
from .annotations import Annotations
from .held_value import Held, Values
from .known_texts import KnownTexts
from .libraries import Libraries
from .made_models import MadeModels
from .target import NAMED, Target

#: Methods of lists and promises that return the same rows, or some of them.
_SAME: Final = frozenset(
    ("filter", "slice", "reverse", "sort", "find", "at", "pop", "shift", "then", "catch", "finally", "concat")
)


class CalledValues:
    """Finds what calls return."""

    def __init__(
        self,
        engine: Engine,
        values: Values,
        libraries: Libraries,
        annotations: Annotations,
        texts: KnownTexts,
        made: MadeModels,
    ) -> None:
        self._engine = engine
        self._values = values
        self._libraries = libraries
        self._annotations = annotations
        self._texts = texts
        self._made = made
        #: Functions of each file by their symbols.
        self._functions: dict[int, dict[int, int]] = {}

    def of(self, unit: Unit, node: int, steps: int) -> Held | None:
        code = unit.code
        made = self._made.of(unit, node)
        if made is not None:
            return made
        callee = unwrapped(unit, code[node + 1])
        if code[node] == Op.NEW:
            inner = self._values.held(unit, callee, steps)
            if inner is not None and inner.kind == Result.MODEL:
                return inner._replace(kind=Result.ROW)
            arguments = unit.items(code[node + 2]).tolist()
            if arguments and inner is None and self._is_proxy(unit, callee):
                return self._values.held(unit, arguments[0], steps)
            return None
        if code[callee] != Op.MEMBER:
            return self._of_manager_call(unit, node, callee, steps) or self._returned(unit, node, steps)
        name = unit.strings[code[callee + 2]]
        inner = self._values.held(unit, code[callee + 1], steps)
        if inner is None:
            return self._returned(unit, node, steps)
        if inner.kind == Result.ROW and name in _SAME:
            return inner
        if inner.target is not None and inner.target.model.startswith(NAMED):
            return self._of_named(inner, name)
        mapper = inner.mapper or self._libraries.of_callee(unit, callee)
        method = mapper.method(inner.kind, name) if mapper is not None else None
        if method is None or mapper is None:
            return self._returned(unit, node, steps)
        if not method.result:
            return None
        target, arguments = inner.target, unit.items(code[node + 2]).tolist()
        if method.arguments[:1] == (Role.LINK,) and target is not None and arguments:
            target = Target(target.model, (*target.path, self._texts.of(unit, arguments[0])))
        if inner.kind == Result.MANAGER:
            given = self._values.held(unit, arguments[0], steps) if arguments else None
            target = given.target if given is not None else None
            if target is None and arguments and method.result == Result.MODEL and (text := self._texts.of(unit, arguments[0])):
                target = Target(f"{mapper.name}:{text}")  # `sequelize.model("User")`
            if target is None and method.result not in (Result.QUERY, Result.MANAGER):
                return None
        return Held(method.result, target, mapper)

    def _of_named(self, inner: Held, name: str) -> Held | None:
        """Return the rows that a model of an unknown library returns, if a library has such a method."""
        found = (each.method(inner.kind, name) for each in self._libraries.mappers if each.makers or each.guesses_tables)
        method = next((each for each in found if each is not None and each.result), None)
        return inner._replace(kind=method.result) if method is not None else None

    def _is_proxy(self, unit: Unit, callee: int) -> bool:
        """Return whether a callee is the class `Proxy` of JavaScript, whose objects stand for their first argument."""
        entity = self._engine.binder.named(unit, callee) if unit.code[callee] == Op.NAME else None
        return isinstance(entity, Declared) and entity.unit.external == "lib" and entity.facts.name == "Proxy"

    def _returned(self, unit: Unit, node: int, steps: int) -> Held | None:
        """Return the result of a function of the repository, by its annotation or its returned expressions."""
        site = resolve_call(self._engine, unit, node)
        targets = [each for each in site.targets if each.unit is not None] if site is not None else []
        if len(targets) != 1 or targets[0].unit is None:
            return None
        owner, symbol = targets[0].unit, targets[0].symbol
        if owner.index not in self._functions:
            self._functions[owner.index] = {each.symbol: number for number, each in enumerate(owner.functions) if each.has_body}
        number = self._functions[owner.index].get(symbol, -1)
        if number < 0:
            return None
        if owner.functions[number].return_type >= 0:
            return self._annotations.of(owner, owner.functions[number].return_type, steps)
        found = (self._values.held(owner, each, steps) for each in owner.functions[number].returns)
        held = next((each for each in found if each is not None), None)
        if held is not None and held.kind == Result.QUERY and owner.functions[number].is_async:
            return held._replace(kind=Result.ROW)
        return held

    def _of_manager_call(self, unit: Unit, node: int, callee: int, steps: int) -> Held | None:
        inner = self._values.held(unit, callee, steps)
        if inner is None or inner.kind != Result.MANAGER or inner.mapper is None:
            return None
        arguments = unit.items(unit.code[node + 2]).tolist()
        method = inner.mapper.of_manager.get(self._libraries.imported_name(unit, callee))
        if method is not None:  # `getRepository(User)`, a function of the library itself
            given = self._values.held(unit, arguments[0], steps) if arguments else None
            return Held(method.result, given.target, inner.mapper) if given is not None and method.result else None
        if not inner.mapper.is_callable:
            return None
        # `knex({ client: "pg" })` makes a connection, and `knex("users")` a query.
        is_query = bool(arguments) and bool(self._texts.of(unit, arguments[0]))
        return Held(Result.QUERY, None, inner.mapper) if is_query else inner
