"""The signatures of a callee, and the type of a call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....facts.model import DeclKind, Function
from ....facts.operations import Op, ThisKind
from .base_types import argument_env, close, inheritance, shapes_of
from .members import shape_table
from .model.properties import Signature
from .model.type_model import (
    ANY,
    EMPTY,
    THIS,
    UNDEFINED,
    UNKNOWN,
    UNRESOLVED,
    VOID,
    ClassExpression,
    ConstructorType,
    Env,
    External,
    FunctionType,
    Instance,
    Instantiated,
    Intersection,
    ObjectShape,
    Overloads,
    ShapeInstance,
    Static,
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
from .object_literals import without_duplicate_literals
from .overload_choice import choose
from .reduction import substitute
from .tuples import element_at
from .type_arguments import inferred_env, instantiated, is_super, receiver_type
from .utility_types import awaited

if TYPE_CHECKING:
    from .engine import Engine
    from .model.unit import Unit

#: Maximum number of returned expressions that are read to infer a result.
_MAX_RETURNS = 12


def signatures(engine: Engine, kind: Type, construct: bool) -> Sequence[Signature]:
    """Return the signatures for calling a value, or for constructing it, in order."""
    if isinstance(kind, FunctionType):
        return [Signature(kind.unit, kind.index, kind.env)] if not construct else []
    if isinstance(kind, ConstructorType):
        return [Signature(kind.unit, kind.index, kind.env)] if construct else []
    if isinstance(kind, Overloads):
        return [found for part in kind.signatures for found in signatures(engine, part, construct)]
    if isinstance(kind, Static):
        return _static_signatures(engine, kind, construct)
    if isinstance(kind, Instantiated):
        return [instantiated(engine, found, kind.arguments) for found in engine.signatures(kind.target, construct)]
    if isinstance(kind, ClassExpression):
        instance = ShapeInstance(kind.unit, kind.index, kind.env)
        return _class_signatures(engine, kind.unit, kind.index, kind.env, instance) if construct else []
    if isinstance(kind, ObjectShape | Instance):
        key = ("new ()" if construct else "()", False)
        own = [
            Signature(unit, member.function, close(engine, kind, env))
            for unit, shape, env in shapes_of(engine, kind)
            for member in shape_table(engine, unit, shape).get(key, ())
        ]
        return own + _from_function_types(engine, kind, construct) if isinstance(kind, Instance) else own
    if isinstance(kind, Union | Intersection):
        return [found for part in kind.parts for found in engine.signatures(part, construct)]
    bound = engine.constraint(kind)
    return engine.signatures(bound, construct) if bound is not UNRESOLVED else []


def _from_function_types(engine: Engine, kind: Instance, construct: bool) -> list[Signature]:
    """Return the signatures that an interface inherits by extending a function type."""
    others = inheritance(engine, kind.entity).others
    if not others:
        return []
    env = argument_env(engine, kind)
    bases = (substitute(engine, base, env) for base in others if isinstance(base, FunctionType | ConstructorType | Overloads))
    return [found for base in bases for found in engine.signatures(base, construct)]


def _static_signatures(engine: Engine, kind: Static, construct: bool) -> Sequence[Signature]:
    functions: list[tuple[Unit, int]] = []
    for unit, index in engine.binder.declarations(kind.entity):
        decl = unit.decls[index]
        if decl.kind == DeclKind.CLASS and construct:
            parameters = unit.shapes[decl.a].type_parameters
            instance = Instance(kind.entity, tuple(TypeParameter(unit, parameter) for parameter in parameters))
            return _class_signatures(engine, unit, decl.a, EMPTY, instance)
        if decl.kind == DeclKind.CLASS:  # a component is a function of its attributes, too
            functions += [(unit, member.function) for member in shape_table(engine, unit, decl.a).get(("()", True), ())]
        elif decl.kind == DeclKind.FUNCTION and not construct:
            functions.append((unit, decl.a))
        elif decl.kind == DeclKind.VARIABLE:
            return engine.signatures(engine.plain_type(unit, index), construct)
    declared = [entry for entry in functions if not entry[0].functions[entry[1]].has_body] or functions
    return [Signature(unit, function, EMPTY) for unit, function in declared]


def _class_signatures(engine: Engine, unit: Unit, shape: int, env: Env, instance: Type) -> list[Signature]:
    """Return the constructors of a class. Inherited constructors return instances of the class itself."""
    parameters = tuple(unit.shapes[shape].type_parameters)
    constructors = [member.function for member in shape_table(engine, unit, shape).get(("new", False), ())]
    bodiless = [function for function in constructors if not unit.functions[function].has_body] or constructors
    if bodiless:
        return [Signature(unit, function, env, instance, parameters) for function in bodiless]
    node = unit.base_class(shape)
    if node >= 0:
        base = engine.type_of(unit, unit.code[node + 1])
        inherited = engine.signatures(base, True)
        if inherited and all(entry.unit is unit or not parameters for entry in inherited):
            given = tuple(engine.declared_type(unit, item) for item in unit.items(unit.code[node + 2]))
            return [_inherited(engine, entry, base, given, instance, parameters) for entry in inherited]
    return [Signature(unit, -1, env, instance, parameters)]


def inherited_constructors(engine: Engine, unit: Unit, shape: int) -> Sequence[Signature]:
    """Return the signatures of `super(…)`: the constructors of the base, with the type arguments from the class."""
    node = unit.base_class(shape) if shape >= 0 else -1
    if node < 0:
        return ()
    instance = engine.shape_instance(unit, shape)
    base = engine.type_of(unit, unit.code[node + 1])
    given = tuple(engine.declared_type(unit, item) for item in unit.items(unit.code[node + 2]))
    return [_inherited(engine, entry, base, given, instance, ()) for entry in engine.signatures(base, True)]


def _inherited(
    engine: Engine, entry: Signature, base: Type, given: tuple[Type, ...], instance: Type, parameters: tuple[int, ...]
) -> Signature:
    """Return a constructor of a base class, with the type arguments that the class gives to the base."""
    if not isinstance(base, Static):
        return Signature(entry.unit, entry.function, entry.env, instance, ())
    unit = base.entity.unit
    own: Env = {(unit.index, parameter): kind for parameter, kind in zip(entry.class_parameters, given, strict=False)}
    env = {key: substitute(engine, kind, own) for key, kind in entry.env.items()}
    return Signature(entry.unit, entry.function, {**env, **own}, instance, parameters)


def parameter_type(engine: Engine, unit: Unit, function: int, position: int, env: Env) -> Type:
    """Return the type that a function expects at a position; for a rest parameter, the type of one element."""
    if function < 0:
        return UNRESOLVED
    parameters = unit.functions[function].parameters
    if position >= len(parameters):
        if not parameters or not parameters[-1].rest:
            return UNRESOLVED
        entry, offset = parameters[-1], position - len(parameters) + 1
    else:
        entry, offset = parameters[position], 0
    if entry.type >= 0:
        kind = engine.declared_type(unit, entry.type, env)
    elif entry.default >= 0:
        return substitute(engine, widened(engine.type_of(unit, entry.default)), env)
    else:
        kind = substitute(engine, engine.contextual_parameter(unit, function, position - offset), env)
    if not entry.rest:
        return kind
    if isinstance(kind, Tuple) and offset < len(kind.elements):
        return element_at(kind, offset)
    return engine.element_type(kind)


def signature_result(engine: Engine, signature: Signature) -> Type:
    """Return the result type of a signature, with its env applied."""
    if signature.instance is not None:
        return substitute(engine, signature.instance, signature.env)
    if signature.function < 0:
        return UNRESOLVED
    return substitute(engine, engine.return_type(signature.unit, signature.function), signature.env)


def call_type(engine: Engine, unit: Unit, node: int) -> Type:
    """Return the type of a CALL, NEW or TAGGED node."""
    construct = unit.code[node] == Op.NEW
    callee = engine.type_of(unit, unit.code[node + 1])
    if isinstance(callee, Union):
        return union([_one_call(engine, unit, node, part, construct) for part in parts_of(non_nullish(callee))])
    if construct and isinstance(callee, Intersection):  # a mixin: an instance of the class and of its base
        return intersection([_one_call(engine, unit, node, part, construct) for part in callee.parts])
    return _one_call(engine, unit, node, callee, construct)


def _one_call(engine: Engine, unit: Unit, node: int, callee: Type, construct: bool) -> Type:
    if isinstance(callee, External):
        return callee if construct else External(callee.package, (*callee.path, "()"))
    if callee is ANY:
        return ANY
    if not construct and _is_of_runtime(callee):
        indirect = _indirect(engine, unit, node) or _with_prototype(engine, unit, node)
        if indirect is not None:
            return indirect
    signature = choose(engine, unit, node, engine.signatures(callee, construct))
    if signature is None and construct:  # a plain function used as a constructor
        return engine.constructed(unit, unit.code[node + 1], callee)
    if signature is None:
        return UNRESOLVED
    env = inferred_env(engine, unit, node, signature)
    if signature.instance is not None:
        return substitute(engine, signature.instance, env)
    receiver = receiver_type(engine, unit, unit.code[node + 1])
    if receiver is not None and (
        _is_only_part(env.get(THIS), receiver) or is_super(unit, unit.code[unit.unnarrowed(unit.code[node + 1]) + 1])
    ):
        env = {**env, THIS: non_nullish(receiver)}
    return substitute(engine, engine.declared_return(signature.unit, signature.function, env), env)


def _is_only_part(this: Type | None, receiver: Type) -> bool:
    """Return whether the `this` of a method is missing, or is only a part of the receiver, such as a mixin."""
    if this is None:
        return True
    whole = non_nullish(receiver)
    return isinstance(whole, Instance | ShapeInstance | Intersection) and whole != this


def _is_of_runtime(callee: Type) -> bool:
    if isinstance(callee, Overloads):
        return _is_of_runtime(callee.signatures[0])
    return isinstance(callee, FunctionType) and callee.unit.external == "lib"


def _indirect(engine: Engine, unit: Unit, node: int) -> Type | None:
    """Return the type of `f.call(…)`, `f.apply(…)`, or `f.bind(…)` with only `this`; None for other calls."""
    code = unit.code
    callee = unit.unnarrowed(code[node + 1])
    name = unit.strings[code[callee + 2]] if code[callee] == Op.MEMBER else ""
    if name not in ("call", "apply", "bind"):
        return None
    function = non_nullish(engine.type_of(unit, code[callee + 1]))
    signatures = engine.signatures(function, False)
    given = unit.items(code[node + 2])
    if not signatures or not given:
        return None
    if name == "bind":
        return function if len(given) == 1 and code[given[0]] != Op.SPREAD else None
    last = signatures[-1]
    if last.function < 0 or last.unit.functions[last.function].type_parameters:
        return None
    env = {**last.env, THIS: engine.type_of(unit, given[0])}
    return substitute(engine, engine.declared_return(last.unit, last.function, env), env)


def _with_prototype(engine: Engine, unit: Unit, node: int) -> Type | None:
    """Return the type of `Object.create(prototype)` or `Object.setPrototypeOf(object, prototype)` in JavaScript.

    Return None for other calls, and for a prototype of unknown type, for which the compiler infers `any`.
    """
    code = unit.code
    callee = unit.unnarrowed(code[node + 1])
    if code[callee] != Op.MEMBER or unit.facts.language not in ("javascript", "jsx"):
        return None
    given = unit.items(code[node + 2])
    count = {"create": 1, "setPrototypeOf": 2}.get(unit.strings[code[callee + 2]], 0)
    if not count or len(given) < count:
        return None
    found = intersection([engine.type_of(unit, argument) for argument in given[:count]])
    return None if found.opaque or found.nullish else found


def declared_return(engine: Engine, unit: Unit, function: int, env: Env) -> Type:
    """Return the result type of a function under an env.

    A result that is annotated or `this` is read again for each env, so that `this` becomes the receiver.
    """
    fact = unit.functions[function]
    if fact.return_type >= 0:
        return engine.declared_type(unit, fact.return_type, env)
    receiver = env.get(THIS)
    returns_this = _returns_this(engine, unit, function) if receiver is not None and not fact.is_generator else ()
    if receiver is None or True not in returns_this:
        return engine.return_type(unit, function)
    found = [
        receiver if is_this else engine.type_of(unit, node)
        for node, is_this in zip(fact.returns[:_MAX_RETURNS], returns_this, strict=True)
    ]
    return _result(engine, fact, found)


def _returns_this(engine: Engine, unit: Unit, function: int) -> Sequence[bool]:
    """Return for each `return` of a function whether it returns `this`."""
    key = (unit.index, function)
    known = engine.returns_this.get(key)
    if known is None:
        engine.returns_this[key] = ()  # methods that only return each other do not return `this`
        returns = unit.functions[function].returns[:_MAX_RETURNS]
        before = engine.cut_off
        known = [_is_this(engine, unit, node) for node in returns]
        if engine.cut_off == before:
            engine.returns_this[key] = known
        else:
            del engine.returns_this[key]
    return known


def _is_this(engine: Engine, unit: Unit, node: int) -> bool:
    """Return whether the value of a node is the `this` of a method.

    The node may also be a variable with this value, or a call on `this` that returns `this`: `const next = this.clone()`.
    """
    op = unit.code[node]
    if op == Op.THIS:
        return unit.code[node + 1] == ThisKind.INSTANCE
    if op == Op.AS and unit.code[node + 2] >= 0 and unit.code[unit.code[node + 2]] == Op.T_THIS:
        return unit.code[unit.code[node + 2] + 1] == ThisKind.INSTANCE
    if op == Op.NAME:
        binding = unit.bindings[unit.code[node + 1]] if unit.code[node + 1] >= 0 else None
        decl = unit.decls[binding.decls[0]] if binding is not None and len(binding.decls) == 1 else None
        return decl is not None and decl.kind == DeclKind.VARIABLE and decl.a < 0 <= decl.b and _is_this(engine, unit, decl.b)
    if op != Op.CALL or unit.code[unit.code[node + 1]] != Op.MEMBER:
        return False
    callee = unit.code[node + 1]
    if not _is_this(engine, unit, unit.code[callee + 1]):
        return False
    signatures = engine.signatures(non_nullish(engine.type_of(unit, callee)), False)
    return len(signatures) == 1 and _signature_returns_this(engine, signatures[0])


def _signature_returns_this(engine: Engine, signature: Signature) -> bool:
    fact = signature.unit.functions[signature.function] if signature.function >= 0 else None
    if fact is None or fact.is_async or fact.is_generator:
        return False
    if fact.return_type >= 0:
        return signature.unit.code[fact.return_type] == Op.T_THIS
    returns_this = _returns_this(engine, signature.unit, signature.function)
    return bool(returns_this) and all(returns_this) and not fact.falls_through


def return_type(engine: Engine, unit: Unit, function: int) -> Type:
    """Return the declared or inferred result type of a function."""
    fact = unit.functions[function]
    if fact.return_type >= 0:
        return engine.declared_type(unit, fact.return_type)
    if not fact.has_body:
        return ANY
    if fact.is_generator:
        yielded = union(_yielded(engine, unit, item) for item in fact.yields[:_MAX_RETURNS])
        given = union(engine.type_of(unit, node) for node in fact.returns[:_MAX_RETURNS])
        return engine.lib("AsyncGenerator" if fact.is_async else "Generator", yielded, given, UNKNOWN)
    return _result(engine, fact, [engine.type_of(unit, node) for node in fact.returns[:_MAX_RETURNS]])


def _result(engine: Engine, fact: Function, found: list[Type]) -> Type:
    """Return the result type of a function, given the types of the values that it returns."""
    if not found:
        result: Type = VOID
    else:
        given = union([*found, *((UNDEFINED,) if fact.falls_through and not fact.is_arrow else ())])
        result = _widened_if_many(without_duplicate_literals(engine, given))
    return engine.lib("Promise", awaited(engine, result)) if fact.is_async else result


def _widened_if_many(kind: Type) -> Type:
    """Widen the literals of a union of eight or more parts, as the compiler does."""
    return kind if not isinstance(kind, Union) or len(kind.parts) < 8 else widened(kind)


def _yielded(engine: Engine, unit: Unit, node: int) -> Type:
    value = engine.type_of(unit, unit.code[node + 1]) if unit.code[node + 1] >= 0 else UNDEFINED
    return engine.iterated(value) if unit.code[node + 3] == 1 else value
