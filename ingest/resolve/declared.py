"""Types that are written down: annotations, aliases, heritage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..facts import DeclKind, Op, ThisKind
from .entities import AmbientModule, Declared, Entity, Module, Outside, Value
from .reduction import conditional_type, indexed_type, key_type, mapped_type
from .type_model import (
    ANY,
    BOOLEAN,
    EMPTY,
    NUMBER,
    PRIMITIVES,
    STRING,
    THIS,
    UNRESOLVED,
    ClassExpression,
    Conditional,
    ConstructorType,
    EnumMember,
    Env,
    External,
    FunctionType,
    Instance,
    Literal,
    Mapped,
    ModuleType,
    ObjectShape,
    ShapeInstance,
    Static,
    Tuple,
    Type,
    TypeParameter,
    intersection,
    union,
)
from .utility import UTILITIES, utility_type

if TYPE_CHECKING:
    from .engine import Engine
    from .program import Unit


def read_closed_type(engine: Engine, unit: Unit, node: int) -> Type:
    """`read_type` with nothing put in for type parameters."""
    return read_type(engine, unit, node, EMPTY)


def read_type(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    """The type a type node stands for, with an env for the type parameters in scope."""
    code = unit.code
    op, a = code[node], code[node + 1]
    if op == Op.T_NAME:
        return _name(engine, unit, node, (), env)
    if op == Op.T_REFERENCE:
        arguments = [engine.declared_type(unit, item, env) for item in unit.items(code[node + 2])]
        return _name(engine, unit, a, arguments, env)
    if op == Op.T_PRIMITIVE:
        return PRIMITIVES.get(unit.strings[code[node + 2]], UNRESOLVED)
    if op == Op.T_UNION:
        return union(engine.declared_type(unit, item, env) for item in unit.items(a))
    if op == Op.T_INTERSECTION:
        return intersection(engine.declared_type(unit, item, env) for item in unit.items(a))
    if op == Op.T_ARRAY:
        return engine.lib("Array", engine.declared_type(unit, a, env))
    if op == Op.T_FUNCTION:
        return FunctionType(unit, a, env)
    if op == Op.T_OBJECT:
        return ObjectShape(unit, a, env)
    if op == Op.T_STRING:
        return Literal(STRING, unit.strings[code[node + 2]])
    if op == Op.T_NUMBER:
        return Literal(NUMBER, unit.strings[code[node + 2]])
    if op == Op.T_BOOLEAN:
        return Literal(BOOLEAN, "true" if a else "false")
    return _rarer_type(engine, unit, node, env)


def _rarer_type(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    code = unit.code
    op, a = code[node], code[node + 1]
    if op == Op.T_QUALIFIED:
        return _name(engine, unit, node, (), env)
    if op == Op.T_QUERY:
        return _query(engine, unit, a)
    if op == Op.T_TUPLE:
        return _tuple(engine, unit, a, env)
    if op == Op.T_CONSTRUCTOR:
        return ConstructorType(unit, a, env)
    if op == Op.T_KEYOF:
        return key_type(engine, engine.declared_type(unit, a, env))
    if op == Op.T_INDEXED:
        target, index = engine.declared_type(unit, a, env), engine.declared_type(unit, code[node + 2], env)
        return indexed_type(engine, target, index)
    if op == Op.T_CONDITIONAL:
        return conditional_type(engine, Conditional(unit, node, env))
    if op == Op.T_MAPPED:
        return mapped_type(engine, Mapped(unit, node, env))
    if op == Op.T_PREDICATE:
        return BOOLEAN
    if op == Op.T_INFER:
        return env.get((unit.index, a)) or TypeParameter(unit, a)
    if op == Op.T_THIS:
        return _this(engine, unit, node, env)
    if op == Op.T_TEMPLATE:
        return STRING
    if op in (Op.T_OPTIONAL, Op.T_READONLY):
        return engine.declared_type(unit, a, env)
    if op == Op.T_REST:
        return element_type(engine, engine.declared_type(unit, a, env))
    if op == Op.T_IMPORT:
        return _module_type(engine, unit, a)
    return UNRESOLVED


def _module_type(engine: Engine, unit: Unit, index: int) -> Type:
    """`import("x")`: the type that `module.exports` or `export =` names there, else the module itself."""
    whole = engine.linker.imported(unit, index, "=")
    if isinstance(whole, Declared | Value):
        return entity_type(engine, whole, ())
    entity = engine.linker.imported(unit, index, "*")
    return ModuleType(entity) if entity is not None else UNRESOLVED


def element_type(engine: Engine, kind: Type) -> Type:
    """Element of an array or tuple."""
    if isinstance(kind, Tuple):
        return union([*kind.elements, *((kind.rest,) if kind.rest is not None else ())])
    if engine.is_lib(kind, "Array", "ReadonlyArray") and isinstance(kind, Instance) and kind.arguments:
        return kind.arguments[0]
    return UNRESOLVED


def _this(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    bound = env.get(THIS)
    if bound is not None:
        return bound
    if unit.code[node + 1] in (ThisKind.INSTANCE, ThisKind.STATIC) and unit.code[node + 2] >= 0:
        return shape_instance(engine, unit, unit.code[node + 2])
    return UNRESOLVED


def shape_instance(engine: Engine, unit: Unit, shape: int) -> Type:
    """The instance type inside a class or interface: its type parameters stand for themselves."""
    fact = unit.shapes[shape]
    decl = unit.decls[fact.decl] if fact.decl >= 0 else None
    if decl is not None and decl.name:
        for binding in _bindings_of(engine, unit, fact.decl):
            return Instance(Declared(unit, binding), tuple(TypeParameter(unit, parameter) for parameter in fact.type_parameters))
    return ShapeInstance(unit, shape)


def _bindings_of(engine: Engine, unit: Unit, decl: int) -> Sequence[int]:
    """The binding that a declaration belongs to, if it was declared under its name."""
    index = engine.binding_index(unit)
    binding = index.get(decl)
    return () if binding is None else (binding,)


def _tuple(engine: Engine, unit: Unit, items: int, env: Env) -> Type:
    elements: list[Type] = []
    rest: list[Type] = []
    for item in unit.items(items):
        if unit.code[item] == Op.T_REST:
            inner = engine.declared_type(unit, unit.code[item + 1], env)
            if isinstance(inner, Tuple) and not rest:
                elements += inner.elements
                rest += [inner.rest] if inner.rest is not None else []
            else:
                rest.append(element_type(engine, inner))
        elif rest:
            rest.append(engine.declared_type(unit, item, env))
        else:
            elements.append(engine.declared_type(unit, item, env))
    return Tuple(tuple(elements), union(rest) if rest else None)


def _query(engine: Engine, unit: Unit, value: int) -> Type:
    """`typeof value`."""
    if unit.code[value] == Op.T_IMPORT:
        entity = engine.linker.imported(unit, unit.code[value + 1], "*")
        return ModuleType(entity) if entity is not None else UNRESOLVED
    return engine.type_of(unit, value)


def _name(engine: Engine, unit: Unit, node: int, arguments: Sequence[Type], env: Env) -> Type:
    code = unit.code
    if code[node] == Op.T_NAME and code[node + 1] >= 0:
        for index in unit.bindings[code[node + 1]].decls:
            if unit.decls[index].kind == DeclKind.TYPE_PARAMETER:
                return env.get((unit.index, index)) or TypeParameter(unit, index)
    entity = engine.linker.named(unit, node)
    if entity is None and code[node] == Op.T_QUALIFIED:
        return _member_type(engine, unit, node)
    if entity is None:
        return UNRESOLVED
    return entity_type(engine, entity, tuple(arguments))


def _member_type(engine: Engine, unit: Unit, node: int) -> Type:
    """`Color.Red` as a type; `shapes.Shape` where `shapes` is an object of classes that a CommonJS module exports."""
    left = engine.linker.named(unit, unit.code[node + 1])
    if isinstance(left, Value):
        exported = engine.type_of(left.unit, left.node)
        return instance_of(engine, engine.property_type(exported, unit.strings[unit.code[node + 2]]))
    if isinstance(left, Declared) and any(u.decls[d].kind == DeclKind.ENUM for u, d in engine.linker.declarations(left)):
        return EnumMember(left, unit.strings[unit.code[node + 2]])
    return UNRESOLVED


def entity_type(engine: Engine, entity: Entity, arguments: tuple[Type, ...]) -> Type:
    """The type that an entity's name stands for in type position."""
    if isinstance(entity, Outside):
        return External(entity.package, entity.path)
    if isinstance(entity, Value):
        return _value_type(engine, entity)
    if isinstance(entity, Module | AmbientModule):
        return UNRESOLVED
    name = entity.facts.name
    if entity.unit is engine.program.lib and name in UTILITIES:
        return utility_type(engine, name, arguments)
    declarations = engine.linker.declarations(entity)
    for unit, index in declarations:
        decl = unit.decls[index]
        if decl.kind in (DeclKind.CLASS, DeclKind.INTERFACE):
            parameters = unit.shapes[decl.a].type_parameters
            return Instance(entity, fill_arguments(engine, unit, parameters, arguments))
        if decl.kind == DeclKind.ENUM:
            return Instance(entity)
        if decl.kind == DeclKind.ENUM_MEMBER:
            return enum_of(engine, unit, decl.a)
        if decl.kind == DeclKind.ALIAS:
            return _alias(engine, entity, unit, index, arguments)
    for unit, index in declarations:  # a class held by a variable
        decl = unit.decls[index]
        if decl.kind == DeclKind.VARIABLE and decl.b >= 0:
            return instance_of(engine, engine.type_of(unit, decl.b))
        if decl.kind == DeclKind.FUNCTION:  # a constructor function
            return Instance(entity)
    return UNRESOLVED


