"""The libraries that declare the types of expressions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .....facts.operations import Op
from ...resolve.engine import Engine
from ...resolve.model.binder import Outside
from ...resolve.model.type_model import Closure, External, Instance, Intersection, Static, Type, non_nullish, parts_of
from ...resolve.model.unit import Unit
from ..mappers.rules import Mapper, Result
from .held_value import Held


class Libraries:
    """Finds the rules of the libraries that declare the types of expressions."""

    def __init__(self, engine: Engine, mappers: Sequence[Mapper]) -> None:
        self._engine = engine
        self.mappers = mappers
        self._packages: dict[str, Mapper | None] = {}

    def mapper(self, package: str) -> Mapper | None:
        """Return the rules of the library to which a package belongs, or None."""
        if package not in self._packages:
            self._packages[package] = next((each for each in self.mappers if each.packages.fullmatch(package)), None)
        return self._packages[package]

    def of_value(self, unit: Unit, node: int) -> Mapper | None:
        """Return the rules of the library that declares the type of an expression, or None."""
        for kind in self.parts(unit, node):
            package = _package(kind)
            mapper = self.mapper(package) if package else None
            if mapper is not None:
                return mapper
        return None

    def parts(self, unit: Unit, node: int) -> Iterator[Type]:
        self._engine.refuel()
        for kind in parts_of(non_nullish(self._engine.type_of(unit, node))):
            yield kind
            if isinstance(kind, Intersection):
                yield from kind.parts

    def manager(self, unit: Unit, node: int) -> Held | None:
        mapper = self.of_value(unit, node)
        return Held(Result.MANAGER, None, mapper) if mapper is not None else None

    def of_callee(self, unit: Unit, callee: int) -> Mapper | None:
        """Return the library that declares a method of a class of the repository, or None."""
        engine, code = self._engine, unit.code
        for kind in parts_of(non_nullish(engine.type_of(unit, code[callee + 1]))):
            for found in engine.properties(kind, unit.strings[code[callee + 2]]):
                package = found.outside[0] if found.outside is not None else found.unit.external if found.unit is not None else ""
                if package:
                    return self.mapper(package)
        return None

    def imported_name(self, unit: Unit, callee: int) -> str:
        """Return the name of a function that a file imports from a package; "" for other expressions."""
        entity = self._engine.binder.named(unit, callee) if unit.code[callee] == Op.NAME else None
        return entity.path[-1] if isinstance(entity, Outside) and entity.path else ""


def _package(kind: Type) -> str:
    """Return the package that declares a type; "" if the repository declares it."""
    if isinstance(kind, External):
        return kind.package
    if isinstance(kind, Instance | Static):
        return kind.entity.unit.external
    return kind.unit.external if isinstance(kind, Closure) else ""
