"""TAKES_FUNCTION edges: parameters and results that are functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ......schema.edges import FunctionTaken
from .....facts.model import DeclKind, Function, MemberKind
from .....facts.operations import Op
from ..model.binder import Declared
from ..model.unit import Unit
from ..model.written_text import shortened, written_signature, written_type
from ..type_text import type_text
from .type_checks import guard_of

if TYPE_CHECKING:
    from ..engine import Engine

_GROUPS = frozenset((Op.T_UNION, Op.T_INTERSECTION))
_NAMES = frozenset((Op.T_NAME, Op.T_QUALIFIED))
_WRAPPERS = frozenset((Op.T_OPTIONAL, Op.T_READONLY))
#: Maximum length of a chain of aliases that is followed.
_MAX_CHAIN_LENGTH = 8


class HigherOrderFunctions:
    """Finds the higher-order functions, file by file."""

    def __init__(self, engine: Engine, symbol_id: Callable[[Unit, int], str]) -> None:
        self._engine = engine
        self._symbol_id = symbol_id
        #: The function type to which a named type refers, by entity; None for named types that are not functions.
        self._named: dict[Declared, tuple[Unit, int] | None] = {}

    def collect(self, unit: Unit) -> Iterator[FunctionTaken]:
        """Yield the functions that the functions of a file take and return, without repetition."""
        seen: set[tuple[int, int, str]] = set()
        for symbol, fact in self._callables(unit):
            for position, entry in enumerate(fact.parameters):
                found = self._signature(unit, entry.type) if entry.type >= 0 else None
                if found is not None and (symbol, position, entry.name) not in seen:
                    seen.add((symbol, position, entry.name))
                    yield self._record(unit, symbol, position, entry.name, written_type(unit, entry.type), found)
            if (symbol, -1, "") not in seen:
                result = self._result(unit, symbol, fact)
                if result is not None:
                    seen.add((symbol, -1, ""))
                    yield result

    def _callables(self, unit: Unit) -> Iterator[tuple[int, Function]]:
        """Yield functions with their symbols; for a variable with an annotation, the signatures of its type."""
        typed: dict[int, list[int]] = {}
        for decl in unit.decls:
            if decl.kind == DeclKind.VARIABLE and decl.symbol >= 0 and decl.a >= 0:
                written = self._written_signatures(unit, decl.a)
                if written:
                    typed[decl.symbol] = written
        for symbol, functions in typed.items():
            yield from ((symbol, unit.functions[function]) for function in functions)
        yield from ((fact.symbol, fact) for fact in unit.functions if fact.symbol >= 0 and fact.symbol not in typed)

    def _written_signatures(self, unit: Unit, node: int) -> list[int]:
        code = unit.code
        if code[node] == Op.T_FUNCTION:
            return [code[node + 1]]
        members = unit.shapes[code[node + 1]].members if code[node] == Op.T_OBJECT else ()
        return [member.function for member in members if member.kind == MemberKind.CALL]

    def _result(self, unit: Unit, symbol: int, fact: Function) -> FunctionTaken | None:
        if fact.return_type >= 0:
            found = self._signature(unit, fact.return_type)
            return self._record(unit, symbol, -1, "", written_type(unit, fact.return_type), found) if found is not None else None
        if fact.is_async or fact.is_generator:
            return None
        for value in fact.returns:
            inner = self._returned(unit, value)
            if inner is not None:
                return self._record(unit, symbol, -1, "", self._inferred(unit, inner), (unit, inner))
        return None

    def _inferred(self, unit: Unit, function: int) -> str:
        """Return the text of a function, with an inferred result type if it has no annotation."""
        text = written_signature(unit, function)
        if unit.functions[function].return_type >= 0:
            return text
        self._engine.refuel()
        result = type_text(self._engine, self._engine.return_type(unit, function))
        return text if result == "unknown" else shortened(text.removesuffix("…") + result)

    def _returned(self, unit: Unit, value: int) -> int | None:
        """Return the function of the same file that a returned expression defines or names; None for other expressions."""
        code = unit.code
        while code[value] in (Op.AS, Op.NON_NULL, Op.NARROW):
            value = code[value + 1]
        if code[value] == Op.FUNCTION:
            return code[value + 1]
        if code[value] == Op.NAME and code[value + 1] >= 0:
            for index in unit.bindings[code[value + 1]].decls:
                decl = unit.decls[index]
                if decl.kind == DeclKind.FUNCTION:
                    return decl.a
                if decl.kind == DeclKind.VARIABLE and decl.b >= 0 and code[decl.b] == Op.FUNCTION:
                    return code[decl.b + 1]
        return None

    def _record(self, unit: Unit, symbol: int, position: int, name: str, text: str, found: tuple[Unit, int]) -> FunctionTaken:
        owner, function = found
        inner = owner.functions[function] if function >= 0 else None
        node = inner.return_type if inner is not None else -1
        is_guard = inner is not None and node >= 0 and owner.code[node] == Op.T_PREDICATE
        guard = guard_of(owner, node, inner.parameters) if is_guard and inner is not None else None
        return FunctionTaken(
            self._symbol_id(unit, symbol),
            unit.path,
            position,
            name,
            text,
            guard.form if guard is not None else "",
            guard.narrowed_to if guard is not None else "",
        )

    # ------------------------------------------------------------------ function types

    def _signature(self, unit: Unit, node: int, chain: int = 0) -> tuple[Unit, int] | None:
        """Return the function type that a type is or contains, or None. Function -1 is the runtime's `Function`."""
        code = unit.code
        op = code[node] if node >= 0 else Op.T_UNKNOWN
        if op == Op.T_FUNCTION:
            return unit, code[node + 1]
        if op in _GROUPS:
            parts = (self._signature(unit, item, chain) for item in unit.items(code[node + 1]))
            return next((part for part in parts if part is not None), None)
        if op in _WRAPPERS:
            return self._signature(unit, code[node + 1], chain)
        if op == Op.T_OBJECT:
            return self._call_signature(unit, code[node + 1])
        if op == Op.T_REFERENCE:
            node = code[node + 1]
        if code[node] not in _NAMES or chain > _MAX_CHAIN_LENGTH:
            return None
        entity = self._engine.binder.named(unit, node)
        if not isinstance(entity, Declared):
            return None
        if entity not in self._named:
            self._named[entity] = None  # an alias of itself is not a function
            self._named[entity] = self._of_entity(entity, chain)
        return self._named[entity]

    def _of_entity(self, entity: Declared, chain: int) -> tuple[Unit, int] | None:
        if entity.unit.external:
            return (entity.unit, -1) if entity.facts.name == "Function" else None
        for owner, index in self._engine.binder.declarations(entity):
            decl = owner.decls[index]
            if decl.kind == DeclKind.ALIAS:
                return self._signature(owner, decl.a, chain + 1)
            if decl.kind == DeclKind.INTERFACE:
                found = self._call_signature(owner, decl.a)
                if found is not None:
                    return found
        return None

    def _call_signature(self, unit: Unit, shape: int) -> tuple[Unit, int] | None:
        for member in unit.shapes[shape].members:
            if member.kind == MemberKind.CALL:
                return unit, member.function
        return None
