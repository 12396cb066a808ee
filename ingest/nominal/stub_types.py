"""Types that a stub file declares for the source file beside it, such as `cart.pyi` for `cart.py`.

Edges always end at the source file: a class that both files declare is the class of the source file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts.model import DeclKind
from ..languages.typescript.resolve.model.unit import Unit
from .types import UNKNOWN, ClassInfo, FunctionValue, Type

if TYPE_CHECKING:
    from .engine import NominalEngine


class Named:
    """The functions, classes and variables of a file by their dotted names."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self._names: dict[int, str] = {}
        self.functions: dict[str, list[int]] = {}
        for place, function in enumerate(unit.functions):
            if function.symbol >= 0 and not function.is_arrow:
                self.functions.setdefault(self.name_of(function.symbol), []).append(place)
        self.shapes = {self.name_of(shape.symbol): place for place, shape in enumerate(unit.shapes) if shape.symbol >= 0}

    def name_of(self, symbol: int) -> str:
        """Return the dotted name of a symbol, without the module."""
        found = self._names.get(symbol)
        if found is None:
            facts = self.unit.symbols[symbol]
            around = f"{self.name_of(facts.parent)}." if facts.parent >= 0 else ""
            found = self._names[symbol] = f"{around}{facts.name}"
        return found


def _declarations(engine: NominalEngine, unit: Unit) -> Named | None:
    """Return the declarations of the stub file of a source file; None for a file without a stub file."""
    beside = engine.program.beside(unit)
    return named(engine, beside) if beside is not None and _declares(beside) else None


def _declares(unit: Unit) -> bool:
    return unit.path.endswith(".pyi")


def named(engine: NominalEngine, unit: Unit) -> Named:
    """Return the declarations of a file by their dotted names."""
    found = engine.named_tables.get(id(unit))
    if found is None:
        found = engine.named_tables[id(unit)] = Named(unit)
    return found


def class_of_source(engine: NominalEngine, unit: Unit, shape: int) -> ClassInfo | None:
    """Return the class of the source file that corresponds to a class of its stub file; None for other classes."""
    source = engine.program.beside(unit) if _declares(unit) else None
    symbol = unit.shapes[shape].symbol
    if source is None or symbol < 0:
        return None
    place = named(engine, source).shapes.get(named(engine, unit).name_of(symbol), -1)
    return engine.program.class_info(source, place) if place >= 0 else None


def signatures(engine: NominalEngine, value: FunctionValue) -> tuple[FunctionValue, ...]:
    """Return the signatures that a stub file declares for a function of its source file."""
    declared = _declarations(engine, value.unit)
    symbol = value.unit.functions[value.function].symbol
    if declared is None or symbol < 0:
        return ()
    places = declared.functions.get(named(engine, value.unit).name_of(symbol), ())
    return tuple([FunctionValue(declared.unit, place, -1, value.owner, value.receiver) for place in places])


def parameter(engine: NominalEngine, unit: Unit, function: int, name: str) -> Type:
    """Return the type that a stub file declares for a parameter of a function, if the function has one signature."""
    found = signatures(engine, FunctionValue(unit, function, -1))
    if len(found) == 1:
        for each in found[0].unit.functions[found[0].function].parameters:
            if each.name == name and each.type >= 0:
                return engine.declared(found[0].unit, each.decl)
    return UNKNOWN


def attribute(engine: NominalEngine, info: ClassInfo, name: str) -> Type:
    """Return the type that a stub file declares for an attribute of a class of its source file."""
    declared, symbol = _declarations(engine, info.unit), info.unit.shapes[info.shape].symbol
    if declared is None or symbol < 0:
        return UNKNOWN
    place = declared.shapes.get(named(engine, info.unit).name_of(symbol), -1)
    for member in engine.program.class_info(declared.unit, place).members_named(name) if place >= 0 else ():
        if member.type >= 0:
            return engine.annotation(declared.unit, member.type)
    return UNKNOWN


def variable(engine: NominalEngine, unit: Unit, name: str) -> Type:
    """Return the type that a stub file declares for a variable at the root of its source file."""
    declared = _declarations(engine, unit)
    binding = declared.unit.scopes[0].names.get(name, -1) if declared is not None and declared.unit.scopes else -1
    if declared is None or binding < 0:
        return UNKNOWN
    decls = [declared.unit.decls[place] for place in declared.unit.bindings[binding].decls]
    written = [each.a for each in decls if each.kind == DeclKind.VARIABLE and each.a >= 0]
    return engine.annotation(declared.unit, written[-1]) if written else UNKNOWN
