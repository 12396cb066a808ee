"""The models and rows that annotations and base classes describe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .....facts.model import Decl, DeclKind
from .....facts.operations import Op
from ...resolve.engine import Engine
from ...resolve.model.binder import Declared, Outside
from ...resolve.model.type_model import Instance, Type
from ...resolve.model.unit import Unit
from ..mappers.rules import Result
from .class_slots import ClassSlots
from .held_value import MAX_BASES, MAX_STEPS, Held, Values
from .libraries import Libraries
from .target import Target

#: Generic types of libraries that describe one row. Other types, such as `Repository<User>`, describe the model.
_ROW_TYPES: Final = frozenset(
    ("HydratedDocument", "Document", "DocumentType", "Loaded", "Ref", "Reference", "InstanceType", "InferEntity")
)
_QUERY_TYPES: Final = frozenset(("SelectQueryBuilder", "UpdateQueryBuilder", "DeleteQueryBuilder", "InsertQueryBuilder", "Query"))


class Annotations:
    """Finds the models and rows that annotations and base classes describe."""

    def __init__(self, engine: Engine, values: Values, libraries: Libraries, slots: ClassSlots) -> None:
        self._engine = engine
        self._values = values
        self._libraries = libraries
        self._slots = slots

    def of(self, unit: Unit, node: int, steps: int = MAX_STEPS) -> Held | None:
        """Return the model or row that an annotation describes: `Repository<User>`, `typeof User`, `HydratedDocument<User>[]`."""
        code = unit.code
        if node < 0:
            return None
        if not steps:
            self._values.cut_off()
            return None
        op = code[node]
        if op == Op.T_REFERENCE:
            return self._of_reference(unit, code[node + 1], unit.items(code[node + 2]).tolist(), steps - 1)
        if op in (Op.T_UNION, Op.T_INTERSECTION):
            for part in unit.items(code[node + 1]).tolist():
                found = self.of(unit, part, steps - 1)
                if found is not None:
                    return found
        if op in (Op.T_ARRAY, Op.T_READONLY, Op.T_OPTIONAL):
            return self.of(unit, code[node + 1], steps - 1)
        if op in (Op.T_NAME, Op.T_QUALIFIED):
            return self._of_reference(unit, node, [], steps - 1)
        if op == Op.T_QUERY:
            return self._values.held(unit, code[node + 1], steps - 1)
        if op == Op.T_INDEXED:  # `Parameters<Parameters<typeof db.transaction>[0]>[0]`
            inner = self.of(unit, code[node + 1], steps - 1)
            return inner if inner is not None and inner.kind == Result.MANAGER else None
        return None

    def of_bases(self, kind: Instance, steps: int) -> Held | None:
        """Return the model of a class whose base is a class of a library: `User` for `class Users extends Repository<User>`."""
        current: Type = kind
        for _ in range(MAX_BASES):
            if not isinstance(current, Instance) or current.entity.unit.external:
                return None
            following: Type | None = None
            for unit, index in self._engine.binder.declarations(current.entity):
                decl = unit.decls[index]
                if decl.kind not in (DeclKind.CLASS, DeclKind.INTERFACE) or not unit.shapes[decl.a].extends:
                    continue
                base, arguments = unit.shapes[decl.a].extends[0], list[int]()
                if unit.code[base] in (Op.INSTANTIATION, Op.T_REFERENCE):  # an interface without type arguments is a bare name
                    base, arguments = unit.code[base + 1], unit.items(unit.code[base + 2]).tolist()
                found = self._of_view(unit, base, arguments, steps - 1)
                if found is not None:
                    return self.bound(found, kind)
                following = next(iter(self._engine.bases(unit, decl.a)), None)
            if following is None:
                return None
            current = following
        return None

    def _of_view(self, unit: Unit, base: int, arguments: Sequence[int], steps: int) -> Held | None:
        """Return the model of the base class `Repository<User>`; None for other base classes."""
        entity = self._engine.binder.named(unit, base)
        is_declared = isinstance(entity, Declared) and bool(entity.unit.external)
        if not isinstance(entity, Outside) and not is_declared:
            return None
        is_name = unit.code[base] in (Op.NAME, Op.MEMBER, Op.T_NAME, Op.T_QUALIFIED)
        name = unit.strings[unit.code[base + 2]] if is_name else ""
        return self._of_reference(unit, base, arguments, steps) if name.endswith("Repository") else None

    def _of_reference(self, unit: Unit, name: int, arguments: Sequence[int], steps: int) -> Held | None:
        engine = self._engine
        entity = engine.binder.named(unit, name)
        if isinstance(entity, Outside):
            return self._of_generic(unit, entity.package, entity.path[-1] if entity.path else "", arguments, steps)
        if not isinstance(entity, Declared):
            return None
        if entity.unit.external:
            if entity.unit.external == "lib":
                return self.of(unit, arguments[0], steps) if len(arguments) == 1 else None
            return self._of_generic(unit, entity.unit.external, entity.facts.name, arguments, steps)
        # A type comes before a value of the same name.
        for index in entity.facts.decls:
            if entity.unit.decls[index].kind == DeclKind.TYPE_PARAMETER:
                slot = self._slots.of_type_parameter(entity.unit, index)
                return Held(Result.ROW, Target(slot)) if slot else None
        for decl in sorted((entity.unit.decls[index] for index in entity.facts.decls), key=_is_variable):
            if decl.kind == DeclKind.ALIAS:
                return self.of(entity.unit, decl.a, steps)
            if decl.kind in (DeclKind.CLASS, DeclKind.INTERFACE):
                of_base = self.of_bases(Instance(entity), steps) if steps else None
                own = self._slots.class_target(entity)
                return of_base or (Held(Result.ROW, own) if own is not None else None)
            if decl.kind == DeclKind.VARIABLE:  # `@returns {Promise<User>}` for a model that a call makes
                held = self._values.of_entity(entity, steps - 1) if steps else None
                return held._replace(kind=Result.ROW) if held is not None and held.kind == Result.MODEL else None
        return None

    def _of_generic(self, unit: Unit, package: str, name: str, arguments: Sequence[int], steps: int) -> Held | None:
        mapper = self._libraries.mapper(package)
        if mapper is None or name == "Collection":
            return None
        if mapper.names_tables or mapper.has_creators:  # the argument describes the whole database
            return Held(Result.MANAGER, None, mapper)
        for argument in arguments:
            inner = self.of(unit, argument, steps)
            if inner is not None and inner.target is not None:
                kind = Result.ROW if name in _ROW_TYPES else Result.QUERY if name in _QUERY_TYPES else Result.MODEL
                return Held(kind, inner.target, mapper)
        return Held(Result.MANAGER, None, mapper) if not arguments else None

    def bound(self, held: Held | None, kind: Instance) -> Held | None:
        """Put the model into the slot that a member of a generic class holds, if the type of the object determines it."""
        target = self._slots.bound(held.target, kind) if held is not None and held.target is not None else None
        return held._replace(target=target) if held is not None and target is not None else held


def _is_variable(decl: Decl) -> bool:
    return decl.kind == DeclKind.VARIABLE
