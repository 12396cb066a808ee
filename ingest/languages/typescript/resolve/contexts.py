"""Expected types: what the place of an expression says about it. This is how callbacks learn their parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts.model import ContextKind, Function, Op, ThisKind
from .calls import inherited_constructors
from .inference import infer
from .model.program import AROUND
from .model.properties import Signature
from .model.type_model import (
    EMPTY,
    UNKNOWN,
    UNRESOLVED,
    Env,
    FunctionType,
    Instance,
    Intersection,
    Mapped,
    Parameter,
    Type,
    TypeParameter,
    non_nullish,
    parts_of,
    union,
    widened,
)
from .overload_choice import choose
from .reduction import compose, mapped_source, substitute
from .type_arguments import fixed, inferred_env, is_sensitive, outer_env, own_parameters
from .utility_types import awaited

if TYPE_CHECKING:
    from .engine import Engine
    from .model.program import Unit


#: Literals whose members wait for what is expected of them.
_LITERALS = frozenset((Op.OBJECT, Op.ARRAY))


def context_type(engine: Engine, unit: Unit, node: int) -> Type:
    """The type that the place of a node expects; unresolved where it expects nothing in particular."""
    context = unit.contexts.get(node)
    if context is None:
        return UNRESOLVED
    kind, a, b = context
    if kind == ContextKind.ARGUMENT:
        return _argument(engine, unit, a, b)
    if kind == ContextKind.ANNOTATED:
        return engine.declared_type(unit, a)
    if kind == ContextKind.PROPERTY:
        return engine.property_type(engine.context_type(unit, a), unit.strings[b])
    if kind == ContextKind.ELEMENT:
        expected = engine.context_type(unit, a)
        return engine.property_type(expected, str(b)) if not expected.opaque else UNRESOLVED
    if kind == ContextKind.SAME:
        return engine.context_type(unit, a)
    if kind == ContextKind.RETURN:
        return _returned(engine, unit, a)
    if kind == ContextKind.ASSIGNED:
        return engine.type_of(unit, a)
    if kind == ContextKind.ATTRIBUTE:
        return engine.property_type(props(engine, unit, a, node), unit.strings[b])
    if kind == ContextKind.CHILD:
        return engine.property_type(props(engine, unit, a), "children")
    if kind == ContextKind.MEMBER:
        return _inherited_member(engine, unit, a, b)
    if kind == ContextKind.DEFAULT:
        return engine.type_of(unit, a)
    if kind == ContextKind.AWAITED:
        expected = engine.context_type(unit, a)
        return union((expected, engine.lib("Promise", expected))) if not expected.opaque else UNRESOLVED
    return UNRESOLVED


def _argument(engine: Engine, unit: Unit, call: int, position: int) -> Type:
    """The parameter that an argument is for, with what the other arguments say about type parameters."""
    signature = _signature(engine, unit, call)
    if signature is None:
        return UNRESOLVED
    env = inferred_env(engine, unit, call, signature, before=position)
    for bound in _bounds(engine, unit, call, signature, position):
        env = {**env, bound.key: engine.declared_type(bound.unit, bound.unit.decls[bound.decl].a, env)}
    return engine.parameter_type(signature.unit, signature.function, position, env)


def is_constant(engine: Engine, unit: Unit, node: int) -> bool:
    """Whether a literal is read as in `as const`: within one, or given for a `const` type parameter."""
    if unit.is_asserted_constant(node):
        return True
    while node in unit.contexts:
        kind, around, position = unit.contexts[node]
        if kind == ContextKind.ARGUMENT:
            found = parameter_of(engine, unit, around, position)
            wanted = found[0] if found is not None else UNRESOLVED
            return isinstance(wanted, TypeParameter) and wanted.unit.decls[wanted.decl].c == 1
        if kind not in AROUND:
            return False
        node = around
    return False


def _signature(engine: Engine, unit: Unit, call: int) -> Signature | None:
    """The signature that a call means."""
    callee = unit.code[call + 1]
    if unit.code[callee] == Op.SUPER and unit.code[call] == Op.CALL:
        return choose(engine, unit, call, inherited_constructors(engine, unit, unit.code[callee + 2]))
    kind = non_nullish(engine.type_of(unit, callee))
    return choose(engine, unit, call, engine.signatures(kind, unit.code[call] == Op.NEW))


def given_parameter(engine: Engine, unit: Unit, call: int, position: int) -> Type:
    """The parameter that an argument is for, with what the arguments put in, a literal's own type included."""
    signature = _signature(engine, unit, call)
    if signature is None:
        return UNRESOLVED
    env = inferred_env(engine, unit, call, signature, before=position)
    return engine.parameter_type(signature.unit, signature.function, position, env)


