"""Members of types: the declaration and the type of a member with a name.

For a `User` with `class User extends Entity`, `find` looks in `User`, then in `Entity`, then in the runtime's `Object`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from ....facts.model import Decl, DeclKind, Member, MemberKind, ShapeKind
from ....facts.operations import Op
from .base_types import Inheritance, argument_env, bases, close, inheritance, instance_shapes, shapes_of
from .model.binder import AmbientModule, Declared, Entity, Globals, LoadedFiles, Module, Outside, Value
from .model.properties import Property
from .model.type_model import (
    ANY,
    BIGINT,
    BOOLEAN,
    EMPTY,
    NUMBER,
    STRING,
    SYMBOL,
    THIS,
    UNDEFINED,
    UNRESOLVED,
    ClassExpression,
    ClosedEnv,
    Conditional,
    ConstructorType,
    EnumMember,
    Env,
    External,
    FunctionType,
    Indexed,
    Instance,
    Instantiated,
    Intersection,
    KeyOf,
    Literal,
    Mapped,
    ModuleType,
    ObjectLiteral,
    ObjectShape,
    Overloads,
    Picked,
    Primitive,
    ShapeInstance,
    Static,
    Template,
    Tuple,
    Type,
    TypeParameter,
    Union,
    intersection,
    non_nullish,
    parts_of,
    union,
    widened,
)
from .reduction import is_renaming, mapped_elements, mapped_member, mapped_source, mapped_value, substitute
from .relations import assignable
from .tuples import element_at, length_of

if TYPE_CHECKING:
    from .engine import Engine
    from .model.unit import Unit

#: Members of a shape, by name and whether they are static.
ShapeTable = dict[tuple[str, bool], list[Member]]

#: Key types of index signatures that are primitives. Signatures with other keys are also listed under "[]".
_INDEX_KEYS = frozenset(("string", "number", "symbol"))

#: Table keys of members without a name. Index signatures are under "[key type]".
_SIGNATURE_KEYS = {MemberKind.CALL: "()", MemberKind.CONSTRUCT: "new ()", MemberKind.CONSTRUCTOR: "new"}

#: Maximum number of members whose types are united for an index with any key.
_MAX_KEYS = 16

_BOXES = {STRING: "String", NUMBER: "Number", BOOLEAN: "Boolean", BIGINT: "BigInt", SYMBOL: "Symbol"}


def shape_table(engine: Engine, unit: Unit, shape: int) -> ShapeTable:
    """Return the members of a shape by table key. The answers are remembered."""
    table = unit.member_tables.get(shape)
    if table is None:
        table = unit.member_tables[shape] = {}
        for member in unit.shapes[shape].members:
            name = _SIGNATURE_KEYS.get(member.kind) or (f"[{member.name}]" if member.kind == MemberKind.INDEX else member.name)
            for key in {name, engine.computed_keys.of(unit, name)} if name.startswith("[") else (name,):
                table.setdefault((key, member.static), []).append(member)
            if member.kind == MemberKind.INDEX and member.name not in _INDEX_KEYS:
                table.setdefault(("[]", member.static), []).append(member)
    return table


def find(engine: Engine, kind: Type, name: str) -> Sequence[Property]:
    """Return the members of a type with a name: none, one, or one for each part of a union."""
    if isinstance(kind, Union):
        found: list[Property] = []
        for part in kind.parts:
            if not part.nullish:
                found += engine.properties(part, name)
        return found
    if isinstance(kind, Intersection):
        declared: Sequence[Property] = ()
        guessed: Sequence[Property] = ()
        for part in kind.parts:
            hit = engine.properties(part, name)
            if hit and hit[0].unit is not None:
                if not hit[0].unit.external:
                    return hit
                declared = declared or hit  # another part may have a declaration in the repository
            guessed = guessed or hit  # a member of a package or a mapped type is a guess
        return declared or guessed
    if isinstance(kind, TypeParameter | Indexed | KeyOf | Conditional):
        bound = engine.constraint(kind)
        of_bound = engine.properties(bound, name) if bound is not UNRESOLVED else ()
        return of_bound if isinstance(kind, Indexed) else of_bound[:1]
    if isinstance(kind, ObjectLiteral):
        return _literal_members(engine, kind, name)
    one = _find_one(engine, kind, name)
    return (one,) if one is not None else ()


def _find_one(engine: Engine, kind: Type, name: str) -> Property | None:
    if isinstance(kind, Instance):
        return _instance_member(engine, kind, name)
    if isinstance(kind, Static):
        return _static_member(engine, kind, name)
    if isinstance(kind, ModuleType):
        return _module_member(engine, kind.entity, name)
    if isinstance(kind, ObjectShape):
        found = _shape_member(engine, kind.unit, kind.index, kind.env, name, False, kind)
        return found or _call_signature_member(engine, kind, name)
    if isinstance(kind, ShapeInstance):
        return _class_member(engine, kind.unit, kind.index, kind.env, name, False, kind)
    if isinstance(kind, ClassExpression):
        return _class_member(engine, kind.unit, kind.index, kind.env, name, True, kind)
    if isinstance(kind, External):
        path = (*kind.path, name)
        return Property(name, None, -1, lambda: External(kind.package, path), (kind.package, path))
    return _built_in_member(engine, kind, name)


def _first(engine: Engine, kind: Type, name: str) -> Property | None:
    found = engine.properties(kind, name)
    return found[0] if found else None


def _built_in_member(engine: Engine, kind: Type, name: str) -> Property | None:
    if isinstance(kind, EnumMember):
        return _first(engine, Instance(kind.entity), name)
    if isinstance(kind, Literal | Template):
        return _first(engine, engine.lib(_BOXES[kind.base if isinstance(kind, Literal) else STRING]), name)
    if isinstance(kind, Primitive):
        return _first(engine, engine.lib(_BOXES[kind]), name) if kind in _BOXES else None
    if isinstance(kind, Tuple):
        if name.isdigit() and int(name) < len(kind.elements):
            return Property(name, None, -1, lambda: element_at(kind, int(name)))
        if name == "length":
            length = _first(engine, engine.lib("Array", ANY), name)
            return length.with_type(lambda: length_of(kind)) if length is not None else None
        return _first(engine, engine.lib("Array", engine.element_type(kind)), name)
    if isinstance(kind, FunctionType | Overloads | ConstructorType):
        return _exported_beside(engine, kind, name) or _first(engine, engine.lib("Function"), name)
    if isinstance(kind, Mapped):
        return _mapped(engine, kind, name)
    if isinstance(kind, Picked):
        found = _first(engine, kind.target, name) if kind.has(name) else None
        return found if found is not None and _is_listed(found) else None
    return _first(engine, kind.target, name) if isinstance(kind, Instantiated) else None


def _exported_beside(engine: Engine, kind: Type, name: str) -> Property | None:
    """Return `load.sync` in a file with `module.exports = load` and then `module.exports.sync = …`, or None."""
    if not isinstance(kind, FunctionType) or kind.unit.external or kind.env:
        return None
    whole = engine.binder.exported(kind.unit, "=")
    member = engine.binder.member_entity(whole, name) if isinstance(whole, Declared | Value) else None
    if whole is None or member is None or engine.entity_value(whole) != kind:
        return None
    return entity_property(engine, member, name)


def _mapped(engine: Engine, kind: Mapped, name: str) -> Property | None:
    renamed = engine.renamed_keys(kind) if is_renaming(kind) else None
    if renamed is not None:  # the compiler treats a renamed member as a new member
        key = renamed.get(name)
        return Property(name, None, -1, lambda: mapped_value(engine, kind, key)) if key is not None else None
    source = mapped_source(engine, kind)
    element = None if name.isdigit() else mapped_elements(engine, kind)
    if element is not None:
        return _first(engine, engine.lib("Array", element), name)
    if source is not None:
        original = _first(engine, source, name)
        if original is not None and not _is_listed(original):
            return None
        if original is not None:
            return Property(name, original.unit, original.symbol, lambda: mapped_member(engine, kind, name), original.outside)
    elif not name.startswith("[") and not _may_be_key(engine, kind, name):
        return None
    if engine.lacks(kind, name):  # another part of an intersection may have the member
        return None
    return Property(name, None, -1, lambda: mapped_member(engine, kind, name))


def _is_listed(found: Property) -> bool:
    """Return whether `keyof` lists a member: it lists no private and no protected one."""
    if found.unit is None or found.symbol < 0:
        return True
    modifiers = found.unit.symbols[found.symbol].modifiers
    return "private" not in modifiers and "protected" not in modifiers


def _may_be_key(engine: Engine, kind: Mapped, name: str) -> bool:
    """Return whether a mapped type may have a member of a name, by the type of the keys that the mapped type lists."""
    over = kind.unit.items(kind.unit.code[kind.index + 2])[0]
    keys = engine.declared_type(kind.unit, over, kind.env) if over >= 0 else UNRESOLVED
    # A member of an enum is a key by its value.
    return any(
        isinstance(key, EnumMember | Instance) or assignable(engine, Literal(STRING, name), key) is not False
        for key in parts_of(keys)
    )


def _call_signature_member(engine: Engine, kind: Type, name: str) -> Property | None:
    """Return a member of the runtime's `Function` for a callable type, else of `Object`."""
    if engine.signatures(kind, False):
        return _first(engine, engine.lib("Function"), name)
    return _object_member(engine, name)


