"""Make the edges of references: the uses of symbols, and of members whose symbol is not known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....schema.edges import ReferenceEdge, UnresolvedReferenceEdge
from ...facts.model import DeclKind
from ...facts.operations import NAME_OPS, MemberFlag, Op, Use
from ...languages.typescript.resolve.model.unit import SymbolIds, Unit
from .. import imported_values, member_lookup
from ..engine import NominalEngine
from ..program import last_name
from ..types import UNKNOWN, Instance, parts
from .call_targets import called_name
from .named_places import NamedPlaces
from .overloaded import OverloadedNames
from .reference_roles import reference_roles
from .variants import Variants


class References:
    """Makes the references of the files of one language."""

    def __init__(
        self,
        engine: NominalEngine,
        symbol_id: SymbolIds,
        places: NamedPlaces,
        variants: Variants,
        overloaded: OverloadedNames | None,
    ) -> None:
        """`overloaded` finds the meanings of names in a language with overloads; None in other languages."""
        self._engine: Final = engine
        self._symbol_id: Final = symbol_id
        self._places: Final = places
        self._variants: Final = variants
        self._overloaded: Final = overloaded

    def of(self, unit: Unit) -> Iterator[ReferenceEdge]:
        """Yield the uses of symbols of the repository, grouped by user and role."""
        engine, code = self._engine, unit.code
        called = {unit.code[node + 1] for node in unit.facts.calls}
        invoked = {code[node + 1] for node in unit.facts.calls if code[node] == Op.CALL and self._overloaded is not None}
        roles = reference_roles(engine, unit)
        places: dict[tuple[str, str, str, str], dict[int, str]] = {}

        def put(owner: int, target: tuple[Unit, int] | None, role: str, position: int, name: str) -> None:
            if target is None or owner < 0 or target[0].external or target[1] < 0:
                return
            from_id = self._symbol_id(unit, owner)
            for variant in self._variants.of(unit, *target):
                to_id = self._symbol_id(variant.unit, variant.symbol)
                places.setdefault((from_id, to_id, role, variant.label), {})[position] = name

        for node in range(0, len(code), 5):
            op = code[node]
            if op in NAME_OPS:
                role = "call" if node in called else "read"
                if op == Op.NAME and code[node + 3] == Use.WRITE:
                    role = "write"
                engine.refuel()
                meanings = self._places.alternatives(unit, node) if role != "write" else [self._places.named(unit, node)]
                for meaning in meanings:
                    put(unit.named_owner(node), meaning, roles.get(node, role), code[node + 4], last_name(unit, node))
            elif op == Op.MEMBER and not code[node + 3] & MemberFlag.NO_USE:
                if node in invoked:
                    continue  # the arguments decide which method the call uses
                engine.refuel()
                name = unit.strings[code[node + 2]]
                role = "call" if node in called else "write" if code[node + 3] & MemberFlag.WRITTEN else "read"
                named = self._overloaded.member_places(unit, node) if self._overloaded is not None else None
                for target in named if named is not None else self._places.of_member(unit, code[node + 1], name):
                    put(unit.named_owner(node), target, roles.get(node, role), code[node + 4], name)
            elif op == Op.LEXICAL and self._overloaded is not None:
                engine.refuel()
                role = {Use.WRITE: "write", Use.TYPE: "type"}.get(code[node + 3], "read")
                name = unit.strings[code[node + 2]]
                place = self._overloaded.place(unit, node)
                put(unit.named_owner(node), place, roles.get(node, role), code[node + 4], name)
            elif op == Op.LABEL and self._overloaded is not None:
                engine.refuel()
                name = unit.strings[code[node + 2]]
                put(unit.named_owner(node), self._overloaded.label_place(unit, node), "read", code[node + 4], name)
            elif op == Op.DECORATOR and self._overloaded is not None:
                engine.refuel()
                for position, name, element in self._overloaded.annotation_elements(unit, node):
                    put(unit.named_owner(node), element, "write", position, name)
            elif op == Op.DECLARED and code[node + 1] >= 0:
                decl = unit.decls[code[node + 1]]
                if decl.kind == DeclKind.IMPORT and self._overloaded is not None:
                    engine.refuel()
                    for position, imported_name, symbol in self._overloaded.imported(unit, decl):
                        put(unit.named_owner(node), symbol, "import", position, imported_name)
                elif decl.kind == DeclKind.IMPORT and decl.b >= 0:
                    engine.refuel()
                    imported = self._places.behind_imports(imported_values.imported_binding(engine, unit, decl))
                    put(unit.named_owner(node), imported, "import", decl.position, unit.strings[decl.b])
            elif op in (Op.CALL, Op.NEW, Op.REFERS) and self._overloaded is not None and unit.named_owner(node) >= 0:
                engine.refuel()
                chosen = self._overloaded.called(unit, node)
                called_place = (chosen.unit, chosen.symbol) if chosen.unit is not None and op != Op.NEW else None
                put(unit.named_owner(node), called_place, "call", code[node + 4], called_name(unit, node))
        for (from_id, to_id, role, label), at in places.items():
            lines, columns = unit.places(sorted(at))
            yield ReferenceEdge(from_id, to_id, role, lines, columns, tuple([at[position] for position in sorted(at)]), label)

    def unresolved(self, unit: Unit) -> Iterator[UnresolvedReferenceEdge]:
        """Yield the uses of members, other than calls, of values whose type is not known."""
        code = unit.code
        called = {code[node + 1] for node in unit.facts.calls}
        places: dict[tuple[str, str], list[int]] = {}
        for node in range(0, len(code), 5):
            if code[node] != Op.MEMBER or code[node + 3] & MemberFlag.NO_USE or node in called:
                continue
            owner, name = unit.named_owner(node), unit.strings[code[node + 2]]
            if owner >= 0 and not name.startswith("__") and self._is_open(unit, code[node + 1], name):
                places.setdefault((self._symbol_id(unit, owner), name), []).append(code[node + 4])
        for (from_id, name), at in places.items():
            yield UnresolvedReferenceEdge(from_id, name, *unit.places(at))

    def _is_open(self, unit: Unit, receiver: int, name: str) -> bool:
        """Return whether a value may have a member of the repository that was not found."""
        self._engine.refuel()
        kinds = parts(self._engine.type_of(unit, receiver))
        return any(
            kind is UNKNOWN or (isinstance(kind, Instance) and not member_lookup.find_members(self._engine, kind, name))
            for kind in kinds
        )
