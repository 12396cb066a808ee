"""PASSED_IN and TAKES_FUNCTION edges: named functions that are passed as arguments, and parameters and results that are
functions.

In `map(to_row, users)`, the function `to_row` is passed to `map` at position 0; in `Thread(target=work)`, the function
`work` is passed as the attribute `target`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....schema.edges import FunctionTaken, Passing
from ...facts.model import DeclKind
from ...facts.operations import NAME_OPS, Op
from ...languages.typescript.resolve.model.unit import SymbolIds, Unit
from .. import imported_values
from ..engine import NominalEngine
from ..program import last_name
from ..types import Callback, FunctionValue, Overloads, Type, Wrapped, parts
from .annotations import Place, receivers, written, written_parameters

_DOTTED: Final = (Op.MEMBER, Op.PHI)


class Callbacks:
    """Finds the functions that calls pass as arguments, and the functions that take or return functions, file by file."""

    def __init__(self, engine: NominalEngine, symbol_id: SymbolIds) -> None:
        self._engine = engine
        self._symbol_id = symbol_id

    # ------------------------------------------------------------------ passed functions

    def passed(self, unit: Unit) -> Iterator[Passing]:
        """Yield the functions that the calls of a file pass."""
        code = unit.code
        for node in unit.facts.calls:
            caller = unit.named_owner(node)
            if caller < 0 or code[node] == Op.REFERS:
                continue
            position = 0
            for argument in unit.items(code[node + 2]).tolist():
                name, value, place = "", argument, position
                if code[argument] == Op.PROP:
                    name, value, place = unit.strings[code[argument + 2]], code[argument + 1], -1
                else:
                    position += 1
                bound = self._bound(unit, value)
                function = self._function(unit, bound if bound >= 0 else value)
                if function is not None:
                    at = code[value + 4]
                    yield Passing(
                        self._symbol_id(*function),
                        self._symbol_id(unit, caller),
                        last_name(unit, self._plain(unit, code[node + 1])) or "(expression)",
                        place,
                        name,
                        unit.line(at),
                        unit.column(at),
                        bound >= 0,
                        "",
                        "",
                        "",
                    )

    def _plain(self, unit: Unit, node: int) -> int:
        while node >= 0 and unit.code[node] == Op.PHI:
            node = unit.code[node + 2]
        return node

    def _bound(self, unit: Unit, node: int) -> int:
        """Return the node of the function to which `partial(f, …)` binds arguments; -1 for any other expression."""
        code = unit.code
        if node < 0 or code[node] != Op.CALL or last_name(unit, code[node + 1]) not in ("partial", "partialmethod"):
            return -1
        given = unit.items(code[node + 2])
        return given[0] if given else -1

    def _function(self, unit: Unit, node: int) -> Place | None:
        """Return the function of the repository that an expression names, or None."""
        code, engine = unit.code, self._engine
        if node < 0:
            return None
        if code[node] == Op.REFERS:
            engine.refuel()
            return self._place(engine.selected(unit, node))
        if code[node] in NAME_OPS:
            engine.refuel()
            origin = imported_values.origin_of(engine, unit, node)
            if origin is None or origin.facts.kind != DeclKind.FUNCTION or origin.unit.external or origin.facts.symbol < 0:
                return None
            return origin.unit, origin.facts.symbol
        if code[node] not in _DOTTED:
            return None
        engine.refuel()
        node = self._plain(unit, node)
        found = [self._place(part) for part in parts(engine.type_of(unit, node))] if node >= 0 else []
        places = [place for place in found if place is not None]
        if not places or len(places) != len(found):
            return None
        owner, symbol = places[0]
        # A property or variable may contain a function with another name.
        is_named = unit.code[node] == Op.MEMBER and owner.symbols[symbol].name == unit.strings[unit.code[node + 2]]
        return places[0] if is_named else None

    def _place(self, kind: Type) -> Place | None:
        if isinstance(kind, Wrapped):
            return self._place(kind.value) if kind.kind != Wrapped.PROPERTY else None
        if isinstance(kind, Overloads):
            return self._place(kind.functions[-1])
        if isinstance(kind, Callback):
            return self._place(kind.function) if kind.function is not None else None
        if not isinstance(kind, FunctionValue) or kind.unit.external:
            return None
        symbol = kind.unit.functions[kind.function].symbol
        return (kind.unit, symbol) if symbol >= 0 else None

    # ------------------------------------------------------------------ functions that take and return functions

    def taken(self, unit: Unit) -> Iterator[FunctionTaken]:
        """Yield the parameters and results of a file that are functions, without repetition."""
        engine = self._engine
        bound = receivers(engine, unit)
        seen: set[tuple[int, int]] = set()
        for index, function in enumerate(unit.functions):
            if function.symbol < 0:
                continue
            for position, name, annotation, _ in written_parameters(unit, index, index in bound):
                if annotation >= 0 and (function.symbol, position) not in seen and self._is_function(unit, annotation):
                    seen.add((function.symbol, position))
                    yield self._taken(unit, function.symbol, position, name, written(unit, annotation))
            text = self._result(unit, index) if (function.symbol, -1) not in seen else ""
            if text:
                seen.add((function.symbol, -1))
                yield self._taken(unit, function.symbol, -1, "", text)

    def _taken(self, unit: Unit, symbol: int, position: int, name: str, text: str) -> FunctionTaken:
        return FunctionTaken(self._symbol_id(unit, symbol), unit.path, position, name, text, "", "")

    def _is_function(self, unit: Unit, annotation: int) -> bool:
        self._engine.refuel()
        return any(isinstance(part, Callback) for part in parts(self._engine.annotation(unit, annotation)))

    def _result(self, unit: Unit, index: int) -> str:
        """Return the text of the function that a function returns; "" if it returns no function."""
        function = unit.functions[index]
        if function.return_type >= 0:
            return written(unit, function.return_type) if self._is_function(unit, function.return_type) else ""
        if function.is_async or function.is_generator:
            return ""
        for node in function.returns:
            inner = self._returned(unit, node)
            if inner >= 0:
                return self._signature(unit, inner)
        return ""

    def _returned(self, unit: Unit, node: int) -> int:
        """Return the function of the same file that a returned expression defines or names; -1 for other expressions."""
        code = unit.code
        if node >= 0 and code[node] == Op.FUNCTION:
            return code[node + 1]
        if node < 0 or code[node] not in NAME_OPS or code[node + 1] < 0:
            return -1
        for index in unit.bindings[code[node + 1]].decls:
            if unit.decls[index].kind == DeclKind.FUNCTION:
                return unit.decls[index].a
        return -1

    def _signature(self, unit: Unit, index: int) -> str:
        """Return the text of a function's type: "(name: str, *rest) -> int"."""
        function = unit.functions[index]
        texts = []
        for parameter in function.parameters:
            annotation = written(unit, parameter.type)
            texts.append(f"{parameter.name}: {annotation}" if annotation else parameter.name)
        result = written(unit, function.return_type)
        return f"({', '.join(texts)})" + (f" -> {result}" if result else "")
