"""Type guards and assertion functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .....facts.operations import Op
from ..model.type_model import Type, non_nullish
from ..overload_choice import choose
from ..type_arguments import inferred_env
from .inferred_predicates import guard_of

if TYPE_CHECKING:
    from ..engine import Engine
    from ..model.properties import Signature
    from ..model.unit import Unit


def predicate(engine: Engine, unit: Unit, call: int) -> tuple[int | None, Type | None, bool] | None:
    """Return the predicate of a call of a guard: (argument, type, whether it asserts). Return None for other calls."""
    callee = unit.code[call + 1]
    kind = non_nullish(engine.type_of(unit, callee))
    options = engine.signatures(kind, False)
    if not any(is_guard(option.unit, option.function) for option in options):
        return _inferred(engine, unit, call, options[0]) if len(options) == 1 else None
    signature = choose(engine, unit, call, options)
    if signature is None or not is_guard(signature.unit, signature.function):
        return None
    owner, fact = signature.unit, signature.unit.functions[signature.function]
    node = fact.return_type
    name = owner.strings[owner.code[node + 2]]
    wanted = None
    if owner.code[node + 1] >= 0:
        wanted = engine.declared_type(owner, owner.code[node + 1], inferred_env(engine, unit, call, signature))
    return _argument(unit, call, name, [entry.name for entry in fact.parameters]), wanted, owner.code[node + 3] == 1


def _inferred(engine: Engine, unit: Unit, call: int, signature: Signature) -> tuple[int | None, Type | None, bool] | None:
    """Return the predicate for an argument of a call, inferred from the only condition that the function returns."""
    guard = guard_of(engine, signature)
    arguments = unit.items(unit.code[call + 2])
    if guard is None or guard.position >= len(arguments):
        return None
    return arguments[guard.position], guard.kind, False


def is_guard(unit: Unit, function: int) -> bool:
    """Return whether the declared result of a function is a type predicate."""
    if function < 0:
        return False
    node = unit.functions[function].return_type
    return node >= 0 and unit.code[node] == Op.T_PREDICATE


def _argument(unit: Unit, call: int, name: str, names: list[str]) -> int | None:
    if name == "this":
        callee = unit.code[call + 1]
        return unit.code[callee + 1] if unit.code[callee] == Op.MEMBER else None
    arguments = unit.items(unit.code[call + 2])
    if name not in names:
        return None
    position = names.index(name)
    return arguments[position] if position < len(arguments) else None
