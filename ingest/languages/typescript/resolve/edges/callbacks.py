"""PASSED_IN edges: named functions that code passes as arguments, perhaps with `.bind(…)`, or as attributes.

In `users.map(toRow)`, the function `toRow` is passed to `map` at position 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from typing import TYPE_CHECKING, Final, NamedTuple

from ......schema.edges import Passing
from .....facts.model import DeclKind
from .....facts.node_scan import any_of, nodes_of
from .....facts.operations import Op
from ..model.binder import Declared, Entity, Value
from ..model.properties import Signature
from ..model.type_model import BOOLEAN, UNRESOLVED, External, Parameter, Type, TypeParameter, non_nullish, parts_of
from ..model.unit import WRAPPING, Unit
from ..model.written_text import written_type
from ..type_arguments import inferred_env
from ..type_text import type_text
from .known_names import function_symbols, is_method
from .type_checks import Guard, TypeGuards

if TYPE_CHECKING:
    from ..engine import Engine

_ARGUMENTS = frozenset((Op.CALL, Op.NEW))
_ELEMENTS = any_of(Op.JSX)
_NAME = Op.NAME
_NAMED = frozenset((Op.NAME, Op.MEMBER))
_MAY_NAME = _NAMED | WRAPPING | {Op.CALL}

_VARIABLES = frozenset((DeclKind.VARIABLE, DeclKind.PARAMETER))
#: Values whose type follows from the expression itself.
_CONSTRUCTED = frozenset((Op.NEW, Op.OBJECT, Op.CLASS))

#: File and symbol of a function.
_Place = tuple[Unit, int]
_UNKNOWN: Final = object()


class _PassingSite(NamedTuple):
    """The place where a function is passed."""

    node: int
    callee: str
    position: int
    attribute: str
    offset: int
    bound: bool


class CallbackFinder:
    """Finds the functions that are passed, file by file."""

    def __init__(self, engine: Engine, symbol_id: Callable[[Unit, int], str], guards: TypeGuards, method_names: Set[str]) -> None:
        """`method_names` are the names of all members whose value is a function. Types of other members are not computed."""
        self._engine = engine
        self._symbol_id = symbol_id
        self._guards = guards
        self._method_names = method_names
        #: Symbols of functions, by file.
        self._functions: dict[int, frozenset[int]] = {}
        #: For the index of each binding of the current file: its function, or None. Index -1 stands for all undeclared names.
        self._binding_places: dict[int, _Place | None] = {}

    def collect(self, unit: Unit) -> Iterator[Passing]:
        """Yield the functions that the calls of a file pass, then the functions that its elements pass."""
        self._binding_places = {-1: None}
        code = unit.code
        for node in unit.facts.calls:
            op = code[node]
            if op in _ARGUMENTS:
                for position, value in enumerate(unit.items(code[node + 2])):
                    kind = code[value]
                    if kind == _NAME and self._binding_places.get(code[value + 1], _UNKNOWN) is None:
                        continue  # most arguments are variables that are already known to contain no function
                    if kind in _MAY_NAME:
                        yield from self._passed(unit, node, value, position, "")
        for node in nodes_of(unit.facts, _ELEMENTS):
            for prop in unit.items(code[node + 2]):
                if code[prop] == Op.PROP and code[prop + 1] >= 0:
                    yield from self._passed(unit, node, code[prop + 1], -1, unit.strings[code[prop + 2]])

    def _passed(self, unit: Unit, node: int, value: int, position: int, attribute: str) -> Iterator[Passing]:
        self._engine.refuel()  # Gives each argument its own limit of steps.
        found = self._function(unit, value)
        caller = unit.named_owner(node) if found is not None else -1
        if found is not None and caller >= 0:
            site = _PassingSite(node, self._callee(unit, node), position, attribute, unit.code[value + 4], found[1])
            yield self._record(unit, caller, found[0], site)

    def _callee(self, unit: Unit, call: int) -> str:
        """Return the last name of a callee, or of the component of an element."""
        code = unit.code
        callee = code[call + 1]
        if code[call] == Op.JSX and callee < 0:
            return "(element)"
        callee = unit.unwrapped(callee)
        if callee >= 0 and code[callee] in _NAMED:
            return unit.strings[code[callee + 2]]
        return "super" if callee >= 0 and code[callee] == Op.SUPER else "(expression)"

    def _record(self, unit: Unit, caller: int, place: _Place, site: _PassingSite) -> Passing:
        guard = self._guards.guard(*place)
        given, made = self._narrowed_texts(unit, site, guard) if guard is not None else ("", "")
        return Passing(
            self._symbol_id(*place),
            self._symbol_id(unit, caller),
            site.callee,
            site.position,
            site.attribute,
            unit.line(site.offset),
            unit.column(site.offset),
            site.bound,
            guard.form if guard is not None else "",
            given,
            made,
        )

    def _narrowed_texts(self, unit: Unit, site: _PassingSite, guard: Guard) -> tuple[str, str]:
        """Return the texts of the types before and after a type guard narrows a value.

        The first type is the type of a method's receiver, or of the first argument besides the guard. The second type is the
        result type.
        """
        engine, code = self._engine, unit.code
        if code[site.node] != Op.CALL:
            return "", ""
        callee = unit.unwrapped(code[site.node + 1])
        others = [item for place, item in enumerate(unit.items(code[site.node + 2])) if place != site.position]
        given = code[callee + 1] if code[callee] == Op.MEMBER and site.position == 0 else others[0] if others else -1
        engine.refuel()
        input_text = self._written_input(unit, given) if given >= 0 else ""
        if given >= 0 and not input_text and not (input_type := engine.type_of(unit, given)).opaque:
            input_text = type_text(engine, input_type)
        output = self._output(unit, site, callee, guard)
        parts = parts_of(output)
        known = not any(part.opaque or isinstance(part, TypeParameter) for part in parts)
        return (
            input_text,
            type_text(engine, output) if known and not (output is BOOLEAN and guard.form == "asserts") else "",
        )

    def _written_input(self, unit: Unit, node: int) -> str:
        """Return the annotation of a variable or parameter; "" without an annotation."""
        code = unit.code
        node = unit.unwrapped(node)
        binding = code[node + 1] if code[node] == _NAME else -1
        for index in unit.bindings[binding].decls if binding >= 0 else ():
            decl = unit.decls[index]
            if decl.kind in _VARIABLES and decl.a >= 0:
                return written_type(unit, decl.a)
        return ""

    def _output(self, unit: Unit, site: _PassingSite, callee: int, guard: Guard) -> Type:
        """Return the result type of a call, with the type of the guard applied.

        The first signature that accepts a type guard at this position is used.
        """
        engine = self._engine
        for signature in engine.signatures(non_nullish(engine.type_of(unit, callee)), False) if guard.node >= 0 else ():
            parameter = _guarded_parameter(signature, site.position)
            if parameter is not None:
                env = dict(inferred_env(engine, unit, site.node, signature))
                # The text from the declaration of the guard is used, because the full text of the type may be pages long.
                env[parameter] = External("", (guard.narrowed_to,))
                return engine.declared_return(signature.unit, signature.function, env)
        # The result of a method follows from its receiver. Other results would have to be inferred from all arguments.
        return engine.type_of(unit, site.node) if unit.code[callee] == Op.MEMBER else UNRESOLVED

    # ------------------------------------------------------------------ functions that an argument names

    def _function(self, unit: Unit, node: int) -> tuple[_Place, bool] | None:
        """Return the function that an expression names, and whether it is bound; None for other expressions."""
        code, bound = unit.code, False
        while True:
            op = code[node]
            if op in WRAPPING:
                node = code[node + 1]
            elif op == Op.CALL and not bound and self._is_bind(unit, code[node + 1]):
                node, bound = code[code[node + 1] + 1], True
            else:
                break
        lookup = _LOOKUPS.get(op)
        place = lookup(self, unit, node) if lookup is not None else None
        return (place, bound) if place is not None else None

    def _is_bind(self, unit: Unit, callee: int) -> bool:
        code = unit.code
        return code[callee] == Op.MEMBER and unit.strings[code[callee + 2]] == "bind"

    def _of_name(self, unit: Unit, node: int) -> _Place | None:
        binding = unit.code[node + 1]
        if binding not in self._binding_places:
            self._binding_places[binding] = self._of_entity(self._engine.binder.follow(unit, binding))
        return self._binding_places[binding]

    def _of_member(self, unit: Unit, node: int) -> _Place | None:
        engine, code = self._engine, unit.code
        name = unit.strings[code[node + 2]]
        entity = engine.binder.dotted(unit, node)
        if entity is not None:
            return self._of_entity(entity)
        if name not in self._method_names or not self._has_declared_type(unit, code[node + 1]):
            return None
        engine.refuel()
        for found in engine.properties(engine.type_of(unit, code[node + 1]), name):
            owner, symbol = found.unit, found.symbol
            if owner is not None and self._is_function(owner, symbol) and is_method(owner, symbol, name):
                return owner, symbol
        return None

    def _is_function(self, unit: Unit, symbol: int) -> bool:
        if unit.external or symbol < 0:
            return False
        known = self._functions.get(unit.index)
        if known is None:
            known = self._functions[unit.index] = function_symbols(unit)
        return symbol in known

    def _has_declared_type(self, unit: Unit, receiver: int) -> bool:
        """Return whether a receiver is `this` or a name whose declaration shows its type.

        Other types take long to infer, and most of them are types of plain data.
        """
        code = unit.code
        receiver = unit.unwrapped(receiver)
        if code[receiver] != Op.NAME:
            return code[receiver] in (Op.THIS, Op.SUPER)
        for index in unit.bindings[code[receiver + 1]].decls if code[receiver + 1] >= 0 else ():
            decl = unit.decls[index]
            if decl.kind not in _VARIABLES or decl.a >= 0 or (decl.b >= 0 and code[decl.b] in _CONSTRUCTED):
                return True
        return False

    def _of_entity(self, entity: Entity | None) -> _Place | None:
        if isinstance(entity, Declared):
            unit, symbol = self._engine.binder.symbol(entity)
        elif isinstance(entity, Value):
            unit, symbol = entity.unit, entity.symbol
        else:
            return None
        return (unit, symbol) if self._is_function(unit, symbol) else None


_LOOKUPS = {Op.NAME: CallbackFinder._of_name, Op.MEMBER: CallbackFinder._of_member}


def _guarded_parameter(signature: Signature, position: int) -> Parameter | None:
    """Return the type parameter S of a signature that takes `(value: T) => value is S` at a position, or None."""
    if signature.function < 0:
        return None
    unit, parameters = signature.unit, signature.unit.functions[signature.function].parameters
    node = parameters[position].type if position < len(parameters) else -1
    if node < 0 or unit.code[node] != Op.T_FUNCTION:
        return None
    result = unit.functions[unit.code[node + 1]].return_type
    if result < 0 or unit.code[result] != Op.T_PREDICATE:
        return None
    wanted = unit.code[result + 1]
    binding = unit.code[wanted + 1] if wanted >= 0 and unit.code[wanted] == Op.T_NAME else -1
    for decl in unit.bindings[binding].decls if binding >= 0 else ():
        if unit.decls[decl].kind == DeclKind.TYPE_PARAMETER:
            return unit.index, decl
    return None
