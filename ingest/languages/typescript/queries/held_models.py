"""The models and rows that expressions hold, and the libraries of their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ....facts.data import SLOT
from ....facts.model import Decl, DeclKind, MemberKind
from ....facts.operations import ContextKind, MemberFlag, Op, ThisKind
from ..resolve.call_targets import resolve_call, unwrapped
from ..resolve.engine import Engine
from ..resolve.model.binder import Declared, Entity, Module, Outside, Value
from ..resolve.model.type_model import (
    Closure,
    External,
    Instance,
    Intersection,
    ModuleType,
    Static,
    Type,
    non_nullish,
    parts_of,
)
from ..resolve.model.unit import SymbolIds, Unit
from .assigned_members import AssignedMembers
from .class_slots import ClassSlots
from .known_texts import KnownTexts
from .open_parameters import OpenParameters
from .rules import Mapper, Result, Role
from .schema_functions import this_of_schema
from .statements import Target

#: Maximum number of steps from an expression to a model.
_MAX_STEPS: Final = 24
#: Maximum number of base classes of a class.
_MAX_BASES: Final = 20
#: Generic types of libraries that describe one row. Other types, such as `Repository<User>`, describe the model.
_ROW_TYPES: Final = frozenset(("HydratedDocument", "Document", "DocumentType", "Loaded", "Ref", "Reference", "InstanceType"))
_QUERY_TYPES: Final = frozenset(("SelectQueryBuilder", "UpdateQueryBuilder", "DeleteQueryBuilder", "InsertQueryBuilder", "Query"))
#: Methods of lists and promises that return the same rows, or some of them.
_SAME: Final = frozenset(
    ("filter", "slice", "reverse", "sort", "find", "at", "pop", "shift", "then", "catch", "finally", "concat")
)
#: Operations whose result holds the same model or row as their operand.
_AROUND: Final = frozenset(
    (Op.AWAIT, Op.NON_NULL, Op.NARROW, Op.AS, Op.INSTANTIATION, Op.ITERATED, Op.INDEX, Op.ELEMENT, Op.SPREAD)
)
_CALLS: Final = frozenset((Op.CALL, Op.NEW))


class Held(NamedTuple):
    """A model, a row, a query or a connection that an expression holds; `kind` is one of `Result`."""

    kind: str
    target: Target | None = None
    mapper: Mapper | None = None


class HeldModels:
    """Finds the models in the expressions of a program, by the types of the expressions and by the values of names."""

    def __init__(self, engine: Engine, symbol_id: SymbolIds, mappers: Sequence[Mapper]) -> None:
        self._engine = engine
        self._symbol_id = symbol_id
        self._mappers = mappers
        self._known: dict[tuple[int, int], Held | None] = {}
        #: Expressions that are being read.
        self._active: set[tuple[int, int]] = set()
        #: Number of times that reading was cut off.
        self._cut_off = 0
        self._packages: dict[str, Mapper | None] = {}
        #: Functions of each file by their symbols.
        self._functions: dict[int, dict[int, int]] = {}
        self._loaders: dict[int, Mapper | None] = {}
        self.texts = KnownTexts(engine)
        self.objection = self.texts.objection
        self.slots = ClassSlots(engine, symbol_id, self.objection)
        self._assigned: dict[int, AssignedMembers] = {}
        self._open: dict[int, OpenParameters] = {}

    def mapper(self, package: str) -> Mapper | None:
        """Return the rules of the library to which a package belongs, or None."""
        if package not in self._packages:
            self._packages[package] = next((each for each in self._mappers if each.packages.fullmatch(package)), None)
        return self._packages[package]

    def assigned(self, unit: Unit) -> AssignedMembers:
        """Return the assignments to members in a file."""
        if unit.index not in self._assigned:
            self._assigned[unit.index] = AssignedMembers(unit)
        return self._assigned[unit.index]

    def open_parameters(self, unit: Unit) -> OpenParameters:
        """Return the parameters without types in a file, whose callers decide which models or rows they hold."""
        if unit.index not in self._open:
            self._open[unit.index] = OpenParameters(unit, self._symbol_id, self.assigned(unit))
        return self._open[unit.index]

    def held(self, unit: Unit, node: int, steps: int = _MAX_STEPS) -> Held | None:
        """Return the model, row, query or connection that an expression holds, or None."""
        if node < 0:
            return None
        key = (unit.index, node)
        if key in self._known:
            return self._known[key]
        if not steps or key in self._active:
            self._cut_off += 1
            return None
        before = self._cut_off
        self._active.add(key)
        found = self._find(unit, node, steps - 1)
        self._active.discard(key)
        # An answer that was cut off depends on the outer calls in progress. Only the outermost call remembers it.
        if self._cut_off == before or not self._active:
            self._known[key] = found
        return found

    # ------------------------------------------------------------------ values

    def _find(self, unit: Unit, node: int, steps: int) -> Held | None:
        code = unit.code
        op = code[node]
        if op in (Op.NAME, Op.MEMBER):
            return self._of_name(unit, node, steps)
        if op in _AROUND:
            inner = self.held(unit, code[node + 1], steps)
            is_part = op in (Op.ITERATED, Op.INDEX, Op.ELEMENT)
            if inner is None or (is_part and inner.kind == Result.MODEL):
                written = code[node + 2] if op == Op.AS else -1  # `{} as ReturnType<typeof drizzle>`
                return self._of_type(unit, node) or self.annotated(unit, written, steps)
            is_run = op == Op.AWAIT and inner.kind == Result.QUERY and (inner.mapper is None or inner.mapper.awaits_queries)
            return inner._replace(kind=Result.ROW) if is_run else inner
        if op in _CALLS:
            made = self._of_call(unit, node, steps)
            if made is None or (made.target is not None and made.target.model.startswith(SLOT)):
                return self._of_type(unit, node) or made
            return made
        if op == Op.PARAMETER:
            return self._of_parameter(unit, node, steps)
        if op == Op.THIS:
            found = self._of_schema(unit, node) or self._of_builder(unit, node, steps) or self._of_extension(unit, node, steps)
            return found or self._of_type(unit, node)
        if op == Op.LOGICAL:
            return self.held(unit, code[node + 1], steps) or self.held(unit, code[node + 2], steps)
        if op == Op.CONDITIONAL:
            return self.held(unit, code[node + 2], steps) or self.held(unit, code[node + 3], steps)
        if op == Op.SEQUENCE:
            return self.held(unit, unwrapped(unit, node), steps)
        if op == Op.ASSIGN:
            return self.held(unit, code[node + 2], steps)
        return self._of_type(unit, node)

    def _of_schema(self, unit: Unit, node: int) -> Held | None:
        """Return the model or row that is `this` in a function of a schema of Mongoose."""
        found = this_of_schema(unit, node)
        made = self._made(unit, found.model) if found is not None else None
        return made._replace(kind=found.kind) if made is not None and found is not None else None

    def _of_extension(self, unit: Unit, node: int, steps: int) -> Held | None:
        """Return the repository that is `this` in a method that TypeORM adds to it: `repository.extend({ byName() { … } })`."""
        literal = unit.object_node(unit.code[node + 2]) if unit.code[node + 1] == ThisKind.OBJECT else None
        if literal is None or literal not in unit.contexts:
            return None
        kind, call, _ = unit.contexts[literal]
        callee = unwrapped(unit, unit.code[call + 1]) if kind == ContextKind.ARGUMENT and unit.code[call] == Op.CALL else -1
        if callee < 0 or unit.code[callee] != Op.MEMBER or unit.strings[unit.code[callee + 2]] != "extend":
            return None
        around = self.held(unit, unit.code[callee + 1], steps)
        return around if around is not None and around.kind == Result.MODEL else None

    def _of_builder(self, unit: Unit, node: int, steps: int) -> Held | None:
        """Return the builder that is `this` in a function that a method of a query calls, as in Knex:
        `knex("users").whereExists(function () { this.from("posts") })`.
        """
        function = unit.function_node(unit.code[node + 2]) if unit.code[node + 1] == ThisKind.FUNCTION else None
        if function is None:
            return None
        kind, call, _ = unit.contexts[function]
        callee = unwrapped(unit, unit.code[call + 1]) if kind == ContextKind.ARGUMENT and unit.code[call] == Op.CALL else -1
        if callee < 0 or unit.code[callee] != Op.MEMBER:
            return None
        around = self.held(unit, unit.code[callee + 1], steps)
        if around is None or around.mapper is None or not around.mapper.is_callable:
            return None
        return Held(Result.MANAGER, None, around.mapper) if around.kind in (Result.QUERY, Result.MANAGER) else None

    def _of_name(self, unit: Unit, node: int, steps: int) -> Held | None:
        engine, code = self._engine, unit.code
        entity = engine.binder.dotted(unit, node) if code[node] == Op.MEMBER else engine.binder.named(unit, node)
        found = self._of_entity(entity, steps) if entity is not None else None
        if found is None and code[node] == Op.MEMBER:
            found = self._of_member(unit, node, steps)
        return found or self._of_type(unit, node)

    def _of_entity(self, entity: Entity, steps: int) -> Held | None:
        if isinstance(entity, Value):
            return self._of_value(entity.unit, entity.node, entity.symbol, steps)
        if not isinstance(entity, Declared) or entity.unit.external:
            return None
        for index in entity.facts.decls:
            decl = entity.unit.decls[index]
            if decl.kind not in (DeclKind.VARIABLE, DeclKind.PARAMETER):
                continue
            found = self.annotated(entity.unit, decl.a, steps) if decl.a >= 0 else None
            if found is not None:
                return found
            if decl.a < 0 or self._is_any(entity.unit, decl.a):
                found = self._of_value(entity.unit, decl.b, decl.symbol, steps)
                if found is None:
                    assigned = entity.facts.assigned
                    found = self.held(entity.unit, assigned[0], steps) if len(assigned) == 1 else None
                if found is not None:
                    return found
        return None

    def _is_any(self, unit: Unit, annotation: int) -> bool:
        """Return whether an annotation says nothing about a value: `const user: any = await User.findByPk(1)`."""
        return unit.code[annotation] == Op.T_PRIMITIVE and unit.strings[unit.code[annotation + 2]] == "any"

    def _of_value(self, unit: Unit, node: int, symbol: int, steps: int) -> Held | None:
        """Return the model, row, query or connection that a value holds.

        The model of a call is the symbol to which the result is assigned.
        """
        made = self._made(unit, node)
        if made is not None and symbol >= 0:
            return made._replace(target=Target(self._symbol_id(unit, symbol)))
        return self.held(unit, node, steps)

    def _made(self, unit: Unit, node: int) -> Held | None:
        """Return the model that a call such as `sequelize.define("User", …)` makes, or None."""
        code = unit.code
        node = unwrapped(unit, node) if node >= 0 else -1
        if node < 0 or code[node] not in _CALLS:
            return None
        callee = unwrapped(unit, code[node + 1])
        if code[callee] not in (Op.NAME, Op.MEMBER):
            return None
        name = unit.strings[code[callee + 2]]
        arguments = unit.items(code[node + 2]).tolist()
        mapper = next((each for each in self._mappers if name in each.makers), None) or self._creator(unit, callee, arguments)
        if mapper is None or not arguments:
            return None
        if self.package_mapper(unit, callee) is not mapper and not self._is_named(unit, callee, mapper):
            return None
        text = self.texts.of(unit, arguments[0])
        return Held(Result.MODEL, Target(f"{mapper.name}:{text}"), mapper) if text or mapper.has_creators else None

    def _creator(self, unit: Unit, callee: int, arguments: Sequence[int]) -> Mapper | None:
        """Return the library of a function that makes models from a name and columns: `createTable("users", { … })`."""
        if len(arguments) < 2 or unit.code[arguments[0]] not in (Op.STRING, Op.TEMPLATE) or unit.code[callee] != Op.NAME:
            return None
        if self.imported_name(unit, callee):  # a function of the library itself: `drizzle("file.db", { schema })`
            return None
        mapper = self.package_mapper(unit, callee)
        return mapper if mapper is not None and mapper.has_creators else None

    def _is_named(self, unit: Unit, callee: int, mapper: Mapper) -> bool:
        """Return whether the receiver of a call is a parameter with the name of the library: `(sequelize, DataTypes) => …`."""
        code = unit.code
        receiver = unwrapped(unit, code[callee + 1]) if code[callee] == Op.MEMBER else -1
        return receiver >= 0 and code[receiver] == Op.NAME and unit.strings[code[receiver + 2]] == mapper.name

    def _of_member(self, unit: Unit, node: int, steps: int) -> Held | None:
        engine, code = self._engine, unit.code
        receiver, name = code[node + 1], unit.strings[code[node + 2]]
        for kind in parts_of(non_nullish(engine.type_of(unit, receiver))):
            found = self._of_export(kind, name, steps) or self._of_field(kind, name, steps) or self._of_added(kind, name, steps)
            if found is not None:
                return found
        listed = self.texts.listed(unit, receiver, name)
        if listed is not None:
            return self.held(*listed, steps)
        named = self._registered(unit, unwrapped(unit, receiver), name, steps) or self._loaded(unit, receiver, name)
        if named is not None:
            return named
        inner = self.held(unit, receiver, steps)
        if inner is None or inner.target is None or inner.kind != Result.ROW:
            return None
        by_type = None if self._is_collection(unit, node) else self._of_type(unit, node)
        relation = Target(inner.target.model, (*inner.target.path, name))
        if by_type is not None and (by_type.kind != Result.MANAGER or inner.mapper is None):
            return by_type
        return inner._replace(target=relation) if len(relation.path) < _MAX_STEPS else None

    def _is_collection(self, unit: Unit, node: int) -> bool:
        """Return whether an expression is the collection of MikroORM with the rows of a relation."""
        for kind in self._parts(unit, node):
            if isinstance(kind, External) and kind.path[-1:] == ("Collection",) and self.mapper(kind.package) is not None:
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
        manager = self.held(unit, code[receiver + 1], steps)
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
            found = (mapper for each in packages if (mapper := self.mapper(each)) is not None and mapper.makers)
            self._loaders[unit.index] = next(found, None)
        return self._loaders[unit.index]

    def _of_export(self, kind: Type, name: str, steps: int) -> Held | None:
        """Return the value of an export of a module: `schema.users`, where a function returns the module `schema`."""
        entity = self._engine.binder.member_entity(kind.entity, name) if isinstance(kind, ModuleType) else None
        return self._of_entity(entity, steps) if entity is not None else None

    def _of_added(self, kind: Type, name: str, steps: int) -> Held | None:
        """Return the value that code assigns to a member of a variable: `db.user = require("./user")(sequelize)`."""
        if not isinstance(kind, Static) or kind.entity.unit.external:
            return None
        unit = kind.entity.unit
        values = [each.value for each in self.assigned(unit).of_variables.get(kind.entity.binding, ()) if each.name == name]
        return self.held(unit, values[0], steps) if len(values) == 1 else None

    def _of_field(self, kind: Type, name: str, steps: int) -> Held | None:
        """Return the value of a field in a class of the repository, by the field's annotation or initial value."""
        engine, current = self._engine, kind
        for _ in range(_MAX_BASES):
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
                        return self._bound(self.annotated(unit, member.type, steps), kind)
                    if member.value >= 0 and unit.code[unwrapped(unit, member.value)] != Op.NEW:
                        return self._bound(self.held(unit, member.value, steps), kind)
                    break
                values = self.assigned(unit).of_fields.get((decl.a, name), ()) if decl.kind == DeclKind.CLASS else ()
                if len(values) == 1 and unit.code[unwrapped(unit, values[0])] != Op.NEW:  # `this.model = User`
                    return self._bound(self.held(unit, values[0], steps), kind)
                following = next(iter(engine.bases(unit, decl.a)), None)
            if following is None:
                return None
            current = following
        return None

    def _of_call(self, unit: Unit, node: int, steps: int) -> Held | None:
        code = unit.code
        made = self._made(unit, node)
        if made is not None:
            return made
        callee = unwrapped(unit, code[node + 1])
        if code[node] == Op.NEW:
            inner = self.held(unit, callee, steps)
            if inner is not None and inner.kind == Result.MODEL:
                return inner._replace(kind=Result.ROW)
            arguments = unit.items(code[node + 2]).tolist()
            if arguments and inner is None and self._is_proxy(unit, callee):
                return self.held(unit, arguments[0], steps)
            return None
        if code[callee] != Op.MEMBER:
            return self._of_manager_call(unit, node, callee, steps) or self._returned(unit, node, steps)
        name = unit.strings[code[callee + 2]]
        inner = self.held(unit, code[callee + 1], steps)
        if inner is None:
            return self._returned(unit, node, steps)
        if inner.kind == Result.ROW and name in _SAME:
            return inner
        mapper = inner.mapper or self._mapper_of_callee(unit, callee)
        method = mapper.method(inner.kind, name) if mapper is not None else None
        if method is None or mapper is None:
            return self._returned(unit, node, steps)
        if not method.result:
            return None
        target, arguments = inner.target, unit.items(code[node + 2]).tolist()
        if method.arguments[:1] == (Role.LINK,) and target is not None and arguments:
            target = Target(target.model, (*target.path, self.texts.of(unit, arguments[0])))
        if inner.kind == Result.MANAGER:
            given = self.held(unit, arguments[0], steps) if arguments else None
            target = given.target if given is not None else None
            if target is None and arguments and method.result == Result.MODEL and (text := self.texts.of(unit, arguments[0])):
                target = Target(f"{mapper.name}:{text}")  # `sequelize.model("User")`
            if target is None and method.result not in (Result.QUERY, Result.MANAGER):
                return None
        return Held(method.result, target, mapper)

    def _is_proxy(self, unit: Unit, callee: int) -> bool:
        """Return whether a callee is the class `Proxy` of JavaScript, whose objects stand for their first argument."""
        entity = self._engine.binder.named(unit, callee) if unit.code[callee] == Op.NAME else None
        return isinstance(entity, Declared) and entity.unit.external == "lib" and entity.facts.name == "Proxy"

    def _returned(self, unit: Unit, node: int, steps: int) -> Held | None:
        """Return the result of a function of the repository, by its annotation or its returned expressions."""
        site = resolve_call(self._engine, unit, node)
        targets = [each for each in site.targets if each.unit is not None] if site is not None else []
        if len(targets) != 1 or targets[0].unit is None:
            return None
        owner, symbol = targets[0].unit, targets[0].symbol
        if owner.index not in self._functions:
            self._functions[owner.index] = {each.symbol: number for number, each in enumerate(owner.functions) if each.has_body}
        number = self._functions[owner.index].get(symbol, -1)
        if number < 0:
            return None
        if owner.functions[number].return_type >= 0:
            return self.annotated(owner, owner.functions[number].return_type, steps)
        found = (self.held(owner, each, steps) for each in owner.functions[number].returns)
        held = next((each for each in found if each is not None), None)
        if held is not None and held.kind == Result.QUERY and owner.functions[number].is_async:
            return held._replace(kind=Result.ROW)
        return held

    def _of_manager_call(self, unit: Unit, node: int, callee: int, steps: int) -> Held | None:
        inner = self.held(unit, callee, steps)
        if inner is None or inner.kind != Result.MANAGER or inner.mapper is None:
            return None
        arguments = unit.items(unit.code[node + 2]).tolist()
        method = inner.mapper.of_manager.get(self.imported_name(unit, callee))
        if method is not None:  # `getRepository(User)`, a function of the library itself
            given = self.held(unit, arguments[0], steps) if arguments else None
            return Held(method.result, given.target, inner.mapper) if given is not None and method.result else None
        if not inner.mapper.is_callable:
            return None
        # `knex({ client: "pg" })` makes a connection, and `knex("users")` a query.
        is_query = bool(arguments) and bool(self.texts.of(unit, arguments[0]))
        return Held(Result.QUERY, None, inner.mapper) if is_query else inner

    def imported_name(self, unit: Unit, callee: int) -> str:
        """Return the name of a function that a file imports from a package; "" for other expressions."""
        entity = self._engine.binder.named(unit, callee) if unit.code[callee] == Op.NAME else None
        return entity.path[-1] if isinstance(entity, Outside) and entity.path else ""

    def _of_parameter(self, unit: Unit, node: int, steps: int) -> Held | None:
        """Return the argument of a callback: the rows of a list or a promise, or the connection of a transaction."""
        function = unit.function_node(unit.code[node + 1])
        if function is None or unit.code[node + 3] != 0:
            return None
        kind, call, _ = unit.contexts[function]
        if kind != ContextKind.ARGUMENT or unit.code[call] != Op.CALL:
            return None
        callee = unwrapped(unit, unit.code[call + 1])
        if unit.code[callee] != Op.MEMBER:
            return None
        inner = self.held(unit, unit.code[callee + 1], steps)
        if inner is None or inner.kind == Result.MODEL:
            return self._manager(unit, unit.code[callee + 1])
        return Held(Result.MANAGER, None, inner.mapper) if inner.kind == Result.QUERY else inner

    # ------------------------------------------------------------------ types

    def package_mapper(self, unit: Unit, node: int) -> Mapper | None:
        """Return the rules of the library that declares the type of an expression, or None."""
        for kind in self._parts(unit, node):
            package = _package(kind)
            mapper = self.mapper(package) if package else None
            if mapper is not None:
                return mapper
        return None

    def _parts(self, unit: Unit, node: int) -> Iterator[Type]:
        self._engine.refuel()
        for kind in parts_of(non_nullish(self._engine.type_of(unit, node))):
            yield kind
            if isinstance(kind, Intersection):
                yield from kind.parts

    def _manager(self, unit: Unit, node: int) -> Held | None:
        mapper = self.package_mapper(unit, node)
        return Held(Result.MANAGER, None, mapper) if mapper is not None else None

    def _of_type(self, unit: Unit, node: int) -> Held | None:
        """Return the model, the row or the value of a library that an expression holds, by its type."""
        for kind in self._parts(unit, node):
            if isinstance(kind, Static) and not kind.entity.unit.external:
                own = self.slots.class_target(kind.entity)
                if own is not None:
                    return Held(Result.MODEL, own)
            for _ in range(2):  # a list or a promise of rows
                if isinstance(kind, Instance) and kind.entity.unit.external and kind.arguments:
                    kind = kind.arguments[0]
            if isinstance(kind, Instance) and not kind.entity.unit.external:
                of_base = self._of_bases(kind, _MAX_STEPS)
                if of_base is not None:
                    return of_base
            own = self.slots.row_target(kind)
            if own is not None:
                return Held(Result.ROW, own)
        return self._manager(unit, node)

    def _bound(self, held: Held | None, kind: Instance) -> Held | None:
        """Put the model into the slot that a member of a generic class holds, if the type of the object determines it."""
        target = self.slots.bound(held.target, kind) if held is not None and held.target is not None else None
        return held._replace(target=target) if held is not None and target is not None else held

    def passed(self, unit: Unit, call: int) -> Iterator[tuple[str, Target]]:
        """Yield the slots of open parameters that a call fills, each with its model."""
        site = resolve_call(self._engine, unit, call)
        for target in site.targets if site is not None else ():
            if target.unit is None or target.unit.external:
                continue
            parameters = self.open_parameters(target.unit)
            positions = parameters.positions.get(target.symbol)
            for position, argument in enumerate(unit.items(unit.code[call + 2]).tolist() if positions else ()):
                if positions is None or position not in positions or unit.code[argument] == Op.SPREAD:
                    continue
                held = self.held(unit, argument)
                if held is None or held.target is None or held.kind not in (Result.ROW, Result.MODEL):
                    continue
                slot = parameters.slot_of(target.symbol, position)
                for mapper in [held.mapper] if held.mapper is not None else self._mappers:
                    yield f"{slot} {held.kind} {mapper.name}", held.target

    def _of_bases(self, kind: Instance, steps: int) -> Held | None:
        """Return the model of a class whose base is a class of a library: `User` for `class Users extends Repository<User>`."""
        current: Type = kind
        for _ in range(_MAX_BASES):
            if not isinstance(current, Instance) or current.entity.unit.external:
                return None
            following: Type | None = None
            for unit, index in self._engine.binder.declarations(current.entity):
                decl = unit.decls[index]
                if decl.kind != DeclKind.CLASS or not unit.shapes[decl.a].extends:
                    continue
                base = unit.shapes[decl.a].extends[0]
                found = self._of_view(unit, unit.code[base + 1], unit.items(unit.code[base + 2]).tolist(), steps - 1)
                if found is not None:
                    return self._bound(found, kind)
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
        name = unit.strings[unit.code[base + 2]] if unit.code[base] in (Op.NAME, Op.MEMBER) else ""
        return self._of_reference(unit, base, arguments, steps) if name.endswith("Repository") else None

    def annotated(self, unit: Unit, node: int, steps: int = _MAX_STEPS) -> Held | None:
        """Return the model or row that an annotation describes: `Repository<User>`, `typeof User`, `HydratedDocument<User>[]`."""
        code = unit.code
        if node < 0:
            return None
        if not steps:
            self._cut_off += 1
            return None
        op = code[node]
        if op == Op.T_REFERENCE:
            return self._of_reference(unit, code[node + 1], unit.items(code[node + 2]).tolist(), steps - 1)
        if op in (Op.T_UNION, Op.T_INTERSECTION):
            for part in unit.items(code[node + 1]).tolist():
                found = self.annotated(unit, part, steps - 1)
                if found is not None:
                    return found
        if op in (Op.T_ARRAY, Op.T_READONLY, Op.T_OPTIONAL):
            return self.annotated(unit, code[node + 1], steps - 1)
        if op in (Op.T_NAME, Op.T_QUALIFIED):
            return self._of_reference(unit, node, [], steps - 1)
        if op == Op.T_QUERY:
            return self.held(unit, code[node + 1], steps - 1)
        if op == Op.T_INDEXED:  # `Parameters<Parameters<typeof db.transaction>[0]>[0]`
            inner = self.annotated(unit, code[node + 1], steps - 1)
            return inner if inner is not None and inner.kind == Result.MANAGER else None
        return None

    def _of_reference(self, unit: Unit, name: int, arguments: Sequence[int], steps: int) -> Held | None:
        engine = self._engine
        entity = engine.binder.named(unit, name)
        if isinstance(entity, Outside):
            return self._of_generic(unit, entity.package, entity.path[-1] if entity.path else "", arguments, steps)
        if not isinstance(entity, Declared):
            return None
        if entity.unit.external:
            if entity.unit.external == "lib":
                return self.annotated(unit, arguments[0], steps) if len(arguments) == 1 else None
            return self._of_generic(unit, entity.unit.external, entity.facts.name, arguments, steps)
        # A type comes before a value of the same name.
        for index in entity.facts.decls:
            if entity.unit.decls[index].kind == DeclKind.TYPE_PARAMETER:
                slot = self.slots.of_type_parameter(entity.unit, index)
                return Held(Result.ROW, Target(slot)) if slot else None
        for decl in sorted((entity.unit.decls[index] for index in entity.facts.decls), key=_is_variable):
            if decl.kind == DeclKind.ALIAS:
                return self.annotated(entity.unit, decl.a, steps)
            if decl.kind in (DeclKind.CLASS, DeclKind.INTERFACE):
                of_base = self._of_bases(Instance(entity), steps) if steps else None
                own = self.slots.class_target(entity)
                return of_base or (Held(Result.ROW, own) if own is not None else None)
            if decl.kind == DeclKind.VARIABLE:  # `@returns {Promise<User>}` for a model that a call makes
                held = self._of_entity(entity, steps - 1) if steps else None
                return held._replace(kind=Result.ROW) if held is not None and held.kind == Result.MODEL else None
        return None

    def _of_generic(self, unit: Unit, package: str, name: str, arguments: Sequence[int], steps: int) -> Held | None:
        mapper = self.mapper(package)
        if mapper is None or name == "Collection":
            return None
        if mapper.names_tables or mapper.has_creators:  # the argument describes the whole database
            return Held(Result.MANAGER, None, mapper)
        for argument in arguments:
            inner = self.annotated(unit, argument, steps)
            if inner is not None and inner.target is not None:
                kind = Result.ROW if name in _ROW_TYPES else Result.QUERY if name in _QUERY_TYPES else Result.MODEL
                return Held(kind, inner.target, mapper)
        return Held(Result.MANAGER, None, mapper) if not arguments else None

    def _mapper_of_callee(self, unit: Unit, callee: int) -> Mapper | None:
        """Return the library that declares a method of a class of the repository, or None."""
        engine, code = self._engine, unit.code
        for kind in parts_of(non_nullish(engine.type_of(unit, code[callee + 1]))):
            for found in engine.properties(kind, unit.strings[code[callee + 2]]):
                package = found.outside[0] if found.outside is not None else found.unit.external if found.unit is not None else ""
                if package:
                    return self.mapper(package)
        return None


def _is_variable(decl: Decl) -> bool:
    return decl.kind == DeclKind.VARIABLE


def _package(kind: Type) -> str:
    """Return the package that declares a type; "" if the repository declares it."""
    if isinstance(kind, External):
        return kind.package
    if isinstance(kind, Instance | Static):
        return kind.entity.unit.external
    return kind.unit.external if isinstance(kind, Closure) else ""
