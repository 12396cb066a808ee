"""EXTENDS, IMPLEMENTS and OVERRIDES edges."""

from __future__ import annotations

from collections.abc import Iterator

from ....schema.edges import HeritageEdge, OverrideEdge
from ...facts.model import MemberKind, Shape
from ...facts.operations import Op
from ...languages.typescript.resolve.model.unit import SymbolIds, Unit
from .. import class_order
from ..engine import NominalEngine
from ..program import last_name
from ..types import ClassInfo, Instance, Outside, Type, parts
from .annotations import class_place


class Heritage:
    """Finds the bases and overrides of classes, file by file."""

    def __init__(self, engine: NominalEngine, symbol_id: SymbolIds) -> None:
        self._engine = engine
        self._symbol_id = symbol_id

    # ------------------------------------------------------------------ bases

    def bases(self, unit: Unit, shape: Shape) -> Iterator[HeritageEdge]:
        """Yield the bases of a class. A class implements a protocol, but a protocol extends another protocol."""
        engine = self._engine
        from_id = self._symbol_id(unit, shape.symbol)
        is_protocol = self._is_protocol(unit, shape)
        seen: set[str] = set()
        for node in shape.extends:
            line = unit.line(unit.code[node + 4])
            for base in parts(engine.annotation(unit, node)):
                if not isinstance(base, Instance):
                    continue
                kind = "implements" if not is_protocol and self._is_interface(base.cls) else "extends"
                place = class_place(base.cls)
                to_id = self._symbol_id(*place) if place is not None else self._external(base.cls)
                if to_id and to_id not in seen:
                    seen.add(to_id)
                    yield HeritageEdge(from_id, to_id, kind, line, place is None)
            outside = self._external_base_id(unit, node)
            if outside and outside not in seen:
                seen.add(outside)
                yield HeritageEdge(from_id, outside, "extends", line, True)

    def _is_interface(self, info: ClassInfo) -> bool:
        return self._is_protocol(info.unit, info.unit.shapes[info.shape])

    def _is_protocol(self, unit: Unit, shape: Shape) -> bool:
        """Return whether a class derives directly from `Protocol`."""
        for node in shape.extends:
            name = unit.code[node + 1] if unit.code[node] == Op.INDEX else node
            if last_name(unit, name) == "Protocol" and not _has_class(self._engine.annotation(unit, node)):
                return True
        return False

    def _external(self, info: ClassInfo) -> str:
        """Return the id of a class of the runtime; "" for a class of the repository without a symbol."""
        return self._engine.program.rules.external(f"{info.module}.{info.name}") if info.module else ""

    def _external_base_id(self, unit: Unit, node: int) -> str:
        """Return the id of a base in a module that is not read; "" for other bases."""
        name = unit.code[node + 1] if unit.code[node] == Op.INDEX else node
        for part in parts(self._engine.type_of(unit, name)):
            if isinstance(part, Outside) and not part.path.startswith((".", "builtins.")) and not part.path.endswith(".Generic"):
                return self._engine.program.rules.external(part.path)
        return ""

    # ------------------------------------------------------------------ overrides

    def overrides(self, unit: Unit, index: int) -> Iterator[OverrideEdge]:
        """Yield for each method of a class the nearest method with the same name that it overrides.

        Methods of `object` do not count as overridden.
        """
        engine = self._engine
        ancestors = class_order.linear_order(engine, engine.program.class_info(unit, index)).order[1:]
        for member in unit.shapes[index].members:
            if member.symbol < 0 or not member.name or member.kind == MemberKind.CONSTRUCTOR or member.function < 0:
                continue
            for ancestor in ancestors:
                above = ancestor.cls
                named = above.members_named(member.name)
                other = next((each for each in named if each.function >= 0), None)
                if other is None:
                    continue
                from_id = self._symbol_id(unit, member.symbol)
                if above.module:
                    if above.module != "builtins" or above.name != "object":
                        outside = f"{above.module}.{above.name}.{member.name}"
                        yield OverrideEdge(from_id, engine.program.rules.external(outside), True)
                elif other.symbol >= 0 and (above.unit, other.symbol) != (unit, member.symbol):
                    yield OverrideEdge(from_id, self._symbol_id(above.unit, other.symbol))
                break


def _has_class(kind: Type) -> bool:
    return any(isinstance(part, Instance) for part in parts(kind))