def _object_member(engine: Engine, name: str) -> Property | None:
    kind = engine.lib("Object")
    return _declared_member(engine, kind, name) if isinstance(kind, Instance) else None


# -------------------------------------------------------------------- classes and interfaces


def _instance_member(engine: Engine, kind: Instance, name: str) -> Property | None:
    found = _declared_member(engine, kind, name)
    if found is not None:
        return found
    if engine.binder.is_enum(kind.entity):
        return _first(engine, engine.lib("Number"), name) or _first(engine, engine.lib("String"), name)
    if engine.signatures(kind, False):
        return _first(engine, engine.lib("Function"), name)
    bound = engine.constraint(kind) if engine.is_deferred_utility(kind) else UNRESOLVED
    return _first(engine, bound, name) if bound is not UNRESOLVED else _object_member(engine, name)


def _declared_member(engine: Engine, kind: Instance, name: str) -> Property | None:
    """Return a member of a class or interface, own or inherited."""
    inherited = inheritance(engine, kind.entity)
    place = inherited.places.get(name)
    if place is None and name not in inherited.places:
        place = inherited.places[name] = _place(engine, inherited, name)
    if place is not None:
        unit, shape, env = place
        found = _shape_member(engine, unit, shape, env, name, False, kind)
        merged = _merged(engine, inherited, place, name)
        return found.with_type(partial(_merged_overloads, engine, merged, name, kind)) if found is not None and merged else found
    for unit, shape, env in inherited.shapes:
        added = engine.added_member(unit, shape, name, False)
        if added is not None:
            return _closed(engine, added, close(engine, kind, env))
    guessed: Property | None = None
    for base in inherited.others:
        found = _first(engine, substitute(engine, base, argument_env(engine, kind)), name)
        if found is not None and (found.unit is not None or found.outside is None):
            return found
        guessed = guessed or found  # a member of a package without declarations is a guess
    for entity in inherited.functions:
        added = engine.added_prototype(entity, name)
        if added is not None:
            return added
    return guessed


