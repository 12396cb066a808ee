"""Contextual types: the types that the code around expressions expects.

In `users.map(user => user.name)`, the type of `user` comes from the declared parameter of `map`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ....facts.model import Function
from ....facts.operations import ContextKind, Op, ThisKind
from .calls import inherited_constructors
from .inference import infer
from .model.properties import Signature
from .model.type_model import (
    EMPTY,
    NEVER,
    UNDEFINED,
    UNKNOWN,
    UNRESOLVED,
    EnumMember,
    Env,
    FunctionType,
    Instance,
    Intersection,
    Literal,
    Mapped,
    ObjectLiteral,
    Parameter,
    Primitive,
    Type,
    TypeParameter,
    Union,
    intersection,
    non_nullish,
    parts_of,
    union,
    widened,
)
from .model.unit import TRANSPARENT_CONTEXTS
from .narrowing.conditions import discriminated
from .overload_choice import choose
from .reduction import compose, mapped_source, substitute
from .tuples import of_expressions
from .type_arguments import explicit_env, fixed, inferred_env, is_sensitive, outer_env, own_parameters
from .utility_types import awaited

if TYPE_CHECKING:
    from .engine import Engine
    from .model.unit import Unit


#: Literals whose members are typed by the expected type.
_LITERALS = frozenset((Op.OBJECT, Op.ARRAY))


#: Expressions that may have a type with a single value, such as `"cmd"` or a member of an enum.
_UNITS = frozenset((Op.STRING, Op.NUMBER, Op.BOOLEAN, Op.MEMBER))


def context_type(engine: Engine, unit: Unit, node: int) -> Type:
    """Return the type that the context of a node expects, or unresolved."""
    context = unit.contexts.get(node)
    if context is None:
        return UNRESOLVED
    kind, a, b = context
    if kind == ContextKind.ARGUMENT:
        return _argument(engine, unit, a, b)
    if kind == ContextKind.ANNOTATED:
        return engine.declared_type(unit, a)
    if kind == ContextKind.PROPERTY:
        expected = without_itself(unit, a, engine.context_type(unit, a))
        return engine.property_type(chosen_parts(engine, unit, a, expected), unit.strings[b])
    if kind == ContextKind.ELEMENT:
        expected = engine.context_type(unit, a)
        return engine.property_type(expected, str(b)) if not expected.opaque else UNRESOLVED
    if kind == ContextKind.SAME:
        return engine.context_type(unit, a)
    if kind == ContextKind.RETURN:
        return _returned(engine, unit, a)
    if kind == ContextKind.ASSIGNED:
        return engine.type_of(unit, unit.unnarrowed(a))  # an assignment expects the declared type, without narrowing
    if kind == ContextKind.ATTRIBUTE:
        return engine.property_type(props(engine, unit, a, node), unit.strings[b])
    if kind == ContextKind.CHILD:
        return engine.property_type(props(engine, unit, a), "children")
    if kind == ContextKind.MEMBER:
        return _inherited_member(engine, unit, a, b)
    if kind == ContextKind.DEFAULT:
        return engine.type_of(unit, a)
    if kind == ContextKind.SPREAD:
        around = unit.object_around(a)
        return engine.context_type(unit, around) if around >= 0 else UNRESOLVED
    if kind == ContextKind.AWAITED:
        expected = engine.context_type(unit, a)
        return union((expected, engine.lib("Promise", expected))) if not expected.opaque else UNRESOLVED
    return UNRESOLVED


def without_itself(unit: Unit, node: int, expected: Type) -> Type:
    """Return the type that an object literal is expected to have, without the literal.

    A type parameter that the literal decides, as `G` of `getters: G & Record<string, (state: S) => any>`, says nothing about it.
    """
    if not isinstance(expected, Intersection):
        return expected
    return intersection(
        part for part in expected.parts if not (isinstance(part, ObjectLiteral) and part.unit is unit and part.index == node)
    )


def chosen_parts(engine: Engine, unit: Unit, node: int, kind: Type) -> Type:
    """Return the parts of a union that an object literal may be, by the members whose type is a literal: `kind: "cmd"`."""
    if not isinstance(kind, Union) or unit.code[node] != Op.OBJECT:
        return kind
    objects = [part for part in kind.parts if not isinstance(part, Primitive | Literal | EnumMember)]
    kind = union(objects) if objects else kind
    for member in unit.shapes[unit.code[node + 1]].members:
        if member.value < 0 or unit.code[unit.unwrapped(member.value)] not in _UNITS:
            continue
        declared = [engine.property_type(part, member.name) for part in parts_of(kind)]
        if not any(engine.is_unit(inner) for each in declared for inner in parts_of(each)):
            continue
        value = engine.type_of(unit, unit.unwrapped(member.value))
        fitting = discriminated(engine, kind, member.name, [value], True)
        if fitting is not NEVER:
            kind = fitting
    return kind


def _argument(engine: Engine, unit: Unit, call: int, position: int) -> Type:
    """Return the type of the parameter for an argument. Type parameters have the types that other arguments decide."""
    signature = _signature(engine, unit, call)
    if signature is None:
        return UNRESOLVED
    env = inferred_env(engine, unit, call, signature, before=position)
    for bound in _bounds(engine, unit, call, signature, position):
        env = {**env, bound.key: engine.declared_type(bound.unit, bound.unit.decls[bound.decl].a, env)}
    return engine.parameter_type(signature.unit, signature.function, position, env)


def is_constant(engine: Engine, unit: Unit, node: int) -> bool:
    """Return whether a literal is constant: in `as const`, or an argument for a `const` type parameter."""
    if unit.is_asserted_constant(node):
        return True
    while node in unit.contexts:
        kind, around, position = unit.contexts[node]
        if kind == ContextKind.ARGUMENT:
            found = parameter_of(engine, unit, around, position)
            wanted = found[0] if found is not None else UNRESOLVED
            return isinstance(wanted, TypeParameter) and wanted.unit.decls[wanted.decl].c == 1
        if kind not in TRANSPARENT_CONTEXTS:
            return False
        node = around
    return False


def _signature(engine: Engine, unit: Unit, call: int) -> Signature | None:
    callee = unit.code[call + 1]
    if unit.code[callee] == Op.SUPER and unit.code[call] == Op.CALL:
        return choose(engine, unit, call, inherited_constructors(engine, unit, unit.code[callee + 2]))
    kind = non_nullish(engine.type_of(unit, callee))
    return choose(engine, unit, call, engine.signatures(kind, unit.code[call] == Op.NEW))


def given_parameter(engine: Engine, unit: Unit, call: int, position: int) -> Type:
    """Return the type of the parameter for an argument, with all type arguments applied.

    A literal argument may decide some of these type arguments.
    """
    signature = _signature(engine, unit, call)
    if signature is None:
        return UNRESOLVED
    env = inferred_env(engine, unit, call, signature, before=position)
    return engine.parameter_type(signature.unit, signature.function, position, env)


def _bounds(engine: Engine, unit: Unit, call: int, signature: Signature, position: int) -> list[TypeParameter]:
    """Return the type parameters that a literal argument decides itself, by its type or by the types of its members.

    For such type parameters, the literal can only expect their constraints.
    """
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
            and (source is kind or not is_decided_elsewhere(engine, signature, len(arguments), position, source))
        ):
            found.append(source)
    return found


def is_decided_elsewhere(engine: Engine, signature: Signature, count: int, position: int, parameter: TypeParameter) -> bool:
    """Return whether an argument at another position may decide a type parameter."""
    unit = signature.unit
    for place, entry in enumerate(unit.functions[signature.function].parameters[:count]):
        if place != position and entry.type >= 0:
            free = engine.free_parameters.of_node(unit, entry.type)
            if free is None or parameter.key in free:
                return True
    return False


def parameter_of(engine: Engine, unit: Unit, call: int, position: int) -> tuple[Type, Signature] | None:
    """Return the type of the parameter for an argument, with the signature. Type parameters of the signature stay symbolic."""
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
    """Return the type that `return` expects, from the result type of the function."""
    if fact.is_generator:
        return declared.arguments[1] if isinstance(declared, Instance) and len(declared.arguments) > 1 else UNRESOLVED
    return awaited(engine, declared) if fact.is_async else declared


def expected_signature(engine: Engine, unit: Unit, function: int) -> FunctionType | None:
    """Return the signature that the context of a function literal expects, or None."""
    node = unit.function_node(function)
    expected = non_nullish(engine.context_type(unit, node)) if node is not None else engine.method_context(unit, function)
    for part in parts_of(expected):
        found = engine.signatures(part, False)
        if found:
            return FunctionType(found[0].unit, found[0].function, found[0].env)
    return None


def contextual_parameter(engine: Engine, unit: Unit, function: int, position: int) -> Type:
    """Return the type of a parameter without an annotation, from the type that the context expects for the function.

    The parameter of a setter has the type of the getter beside it.
    """
    getter = unit.getter_beside(function)
    if getter >= 0:
        return engine.return_type(unit, getter)
    parameters = unit.functions[function].parameters
    call = _call_in_place(unit, function)
    if call >= 0:
        return _argument_in_place(engine, unit, call, position, parameters[position].rest)
    signature = expected_signature(engine, unit, function)
    if signature is None:
        return UNRESOLVED
    if parameters[position].rest:
        return engine.lib("Array", engine.parameter_type(signature.unit, signature.index, position, signature.env))
    found = engine.parameter_type(signature.unit, signature.index, position, signature.env)
    return UNRESOLVED if found is UNKNOWN else found


def _call_in_place(unit: Unit, function: int) -> int:
    """Return the call of a function literal where it is written, as in `(function (shop) {})(Shop)`; -1 for other functions."""
    node = unit.function_node(function)
    context = unit.contexts.get(node) if node is not None else None
    return context[1] if context is not None and context[0] == ContextKind.CALLED else -1


def _argument_in_place(engine: Engine, unit: Unit, call: int, position: int, is_rest: bool) -> Type:
    """Return the type of the argument for a parameter of a function that is called where it is written."""
    given = unit.items(unit.code[call + 2])
    if any(unit.code[argument] == Op.SPREAD for argument in given[: position + 1]):
        return UNRESOLVED
    if is_rest:
        return of_expressions(engine, unit, given[position:])
    return widened(engine.type_of(unit, given[position])) if position < len(given) else UNDEFINED


#: Members of a class component that have the type of its attributes: of Vue's, of Svelte's and of React's.
_PROPS: Final = ("$props", "$$prop_def", "props")


def props(engine: Engine, unit: Unit, jsx: int, except_value: int = -1) -> Type:
    """Return the props of a component: a parameter, or the `$props`, `$$prop_def` or `props` of a class component.

    The attribute with the value `except_value` is not used to infer the type parameters of the component.
    """
    if unit.code[jsx + 1] < 0:
        return UNRESOLVED
    tag = unit.code[jsx + 1]
    written = unit.items(unit.code[tag + 2]) if unit.code[tag] == Op.INSTANTIATION else ()
    component = engine.type_of(unit, tag)
    for signature in engine.signatures(component, False):
        if written and own_parameters(signature):
            env = explicit_env(engine, unit, written, signature)
        else:
            env = _attributes_env(engine, unit, jsx, signature, except_value)
        return engine.parameter_type(signature.unit, signature.function, _props_position(signature), env)
    if written:
        instance = engine.base_instance(unit, tag, tuple(engine.declared_type(unit, item) for item in written))
    else:
        instance = engine.instance_of(component)
    for name in _PROPS if instance is not UNRESOLVED else ():
        found = engine.property_type(instance, name)
        if found is not UNRESOLVED:
            return found if written else _class_props(engine, unit, jsx, component, found, except_value)
    return UNRESOLVED


def _props_position(signature: Signature) -> int:
    """Return the position of the props among the parameters of a component. In Svelte, they are behind `internals`."""
    parameters = signature.unit.functions[signature.function].parameters if signature.function >= 0 else []
    return 1 if len(parameters) > 1 and parameters[0].name == "internals" else 0


def _class_props(engine: Engine, unit: Unit, jsx: int, component: Type, pattern: Type, except_value: int) -> Type:
    """Return the props of a class component, with the type arguments that the attributes of an element decide."""
    for signature in engine.signatures(component, True)[:1]:
        own = signature.class_parameters
        if own:
            return substitute(engine, pattern, _decided(engine, unit, jsx, signature, own, pattern, except_value))
    return pattern


def _attributes_env(engine: Engine, unit: Unit, jsx: int, signature: Signature, except_value: int) -> Env:
    """Return the env that the attributes of an element decide for its component's type parameters."""
    own = own_parameters(signature)
    if not own:
        return signature.env
    env = outer_env(signature, own)
    pattern = engine.parameter_type(signature.unit, signature.function, _props_position(signature), env)
    return compose(engine, env, _decided(engine, unit, jsx, signature, own, pattern, except_value))


