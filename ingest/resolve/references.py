"""REFERENCES edges: uses of names, in source order.

Names are followed through their bindings, and members of `this`, namespaces and modules to their declarations.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...schema.records import ReferenceEdge
from ..facts import DeclKind, Op, Use
from .entities import Declared, Entity, Value
from .program import Unit

if TYPE_CHECKING:
    from .engine import Engine

_ROLES = {
    Use.READ: "read",
    Use.WRITE: "write",
    Use.TYPE: "type",
    Use.HERITAGE: "heritage",
    Use.EXPORT: "export",
    Use.DECORATOR: "decorator",
}
_PLAIN_NAMES = frozenset((Op.NAME, Op.T_NAME))
_NAMES = frozenset((Op.NAME, Op.T_NAME, Op.MEMBER, Op.T_QUALIFIED))
_CALLS = {Op.CALL: "call", Op.NEW: "call", Op.TAGGED: "call", Op.JSX: "jsx", Op.DECORATOR: "decorator"}

#: (file, symbol) that a name stands for.
_Place = tuple[Unit, int]


class ReferenceCollector:
    """Collects the references of one file."""

    def __init__(self, engine: Engine, symbol_id: Callable[[Unit, int], str]) -> None:
        self._engine = engine
        self._symbol_id = symbol_id
        self._found: dict[tuple[str, str, str], tuple[list[int], set[str]]] = {}

    def collect(self, unit: Unit) -> list[ReferenceEdge]:
        """All references that the file makes."""
        code = unit.code
        called = {_bare(unit, code[node + 1]): _CALLS[code[node]] for node in unit.facts.calls}
        bound: dict[int, tuple[_Place | None, _Place | None]] = {}
        for node in [cell * 5 for cell, op in enumerate(code[0::5]) if op in _NAMES]:
            if code[node] in _PLAIN_NAMES:
                if code[node + 1] >= 0:
                    self._name(unit, node, called.get(node), bound)
            else:
                self._member(unit, node, called.get(node))
        self._import_statements(unit)
        edges = []
        for (from_id, to_id, role), (positions, names) in self._found.items():
            lines, columns = unit.places(positions)
            edges.append(ReferenceEdge(from_id, to_id, role, lines, columns, tuple(sorted(names))))
        return edges

    def _name(self, unit: Unit, node: int, role: str | None, bound: dict[int, tuple[_Place | None, _Place | None]]) -> None:
        binding = unit.code[node + 1]
        known = bound.get(binding)
        if known is None:
            known = bound[binding] = self._places(unit, binding)
        target, local = known
        if target is None and local is None:
            return
        name = unit.strings[unit.code[node + 2]]
        if target is not None:
            self._add(unit, node, target, role or _ROLES[unit.code[node + 3]], name)
        if local is not None and local != target:
            self._add(unit, node, local, "binding", name)

    def _places(self, unit: Unit, binding: int) -> tuple[_Place | None, _Place | None]:
        """The declaration a binding stands for, and the import statement of this file that brings it."""
        if all(
            unit.decls[index].symbol < 0 and unit.decls[index].kind != DeclKind.IMPORT for index in unit.bindings[binding].decls
        ):
            return None, None  # a local variable, a parameter, a type parameter
        target = self._entity_place(self._engine.linker.follow(unit, binding))
        for index in unit.bindings[binding].decls:
            decl = unit.decls[index]
            if decl.kind in (DeclKind.IMPORT, DeclKind.IMPORT_ALIAS) and decl.symbol >= 0:
                return target, (unit, decl.symbol)
        return target, None

    def _entity_place(self, entity: Entity | None) -> _Place | None:
        if isinstance(entity, Declared):
            unit, symbol = self._engine.entity_symbol(entity)
            return (unit, symbol) if symbol >= 0 and not unit.external else None
        if isinstance(entity, Value) and entity.symbol >= 0:
            return entity.unit, entity.symbol
        return None

    def _member(self, unit: Unit, node: int, role: str | None) -> None:
        engine, code = self._engine, unit.code
        target = self._entity_place(engine.linker.named(unit, node))
        written = code[node] == Op.MEMBER and bool(code[node + 3] & 8)
        if target is None and code[node] == Op.MEMBER and code[_bare(unit, code[node + 1])] in (Op.THIS, Op.SUPER):
            for found in engine.properties(engine.type_of(unit, code[node + 1]), unit.strings[code[node + 2]]):
                if found.unit is not None and found.symbol >= 0 and not found.unit.external:
                    target = (found.unit, found.symbol)
        if target is not None:
            default = "type" if code[node] == Op.T_QUALIFIED else "write" if written else "read"
            self._add(unit, node, target, role or default, unit.strings[code[node + 2]])

    def _import_statements(self, unit: Unit) -> None:
        """An import statement refers to what it imports."""
        for decl in unit.decls:
            if decl.kind != DeclKind.IMPORT or decl.symbol < 0:
                continue
            target = self._entity_place(self._engine.linker.imported(unit, decl.a, unit.strings[decl.b]))
            if target is not None:
                self._put(unit, decl.symbol, decl.position, target, "import", decl.name)
        for export in unit.facts.exports:
            if export.source >= 0 and export.name != "*" and export.symbol >= 0:
                target = self._entity_place(self._engine.linker.imported(unit, export.source, export.imported))
                if target is not None:
                    self._put(unit, export.symbol, export.position, target, "export", export.name)

    def _add(self, unit: Unit, node: int, target: _Place, role: str, name: str) -> None:
        owner = unit.named_owner(node)
        if owner >= 0:
            self._put(unit, owner, unit.code[node + 4], target, role, name)

    def _put(self, unit: Unit, owner: int, position: int, target: _Place, role: str, name: str) -> None:
        key = (self._symbol_id(unit, owner), self._symbol_id(*target), role)
        positions, names = self._found.setdefault(key, ([], set()))
        positions.append(position)
        if role == "binding" or name != target[0].symbols[target[1]].name:
            names.add(name)


def _bare(unit: Unit, node: int) -> int:
    """The name inside narrowing, `!` and casts: where the role of a call's callee belongs."""
    while node >= 0 and unit.code[node] in (Op.NARROW, Op.NON_NULL, Op.AS, Op.INSTANTIATION):
        node = unit.code[node + 1]
    return node
