"""CHECKS edges: where code checks the type of a value, and the functions that are type guards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ......schema.edges import TypeCheck
from .....facts.model import Parameter
from .....facts.operations import Op
from ..call_targets import CallSite
from ..model.type_model import ANY, UNRESOLVED, parts_of
from ..model.unit import Unit
from ..model.written_text import written_reference, written_type
from ..narrowing.conditions import to_type
from ..type_text import type_text
from .operator_checks import Check, Discriminants, operator_checks

if TYPE_CHECKING:
    from ..engine import Engine

_ARRAY_CHECK = "lib:Array.isArray"


class Guard(NamedTuple):
    """A function whose result is a type predicate."""

    #: Position of the checked parameter; -1 for `this`.
    position: int
    subject: str
    #: "is" or "asserts".
    form: str
    #: Text of the type; "" for a bare `asserts x`.
    narrowed_to: str
    #: File and node of the type in the predicate; node -1 for a bare `asserts x`.
    unit: Unit
    node: int

    @property
    def kind(self) -> str:
        """Return the kind of check that a call of the guard makes."""
        return "assertion" if self.form == "asserts" else "user-defined"


#: File index and symbol of a function.
_Place = tuple[int, int]


class TypeGuards:
    """The type guards of a program, and the checks of its files. `discriminants` are the discriminants of the whole program."""

    def __init__(self, engine: Engine, symbol_id: Callable[[Unit, int], str], discriminants: Discriminants) -> None:
        self._engine = engine
        self._symbol_id = symbol_id
        self._discriminants = discriminants
        #: Guards in the files that were scanned.
        self._declared: dict[_Place, Guard] = {}
        #: Position of the `never` parameter of functions that have one, in the files that were scanned.
        self._exhaustive: dict[_Place, int] = {}
        self._scanned: set[int] = set()
        #: Checks that calls of guards make, by file and node.
        self._calls: dict[int, dict[int, Check]] = {}
        #: Node and byte offset of the name for each call of `Array.isArray`, by file.
        self._array_checks: dict[int, list[tuple[int, int]]] = {}

    def guard(self, unit: Unit, symbol: int) -> Guard | None:
        """Return the type guard for a function; None if the function is not a guard."""
        self._scan(unit)
        return self._declared.get((unit.index, symbol))

    def _scan(self, unit: Unit) -> None:
        if unit.index in self._scanned:
            return
        self._scanned.add(unit.index)
        code = unit.code
        for fact in unit.functions:
            if fact.symbol < 0:
                continue
            if fact.return_type >= 0 and code[fact.return_type] == Op.T_PREDICATE:
                self._declared.setdefault((unit.index, fact.symbol), guard_of(unit, fact.return_type, fact.parameters))
            for position, entry in enumerate(fact.parameters):
                if entry.type >= 0 and code[entry.type] == Op.T_PRIMITIVE and unit.strings[code[entry.type + 2]] == "never":
                    self._exhaustive.setdefault((unit.index, fact.symbol), position)

    # ------------------------------------------------------------------ calls

    def add_call(self, unit: Unit, node: int, site: CallSite) -> None:
        """Record a call of a guard, of `Array.isArray`, or of a function with a parameter of type `never`."""
        for target in site.targets:
            if target.unit is not None:
                place = (target.unit.index, target.symbol)
                guard = self.guard(target.unit, target.symbol)
                if guard is not None:
                    check = Check(
                        guard.kind, site.position, self._argument(unit, node, guard.position), site.name, guard.narrowed_to
                    )
                    self._calls.setdefault(unit.index, {})[node] = check
                elif place in self._exhaustive:
                    subject = self._argument(unit, node, self._exhaustive[place])
                    check = Check("exhaustive", site.position, subject, site.name, "never")
                    self._calls.setdefault(unit.index, {})[node] = check
            elif target.outside == _ARRAY_CHECK:
                self._array_checks.setdefault(unit.index, []).append((node, site.position))

    def _array_check(self, unit: Unit, node: int, position: int) -> Check:
        engine, arguments = self._engine, unit.items(unit.code[node + 2])
        subject = self._argument(unit, node, 0)
        kind = engine.type_of(unit, arguments[0]) if subject else UNRESOLVED
        narrowed = type_text(engine, to_type(engine, kind, engine.lib("Array", ANY))) if len(parts_of(kind)) > 1 else "any[]"
        return Check("Array.isArray", position, subject, "", narrowed)

    def _argument(self, unit: Unit, call: int, position: int) -> str:
        code = unit.code
        if position < 0:
            callee = code[call + 1]
            return written_reference(unit, code[callee + 1]) if code[callee] == Op.MEMBER else ""
        arguments = unit.items(code[call + 2]) if code[call] in (Op.CALL, Op.NEW) else ()
        return written_reference(unit, arguments[position]) if position < len(arguments) else ""

    # ------------------------------------------------------------------ files

    def collect(self, unit: Unit) -> Iterator[TypeCheck]:
        """Yield all checks of a file in source order. Add the calls of the file first."""
        calls = self._calls.pop(unit.index, {})
        calls |= {node: self._array_check(unit, node, at) for node, at in self._array_checks.pop(unit.index, ())}
        found = [*self._signatures(unit), *operator_checks(self._engine, unit, calls, self._discriminants)]
        for owner, check in sorted(found, key=lambda entry: (entry[1].position, entry[1].kind)):
            yield check.record(self._symbol_id(unit, owner), unit)

    def _signatures(self, unit: Unit) -> Iterator[tuple[int, Check]]:
        seen = set()
        for fact in unit.functions:
            guard = self.guard(unit, fact.symbol) if fact.symbol >= 0 else None
            if guard is not None and fact.symbol not in seen:
                seen.add(fact.symbol)
                yield fact.symbol, Check(guard.kind, fact.position, guard.subject, "", guard.narrowed_to, declares=True)


def guard_of(unit: Unit, predicate: int, parameters: list[Parameter]) -> Guard:
    """Return the guard that a function declares with a predicate as its result type.

    `parameters` are the parameters of the function.
    """
    code = unit.code
    name = unit.strings[code[predicate + 2]]
    names = [entry.name for entry in parameters]
    form = "asserts" if code[predicate + 3] == 1 else "is"
    position = names.index(name) if name in names else -1
    return Guard(position, name, form, written_type(unit, code[predicate + 1]), unit, code[predicate + 1])
