"""Converts types to names for records that outlive the engine, and names back to types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...facts.given import TypeName
from ...facts.model import DeclKind
from ...languages.typescript.resolve.model.unit import SymbolIds, Unit
from .. import class_order
from ..types import (
    NONE,
    UNKNOWN,
    Callback,
    ClassOf,
    ClassValue,
    FunctionValue,
    Instance,
    ModuleValue,
    Overloads,
    Type,
    Union,
    Variable,
    Wrapped,
    union,
)

if TYPE_CHECKING:
    from ..engine import NominalEngine

#: Maximum depth of nested type arguments that are kept.
_MAX_DEPTH: Final = 2
_UNKNOWN: Final = TypeName("unknown")


class _Places:
    """The functions and classes of a file by their names."""

    def __init__(self) -> None:
        #: Functions and classes by qualified name.
        self.functions: Final[dict[str, int]] = {}
        self.shapes: Final[dict[str, int]] = {}
        #: Declaration and class of each function; -1 for none.
        self.declarations: Final[dict[int, int]] = {}
        self.owners: Final[dict[int, int]] = {}


class TypeNames:
    """Names the types of one program."""

    def __init__(self, engine: NominalEngine, symbol_id: SymbolIds) -> None:
        self._engine: Final = engine
        self._symbol_id: Final = symbol_id
        self._places: Final[dict[int, _Places]] = {}

    def function_name(self, unit: Unit, function: int) -> str:
        """Return the name of a function in its file."""
        return self._name(unit, unit.functions[function].symbol, function)

    def _name(self, unit: Unit, symbol: int, number: int) -> str:
        return self._symbol_id(unit, symbol) if symbol >= 0 and not unit.external else f"#{number}"

    def name_of(self, kind: Type, home: Unit, depth: int = 0) -> TypeName:
        """Return the name of a type for the file `home`. A type whose name an unrelated edit may change is unknown."""
        if kind is NONE:
            return TypeName("none")
        if depth > _MAX_DEPTH:
            return _UNKNOWN
        if isinstance(kind, Variable):
            return self.name_of(kind.bound, home, depth + 1)
        if isinstance(kind, ClassOf):
            bound = kind.variable.bound
            return self.name_of(ClassValue(bound), home, depth + 1) if isinstance(bound, Instance) else _UNKNOWN
        if isinstance(kind, Instance):
            return self._of_class("instance", kind, home, depth)
        if isinstance(kind, ClassValue):
            return self._of_class("class", kind.instance, home, depth)
        if isinstance(kind, FunctionValue):
            return self._of_function(kind, home, depth)
        if isinstance(kind, Callback):
            function = self._of_function(kind.function, home, depth) if kind.function is not None else _UNKNOWN
            inner = (kind.result, *kind.parameters)
            return TypeName("callback", arguments=(function, *self._all(inner, home, depth)))
        if isinstance(kind, Wrapped):
            return TypeName("wrapped", name=str(kind.kind), arguments=self._all((kind.value,), home, depth))
        if isinstance(kind, Overloads):
            return TypeName("overloads", arguments=tuple([self._of_function(each, home, depth) for each in kind.functions]))
        if isinstance(kind, Union):
            return TypeName("union", arguments=self._all(kind.members, home, depth))
        if isinstance(kind, ModuleValue):
            return TypeName("module", kind.origin, name=kind.name)
        return _UNKNOWN

    def _all(self, kinds: tuple[Type, ...], home: Unit, depth: int) -> tuple[TypeName, ...]:
        return tuple([self.name_of(each, home, depth + 1) for each in kinds])

    def _of_class(self, form: str, instance: Instance, home: Unit, depth: int) -> TypeName:
        unit, shape = instance.cls.unit, instance.cls.shape
        name = self._name(unit, unit.shapes[shape].symbol, shape)
        if name.startswith("#") and unit is not home and not unit.external:
            return _UNKNOWN
        items = self._all(instance.items, home, depth) if instance.items is not None else None
        return TypeName(form, unit.path, unit.external, name, self._all(instance.arguments, home, depth), items)

    def _of_function(self, value: FunctionValue, home: Unit, depth: int) -> TypeName:
        unit = value.unit
        name = self.function_name(unit, value.function)
        if name.startswith("#") and unit is not home and not unit.external:
            return _UNKNOWN
        receiver = self._all((value.receiver,), home, depth) if value.receiver is not None else ()
        return TypeName("function", unit.path, unit.external, name, receiver)

    def type_of(self, name: TypeName) -> Type:
        """Return the type with a name; UNKNOWN if its file no longer declares the type."""
        kind = name.kind
        if kind == "none":
            return NONE
        if kind == "unknown":
            return UNKNOWN
        arguments = tuple([self.type_of(each) for each in name.arguments])
        if kind == "union":
            return union(list(arguments))
        if kind == "callback":
            function = arguments[0] if isinstance(arguments[0], FunctionValue) else None
            return Callback(arguments[1], function, arguments[2:])
        if kind == "wrapped":
            return Wrapped(int(name.name), arguments[0])
        if kind == "overloads":
            functions = [each for each in arguments if isinstance(each, FunctionValue)]
            return Overloads(tuple(functions)) if functions else UNKNOWN
        if kind == "module":
            return ModuleValue(name.name, name.path, self._engine.program.module(name.name, name.path))
        unit = self._engine.program.unit(name.path, name.module)
        if unit is None:
            return UNKNOWN
        if kind == "function":
            return self._function(unit, name.name, arguments)
        shape = self._found(unit).shapes.get(name.name, -1)
        if shape < 0:
            return UNKNOWN
        items = tuple([self.type_of(each) for each in name.items]) if name.items is not None else None
        instance = Instance(self._engine.program.class_info(unit, shape), arguments, items)
        return ClassValue(instance) if kind == "class" else instance

    def _function(self, unit: Unit, name: str, receiver: tuple[Type, ...]) -> Type:
        places = self._found(unit)
        function = places.functions.get(name, -1)
        if function < 0:
            return UNKNOWN
        owner: Instance | None = None
        if function in places.owners:
            info = self._engine.program.class_info(unit, places.owners[function])
            owner = Instance(info, class_order.class_parameters(self._engine, info))
        return FunctionValue(unit, function, places.declarations.get(function, -1), owner, receiver[0] if receiver else None)

    def _found(self, unit: Unit) -> _Places:
        found = self._places.get(id(unit))
        if found is None:
            found = self._places[id(unit)] = _Places()
            for function, facts in enumerate(unit.functions):
                found.functions[self._name(unit, facts.symbol, function)] = function
            for shape, declared in enumerate(unit.shapes):
                found.shapes[self._name(unit, declared.symbol, shape)] = shape
                for member in declared.members:
                    if member.function >= 0:
                        found.owners[member.function] = shape
            for place, decl in enumerate(unit.decls):
                if decl.kind == DeclKind.FUNCTION:
                    found.declarations[decl.a] = place
        return found
