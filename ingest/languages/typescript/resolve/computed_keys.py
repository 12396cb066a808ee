"""Computed keys: the names of the members that `[NAME]`, `[Kind.One]` and `[EVENTS.open]` declare."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts.model import DeclKind
from ....facts.operations import Cast, Op
from .model.binder import Binder, Declared, Entity, Value

if TYPE_CHECKING:
    from .model.unit import Unit

#: Expressions whose value is in the source.
_WRITTEN = frozenset((Op.STRING, Op.NUMBER))


class ComputedKeys:
    """Follows the names in computed keys to string constants and members of enums, in any file. Answers are remembered."""

    def __init__(self, binder: Binder) -> None:
        self._binder = binder
        #: Key by file and written key.
        self._keys: dict[tuple[int, str], str] = {}
        #: Constants of enum members by shape and name, by file.
        self._constants: dict[int, dict[tuple[int, str], str]] = {}

    def release(self) -> None:
        """Free the remembered answers."""
        self._keys.clear()
        self._constants.clear()

    def of(self, unit: Unit, name: str) -> str:
        """Return the key of a member: its name, or the value of the constant that its computed key names."""
        if not name.startswith("["):
            return name
        known = self._keys.get((unit.index, name))
        if known is None:
            known = self._keys[unit.index, name] = self._followed(unit, name) or name
        return known

    def _followed(self, unit: Unit, name: str) -> str:
        first, *rest = name.strip("[]").split(".")
        binding = unit.scopes[0].names.get(first)
        entity = self._binder.follow(unit, binding) if binding is not None else None
        for place, part in enumerate(rest, 1):
            if isinstance(entity, Declared) and self._binder.is_enum(entity):
                return self._of_enum(entity, part) if place == len(rest) else ""
            entity = self._member(entity, part)
        return self._written(entity)

    def _member(self, entity: Entity | None, name: str) -> Entity | None:
        """Return a member of a module, a namespace, or an object that is asserted to be constant."""
        found = self._binder.member_entity(entity, name)
        if found is not None or not isinstance(entity, Declared):
            return found
        unit, value = entity.unit, self._value(entity)
        is_constant = value >= 0 and unit.code[value] == Op.AS and unit.code[value + 3] == Cast.CONST
        return self._binder.member_entity(Value(unit, unit.code[value + 1], -1), name) if is_constant else None

    def _written(self, entity: Entity | None) -> str:
        """Return the string or number that is the value of a constant, or "" if it is not in the source."""
        if isinstance(entity, Declared):
            unit, node = entity.unit, self._value(entity)
        elif isinstance(entity, Value):
            unit, node = entity.unit, entity.node
        else:
            return ""
        node = unit.unwrapped(node)
        return unit.strings[unit.code[node + 2]] if node >= 0 and unit.code[node] in _WRITTEN else ""

    @staticmethod
    def _value(entity: Declared) -> int:
        """Return the value of a variable; -1 for anything else."""
        for index in entity.facts.decls:
            decl = entity.unit.decls[index]
            if decl.kind == DeclKind.VARIABLE:
                return decl.b
        return -1

    def _of_enum(self, entity: Declared, name: str) -> str:
        for unit, index in self._binder.declarations(entity):
            found = self._constants_of(unit).get((unit.decls[index].a, name))
            if unit.decls[index].kind == DeclKind.ENUM and found is not None:
                return found
        return ""

    def _constants_of(self, unit: Unit) -> dict[tuple[int, str], str]:
        known = self._constants.get(unit.index)
        if known is None:
            known = self._constants[unit.index] = {
                (value.shape, unit.shapes[value.shape].members[value.member].name): value.constant.strip('"')
                for value in unit.facts.enum_values
            }
        return known