def _closed(engine: Engine, found: Property, env: Env) -> Property:
    """Return a member with an env for the type parameters of its class."""
    return found.with_type(lambda: substitute(engine, found.type(), env)) if env else found


def _place(engine: Engine, inherited: Inheritance, name: str) -> tuple[Unit, int, Env] | None:
    """Return the nearest shape among a class and its bases that declares a name."""
    for unit, shape, env in inherited.shapes:
        if (name, False) in shape_table(engine, unit, shape):
            return unit, shape, env
    return None


def _merged(engine: Engine, inherited: Inheritance, place: tuple[Unit, int, Env], name: str) -> list[tuple[Unit, int, Env]]:
    """Return the declarations of the interface at `place` if several of them declare a method of a name, the last one first."""
    known = inherited.merged.get(name)
    if known is not None:
        return known
    found: list[tuple[Unit, int, Env]] = []
    if _declares_method(engine, place, name):
        for instance in (inherited.itself, *inherited.bases):
            shapes = list(instance_shapes(engine, instance))
            if any(unit is place[0] and shape == place[1] for unit, shape, _ in shapes):
                found = [each for each in reversed(shapes) if _declares_method(engine, each, name)]
                break
    known = inherited.merged[name] = found if len(found) > 1 else []
    return known


def _declares_method(engine: Engine, place: tuple[Unit, int, Env], name: str) -> bool:
    unit, shape, _ = place
    members = shape_table(engine, unit, shape).get((name, False), ()) if unit.shapes[shape].kind == ShapeKind.INTERFACE else ()
    return any(member.kind == MemberKind.METHOD for member in members)


def _merged_overloads(engine: Engine, places: list[tuple[Unit, int, Env]], name: str, receiver: Type) -> Type:
    """Return the type of a method with overloads in several declarations of its interface.

    Signatures with a literal type come first, as the section "Declaration Merging" of the TypeScript handbook says.
    """
    signatures: list[Type] = []
    for unit, shape, env in places:
        kind = _receiver_member(engine, unit, shape, shape_table(engine, unit, shape)[name, False], env, receiver)
        signatures += kind.signatures if isinstance(kind, Overloads) else [kind]
    return Overloads(sorted(signatures, key=_has_no_literal))


