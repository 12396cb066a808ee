"""The models that calls make: `sequelize.define("User", { … })`, `pgTable("users", { … })`."""

from __future__ import annotations

from collections.abc import Sequence

from .....facts.operations import Op
from ...resolve.call_targets import unwrapped
from ...resolve.model.unit import Unit
from ..mappers.rules import Mapper, Result
from .held_value import CALLS, Held
from .known_texts import KnownTexts
from .libraries import Libraries
from .object_literals import entry
from .target import Target


class MadeModels:
    """Finds the models that calls make."""

    def __init__(self, libraries: Libraries, texts: KnownTexts) -> None:
        self._libraries = libraries
        self._texts = texts

    def of(self, unit: Unit, node: int) -> Held | None:
        """Return the model that a call such as `sequelize.define("User", …)` makes, or None."""
        code = unit.code
        node = unwrapped(unit, node) if node >= 0 else -1
        if node < 0 or code[node] not in CALLS:
            return None
        callee = unwrapped(unit, code[node + 1])
        if code[callee] not in (Op.NAME, Op.MEMBER):
            return None
        name = unit.strings[code[callee + 2]]
        arguments = unit.items(code[node + 2]).tolist()
        schema = self._schema(unit, name, arguments[0]) if arguments else None
        if schema is not None or (code[node] == Op.NEW and arguments):
            return schema
        mapper = next((each for each in self._libraries.mappers if name in each.makers), None) or self._creator(
            unit, callee, arguments
        )
        if mapper is None or not arguments:
            return None
        if self._libraries.of_value(unit, callee) is not mapper and not self._is_named(unit, callee, mapper):
            return None
        text = self._texts.of(unit, arguments[0])
        return Held(Result.MODEL, Target(f"{mapper.name}:{text}"), mapper) if text or mapper.has_creators else None

    def _schema(self, unit: Unit, name: str, options: int) -> Held | None:
        """Return the model that an object describes: `new EntitySchema({ name: "User", … })`, `defineEntity({ … })`."""
        mapper = next((each for each in self._libraries.mappers if name in each.schemas), None)
        text = self._texts.of(unit, entry(unit, options, "name")) if mapper is not None else ""
        return Held(Result.MODEL, Target(f"{mapper.name}:{text}"), mapper) if mapper is not None and text else None

    def _creator(self, unit: Unit, callee: int, arguments: Sequence[int]) -> Mapper | None:
        """Return the library of a function that makes models from a name and columns: `createTable("users", { … })`."""
        if len(arguments) < 2 or unit.code[arguments[0]] not in (Op.STRING, Op.TEMPLATE) or unit.code[callee] != Op.NAME:
            return None
        if self._libraries.imported_name(unit, callee):  # a function of the library itself: `drizzle("file.db", { schema })`
            return None
        mapper = self._libraries.of_value(unit, callee)
        return mapper if mapper is not None and mapper.has_creators else None

    def _is_named(self, unit: Unit, callee: int, mapper: Mapper) -> bool:
        """Return whether the receiver of a call has the name of the library, as a parameter: `(sequelize, DataTypes) => …`.

        Any name does in a file that imports the library.
        """
        code = unit.code
        receiver = unwrapped(unit, code[callee + 1]) if code[callee] == Op.MEMBER else -1
        if receiver < 0 or code[receiver] != Op.NAME:
            return False
        is_imported = any(mapper.packages.fullmatch(f"npm:{each.specifier}") for each in unit.facts.imports)
        return is_imported or unit.strings[code[receiver + 2]] == mapper.name