def _bounds(engine: Engine, unit: Unit, call: int, signature: Signature, position: int) -> list[TypeParameter]:
    """The type parameters that a literal is given for as a whole, or member by member. The literal decides them, so it can
    expect their bounds only."""
    arguments = unit.items(unit.code[call + 2])
    if position >= len(arguments) or unit.code[arguments[position]] not in _LITERALS or unit.items(unit.code[call + 3]):
        return []
    kind = non_nullish(engine.parameter_type(signature.unit, signature.function, position, EMPTY))
    found: list[TypeParameter] = []
    for part in kind.parts if isinstance(kind, Intersection) else (kind,):
        source = mapped_source(engine, part) if isinstance(part, Mapped) else part
        if (
            isinstance(source, TypeParameter)
            and source.unit is signature.unit
            and source.decl in own_parameters(signature)
            and source.unit.decls[source.decl].a >= 0
            and (source is kind or not _is_decided_beside(engine, signature, len(arguments), position, source))
        ):
            found.append(source)
    return found


def _is_decided_beside(engine: Engine, signature: Signature, count: int, position: int, parameter: TypeParameter) -> bool:
    """Whether another argument than the one at a position may decide a type parameter."""
    unit = signature.unit
    for place, entry in enumerate(unit.functions[signature.function].parameters[:count]):
        if place != position and entry.type >= 0:
            free = engine.free_parameters.of_node(unit, entry.type)
            if free is None or parameter.key in free:
                return True
    return False


def parameter_of(engine: Engine, unit: Unit, call: int, position: int) -> tuple[Type, Signature] | None:
    """The parameter that an argument is for, its type parameters open, with its signature."""
    signature = _signature(engine, unit, call)
    if signature is None:
        return None
    return engine.parameter_type(signature.unit, signature.function, position, signature.env), signature


def _returned(engine: Engine, unit: Unit, function: int) -> Type:
    fact = unit.functions[function]
    if fact.return_type >= 0:
        declared = engine.declared_type(unit, fact.return_type)
        return _result_inside(engine, fact, declared)
    signature = expected_signature(engine, unit, function)
    if signature is None:
        return UNRESOLVED
    given = substitute(engine, engine.return_type(signature.unit, signature.index), signature.env)
    return _result_inside(engine, fact, given)


def _result_inside(engine: Engine, fact: Function, declared: Type) -> Type:
    """What `return` gives, from what the function gives."""
    if fact.is_generator:
        return declared.arguments[1] if isinstance(declared, Instance) and len(declared.arguments) > 1 else UNRESOLVED
    return awaited(engine, declared) if fact.is_async else declared


def expected_signature(engine: Engine, unit: Unit, function: int) -> FunctionType | None:
    """The signature that the place of a function literal expects of it."""
    node = unit.function_node(function)
    expected = non_nullish(engine.context_type(unit, node)) if node is not None else engine.method_context(unit, function)
    for part in parts_of(expected):
        found = engine.signatures(part, False)
        if found:
            return FunctionType(found[0].unit, found[0].function, found[0].env)
    return None


def contextual_parameter(engine: Engine, unit: Unit, function: int, position: int) -> Type:
    """Type of a parameter without an annotation, from what the function's place expects."""
    signature = expected_signature(engine, unit, function)
    if signature is None:
        return UNRESOLVED
    parameters = unit.functions[function].parameters
    if parameters[position].rest:
        return engine.lib("Array", engine.parameter_type(signature.unit, signature.index, position, signature.env))
    found = engine.parameter_type(signature.unit, signature.index, position, signature.env)
    return UNRESOLVED if found is UNKNOWN else found