def _has_no_literal(signature: Type) -> bool:
    """Return whether no parameter of a signature has a literal as its type."""
    if not isinstance(signature, FunctionType):
        return True
    unit = signature.unit
    types = [entry.type for entry in unit.functions[signature.index].parameters]
    return all(node < 0 or unit.code[node] != Op.T_STRING for node in types)


def _shape_member(engine: Engine, unit: Unit, shape: int, env: Env, name: str, static: bool, receiver: Type) -> Property | None:
    """Return a member that a shape itself declares.

    The types in the env may contain type parameters of the receiver's entity.
    """
    members = shape_table(engine, unit, shape).get((name, static))
    if not members:
        return None
    chosen = members[0]
    for member in members:
        if member.function >= 0 and unit.functions[member.function].has_body:
            chosen = member
            break
    read = partial(_receiver_member, engine, unit, shape, members, env, receiver)
    return Property(name, unit, chosen.symbol, read, _outside(engine, unit, shape, name) if unit.external else None)


def _receiver_member(engine: Engine, unit: Unit, shape: int, members: list[Member], env: Env, receiver: Type) -> Type:
    return members_type(engine, unit, shape, members, _receiver_env(engine, unit, shape, env, receiver))


def _receiver_env(engine: Engine, unit: Unit, shape: int, env: Env, receiver: Type) -> Env:
    """Return the env of a shape in which `this` is the receiver, and the receiver's type arguments are applied.

    The env is remembered, so that all members of a type share one env.
    """
    key = (receiver, unit.index, shape)
    known = engine.receiver_envs.get(key)
    if known is None:
        before = engine.cut_off
        known = ClosedEnv({**close(engine, receiver, env), THIS: receiver})
        if engine.cut_off == before:
            engine.receiver_envs[key] = known
    return known


def _outside(engine: Engine, unit: Unit, shape: int, name: str) -> tuple[str, tuple[str, ...]]:
    interface = unit.shapes[shape].name
    if unit is engine.program.lib:
        return unit.external, engine.runtime_path(interface, name)
    return unit.external, (interface, name) if interface else (name,)


def members_type(engine: Engine, unit: Unit, shape: int, members: list[Member], env: Env) -> Type:
    """Return the type of a member from its declarations: of a property, an accessor, or the overloads of a method."""
    first = members[0]
    if first.kind == MemberKind.METHOD:
        return overloads(unit, [member.function for member in members], env)
    for member in members:
        if member.kind == MemberKind.GETTER:
            return substitute(engine, engine.declared_return(unit, member.function, env), env)
    if first.kind == MemberKind.SETTER:
        return engine.parameter_type(unit, first.function, 0, env)
    if first.type >= 0:
        return engine.declared_type(unit, first.type, env)
    if first.value >= 0:
        found = engine.type_of(unit, first.value)
        return substitute(engine, found if _keeps_literals(unit, shape, first) else widened(found), env)
    return engine.assigned_member_type(unit, shape, first.name, first.static)


def _keeps_literals(unit: Unit, shape: int, member: Member) -> bool:
    if unit.shapes[shape].kind == ShapeKind.OBJECT_LITERAL:
        node = unit.object_node(shape)
        return node is not None and unit.is_asserted_constant(node)
    return member.symbol >= 0 and "readonly" in unit.symbols[member.symbol].modifiers


def overloads(unit: Unit, functions: list[int], env: Env) -> Type:
    """Return a function's type with its signatures: the signatures without a body, or the only signature."""
    declared = [function for function in functions if not unit.functions[function].has_body] or functions
    signatures = tuple(FunctionType(unit, function, env) for function in declared)
    return signatures[0] if len(signatures) == 1 else Overloads(signatures)


def _class_member(engine: Engine, unit: Unit, shape: int, env: Env, name: str, static: bool, receiver: Type) -> Property | None:
    found = _own_member(engine, unit, shape, env, name, static, receiver)
    return found if found is not None else _inherited_member(engine, unit, shape, env, name, static)


def _own_member(engine: Engine, unit: Unit, shape: int, env: Env, name: str, static: bool, receiver: Type) -> Property | None:
    found = _shape_member(engine, unit, shape, env, name, static, receiver)
    if found is not None:
        return found
    added = engine.added_member(unit, shape, name, static)
    return _closed(engine, added, env) if added is not None else None


