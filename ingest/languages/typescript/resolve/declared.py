"""Types in the source: annotations, aliases and heritage clauses.

For example, the type node of `Map<string, User[]>` becomes `Instance(Map, (STRING, Instance(Array,
(Instance(User),))))`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ....facts.model import DeclKind
from ....facts.operations import Op, ThisKind
from .expando_members import computed_name
from .model.binder import AmbientModule, Declared, Entity, Globals, LoadedFiles, Module, Outside, Value
from .model.template_literals import template_type
from .model.type_model import (
    ANY,
    BOOLEAN,
    EMPTY,
    IN_PROGRESS,
    NUMBER,
    PRIMITIVES,
    STRING,
    SYMBOL,
    THIS,
    UNRESOLVED,
    ClassExpression,
    Conditional,
    ConstructorType,
    EnumMember,
    Env,
    External,
    FunctionType,
    Indexed,
    Instance,
    Instantiated,
    Literal,
    Mapped,
    ModuleType,
    ObjectShape,
    Overloads,
    ShapeInstance,
    Static,
    Tuple,
    Type,
    TypeParameter,
    union,
)
from .reduction import conditional_type, indexed_type, key_type, mapped_elements, mapped_type
from .tuples import read_tuple
from .utility_types import UTILITIES, utility_type

if TYPE_CHECKING:
    from .engine import Engine
    from .model.unit import Unit


def read_closed_type(engine: Engine, unit: Unit, node: int) -> Type:
    """Read a type in which type parameters stay symbolic."""
    return read_type(engine, unit, node, EMPTY)


def read_type(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    """Return the type that a type node denotes, with an env for the type parameters in scope."""
    reader = _READERS.get(unit.code[node])
    return reader(engine, unit, node, env) if reader is not None else UNRESOLVED


def _plain_name(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    return _name(engine, unit, node, (), env)


def _reference(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    arguments = [engine.declared_type(unit, item, env) for item in unit.items(unit.code[node + 2])]
    return _name(engine, unit, unit.code[node + 1], arguments, env)


def _primitive(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    return PRIMITIVES.get(unit.strings[unit.code[node + 2]], UNRESOLVED)


def _union(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    return union([engine.declared_type(unit, item, env) for item in unit.items(unit.code[node + 1])])


def _intersection(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    return engine.intersected([engine.declared_type(unit, item, env) for item in unit.items(unit.code[node + 1])])


def _array(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    return engine.lib("Array", engine.declared_type(unit, unit.code[node + 1], env))


def _function(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    return FunctionType(unit, unit.code[node + 1], env)


def _constructor(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    return ConstructorType(unit, unit.code[node + 1], env)


def _object(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    return ObjectShape(unit, unit.code[node + 1], env)


def _string(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    return Literal(STRING, unit.strings[unit.code[node + 2]])


def _number(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    return Literal(NUMBER, unit.strings[unit.code[node + 2]])


def _boolean(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    return Literal(BOOLEAN, "true" if unit.code[node + 1] else "false")


def _keys(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    return key_type(engine, engine.declared_type(unit, unit.code[node + 1], env))


def _indexed(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    target, key = unit.code[node + 1], unit.code[node + 2]
    index = engine.declared_type(unit, key, env)
    if index is SYMBOL and unit.code[key] == Op.T_QUERY:  # `T[typeof kind]`, for a member `[kind]`
        index = Literal(STRING, computed_name(unit, unit.code[key + 1]))
    return indexed_type(engine, engine.declared_type(unit, target, env), index)


def _conditional(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    return conditional_type(engine, Conditional(unit, node, env))


def _mapped(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    return mapped_type(engine, Mapped(unit, node, env))


def _predicate(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    return BOOLEAN


def _infer(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    decl = unit.code[node + 1]
    return env.get((unit.index, decl)) or TypeParameter(unit, decl)


def _template(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    texts = [unit.strings[index] for index in unit.items(unit.code[node + 2])]
    return template_type(texts, [engine.declared_type(unit, item, env) for item in unit.items(unit.code[node + 1])])


def _same(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    return engine.declared_type(unit, unit.code[node + 1], env)


def _rest(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    return element_type(engine, engine.declared_type(unit, unit.code[node + 1], env))


def _module(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    return _module_type(engine, unit, unit.code[node + 1])


def _module_type(engine: Engine, unit: Unit, index: int) -> Type:
    """Return the type of `import("x")`: the value of `module.exports` or `export =`, else the module itself."""
    whole = engine.binder.imported(unit, index, "=")
    if isinstance(whole, Declared | Value):
        return entity_type(engine, whole, ())
    entity = engine.binder.imported(unit, index, "*")
    return ModuleType(entity) if entity is not None else UNRESOLVED


def element_type(engine: Engine, kind: Type) -> Type:
    """Return the element type of an array or tuple."""
    if isinstance(kind, Tuple):
        return union([*kind.elements, *((kind.rest,) if kind.rest is not None else ())])
    if engine.is_lib(kind, "Array", "ReadonlyArray") and isinstance(kind, Instance) and kind.arguments:
        return kind.arguments[0]
    if isinstance(kind, Indexed):
        if not engine.enter():  # `T extends T["a"]`: each constraint has another one
            return UNRESOLVED
        of_bound = element_type(engine, engine.constraint(kind))
        engine.leave()
        return of_bound
    element = mapped_elements(engine, kind) if isinstance(kind, Mapped) else None
    return UNRESOLVED if element is None else element


def _this(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    bound = env.get(THIS)
    if bound is not None:
        return bound
    if unit.code[node + 1] in (ThisKind.INSTANCE, ThisKind.STATIC) and unit.code[node + 2] >= 0:
        return shape_instance(engine, unit, unit.code[node + 2])
    return UNRESOLVED


def shape_instance(engine: Engine, unit: Unit, shape: int) -> Type:
    """Return the instance type of a class or interface, with symbolic type parameters, as the body of the class sees it."""
    fact = unit.shapes[shape]
    decl = unit.decls[fact.decl] if fact.decl >= 0 else None
    if decl is not None and decl.name:
        binding = unit.binding_of(fact.decl)
        if binding is not None and not engine.is_in_generic(unit, shape):
            return Instance(Declared(unit, binding), tuple(TypeParameter(unit, parameter) for parameter in fact.type_parameters))
    return ShapeInstance(unit, shape, EMPTY)


def _query(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    """Return the type of `typeof value`."""
    value = unit.code[node + 1]
    if unit.code[value] == Op.T_IMPORT:
        whole = engine.binder.imported(unit, unit.code[value + 1], "=")
        return engine.entity_value(whole) if whole is not None else UNRESOLVED
    return instantiated_value(engine, unit, engine.type_of(unit, value), unit.code[node + 2], env)


def instantiated_value(engine: Engine, unit: Unit, value: Type, arguments: int, env: Env) -> Type:
    """Return the type of a value with a list of written type arguments: `Box<Item>`, `typeof parse<Item>`."""
    if arguments < 0 or not isinstance(value, Static | FunctionType | Overloads | ClassExpression | ObjectShape):
        return value
    given = [engine.declared_type(unit, item, env) for item in unit.items(arguments)]
    return Instantiated(value, given) if given else value


def _name(engine: Engine, unit: Unit, node: int, arguments: Sequence[Type], env: Env) -> Type:
    code = unit.code
    if code[node] == Op.T_NAME and code[node + 1] >= 0:
        for index in unit.bindings[code[node + 1]].decls:
            if unit.decls[index].kind == DeclKind.TYPE_PARAMETER:
                return env.get((unit.index, index)) or TypeParameter(unit, index)
    entity = engine.binder.named(unit, node)
    if entity is None and code[node] == Op.T_QUALIFIED:
        return _member_type(engine, unit, node)
    if entity is None:
        return UNRESOLVED
    found = entity_type(engine, entity, tuple(arguments))
    if isinstance(entity, Declared) and unit.facts.language in ("javascript", "jsx") and _denotes_value(engine, entity, found):
        return engine.entity_value(entity)
    return found


def _denotes_value(engine: Engine, entity: Declared, found: Type) -> bool:
    """Return whether a name in a JSDoc type denotes the type of the value that it names, as if `typeof` was before it.

    The compiler reads `@type {import("./server.js").render}` in this way. A name that denotes a type, or a constructor function,
    denotes `found`.
    """
    kinds = {entity.unit.decls[index].kind for index in entity.facts.decls}
    if kinds == {DeclKind.FUNCTION}:
        return not engine.makes_objects(entity)
    return kinds == {DeclKind.VARIABLE} and found is UNRESOLVED


def _member_type(engine: Engine, unit: Unit, node: int) -> Type:
    """Return the type of `Color.Red`, or of `shapes.Shape` if `shapes` is a CommonJS export of an object with classes."""
    left = engine.binder.named(unit, unit.code[node + 1])
    if isinstance(left, Value):
        exported = engine.entity_value(left)
        return instance_of(engine, engine.property_type(exported, unit.strings[unit.code[node + 2]]))
    if isinstance(left, Declared) and engine.binder.is_enum(left):
        return EnumMember(left, unit.strings[unit.code[node + 2]])
    return UNRESOLVED


def entity_type(engine: Engine, entity: Entity, arguments: tuple[Type, ...]) -> Type:
    """Return the type that the name of an entity denotes in a type."""
    if isinstance(entity, Outside):
        installed = engine.binder.installed(entity)
        known = entity_type(engine, installed, arguments) if installed is not None else UNRESOLVED
        return External(entity.package, entity.path) if known.opaque else known
    if isinstance(entity, Value):
        return _value_type(engine, entity)
    if isinstance(entity, Module | AmbientModule | Globals | LoadedFiles):
        return UNRESOLVED
    name = entity.facts.name
    if entity.unit is engine.program.lib and name in UTILITIES:
        return utility_type(engine, name, arguments)
    declarations = engine.binder.declarations(entity)
    for unit, index in declarations:
        decl = unit.decls[index]
        if decl.kind in (DeclKind.CLASS, DeclKind.INTERFACE):
            if decl.kind == DeclKind.CLASS and engine.is_in_generic(unit, decl.a):
                return ShapeInstance(unit, decl.a, EMPTY)
            parameters = unit.shapes[decl.a].type_parameters
            return Instance(entity, fill_arguments(engine, unit, parameters, arguments))
        if decl.kind == DeclKind.ENUM:
            return Instance(entity)
        if decl.kind == DeclKind.ENUM_MEMBER:
            return enum_of(engine, unit, decl.a)
        if decl.kind == DeclKind.ALIAS:
            return _alias(engine, entity, unit, index, arguments)
    for unit, index in declarations:  # a class in a variable
        decl = unit.decls[index]
        if decl.kind == DeclKind.VARIABLE and decl.b >= 0:
            # An annotation takes precedence over the value, because other code sees only the annotated type.
            return instance_of(engine, engine.plain_type(unit, index) if decl.a >= 0 else engine.type_of(unit, decl.b))
        if decl.kind == DeclKind.FUNCTION:  # a constructor function
            return Instance(entity)
    return UNRESOLVED


def enum_of(engine: Engine, unit: Unit, shape: int) -> Type:
    """Return the type of an enum from the shape of one of its declarations."""
    binding = unit.binding_of(unit.shapes[shape].decl)
    return Instance(Declared(unit, binding)) if binding is not None else UNRESOLVED


def _value_type(engine: Engine, entity: Value) -> Type:
    return instance_of(engine, engine.entity_value(entity))


def instance_of(engine: Engine, kind: Type) -> Type:
    """Return the type of `new` for a class value, whose own type parameters stay symbolic; unresolved for other values."""
    if isinstance(kind, ClassExpression):
        return ShapeInstance(kind.unit, kind.index, kind.env) if kind.env else shape_instance(engine, kind.unit, kind.index)
    if isinstance(kind, Static):
        for unit, index in engine.binder.declarations(kind.entity):
            if unit.decls[index].kind == DeclKind.CLASS:
                parameters = unit.shapes[unit.decls[index].a].type_parameters
                return Instance(kind.entity, tuple(TypeParameter(unit, parameter) for parameter in parameters))
    if isinstance(kind, External):
        return kind
    return UNRESOLVED


def fill_arguments(engine: Engine, unit: Unit, parameters: Sequence[int], given: tuple[Type, ...]) -> tuple[Type, ...]:
    """Complete type arguments by the defaults of the parameters; a parameter without a default is `any`."""
    if len(given) >= len(parameters):
        return given[: len(parameters)]
    filled = list(given)
    env = {(unit.index, parameter): argument for parameter, argument in zip(parameters, given, strict=False)}
    for parameter in parameters[len(given) :]:
        default = unit.decls[parameter].b
        value = engine.declared_type(unit, default, env) if default >= 0 else ANY
        env[(unit.index, parameter)] = value
        filled.append(value)
    return tuple(filled)


def _alias(engine: Engine, entity: Declared, unit: Unit, index: int, arguments: tuple[Type, ...]) -> Type:
    decl = unit.decls[index]
    parameters = list(unit.items(decl.b))
    if not parameters:
        return engine.declared_type(unit, decl.a)
    filled = fill_arguments(engine, unit, parameters, arguments)
    key = (entity, filled)
    known = engine.alias_types.get(key)
    if known is IN_PROGRESS:  # a recursive alias stops here
        engine.cut_off += 1
        return UNRESOLVED
    if known is None:
        engine.alias_types[key] = IN_PROGRESS
        env = {(unit.index, parameter): argument for parameter, argument in zip(parameters, filled, strict=True)}
        known = engine.alias_types[key] = engine.declared_type(unit, decl.a, env)
    return known


_READERS: dict[int, Callable[[Engine, Unit, int, Env], Type]] = {
    Op.T_NAME: _plain_name,
    Op.T_QUALIFIED: _plain_name,
    Op.T_REFERENCE: _reference,
    Op.T_QUERY: _query,
    Op.T_UNION: _union,
    Op.T_INTERSECTION: _intersection,
    Op.T_ARRAY: _array,
    Op.T_TUPLE: read_tuple,
    Op.T_FUNCTION: _function,
    Op.T_CONSTRUCTOR: _constructor,
    Op.T_OBJECT: _object,
    Op.T_STRING: _string,
    Op.T_NUMBER: _number,
    Op.T_BOOLEAN: _boolean,
    Op.T_PRIMITIVE: _primitive,
    Op.T_KEYOF: _keys,
    Op.T_INDEXED: _indexed,
    Op.T_CONDITIONAL: _conditional,
    Op.T_MAPPED: _mapped,
    Op.T_IMPORT: _module,
    Op.T_PREDICATE: _predicate,
    Op.T_INFER: _infer,
    Op.T_THIS: _this,
    Op.T_TEMPLATE: _template,
    Op.T_OPTIONAL: _same,
    Op.T_READONLY: _same,
    Op.T_REST: _rest,
}