def props(engine: Engine, unit: Unit, jsx: int, asking: int = -1) -> Type:
    """Props of a component: its first parameter, or what a class component extends with. An attribute whose value asks says
    nothing about the component's type parameters."""
    if unit.code[jsx + 1] < 0:
        return UNRESOLVED
    component = engine.type_of(unit, unit.code[jsx + 1])
    for signature in engine.signatures(component, False):
        env = _attributes_env(engine, unit, jsx, signature, asking)
        return engine.parameter_type(signature.unit, signature.function, 0, env)
    instance = engine.instance_of(component)
    return engine.property_type(instance, "props") if instance is not UNRESOLVED else UNRESOLVED


def _attributes_env(engine: Engine, unit: Unit, jsx: int, signature: Signature, asking: int) -> Env:
    """What the attributes of an element put in for the type parameters of its component."""
    own = own_parameters(signature)
    if not own:
        return signature.env
    env = outer_env(signature, own)
    pattern = engine.parameter_type(signature.unit, signature.function, 0, env)
    found: dict[Parameter, Type] = {}
    for attribute in unit.items(unit.code[jsx + 2]):
        value = unit.code[attribute + 1]
        if unit.code[attribute] == Op.PROP and value not in (-1, asking) and not is_sensitive(unit, value):
            name = unit.strings[unit.code[attribute + 2]]
            infer(engine, engine.property_type(pattern, name), engine.type_of(unit, value), found)
    return compose(engine, env, fixed(engine, signature, own, found))


def _inherited_member(engine: Engine, unit: Unit, shape: int, member: int) -> Type:
    """A field without a type takes that of the member it overrides or implements."""
    members = unit.shapes[shape].members
    if member >= len(members) or members[member].static:
        return UNRESOLVED
    fact = unit.shapes[shape]
    for node in fact.implements:
        found = engine.property_type(engine.declared_type(unit, node), members[member].name)
        if found is not UNRESOLVED:
            return found
    for base in engine.bases(unit, shape):
        found = engine.property_type(base, members[member].name)
        if found is not UNRESOLVED:
            return found
    return UNRESOLVED


def this_type(engine: Engine, unit: Unit, node: int) -> Type:
    """Type of `this` at a place."""
    kind, index = unit.code[node + 1], unit.code[node + 2]
    if kind == ThisKind.INSTANCE and index >= 0:
        return engine.shape_instance(unit, index)
    if kind == ThisKind.STATIC and index >= 0:
        return engine.class_value(unit, index)
    if kind == ThisKind.OBJECT and index >= 0:
        expected = _expected_this(engine, unit, unit.code[node + 3])
        return engine.literal_this(unit, index) if expected is UNRESOLVED else expected
    if kind == ThisKind.FUNCTION and index >= 0:
        fact = unit.functions[index]
        if fact.this_type >= 0:
            return engine.declared_type(unit, fact.this_type)
        expected = _expected_this(engine, unit, index)
        if expected is UNRESOLVED:
            expected = engine.function_this(unit, index)
        return _assigned_owner(engine, unit, index) if expected is UNRESOLVED else expected
    return UNRESOLVED


def _assigned_owner(engine: Engine, unit: Unit, function: int) -> Type:
    """`this` in `owner.name = function () {…}` and `owner[name] = function () {…}`: what stands before the dot."""
    node = unit.function_node(function)
    kind, target, _ = unit.contexts[node] if node is not None else (-1, -1, -1)
    if kind != ContextKind.ASSIGNED or unit.code[target] not in (Op.MEMBER, Op.INDEX):
        return UNRESOLVED
    return widened(engine.type_of(unit, unit.code[target + 1]))


def _expected_this(engine: Engine, unit: Unit, function: int) -> Type:
    """What the place of a function literal, or of a method of an object literal, says that its `this` is."""
    expected = expected_signature(engine, unit, function)
    wanted = expected.unit.functions[expected.index].this_type if expected is not None else -1
    return engine.declared_type(expected.unit, wanted, expected.env) if expected is not None and wanted >= 0 else UNRESOLVED