def _inherited_member(engine: Engine, unit: Unit, shape: int, env: Env, name: str, static: bool) -> Property | None:
    for base in _static_bases(engine, unit, shape) if static else bases(engine, unit, shape):
        found = _first(engine, substitute(engine, base, env), name)
        if found is not None:
            return found
    return None


def _static_bases(engine: Engine, unit: Unit, shape: int) -> list[Type]:
    # A mapped type has no value with static members.
    nodes = [node for node in unit.shapes[shape].extends if unit.code[node] != Op.T_MAPPED]
    return [engine.type_of(unit, unit.code[node + 1]) for node in nodes]


# -------------------------------------------------------------------- values with members


def _has_other_type(unit: Unit, decl: Decl) -> bool:
    """Return whether a variable has an annotation, or a value that is not an object, function or class.

    Assignments to members of such a variable do not add members.
    """
    if decl.kind != DeclKind.VARIABLE or (decl.a < 0 and decl.b < 0):
        return False
    return decl.a >= 0 or unit.code[decl.b] not in (Op.OBJECT, Op.FUNCTION, Op.CLASS)


def _static_member(engine: Engine, kind: Static, name: str) -> Property | None:
    """Return a static member of a class, a member of an enum or namespace, or a property added to a function."""
    nested = engine.binder.member_entity(kind.entity, name)
    if nested is not None:
        return entity_property(engine, nested, name)
    declarations = engine.binder.declarations(kind.entity)
    for unit, index in declarations:
        decl = unit.decls[index]
        if decl.kind == DeclKind.CLASS:
            if name == "prototype":  # not the prototype of the base
                return _prototype(engine, kind)
            found = _own_member(engine, unit, decl.a, EMPTY, name, True, kind) or engine.added_static(kind.entity, name)
            found = found or _inherited_member(engine, unit, decl.a, EMPTY, name, True)
            if found is not None:
                return found
        elif decl.kind == DeclKind.ENUM:
            for member in shape_table(engine, unit, decl.a).get((name, True), ()):
                return Property(name, unit, member.symbol, lambda: EnumMember(kind.entity, name))
    if name == "prototype":
        return _prototype(engine, kind)
    for unit, index in declarations:
        if _has_other_type(unit, unit.decls[index]):
            found = _first(engine, engine.plain_type(unit, index), name)
            if found is not None:
                return found
    added = engine.added_static(kind.entity, name)
    if added is not None:
        return added
    for unit, index in declarations:
        if unit.decls[index].kind == DeclKind.VARIABLE:
            return _first(engine, engine.plain_type(unit, index), name)
    return _first(engine, engine.lib("Function"), name)


def _prototype(engine: Engine, kind: Static) -> Property:
    def read() -> Type:
        found = engine.instance_of(kind)
        return Instance(kind.entity) if found is UNRESOLVED else found  # an object of a plain constructor function

    return Property("prototype", None, -1, read)


def _module_member(engine: Engine, entity: Entity, name: str) -> Property | None:
    target = engine.binder.member_entity(entity, name)
    return entity_property(engine, target, name) if target is not None else None


def entity_property(engine: Engine, entity: Entity, name: str) -> Property:
    """Return an entity as a member of a module or namespace."""
    if isinstance(entity, Outside):
        return Property(name, None, -1, lambda: engine.entity_value(entity), (entity.package, entity.path))
    if isinstance(entity, Module | AmbientModule | Globals | LoadedFiles):
        return Property(name, None, -1, lambda: ModuleType(entity))
    if isinstance(entity, Value):
        return Property(name, entity.unit, entity.symbol, lambda: engine.entity_value(entity))
    unit, symbol = engine.binder.symbol(entity)
    outside = (unit.external, (name,)) if unit.external else None
    return Property(name, unit, symbol, lambda: engine.type_of_binding(entity.unit, entity.binding), outside)


def _literal_members(engine: Engine, kind: ObjectLiteral, name: str) -> Sequence[Property]:
    """Return a member of an object literal: the last that is written, of its own or in a spread.

    An optional member of a spread does not replace what is written before it, so that both are returned:
    `{ retries: 3, ...options }.retries`.
    """
    unit, node = kind.unit, kind.index
    shape = unit.code[node + 1]
    own = _shape_member(engine, unit, shape, kind.env, name, False, kind)
    position = max([member.position for member in shape_table(engine, unit, shape).get((name, False), ())], default=-1)
    optional: list[Property] = []
    for spread in reversed(unit.items(unit.code[node + 2])):
        if own is not None and unit.code[spread + 4] < position:
            break
        value = substitute(engine, engine.type_of(unit, unit.code[spread + 1]), kind.env)
        found = _first(engine, value, name)
        if found is None:
            continue
        if not engine.is_optional(non_nullish(value), name) and value == non_nullish(value):
            return (*optional, found)
        optional.append(found)
    if own is not None:
        return (own, *[found.with_type(partial(_present, found)) for found in optional])
    one = optional[0] if optional else engine.added_to_literal(unit, node, name) or _object_member(engine, name)
    return (one,) if one is not None else ()


