"""The models, rows and connections that members of objects, classes and modules hold."""

from __future__ import annotations

import re
from typing import Final

from .....facts.model import DeclKind, MemberKind
from .....facts.operations import MemberFlag, Op
from ...resolve.call_targets import unwrapped
from ...resolve.engine import Engine
from ...resolve.model.binder import Declared, Module, Value
from ...resolve.model.type_model import External, Instance, ModuleType, ObjectShape, Static, Type, non_nullish, parts_of
from ...resolve.model.unit import Unit
from ..mappers.rules import Mapper, Result
from .annotations import Annotations
from .held_value import MAX_BASES, MAX_STEPS, Held, Values
from .known_texts import KnownTexts
from .libraries import Libraries
from .target import NAMED, Target
from .written_names import name_of_holder

#: Matches the names of objects that hold all models.
_CONTAINER: Final = re.compile(r"(?:\w*[mM]odels?|(?:\w*_)?(?:db|orm)|\w*(?:Db|DB|Orm|ORM)|[dD]atabase|[sS]equelize|[mM]ongoose)")


class Members:
    """Finds what members hold."""

    def __init__(self, engine: Engine, values: Values, libraries: Libraries, annotations: Annotations, texts: KnownTexts) -> None:
        self._engine = engine
        self._values = values
        self._libraries = libraries
        self._annotations = annotations
        self._texts = texts
        self._loaders: dict[int, Mapper | None] = {}

    def of(self, unit: Unit, node: int, steps: int) -> Held | None:
        engine, code = self._engine, unit.code
        receiver, name = code[node + 1], unit.strings[code[node + 2]]
        for kind in parts_of(non_nullish(engine.type_of(unit, receiver))):
            found = self._of_export(kind, name, steps) or self._of_field(kind, name, steps) or self._of_added(kind, name, steps)
            found = found or self._of_shape(kind, name, steps)
            if found is not None:
                return found
        added = self._added_to(unit, receiver, name, steps)
        if added is not None:
            return added
        listed = self._texts.listed(unit, receiver, name)
        if listed is not None:
            return self._values.held(*listed, steps)
        named = self._registered(unit, unwrapped(unit, receiver), name, steps) or self._loaded(unit, receiver, name)
        if named is not None:
            return named
        inner = self._values.held(unit, receiver, steps)
        if inner is not None and inner.kind == Result.MANAGER and engine.type_of(unit, node).opaque:
            return inner  # `orm.em`, where the type of `orm` is unknown
        if inner is None or inner.target is None or inner.kind != Result.ROW or self.named(unit, node) is not None:
            return None
        by_type = None if self._is_collection(unit, node) else self._values.of_type(unit, node)
        relation = Target(inner.target.model, (*inner.target.path, name))
        if by_type is not None and (by_type.kind != Result.MANAGER or inner.mapper is None):
            return by_type
        return inner._replace(target=relation) if len(relation.path) < MAX_STEPS else None

    def named(self, unit: Unit, node: int) -> Held | None:
        """Return a member of an unknown object that holds models as a model of this name: `this.models.User`."""
        code = unit.code
        kind = self._engine.type_of(unit, node) if code[node] == Op.MEMBER else None
        if kind is None or not (kind.opaque or (isinstance(kind, External) and self._libraries.mapper(kind.package) is None)):
            return None
        is_contained = _CONTAINER.fullmatch(name_of_holder(unit, node))
        return Held(Result.MODEL, Target(f"{NAMED}{unit.strings[code[node + 2]]}")) if is_contained else None

    def _is_collection(self, unit: Unit, node: int) -> bool:
        """Return whether an expression is the collection of MikroORM with the rows of a relation."""
        for kind in self._libraries.parts(unit, node):
            if (
                isinstance(kind, External)
                and kind.path[-1:] == ("Collection",)
                and self._libraries.mapper(kind.package) is not None
            ):
                return True
            if isinstance(kind, Instance) and kind.entity.unit.external and kind.entity.facts.name == "Collection":
                return True
        return False

    def _registered(self, unit: Unit, receiver: int, name: str, steps: int) -> Held | None:
        """Return the model that a connection has under a name: `sequelize.models.User`, `db.query.users`.

        A variable may hold all models: `const { models } = require("./sequelize")`.
        """
        code = unit.code
        if steps and code[receiver] == Op.NAME and code[receiver + 1] >= 0:
            decls = [unit.decls[index] for index in unit.bindings[code[receiver + 1]].decls]
            if len(decls) == 1 and decls[0].kind == DeclKind.VARIABLE and decls[0].b >= 0:
                return self._registered(unit, unwrapped(unit, decls[0].b), name, steps - 1)
        if code[receiver] != Op.MEMBER or unit.strings[code[receiver + 2]] not in ("models", "query", "_query"):
            return None
        manager = self._values.held(unit, code[receiver + 1], steps)
        if manager is None or manager.kind != Result.MANAGER or manager.mapper is None:
            return None
        return Held(Result.MODEL, Target(f"{manager.mapper.name}:{name}"), manager.mapper)

    def _loaded(self, unit: Unit, receiver: int, name: str) -> Held | None:
        """Return the model that a module has under a computed name: `db[model.name] = model` for each file of a folder."""
        engine = self._engine
        entity = engine.binder.named(unit, receiver)
        if not isinstance(entity, Declared | Module | Value) or entity.unit.external or entity.unit is unit:
            return None
        mapper = self._loader(entity.unit)
        if mapper is None or engine.properties(non_nullish(engine.type_of(unit, receiver)), name):
            return None
        return Held(Result.MODEL, Target(f"{mapper.name}:{name}"), mapper)

    def _loader(self, unit: Unit) -> Mapper | None:
        """Return the library whose models a module collects under computed names, or None."""
        if unit.index not in self._loaders:
            code = unit.code
            indexes = (node for node in range(0, len(code), 5) if code[node] == Op.INDEX)
            is_loader = any(code[node + 3] & MemberFlag.WRITTEN for node in indexes)
            packages = [f"npm:{each.specifier}" for each in unit.facts.imports] if is_loader else []
            found = (mapper for each in packages if (mapper := self._libraries.mapper(each)) is not None and mapper.makers)
            self._loaders[unit.index] = next(found, None)
        return self._loaders[unit.index]

    def _of_export(self, kind: Type, name: str, steps: int) -> Held | None:
        """Return the value of an export of a module: `schema.users`, where a function returns the module `schema`."""
        entity = self._engine.binder.member_entity(kind.entity, name) if isinstance(kind, ModuleType) else None
        return self._values.of_entity(entity, steps) if entity is not None else None

    def _of_added(self, kind: Type, name: str, steps: int) -> Held | None:
        """Return the value that code assigns to a member of a variable: `db.user = require("./user")(sequelize)`."""
        return self._assigned_to(kind.entity, name, steps) if isinstance(kind, Static) else None

    def _added_to(self, unit: Unit, receiver: int, name: str, steps: int) -> Held | None:
        """Return the value that code assigns to a member of an object: `const di = {}; di.users = getRepository(User)`."""
        entity = self._engine.binder.named(unit, receiver)
        return self._assigned_to(entity, name, steps) if isinstance(entity, Declared) else None

    def _assigned_to(self, entity: Declared, name: str, steps: int) -> Held | None:
        """Return the value that the file of a variable assigns to a member of it, if there is one such value."""
        if entity.unit.external:
            return None
        assigned = self._values.assigned(entity.unit).of_variables.get(entity.binding, ())
        values = [each.value for each in assigned if each.name == name]
        return self._values.held(entity.unit, values[0], steps) if len(values) == 1 else None

    def _of_shape(self, kind: Type, name: str, steps: int) -> Held | None:
        """Return the value of a property of an object type: `const stores = {} as { users: Repository<User> }`."""
        if not isinstance(kind, ObjectShape) or kind.unit.external:
            return None
        for member in kind.unit.shapes[kind.index].members:
            if member.name == name and member.kind in (MemberKind.PROPERTY, MemberKind.GETTER):
                if member.type >= 0:
                    return self._annotations.of(kind.unit, member.type, steps)
                return self._values.held(kind.unit, member.value, steps)
        return None

    def _of_field(self, kind: Type, name: str, steps: int) -> Held | None:
        """Return the value of a field in a class of the repository, by the field's annotation or initial value."""
        engine, current = self._engine, kind
        for _ in range(MAX_BASES):
            if not isinstance(current, Instance) or not isinstance(kind, Instance) or current.entity.unit.external:
                return None
            following: Type | None = None
            for unit, index in engine.binder.declarations(current.entity):
                decl = unit.decls[index]
                if decl.kind not in (DeclKind.CLASS, DeclKind.INTERFACE):
                    continue
                for member in unit.shapes[decl.a].members:
                    if member.name != name or member.static or member.kind not in (MemberKind.PROPERTY, MemberKind.GETTER):
                        continue
                    if member.type >= 0:
                        return self._annotations.bound(self._annotations.of(unit, member.type, steps), kind)
                    if member.value >= 0 and unit.code[unwrapped(unit, member.value)] != Op.NEW:
                        return self._annotations.bound(self._values.held(unit, member.value, steps), kind)
                    break
                values = self._values.assigned(unit).of_fields.get((decl.a, name), ()) if decl.kind == DeclKind.CLASS else ()
                if len(values) == 1 and unit.code[unwrapped(unit, values[0])] != Op.NEW:  # `this.model = User`
                    return self._annotations.bound(self._values.held(unit, values[0], steps), kind)
                following = next(iter(engine.bases(unit, decl.a)), None)
            if following is None:
                return None
            current = following
        return None
