"""REFERENCES edges: uses of names, in source order.

Names are followed through their bindings, and members of `this`, namespaces and modules to their declarations.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

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
_MEMBER = Op.MEMBER
_PLAIN_NAMES = frozenset((Op.NAME, Op.T_NAME))
_NAMES = frozenset((Op.NAME, Op.T_NAME, Op.MEMBER, Op.T_QUALIFIED))
_CALLS = {Op.CALL: "call", Op.NEW: "call", Op.TAGGED: "call", Op.JSX: "jsx", Op.DECORATOR: "decorator"}
_IMPORTS = frozenset((DeclKind.IMPORT, DeclKind.IMPORT_ALIAS))
_RECEIVERS = frozenset((Op.THIS, Op.SUPER))
_TRANSPARENT = frozenset((Op.NARROW, Op.NON_NULL, Op.AS, Op.INSTANTIATION))

#: (file, symbol) that a name stands for.
_Place = tuple[Unit, int]


class _Named(NamedTuple):
    """A symbol that a name stands for, as edges need it."""

    id: str
    name: str


class ReferenceCollector:
    """Collects the references of one file."""

    def __init__(self, engine: Engine, symbol_id: Callable[[Unit, int], str]) -> None:
        self._engine = engine
        self._symbol_id = symbol_id
        #: Positions of the uses, by who uses what in which role.
        self._found: dict[tuple[str, str, str], list[int]] = {}
        #: Names of those that are not called by their own.
        self._names: dict[tuple[str, str, str], set[str]] = {}
        #: What members of a binding stand for, by binding and string.
        self._members: dict[tuple[int, int], _Named | None] = {}

    def collect(self, unit: Unit) -> list[ReferenceEdge]:
        """All references that the file makes."""
        self._names_in_code(unit)
        self._import_statements(unit)
        edges = []
        for key, positions in self._found.items():
            lines, columns = unit.places(positions)
            names = self._names.get(key)
            edges.append(ReferenceEdge(*key, lines, columns, tuple(sorted(names)) if names else ()))
        return edges

    def _names_in_code(self, unit: Unit) -> None:
        """The uses of names in the order of their nodes, which is that of their owners too: no owner has to be looked up."""
        code, strings = unit.code, unit.strings
        called = {_bare(unit, code[node + 1]): _CALLS[code[node]] for node in unit.facts.calls}
        bound = self._bind(unit)
        ends = [*unit.owner_offsets[1:], len(code)]
        place, end, owner = 0, ends[0], self._owner(unit, 0)
        for node in compress(range(0, len(code), 5), map(_NAMES.__contains__, code[0::5])):
            while node >= end:
                place += 1
                end, owner = ends[place], self._owner(unit, place)
            if not owner:
                continue
            if code[node] not in _PLAIN_NAMES:
                self._member(unit, node, owner, called.get(node))
                continue
            known = bound.get(code[node + 1])
            if known is None:
                continue
            target, local = known
            if target is not None:
                role = called.get(node) or _ROLES[code[node + 3]]
                self._put(owner, target, role, code[node + 4], strings[code[node + 2]])
            if local is not None and local != target:
                self._put(owner, local, "binding", code[node + 4], strings[code[node + 2]])

    def _owner(self, unit: Unit, place: int) -> str:
        symbol = unit.owner_symbols[place]
        return self._symbol_id(unit, symbol) if symbol >= 0 else ""

    def _bind(self, unit: Unit) -> dict[int, tuple[_Named | None, _Named | None]]:
        """What each binding stands for, and the import statement of this file that brings it; local variables, parameters
        and type parameters are left out."""
        decls = unit.decls
        found: dict[int, tuple[_Named | None, _Named | None]] = {}
        for binding, entry in enumerate(unit.bindings):
            for index in entry.decls:
                if decls[index].symbol >= 0 or decls[index].kind == DeclKind.IMPORT:
                    target = self._entity_place(self._engine.linker.follow(unit, binding))
                    found[binding] = self._named(target), self._named(_import_statement(unit, entry.decls))
                    break
        return found

    def _named(self, place: _Place | None) -> _Named | None:
        if place is None:
            return None
        unit, symbol = place
        return _Named(self._symbol_id(unit, symbol), unit.symbols[symbol].name)

    def _entity_place(self, entity: Entity | None) -> _Place | None:
        if isinstance(entity, Declared):
            unit, symbol = self._engine.linker.symbol(entity)
            return (unit, symbol) if symbol >= 0 and not unit.external else None
        if isinstance(entity, Value) and entity.symbol >= 0:
            return entity.unit, entity.symbol
        return None

    def _member(self, unit: Unit, node: int, owner: str, role: str | None) -> None:
        code = unit.code
        named = self._member_target(unit, node)
        if named is not None:
            default = "type" if code[node] != _MEMBER else "write" if code[node + 3] & 8 else "read"
            self._put(owner, named, role or default, code[node + 4], unit.strings[code[node + 2]])

    def _member_target(self, unit: Unit, node: int) -> _Named | None:
        code = unit.code
        left = code[node + 1]
        if code[left] in _PLAIN_NAMES and code[left + 1] >= 0:  # `module.name`, over and over
            key = (code[left + 1], code[node + 2])
            if key not in self._members:
                self._members[key] = self._named(self._entity_place(self._engine.linker.named(unit, node)))
            return self._members[key]
        if code[node] == _MEMBER and code[_bare(unit, left)] in _RECEIVERS:
            return self._named(self._own_member(unit, left, unit.strings[code[node + 2]]))
        return self._named(self._entity_place(self._engine.linker.named(unit, node)))

    def _own_member(self, unit: Unit, receiver: int, name: str) -> _Place | None:
        """`this.name` and `super.name`."""
        target = None
        for found in self._engine.properties(self._engine.type_of(unit, receiver), name):
            if found.unit is not None and found.symbol >= 0 and not found.unit.external:
                target = (found.unit, found.symbol)
        return target

    def _import_statements(self, unit: Unit) -> None:
        """An import statement refers to what it imports."""
        for decl in unit.decls:
            if decl.kind != DeclKind.IMPORT or decl.symbol < 0:
                continue
            target = self._named(self._entity_place(self._engine.linker.imported(unit, decl.a, unit.strings[decl.b])))
            if target is not None:
                self._put(self._symbol_id(unit, decl.symbol), target, "import", decl.position, decl.name)
        for export in unit.facts.exports:
            if export.source >= 0 and export.name != "*" and export.symbol >= 0:
                target = self._named(self._entity_place(self._engine.linker.imported(unit, export.source, export.imported)))
                if target is not None:
                    self._put(self._symbol_id(unit, export.symbol), target, "export", export.position, export.name)

    def _put(self, owner: str, target: _Named, role: str, position: int, name: str) -> None:
        key = (owner, target.id, role)
        positions = self._found.get(key)
        if positions is None:
            self._found[key] = [position]
        else:
            positions.append(position)
        if name != target.name or role == "binding":
            self._names.setdefault(key, set()).add(name)


def _import_statement(unit: Unit, declared: list[int]) -> _Place | None:
    for index in declared:
        decl = unit.decls[index]
        if decl.kind in _IMPORTS and decl.symbol >= 0:
            return unit, decl.symbol
    return None


def _bare(unit: Unit, node: int) -> int:
    """The name inside narrowing, `!` and casts: where the role of a call's callee belongs."""
    while node >= 0 and unit.code[node] in _TRANSPARENT:
        node = unit.code[node + 1]
    return node
