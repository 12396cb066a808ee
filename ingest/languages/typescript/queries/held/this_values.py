"""The models, rows and connections that `this` holds in functions that libraries call."""

from __future__ import annotations

from .....facts.operations import ContextKind, Op, ThisKind
from ...resolve.call_targets import unwrapped
from ...resolve.model.unit import Unit
from ..mappers.rules import Result
from .held_value import Held, Values
from .made_models import MadeModels
from .schema_functions import this_of_schema


class ThisValues:
    """Finds what `this` holds."""

    def __init__(self, values: Values, made: MadeModels) -> None:
        self._values = values
        self._made = made

    def of(self, unit: Unit, node: int, steps: int) -> Held | None:
        """Return the model, row, repository or builder that `this` holds, or None."""
        return self._of_schema(unit, node) or self._of_builder(unit, node, steps) or self._of_extension(unit, node, steps)

    def _of_schema(self, unit: Unit, node: int) -> Held | None:
        """Return the model or row that is `this` in a function of a schema of Mongoose."""
        found = this_of_schema(unit, node)
        made = self._made.of(unit, found.model) if found is not None else None
        return made._replace(kind=found.kind) if made is not None and found is not None else None

    def _of_extension(self, unit: Unit, node: int, steps: int) -> Held | None:
        """Return the repository that is `this` in a method that TypeORM adds to it: `repository.extend({ byName() { … } })`."""
        literal = unit.object_node(unit.code[node + 2]) if unit.code[node + 1] == ThisKind.OBJECT else None
        if literal is None or literal not in unit.contexts:
            return None
        kind, call, _ = unit.contexts[literal]
        callee = unwrapped(unit, unit.code[call + 1]) if kind == ContextKind.ARGUMENT and unit.code[call] == Op.CALL else -1
        if callee < 0 or unit.code[callee] != Op.MEMBER or unit.strings[unit.code[callee + 2]] != "extend":
            return None
        around = self._values.held(unit, unit.code[callee + 1], steps)
        return around if around is not None and around.kind == Result.MODEL else None

    def _of_builder(self, unit: Unit, node: int, steps: int) -> Held | None:
        """Return the builder that is `this` in a function that a method of a query calls, as in Knex:
        `knex("users").whereExists(function () { this.from("posts") })`.
        """
        function = unit.function_node(unit.code[node + 2]) if unit.code[node + 1] == ThisKind.FUNCTION else None
        if function is None:
            return None
        kind, call, _ = unit.contexts[function]
        callee = unwrapped(unit, unit.code[call + 1]) if kind == ContextKind.ARGUMENT and unit.code[call] == Op.CALL else -1
        if callee < 0 or unit.code[callee] != Op.MEMBER:
            return None
        around = self._values.held(unit, unit.code[callee + 1], steps)
        if around is None or around.mapper is None or not around.mapper.is_callable:
            return None
        return Held(Result.MANAGER, None, around.mapper) if around.kind in (Result.QUERY, Result.MANAGER) else None
