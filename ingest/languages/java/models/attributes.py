"""Find the attributes in the table of an entity: the attributes of the entity, and of base and derived classes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ....data.schemas.model_names import Declared, classes_above
from ....facts.mapped_tables import FieldKind, MappedField, ModelKind
from .references import ClassReferences

#: Maximum depth of nested embedded values.
_MAX_DEPTH: Final = 50


class Held(NamedTuple):
    """An attribute of a table, which may belong to an embedded value."""

    path: str
    field: MappedField
    #: Names of the enclosing attributes, the outermost first.
    around: tuple[str, ...]
    #: Name of the column if an outer attribute or the entity overrides it; else "".
    column: str
    is_primary: bool
    #: Whether the table also has rows of entities that lack the attribute.
    is_shared: bool

    @property
    def property(self) -> str:
        return ".".join((*self.around, self.field.name))


class Attributes:
    """The attributes of the entities of a database."""

    def __init__(self, entities: Sequence[Declared], references: ClassReferences) -> None:
        self._references = references
        self._children: dict[int, list[Declared]] = defaultdict(list)
        self._known: dict[int, list[Held]] = {}
        self._entities = {id(each.model) for each in entities}
        for each in entities:
            parent = self.parent(each)
            if parent is not None:
                self._children[id(parent.model)].append(each)

    # ------------------------------------------------------------------ hierarchies

    def bases(self, declared: Declared) -> Iterator[Declared]:
        """Yield the classes that a class extends, the nearest first."""
        return classes_above(declared, self._references.find)

    def parent(self, declared: Declared) -> Declared | None:
        """Return the nearest entity that an entity extends."""
        return next((each for each in self.bases(declared) if each.model.kind == ModelKind.TABLE), None)

    def root(self, declared: Declared) -> Declared:
        """Return the entity at the top of an entity's hierarchy."""
        above = [each for each in self.bases(declared) if each.model.kind == ModelKind.TABLE]
        return above[-1] if above else declared

    def strategy(self, declared: Declared) -> str:
        """Return the inheritance strategy of an entity's hierarchy, such as "single table"."""
        return self.root(declared).model.inheritance or "single table"

    def holder(self, declared: Declared) -> Declared:
        """Return the entity whose table has the rows of an entity."""
        return self.root(declared) if self.strategy(declared) == "single table" else declared

    def is_shared(self, declared: Declared) -> bool:
        """Return whether the table of an entity also has the rows of other entities."""
        return self.strategy(declared) == "single table" and bool(self._children.get(id(declared.model)))

    def has_children(self, declared: Declared) -> bool:
        """Return whether other entities extend an entity."""
        return bool(self._children.get(id(declared.model)))

    def declaring(self, declared: Declared) -> list[Declared]:
        """Return the entities that declare the attributes of the table of an entity."""
        found = [declared]
        if self.strategy(declared) == "single table":
            for each in found:
                found += [child for child in self._children.get(id(each.model), ()) if child not in found]
        return found

    # ------------------------------------------------------------------ attributes

    def of_table(self, declared: Declared) -> list[Held]:
        """Return the attributes of the table of an entity."""
        known = self._known.get(id(declared.model))
        if known is None:
            known = [held for each in self.declaring(declared) for held in self._declared(each, is_shared=each != declared)]
            if self.strategy(declared) == "table per class":
                for base in self.bases(declared):
                    if base.model.kind == ModelKind.TABLE:
                        known += self._declared(base, is_shared=False)
            self._known[id(declared.model)] = known
        return known

    def own(self, declared: Declared) -> list[Held]:
        """Return the attributes that an entity declares, with the attributes of its mapped superclasses."""
        return self._declared(declared, is_shared=self.holder(declared) != declared)

    def _declared(self, declared: Declared, *, is_shared: bool) -> list[Held]:
        found: list[Held] = []
        names: set[str] = set()
        above = []
        for base in self.bases(declared):
            if base.model.kind == ModelKind.TABLE:
                break
            above.append(base)
        for each in (declared, *above):
            for field in each.model.fields:
                if field.name not in names and field.kind != FieldKind.DISCRIMINATOR:
                    names.add(field.name)
                    overrides = declared.model.overrides if each is not declared else {}
                    held = Held(each.path, field, (), overrides.get(field.name, ""), field.is_primary, is_shared)
                    found += self._flat(held, overrides)
        return found

    def embedded(self, held: Held) -> Declared | None:
        """Return the embeddable type of an attribute; None if the attribute has its own column."""
        field = held.field
        if field.kind not in (FieldKind.EMBEDDED, FieldKind.COLUMN) or field.type.startswith(("$", "@")) or field.is_list:
            return None
        found = self._references.find(field.target or field.type, held.path)
        return found if found is not None and found.model.kind == ModelKind.EMBEDDED else None

    def _flat(self, held: Held, overrides: Mapping[str, str]) -> Iterator[Held]:
        """Yield an attribute, or the attributes of its embedded value."""
        target = self.embedded(held)
        if target is None or len(held.around) >= _MAX_DEPTH:
            if held.field.kind != FieldKind.EMBEDDED:
                yield held
            return
        yield from self.inside(target, held, overrides)

    def inside(self, target: Declared, held: Held, overrides: Mapping[str, str]) -> Iterator[Held]:
        """Yield the attributes of an embedded value."""
        around = (*held.around, held.field.name)
        start = f"{held.field.name}."
        inner = {key.removeprefix(start): value for key, value in overrides.items() if key.startswith(start)}
        columns = {**held.field.overrides, **inner}
        names: set[str] = set()
        for each in (target, *self.bases(target)):
            for field in each.model.fields:
                if field.name not in names:
                    names.add(field.name)
                    is_primary = held.is_primary
                    yield from self._flat(
                        Held(each.path, field, around, columns.get(field.name, ""), is_primary, held.is_shared), columns
                    )