def enum_of(engine: Engine, unit: Unit, shape: int) -> Type:
    """The type of an enum, from the shape that one of its declarations has."""
    bindings = _bindings_of(engine, unit, unit.shapes[shape].decl)
    return Instance(Declared(unit, bindings[0])) if bindings else UNRESOLVED


def _value_type(engine: Engine, entity: Value) -> Type:
    return instance_of(engine, engine.type_of(entity.unit, entity.node))


def instance_of(engine: Engine, kind: Type) -> Type:
    """What `new` gives for a class value, its own type parameters left symbolic; unresolved for other values."""
    if isinstance(kind, ClassExpression):
        return shape_instance(engine, kind.unit, kind.shape)
    if isinstance(kind, Static):
        for unit, index in engine.linker.declarations(kind.entity):
            if unit.decls[index].kind == DeclKind.CLASS:
                parameters = unit.shapes[unit.decls[index].a].type_parameters
                return Instance(kind.entity, tuple(TypeParameter(unit, parameter) for parameter in parameters))
    if isinstance(kind, External):
        return kind
    return UNRESOLVED


def fill_arguments(engine: Engine, unit: Unit, parameters: Sequence[int], given: tuple[Type, ...]) -> tuple[Type, ...]:
    """Type arguments, completed by the parameters' defaults; without either a parameter is unresolved."""
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
    if known is None:
        engine.alias_types[key] = UNRESOLVED  # a recursive alias stops here
        env = {(unit.index, parameter): argument for parameter, argument in zip(parameters, filled, strict=True)}
        known = engine.alias_types[key] = engine.declared_type(unit, decl.a, env)
    return known
