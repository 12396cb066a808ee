"""Find the types of the values that code converts, and the types that it converts them to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ..facts.model import MemberKind
from ..facts.operations import NAME_OPS, Op
from ..languages.conversions import Conversion, Target
from ..languages.typescript.resolve.model.unit import SymbolIds, Unit
from ..nominal.engine import NominalEngine
from ..nominal.types import UNKNOWN, ClassInfo, ClassValue, FunctionValue, Instance, Type, parts, union

#: Operations of values and of types, in the order in which nodes of one position are preferred.
_VALUES: Final = (Op.CALL, Op.AS, Op.MEMBER, Op.FLOW, Op.NAME)
_CALLED: Final = (Op.MEMBER, Op.FLOW, Op.NAME)
_TYPES: Final = (Op.T_FUNCTION, Op.T_OBJECT, Op.MEMBER, Op.NAME, Op.FLOW)


def converted_types(
    engine: NominalEngine, unit: Unit, found: Iterable[Conversion], symbol_id: SymbolIds
) -> Iterator[tuple[int, tuple[str, str]]]:
    """Yield the lines of conversions, each with the ids of a type of the value and of the type to which it is converted."""
    types = ConvertedTypes(engine, unit)
    for each in found:
        engine.refuel()
        value = _classes(types.value_type(each.value))
        target = _classes(types.target_type(each)) if value else []
        for one in value:
            for other in target:
                from_id, to_id = _id(engine, one, symbol_id), _id(engine, other, symbol_id)
                if from_id and to_id and from_id != to_id:
                    yield each.line, (from_id, to_id)


class ConvertedTypes:
    """The types of the values of conversions in a file, and the types to which they are converted."""

    def __init__(self, engine: NominalEngine, unit: Unit) -> None:
        self._engine = engine
        self._unit = unit
        #: The nodes at each position.
        self._nodes: dict[int, list[int]] = {}
        code = unit.code
        for node in range(0, len(code), 5):
            self._nodes.setdefault(code[node + 4], []).append(node)

    def value_type(self, position: int) -> Type:
        """Return the type of a value."""
        node = self._node(position, _VALUES)
        return self._engine.type_of(self._unit, node) if node >= 0 else UNKNOWN

    def target_type(self, found: Conversion) -> Type:
        """Return the type to which a value is converted."""
        engine, unit = self._engine, self._unit
        if found.kind == Target.EXPRESSION:
            declared = self._declared(found.target)
            return declared if _classes(declared) else self.value_type(found.target)
        if found.kind == Target.PARAMETER:
            node = self._node(found.target, _CALLED)
            called = engine.type_of(unit, node) if node >= 0 else UNKNOWN
            return union([self._of_parameter(part, found.place) for part in parts(called)])
        node = self._node(found.target, _TYPES)
        written = engine.annotation(unit, node) if node >= 0 else UNKNOWN
        if found.kind == Target.TYPE:
            return written
        return union([kind for each in _classes(written) for kind in self._of_field(each, found)])

    def _declared(self, position: int) -> Type:
        """Return the declared type of a name, which may differ from the type of the value that it holds."""
        node = self._node(position, NAME_OPS)
        binding = self._unit.code[node + 1] if node >= 0 else -1
        decls = self._unit.bindings[binding].decls if binding >= 0 else []
        return union([self._engine.declared(self._unit, decl) for decl in decls])

    def _of_parameter(self, called: Type, index: int) -> Type:
        if isinstance(called, ClassValue):
            return called.instance
        if not isinstance(called, FunctionValue):
            return UNKNOWN
        parameters = called.unit.functions[called.function].parameters[called.receiver is not None :]
        if parameters and parameters[-1].rest:
            index = min(index, len(parameters) - 1)
        return self._engine.annotation(called.unit, parameters[index].type) if index < len(parameters) else UNKNOWN

    def _of_field(self, owner: ClassInfo, found: Conversion) -> list[Type]:
        fields = [member for member in owner.unit.shapes[owner.shape].members if member.kind == MemberKind.PROPERTY]
        chosen = [each for each in fields if each.name == found.name] if found.name else fields[found.place : found.place + 1]
        return [self._engine.annotation(owner.unit, each.type) for each in chosen]

    def _node(self, position: int, operations: tuple[int, ...]) -> int:
        """Return the node at a position with the most preferred operation; -1 if there is none."""
        ranked = [
            (operations.index(self._unit.code[node]), node)
            for node in self._nodes.get(position, ())
            if self._unit.code[node] in operations
        ]
        return min(ranked)[1] if ranked else -1


def _classes(kind: Type) -> list[ClassInfo]:
    found = []
    for part in parts(kind):
        if isinstance(part, ClassValue):
            found.append(part.instance.cls)
        elif isinstance(part, Instance):
            found.append(part.cls)
    return found


def _id(engine: NominalEngine, info: ClassInfo, symbol_id: SymbolIds) -> str:
    """Return the id of a type, as edges have it; "" for a type without a symbol."""
    if info.module:
        return engine.program.rules.external(f"{info.module}.{info.name}")
    symbol = info.unit.shapes[info.shape].symbol
    return symbol_id(info.unit, symbol) if symbol >= 0 else ""