def _decided(
    engine: Engine, unit: Unit, jsx: int, signature: Signature, own: Sequence[int], pattern: Type, except_value: int
) -> Env:
    """Return the types that attributes decide for type parameters. `pattern` is the type of the props."""
    found: dict[Parameter, Type] = {}
    for attribute in unit.items(unit.code[jsx + 2]):
        value = unit.code[attribute + 1]
        if unit.code[attribute] == Op.PROP and value not in (-1, except_value) and not is_sensitive(unit, value):
            name = unit.strings[unit.code[attribute + 2]]
            infer(engine, engine.property_type(pattern, name), engine.type_of(unit, value), found)
    return fixed(engine, signature, own, found)


def _inherited_member(engine: Engine, unit: Unit, shape: int, member: int) -> Type:
    """Return the type of the member that a field without a type overrides or implements."""
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
    """Return the type of `this` at a node."""
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
    """Return the type of `owner` as `this` in `owner.name = function () {…}` and `owner[name] = function () {…}`."""
    node = unit.function_node(function)
    kind, target, _ = unit.contexts[node] if node is not None else (-1, -1, -1)
    if kind != ContextKind.ASSIGNED or unit.code[target] not in (Op.MEMBER, Op.INDEX):
        return UNRESOLVED
    return widened(engine.type_of(unit, unit.code[target + 1]))


def _expected_this(engine: Engine, unit: Unit, function: int) -> Type:
    """Return the type of `this` that the context declares for a function literal or a method of an object literal."""
    expected = expected_signature(engine, unit, function)
    wanted = expected.unit.functions[expected.index].this_type if expected is not None else -1
    return engine.declared_type(expected.unit, wanted, expected.env) if expected is not None and wanted >= 0 else UNRESOLVED
