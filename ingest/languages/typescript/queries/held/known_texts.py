"""The texts of constants, which name tables, columns and models in calls of object mappers."""

from __future__ import annotations

from .....facts.operations import Op
from ...resolve.call_targets import unwrapped
from ...resolve.engine import Engine
from ...resolve.model.binder import Declared, Value
from ...resolve.model.type_model import Literal
from ...resolve.model.unit import Unit
from .object_literals import entry
from .objection_classes import ObjectionClasses


class KnownTexts:
    """Finds the texts of constants, and of members of constant objects and of classes of Objection."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.objection = ObjectionClasses(engine, self.of)

    def of(self, unit: Unit, node: int) -> str:
        """Return the text of a constant; "" for other expressions."""
        if node < 0:
            return ""
        if unit.code[node] == Op.STRING:
            return unit.strings[unit.code[node + 2]]
        kind = self._engine.type_of(unit, node)
        if isinstance(kind, Literal):
            return kind.value if kind.base.name == "string" else ""
        return self._of_member(unit, unwrapped(unit, node))

    def _of_member(self, unit: Unit, node: int) -> str:
        """Return the text of a member of a constant object: `TABLES.users`."""
        if unit.code[node] != Op.MEMBER:
            return ""
        owner = self._engine.binder.named(unit, unwrapped(unit, unit.code[node + 1]))
        if isinstance(owner, Declared) and not owner.unit.external:
            text = self.objection.static_text(owner, unit.strings[unit.code[node + 2]])
            if text:
                return text
        listed = self.listed(unit, unit.code[node + 1], unit.strings[unit.code[node + 2]])
        if listed is None:
            return ""
        of, value = listed
        return of.strings[of.code[value + 2]] if of.code[value] == Op.STRING else ""

    def listed(self, unit: Unit, receiver: int, name: str) -> tuple[Unit, int] | None:
        """Return the value of a member of a constant object: `MODELS.users` for `const MODELS = { users: User }`."""
        entity = self._engine.binder.named(unit, receiver)
        if isinstance(entity, Declared):
            entity = self._engine.binder.assigned_literal(entity)
        if not isinstance(entity, Value) or entity.node < 0:
            return None
        value = entry(entity.unit, entity.node, name)
        return (entity.unit, value) if value >= 0 else None
