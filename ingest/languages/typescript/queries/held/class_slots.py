"""The models of classes, and the slots that stand for the models of type parameters of generic classes."""

from __future__ import annotations

from collections.abc import Iterator

from .....facts.data import SLOT, TABLE_NAME
from ...resolve.base_types import inheritance, instance_shapes
from ...resolve.engine import Engine
from ...resolve.model.binder import Declared
from ...resolve.model.type_model import Instance, Type, TypeParameter
from ...resolve.model.unit import SymbolIds, Unit
from .objection_classes import ObjectionClasses
from .target import Target


class ClassSlots:
    """Finds the models of classes and interfaces, and the slots of type parameters."""

    def __init__(self, engine: Engine, symbol_id: SymbolIds, objection: ObjectionClasses) -> None:
        self._engine = engine
        self._symbol_id = symbol_id
        self._objection = objection
        #: The generic class and the position of the type parameter of each slot.
        self._slots: dict[str, tuple[Declared, int]] = {}
        #: The slots of the type parameters of each file, by their declarations.
        self._parameters: dict[int, dict[int, str]] = {}

    def class_target(self, entity: Declared) -> Target | None:
        """Return a class or an interface of the repository as a model, or None."""
        named = self._objection.table(entity)
        if named:
            return Target(f"{TABLE_NAME}{named}")
        unit, symbol = self._engine.binder.symbol(entity)
        return Target(self._symbol_id(unit, symbol)) if symbol >= 0 and not unit.external else None

    def row_target(self, kind: Type) -> Target | None:
        """Return the model of a type as the model of its rows: a class or an interface, or the slot of a type parameter."""
        if isinstance(kind, Instance) and not kind.entity.unit.external:
            return self.class_target(kind.entity)
        if isinstance(kind, TypeParameter):
            slot = self.of_type_parameter(kind.unit, kind.decl)
            return Target(slot) if slot else None
        return None

    def of_type_parameter(self, unit: Unit, decl: int) -> str:
        """Return the slot of a type parameter of a class of the repository; "" for other declarations."""
        if unit.index not in self._parameters:
            known = self._parameters[unit.index] = {}
            for shape in unit.shapes if not unit.external else ():
                binding = unit.binding_of(shape.decl) if shape.decl >= 0 and shape.symbol >= 0 else None
                for position, each in enumerate(shape.type_parameters if binding is not None else ()):
                    slot = known[each] = f"{SLOT}{self._symbol_id(unit, shape.symbol)} {position}"
                    if binding is not None:
                        self._slots[slot] = (Declared(unit, binding), position)
        return self._parameters[unit.index].get(decl, "")

    def filled(self, unit: Unit, shape: int) -> Iterator[tuple[str, Target]]:
        """Yield the slots of generic classes that the bases of a class fill, each with its model."""
        engine, fact = self._engine, unit.shapes[shape]
        binding = unit.binding_of(fact.decl) if fact.decl >= 0 else None
        if binding is None:
            return
        for base in inheritance(engine, Declared(unit, binding)).bases:
            generic = base.entity.unit
            if generic.external or not base.arguments:
                continue
            for of, each, _ in instance_shapes(engine, base):
                for decl, argument in zip(of.shapes[each].type_parameters, base.arguments, strict=False):
                    slot, model = self.of_type_parameter(of, decl), self.row_target(argument)
                    if slot and model is not None:
                        yield slot, model

    def bound(self, target: Target, kind: Instance) -> Target | None:
        """Return a target with a model in place of the slot of a member of a generic class; None if the type of the object
        does not determine the model.
        """
        if target.model not in self._slots:
            return None
        generic, position = self._slots[target.model]
        base = kind if kind.entity == generic else self._engine.find_base(kind, generic)
        arguments = base.arguments if base is not None else ()
        model = self.row_target(arguments[position]) if position < len(arguments) else None
        return Target(model.model, (*model.path, *target.path)) if model is not None else None
