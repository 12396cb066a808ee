"""Models of Objection: classes with the names of their tables, and their relations: https://vincit.github.io/objection.js/guide/relations.html.

class Pet extends Model {
  static tableName = 'pets'
  static relationMappings = {
    owner: { relation: Model.BelongsToOneRelation, modelClass: User, join: { from: 'pets.owner_id', to: 'users.id' } },
  }
}
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from .....facts.data import TABLE_NAME, ModelUse
from .....facts.model import DeclKind
from .....facts.operations import Op
from ...resolve.call_targets import unwrapped
from ...resolve.engine import Engine
from ...resolve.model.binder import Declared
from ...resolve.model.type_model import Static
from ...resolve.model.unit import Unit
from .object_literals import entry

_PACKAGE: Final = "npm:objection"
#: Characters of an expression that names a graph of relations: `[owner, pets.[toys as t]]`.
_OPENING, _CLOSING, _SEPARATOR = "[", "]", ","
#: Maximum depth of a graph of relations.
_MAX_DEPTH: Final = 16


class ObjectionClasses:
    """The classes of Objection that are known so far."""

    def __init__(self, engine: Engine, text: Callable[[Unit, int], str]) -> None:
        """`text` returns the text of a constant expression, or ""."""
        self._engine = engine
        self._text = text
        #: The class of each table.
        self._classes: dict[str, Declared] = {}

    def table(self, entity: Declared) -> str:
        """Return the table that a class names; "" for other classes."""
        for unit, value in self._static(entity, "tableName"):
            text = self._text(unit, value)
            found = self._engine.properties(Static(entity), "relatedQuery") if text else ()
            outside = [each.outside[0] for each in found if each.outside is not None]
            if any(package.startswith(_PACKAGE) for package in outside):
                self._classes[text] = entity
                return text
        return ""

    def static_text(self, entity: Declared, name: str) -> str:
        """Return the constant text of a static member of a class; "" for other members."""
        return next((text for unit, value in self._static(entity, name) if (text := self._text(unit, value))), "")

    def resolved(self, use: ModelUse) -> list[ModelUse]:
        """Return a use with the tables at the end of its relations in place of the relations, and the tables that join them."""
        if not use.path or not use.model.startswith(TABLE_NAME):
            return [use]
        current, joining = use.model.removeprefix(TABLE_NAME), ""
        for name in use.path:
            entity = self._classes.get(current)
            current, joining = self._related(entity, name) if entity is not None else ("", "")
        if not current:
            return []
        if use.of_links and joining:
            return [ModelUse(f"{TABLE_NAME}{joining}", (), use.modifies)]
        found = [ModelUse(f"{TABLE_NAME}{current}", (), use.modifies, use.fields, use.of_condition)]
        return [*found, ModelUse(f"{TABLE_NAME}{joining}", (), False)] if joining else found

    def _related(self, entity: Declared, name: str) -> tuple[str, str]:
        """Return the table to which a relation leads, and the table that joins both; "" for no table."""
        for unit, value in self._static(entity, "relationMappings"):
            mapping = entry(unit, value, name)
            if mapping < 0:
                continue
            model = self._class(unit, entry(unit, mapping, "modelClass"))
            through = entry(unit, entry(unit, entry(unit, mapping, "join"), "through"), "from")
            table = self.table(model) if model is not None else ""
            if not table:  # the name of a file; the keys of the join name the table, too
                table = self._text(unit, entry(unit, entry(unit, mapping, "join"), "to")).rpartition(".")[0]
            return table, self._text(unit, through).rpartition(".")[0]
        return "", ""

    def _class(self, unit: Unit, node: int) -> Declared | None:
        node = unwrapped(unit, node) if node >= 0 else -1
        if node >= 0 and unit.code[node] == Op.FUNCTION:  # `modelClass: () => User`
            returned = unit.functions[unit.code[node + 1]].returns
            node = unwrapped(unit, returned[0]) if len(returned) == 1 else -1
        entity = self._engine.binder.named(unit, node) if node >= 0 else None
        return entity if isinstance(entity, Declared) else None

    def _static(self, entity: Declared, name: str) -> Iterator[tuple[Unit, int]]:
        """Yield the value of a static field, or the value that a static getter, method or function in a field returns."""
        for unit, index in self._engine.binder.declarations(entity):
            decl = unit.decls[index]
            if decl.kind != DeclKind.CLASS:
                continue
            for member in unit.shapes[decl.a].members:
                if member.name != name or not member.static:
                    continue
                value = unwrapped(unit, member.value) if member.value >= 0 else -1
                function = unit.code[value + 1] if value >= 0 and unit.code[value] == Op.FUNCTION else member.function
                returned = unit.functions[function].returns if function >= 0 else [value]
                if len(returned) == 1 and returned[0] >= 0:
                    yield unit, returned[0]


def graph_paths(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the relations that an expression such as `[owner, pets.[toys as t, house(large)]]` names, as paths."""
    outer: list[tuple[str, ...]] = []
    path: tuple[str, ...] = ()
    for part in _parts(text):
        if part == _OPENING and len(outer) < _MAX_DEPTH:
            outer.append(path)
        elif part == _CLOSING and outer:
            path = outer.pop()
        elif part == _SEPARATOR:
            path = outer[-1] if outer else ()
        elif part not in (_OPENING, _CLOSING):
            path = (*path, part)
            yield path


def _parts(text: str) -> Iterator[str]:
    """Yield the names, brackets and commas of an expression, without aliases and modifiers."""
    for piece in text.replace(_OPENING, ".[.").replace(_CLOSING, ".].").replace(_SEPARATOR, ".,.").split("."):
        name = piece.partition("(")[0].split()
        if name and (name[0][0].isalpha() or name[0][0] in "_$[],"):
            yield name[0]
