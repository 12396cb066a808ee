"""Overloads that literal arguments decide: signatures with a parameter of the type `Literal["rb"]` or `Literal[True]`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..facts.model import DeclKind, Parameter
from ..facts.operations import Op
from ..languages.typescript.resolve.model.unit import Unit
from . import imported_values
from .program import last_name
from .types import FunctionValue, Overloads, Type, parts, union

if TYPE_CHECKING:
    from .engine import NominalEngine

_LITERALS: Final = (Op.STRING, Op.NUMBER, Op.BOOLEAN)
#: Maximum number of aliases between an annotation and its `Literal`.
_MAX_ALIASES: Final = 5


def fitting(engine: NominalEngine, unit: Unit, call: int, callee: Type) -> Type:
    """Return a callee without the signatures whose `Literal` parameters refuse a literal argument of a call."""
    if not any(isinstance(part, Overloads) for part in parts(callee)):
        return callee
    found: list[Type] = []
    for part in parts(callee):
        kept: list[FunctionValue] = []
        if isinstance(part, Overloads):
            kept = [each for each in part.functions if _takes_literals(engine, unit, call, each)]
            found.append(Overloads(tuple(kept)) if kept else part)
        else:
            found.append(part)
    return union(found)


def _takes_literals(engine: NominalEngine, unit: Unit, call: int, signature: FunctionValue) -> bool:
    code = unit.code
    parameters = [each for each in signature.unit.functions[signature.function].parameters if each.name != "/"]
    if signature.receiver is not None:
        parameters = parameters[1:]
    by_name = {each.name: each for each in parameters}
    place = 0
    for argument in unit.items(code[call + 2]):
        parameter: Parameter | None = None
        value = argument
        if code[argument] == Op.PROP:
            value = code[argument + 1]
            parameter = by_name.get(unit.strings[code[argument + 2]])
        elif code[argument] == Op.SPREAD or place >= len(parameters) or parameters[place].name.startswith("*"):
            place = len(parameters)
        else:
            parameter = parameters[place]
            place += 1
        if parameter is None or parameter.type < 0 or code[value] not in _LITERALS:
            continue
        allowed = _allowed(engine, signature.unit, parameter.type, _MAX_ALIASES)
        if allowed is not None and _text(unit, value) not in allowed:
            return False
    return True


def _text(unit: Unit, literal: int) -> str:
    """Return a literal as a text that is equal for equal literals of one kind."""
    code = unit.code
    value = str(code[literal + 1]) if code[literal] == Op.BOOLEAN else unit.strings[code[literal + 2]]
    return f"{code[literal]} {value}"


def _allowed(engine: NominalEngine, unit: Unit, node: int, aliases: int) -> set[str] | None:
    """Return the literals that an annotation allows; None if it also allows other values."""
    code = unit.code
    if node < 0:
        return None
    if code[node] == Op.OPERATOR:
        left = _allowed(engine, unit, code[node + 1], aliases)
        right = _allowed(engine, unit, code[node + 2], aliases)
        return left | right if left is not None and right is not None else None
    if code[node] == Op.INDEX:
        if last_name(unit, code[node + 1]) != "Literal":
            return None
        index = code[node + 2]
        written = list(unit.items(code[index + 1])) if code[index] == Op.ARRAY else [index]
        return {_text(unit, each) for each in written} if all(code[each] in _LITERALS for each in written) else None
    alias = imported_values.origin_of(engine, unit, node) if aliases else None
    if alias is None or alias.facts.kind not in (DeclKind.VARIABLE, DeclKind.ALIAS):
        return None
    value = alias.facts.b if alias.facts.kind == DeclKind.VARIABLE else alias.facts.a
    return _allowed(engine, alias.unit, value, aliases - 1)