def _present(found: Property) -> Type:
    """Return the type of an optional member where it is given."""
    return non_nullish(found.type())


# -------------------------------------------------------------------- types of members and of indexing


def member_type(engine: Engine, kind: Type, name: str) -> Type:
    """Return the type of a member; if no member has the name, the type of the index signature."""
    if isinstance(kind, Union):
        return union(member_type(engine, part, name) for part in kind.parts if not part.nullish)
    found = engine.properties(kind, name)
    if isinstance(kind, Intersection) and len(found) == 1:
        return _in_all_parts(engine, kind, found[0], name)
    if found:
        return found[0].type() if len(found) == 1 else union(entry.type() for entry in found)
    return index_type(engine, kind, NUMBER if name.isdigit() else STRING)


def _in_all_parts(engine: Engine, kind: Intersection, first: Property, name: str) -> Type:
    """Return the type of a member of an intersection.

    If several parts declare the member as an object, the type is the intersection of these objects.
    """
    if first.unit is None or first.unit.external:
        return first.type()
    parts = [engine.property_type(part, name) for part in kind.parts if engine.properties(part, name)]
    objects = [non_nullish(part) for part in parts]
    if len(objects) < 2 or not all(isinstance(part, ObjectShape) for part in objects):
        return first.type()
    merged = intersection(objects)
    return union((merged, UNDEFINED)) if all(any(inner.nullish for inner in parts_of(part)) for part in parts) else merged


def index_type(engine: Engine, kind: Type, key: Type) -> Type:
    """Return the type of `value[key]` for a key whose text is not known."""
    if isinstance(kind, Union):
        return union(index_type(engine, part, key) for part in kind.parts if not part.nullish)
    if isinstance(kind, Indexed | TypeParameter):
        if not engine.enter():  # `T extends T["a"]`: each constraint has another one
            return UNRESOLVED
        of_bound = index_type(engine, engine.constraint(kind), key)
        engine.leave()
        return of_bound
    if isinstance(kind, Intersection):
        return intersection(index_type(engine, part, key) for part in kind.parts)
    if isinstance(kind, Tuple) or engine.is_lib(kind, "Array", "ReadonlyArray"):
        is_index = _is_number(engine, key) or key is STRING  # `for (const key in array)` gives strings
        return engine.element_type(kind) if is_index else UNRESOLVED
    if isinstance(kind, Mapped):
        return mapped_value(engine, kind, key)
    for unit, shape, env in shapes_of(engine, kind):
        table = shape_table(engine, unit, shape)
        for member in (*table.get(("[string]", False), ()), *table.get(("[number]", False), ())):
            return engine.declared_type(unit, member.type, close(engine, kind, env))
        for member in table.get(("[]", False), ()):
            if _is_key(engine, key, engine.declared_type(unit, member.value, env)):
                return engine.declared_type(unit, member.type, close(engine, kind, env))
    if isinstance(key, KeyOf) and isinstance(kind, ObjectLiteral | ObjectShape):
        return union(engine.property_type(kind, name) for name in (engine.member_names(kind) or [])[:_MAX_KEYS])
    return UNRESOLVED


def _is_key(engine: Engine, key: Type, keys: Type) -> bool:
    """Return whether an index signature accepts a key."""
    if keys.opaque or STRING in parts_of(keys):
        return True
    if isinstance(key, Literal) or key is STRING:
        return any(assignable(engine, key, part) is True for part in parts_of(keys))
    return _is_number(engine, key)


def _is_number(engine: Engine, key: Type) -> bool:
    """Return whether a key is a number, a member of an enum, a branded number (`number & { … }`), or unresolved."""
    if isinstance(key, Intersection):
        return any(_is_number(engine, part) for part in key.parts)
    if isinstance(key, Instance):
        return engine.binder.is_enum(key.entity)
    return widened(key) is NUMBER or key is UNRESOLVED or isinstance(key, EnumMember)
