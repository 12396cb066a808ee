"""The declarations that a name refers to: all merged declarations of the name, not only the declaration that a call would run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from .....facts.model import DeclKind, MemberKind
from ...libraries.component_properties import INSTANCE
from ..members import shape_table
from ..model.binder import Declared, Entity, Value
from ..model.merged_declarations import declarations_in_blocks
from ..model.type_model import Intersection, Mapped, Picked, Type, TypeParameter, Union
from ..reduction import mapped_source

if TYPE_CHECKING:
    from ..engine import Engine
    from ..model.unit import Unit

#: A symbol, by its file and index.
_Place = tuple["Unit", int]

#: Kinds of declarations to which a name in a type cannot refer.
_VALUES_ONLY = frozenset((DeclKind.VARIABLE, DeclKind.FUNCTION))
#: Kinds of declarations to which a name in an expression cannot refer.
_TYPES_ONLY = frozenset((DeclKind.INTERFACE, DeclKind.ALIAS))


class Referred(NamedTuple):
    """A symbol that a name refers to, as edges need it."""

    id: str
    name: str


class EntityReferences(NamedTuple):
    """The symbols that a name of an entity refers to: in types, in expressions, and in import and export statements."""

    in_types: tuple[Referred, ...]
    in_values: tuple[Referred, ...]
    #: In import and export statements.
    in_modules: tuple[Referred, ...]


_NO_REFERENCES = EntityReferences((), (), ())


class Declarations:
    """The symbols of entities and members. The answers are remembered, since most are used in several places."""

    def __init__(self, engine: Engine, symbol_id: Callable[[Unit, int], str]) -> None:
        self._engine = engine
        self._symbol_id = symbol_id
        self._entities: dict[Entity, EntityReferences] = {}
        self._members: dict[tuple[Type, str], tuple[Referred, ...]] = {}
        self._merged: dict[tuple[int, int], tuple[Referred, ...]] = {}
        #: Shape, name and whether it is static, for the symbols that are members, by file.
        self._places: dict[int, dict[int, tuple[int, str, bool]]] = {}

    def referred(self, place: _Place) -> Referred:
        """Return the id and the name of a symbol."""
        unit, symbol = place
        return Referred(self._symbol_id(unit, symbol), unit.symbols[symbol].name)

    # ------------------------------------------------------------------ names

    def of_entity(self, entity: Entity | None) -> EntityReferences:
        """Return the symbols that a name of an entity refers to."""
        if entity is None:
            return _NO_REFERENCES
        known = self._entities.get(entity)
        if known is None:
            known = self._entities[entity] = self._of_entity(entity)
        return known

    def _of_entity(self, entity: Entity) -> EntityReferences:
        if isinstance(entity, Value) and entity.symbol >= 0:
            found = (self.referred((entity.unit, entity.symbol)),)
            return EntityReferences(found, found, found)
        if not isinstance(entity, Declared):
            return _NO_REFERENCES
        declared = [
            (unit.decls[index].kind, (unit, unit.decls[index].symbol)) for unit, index in self._engine.binder.declarations(entity)
        ]
        every = [place for _, place in declared]
        in_types = [place for kind, place in declared if kind not in _VALUES_ONLY]
        in_values = [place for kind, place in declared if kind not in _TYPES_ONLY]
        return EntityReferences(
            self._referred_symbols(in_types or every), self._referred_symbols(in_values or every), self._referred_symbols(every)
        )

    def _referred_symbols(self, places: Iterable[_Place]) -> tuple[Referred, ...]:
        """Return the symbols among declarations. Local variables have no symbols."""
        return tuple(self.referred((unit, symbol)) for unit, symbol in dict.fromkeys(places) if symbol >= 0 and not unit.external)

    # ------------------------------------------------------------------ members

    def of_member(self, kind: Type, name: str) -> tuple[Referred, ...]:
        """Return the symbols that the name of a member refers to on a type. The result is empty if the symbols are not known."""
        key = (kind, name)
        known = self._members.get(key)
        if known is None:
            if not self._engine.enter():
                return ()
            before = self._engine.cut_off
            known = tuple(dict.fromkeys(self._of_member(kind, name)))
            self._engine.leave()
            if self._engine.cut_off == before:
                self._members[key] = known
        return known

    def _of_member(self, kind: Type, name: str) -> Iterator[Referred]:
        if isinstance(kind, Union | Intersection):
            for part in kind.parts:  # a part in which the member is missing or unknown does not hide the other parts
                if not part.nullish and not part.opaque:
                    yield from self.of_member(part, name)
            return
        source = self._source(kind, name)
        if source is not None:
            yield from self.of_member(source, name)
            return
        for found in self._engine.properties(kind, name):
            if found.unit is None or found.unit.external:
                continue
            if found.symbol >= 0:
                yield from self._with_merged(found.unit, found.symbol)
            else:
                yield from self._of_registered(found.unit, name)

    def _of_registered(self, unit: Unit, name: str) -> Iterator[Referred]:
        """Yield the symbols of the value that a file registers as a property of all components of Vue."""
        for scope in unit.scopes.values():
            binding = scope.names.get(INSTANCE)
            if binding is not None:
                members = unit.shapes[unit.decls[unit.bindings[binding].decls[0]].a].members
                values = [member.value for member in members if member.name == name and member.value >= 0]
                for value in values:
                    yield from self.of_entity(self._engine.binder.named(unit, value)).in_values

    def _source(self, kind: Type, name: str) -> Type | None:
        """Return the type whose members a type keeps unchanged, or None."""
        if isinstance(kind, TypeParameter):
            constraint = kind.unit.decls[kind.decl].a
            return self._engine.declared_type(kind.unit, constraint) if constraint >= 0 else None
        if isinstance(kind, Mapped):
            return mapped_source(self._engine, kind)
        if isinstance(kind, Picked) and kind.has(name):
            return kind.target
        return None

    def _with_merged(self, unit: Unit, symbol: int) -> tuple[Referred, ...]:
        key = (unit.index, symbol)
        known = self._merged.get(key)
        if known is None:
            known = self._merged[key] = self._referred_symbols(self._merge(unit, symbol))
        return known

    def _merge(self, unit: Unit, symbol: int) -> Iterator[_Place]:
        """Yield a member, the accessor beside it, and its declarations in other parts of its class or interface."""
        yield unit, symbol
        place = self._member_places(unit).get(symbol)
        if place is None:
            return
        shape, name, static = place
        yield from self._declared_together(unit, shape, name, static)
        binding = unit.binding_of(unit.shapes[shape].decl)
        if binding is None:
            return
        binder = self._engine.binder
        for other, index in (*binder.declarations(Declared(unit, binding)), *declarations_in_blocks(binder, unit, binding)):
            decl = other.decls[index]
            if decl.kind in (DeclKind.CLASS, DeclKind.INTERFACE) and not other.external:
                yield from self._declared_together(other, decl.a, name, static)

    def _declared_together(self, unit: Unit, shape: int, name: str, static: bool) -> Iterator[_Place]:
        methods = []
        for member in shape_table(self._engine, unit, shape).get((name, static), ()):
            if member.kind == MemberKind.METHOD:
                methods.append(member)
            elif member.symbol >= 0:
                yield unit, member.symbol
        if methods:
            run = next((method for method in methods if unit.functions[method.function].has_body), methods[0])
            if run.symbol >= 0:
                yield unit, run.symbol

    def _member_places(self, unit: Unit) -> dict[int, tuple[int, str, bool]]:
        known = self._places.get(unit.index)
        if known is None:
            known = self._places[unit.index] = {
                member.symbol: (shape, member.name, member.static)
                for shape, fact in enumerate(unit.shapes)
                for member in fact.members
                if member.symbol >= 0
            }
        return known
