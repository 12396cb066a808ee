"""Calls: which signature is meant, what its type parameters are, and what it gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..facts import DeclKind, Op
from .declared import fill_arguments
from .inference import infer
from .lineage import close, shapes_of
from .members import shape_table
from .properties import Signature
from .reduction import compose, substitute
from .relations import assignable
from .tuples import element_at, of_expressions
from .type_model import (
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
    Intersection,
    Mapped,
    ObjectShape,
    Overloads,
    Parameter,
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
from .utility import awaited

if TYPE_CHECKING:
    from .engine import Engine
    from .program import Unit

#: Returned expressions looked at when a result is inferred.
_MOST_RETURNS = 12


def signatures(engine: Engine, kind: Type, construct: bool) -> Sequence[Signature]:
    """The ways to call (or construct) a value, in order."""
    if isinstance(kind, FunctionType):
        return [Signature(kind.unit, kind.index, kind.env)] if not construct else []
    if isinstance(kind, ConstructorType):
        return [Signature(kind.unit, kind.index, kind.env)] if construct else []
    if isinstance(kind, Overloads):
        return [found for part in kind.signatures for found in signatures(engine, part, construct)]
    if isinstance(kind, Static):
        return _static_signatures(engine, kind, construct)
    if isinstance(kind, ClassExpression):
        return _class_signatures(engine, kind.unit, kind.shape, ShapeInstance(kind.unit, kind.shape)) if construct else []
    if isinstance(kind, ObjectShape | Instance):
        key = ("new ()" if construct else "()", False)
        return [
            Signature(unit, member.function, close(engine, kind, env))
            for unit, shape, env in shapes_of(engine, kind)
            for member in shape_table(unit, shape).get(key, ())
        ]
    if isinstance(kind, Union | Intersection):
        return [found for part in kind.parts for found in engine.signatures(part, construct)]
    bound = engine.constraint(kind)
    return engine.signatures(bound, construct) if bound is not UNRESOLVED else []


def _static_signatures(engine: Engine, kind: Static, construct: bool) -> Sequence[Signature]:
    functions: list[tuple[Unit, int]] = []
    for unit, index in engine.linker.declarations(kind.entity):
        decl = unit.decls[index]
        if decl.kind == DeclKind.CLASS and construct:
            parameters = unit.shapes[decl.a].type_parameters
            instance = Instance(kind.entity, tuple(TypeParameter(unit, parameter) for parameter in parameters))
            return _class_signatures(engine, unit, decl.a, instance)
        if decl.kind == DeclKind.FUNCTION and not construct:
            functions.append((unit, decl.a))
        elif decl.kind == DeclKind.VARIABLE:
            return engine.signatures(engine.plain_type(unit, index), construct)
    declared = [entry for entry in functions if not entry[0].functions[entry[1]].has_body] or functions
    return [Signature(unit, function, EMPTY) for unit, function in declared]


def _class_signatures(engine: Engine, unit: Unit, shape: int, instance: Type) -> list[Signature]:
    """Constructors of a class; those it inherits give instances of the class itself."""
    parameters = tuple(unit.shapes[shape].type_parameters)
    constructors = [member.function for member in shape_table(unit, shape).get(("new", False), ())]
    bodiless = [function for function in constructors if not unit.functions[function].has_body] or constructors
    if bodiless:
        return [Signature(unit, function, EMPTY, instance, parameters) for function in bodiless]
    for node in unit.shapes[shape].extends:
        base = engine.type_of(unit, unit.code[node + 1])
        inherited = engine.signatures(base, True)
        if inherited and all(entry.unit is unit or not parameters for entry in inherited):
            given = tuple(engine.declared_type(unit, item) for item in unit.items(unit.code[node + 2]))
            return [_inherited(engine, entry, base, given, instance, parameters) for entry in inherited]
    return [Signature(unit, -1, EMPTY, instance, parameters)]


def inherited_constructors(engine: Engine, unit: Unit, shape: int) -> Sequence[Signature]:
    """What `super(…)` calls in a class: the constructors of its base, with what the class puts in for their type parameters."""
    if shape < 0:
        return ()
    instance = engine.shape_instance(unit, shape)
    for node in unit.shapes[shape].extends:
        base = engine.type_of(unit, unit.code[node + 1])
        given = tuple(engine.declared_type(unit, item) for item in unit.items(unit.code[node + 2]))
        return [_inherited(engine, entry, base, given, instance, ()) for entry in engine.signatures(base, True)]
    return ()


def _inherited(
    engine: Engine, entry: Signature, base: Type, given: tuple[Type, ...], instance: Type, parameters: tuple[int, ...]
) -> Signature:
    """A constructor of a base class with what the class puts in for the base's type parameters."""
    if not isinstance(base, Static):
        return Signature(entry.unit, entry.function, entry.env, instance, ())
    unit = base.entity.unit
    own: Env = {(unit.index, parameter): kind for parameter, kind in zip(entry.class_parameters, given, strict=False)}
    env = {key: substitute(engine, kind, own) for key, kind in entry.env.items()}
    return Signature(entry.unit, entry.function, {**env, **own}, instance, parameters)


def choose(engine: Engine, unit: Unit, node: int, options: Sequence[Signature]) -> Signature | None:
    """The first signature that takes the call's arguments, as far as can be told; else the first of fitting length."""
    if len(options) <= 1:
        return options[0] if options else None
    key = (unit.index, node, options[0].unit.index, options[0].function)
    position = engine.choices.get(key)
    if position is None or position >= len(options):
        position = engine.choices[key] = _choice(engine, unit, node, options)
    return options[position]


def _choice(engine: Engine, unit: Unit, node: int, options: Sequence[Signature]) -> int:
    arguments = unit.items(unit.code[node + 2])
    spreads = any(unit.code[argument] == Op.SPREAD for argument in arguments)
    fitting = [position for position, option in enumerate(options) if _takes_count(engine, option, len(arguments), spreads)]
    for position in fitting:
        if _takes(engine, unit, options[position], arguments) and _is_within_bounds(engine, unit, node, options[position]):
            return position
    return fitting[0] if fitting else 0


def _takes_count(engine: Engine, option: Signature, count: int, spreads: bool) -> bool:
    if option.function < 0:
        return not count
    least, most = engine.arity(option.unit, option.function)
    return spreads or least <= count <= most


def _takes(engine: Engine, unit: Unit, option: Signature, arguments: Sequence[int]) -> bool:
    for position, argument in enumerate(arguments):
        wanted = engine.parameter_type(option.unit, option.function, position, option.env)
        if unit.code[argument] == Op.FUNCTION:
            fits = _takes_function(engine, unit, wanted, argument)
        else:
            fits = assignable(engine, engine.type_of(unit, argument), wanted)
        if fits is False:
            return False
    return True


def _is_within_bounds(engine: Engine, unit: Unit, node: int, option: Signature) -> bool:
    """Whether what the arguments say of the type parameters of a signature fits their constraints, as far as can be told."""
    decls = option.unit.decls
    own = own_parameters(option)
    bounded = [parameter for parameter in own if decls[parameter].a >= 0]
    if not bounded:
        return True
    found = _plain_inference(engine, unit, node, option, outer_env(option, own))
    for parameter in bounded:
        given = found.get((option.unit.index, parameter))
        if given is not None:
            bound = engine.declared_type(option.unit, decls[parameter].a, {**option.env, **found})
            if assignable(engine, given, bound) is False:
                return False
    return True


def _takes_function(engine: Engine, unit: Unit, wanted: Type, argument: int) -> bool | None:
    """A function literal fits what can be called with at least as many parameters as it requires."""
    if wanted.opaque or isinstance(wanted, TypeParameter):
        return None
    mine, _ = engine.arity(unit, unit.code[argument + 1])
    for part in parts_of(wanted):
        for signature in engine.signatures(part, False):
            if engine.arity(signature.unit, signature.function)[1] >= mine and _gives(engine, unit, argument, signature):
                return True
    return engine.is_lib(wanted, "Function") or isinstance(wanted, External)


def _gives(engine: Engine, unit: Unit, argument: int, signature: Signature) -> bool:
    """False where a function literal, whose parameters have types, gives what the signature cannot give."""
    wanted = signature_result(engine, signature)
    if wanted.opaque or wanted.nullish or is_sensitive(unit, argument):
        return True
    return assignable(engine, engine.return_type(unit, unit.code[argument + 1]), wanted) is not False


def parameter_type(engine: Engine, unit: Unit, function: int, position: int, env: Env) -> Type:
    """Declared type of what is passed at a position; an element's type for a rest parameter."""
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
        return substitute(engine, engine.contextual_parameter(unit, function, position), env)
    if not entry.rest:
        return kind
    if isinstance(kind, Tuple) and offset < len(kind.elements):
        return element_at(kind, offset)
    return engine.element_type(kind)


def inferred_env(engine: Engine, unit: Unit, node: int, signature: Signature, before: int | None = None) -> Env:
    """What a call puts in for the signature's type parameters.

    With `before`, function literals from that argument on are not looked at: they wait for the answer themselves.
    """
    parameters = own_parameters(signature)
    if not parameters:
        return signature.env
    explicit = unit.items(unit.code[node + 3]) if unit.code[node] in (Op.CALL, Op.NEW, Op.TAGGED) else ()
    if explicit:
        given = tuple(engine.declared_type(unit, item) for item in explicit)
        filled = fill_arguments(engine, signature.unit, list(parameters), given)
        chosen: dict[Parameter, Type] = dict(zip(_keys(signature, parameters), filled, strict=True))
        return compose(engine, signature.env, chosen)
    env = outer_env(signature, parameters)
    arguments = unit.items(unit.code[node + 2])
    found = dict(_plain_inference(engine, unit, node, signature, env))
    for position, argument in enumerate(arguments):
        if before is not None and position >= before:
            break
        if is_sensitive(unit, argument):
            wanted = engine.parameter_type(signature.unit, signature.function, position, env)
            infer(engine, wanted, engine.type_of(unit, argument), found)
    if before is None or not any(is_sensitive(unit, argument) for argument in arguments[before:]):
        _from_rest(engine, unit, arguments, signature, env, found)
    _from_context(engine, unit, node, signature, found, frozenset(_keys(signature, parameters)))
    return compose(engine, env, fixed(engine, signature, parameters, found))


def _plain_inference(engine: Engine, unit: Unit, node: int, signature: Signature, env: Env) -> dict[Parameter, Type]:
    """What arguments other than function literals say about type parameters. Remembered, since each argument's own
    expected type asks for it."""
    key = (unit.index, node, signature.unit.index, signature.function)
    known = engine.inferences.get(key)
    if known is not None:
        return known
    before = engine.cut_off
    found: dict[Parameter, Type] = {}
    for position, argument in enumerate(unit.items(unit.code[node + 2])):
        if unit.code[argument] != Op.SPREAD and not is_sensitive(unit, argument):
            wanted = engine.parameter_type(signature.unit, signature.function, position, env)
            infer(engine, wanted, engine.type_of(unit, argument), found)
    if engine.cut_off == before:
        engine.inferences[key] = found
    return found


def _from_rest(
    engine: Engine, unit: Unit, arguments: Sequence[int], signature: Signature, env: Env, found: dict[Parameter, Type]
) -> None:
    """What the arguments of a rest parameter say together, where it stands for a whole tuple."""
    parameters = signature.unit.functions[signature.function].parameters if signature.function >= 0 else ()
    if not parameters or not parameters[-1].rest or len(arguments) < len(parameters):
        return
    pattern = engine.declared_type(signature.unit, parameters[-1].type, env)
    if not isinstance(pattern, TypeParameter | Tuple | Mapped):  # an array is matched argument by argument
        return
    infer(engine, pattern, of_expressions(engine, unit, arguments[len(parameters) - 1 :]), found)


def is_sensitive(unit: Unit, argument: int) -> bool:
    """True for a function literal with a parameter that has no type of its own."""
    if unit.code[argument] != Op.FUNCTION:
        return False
    return any(entry.type < 0 for entry in unit.functions[unit.code[argument + 1]].parameters)


def own_parameters(signature: Signature) -> tuple[int, ...]:
    """Type parameters that a call of the signature decides."""
    own = signature.unit.functions[signature.function].type_parameters if signature.function >= 0 else ()
    return (*own, *signature.class_parameters)


def outer_env(signature: Signature, own: Sequence[int]) -> Env:
    """The env of a signature without its own type parameters, which each call decides anew."""
    keys = frozenset(_keys(signature, own))
    return {key: value for key, value in signature.env.items() if key not in keys}


def _keys(signature: Signature, parameters: Sequence[int]) -> list[Parameter]:
    return [(signature.unit.index, parameter) for parameter in parameters]


def _from_context(
    engine: Engine, unit: Unit, node: int, signature: Signature, found: dict[Parameter, Type], own: frozenset[Parameter]
) -> None:
    """Parameters that no argument decides may follow from the type that the call's place expects."""
    if all(key in found for key in own) or node not in unit.contexts:
        return
    expected = engine.context_type(unit, node)
    if expected.opaque:
        return
    hints: dict[Parameter, Type] = {}
    infer(engine, signature_result(engine, signature), non_nullish(expected), hints)
    for key, value in hints.items():
        if key in own and key not in found and not value.opaque:
            found[key] = value


def fixed(engine: Engine, signature: Signature, parameters: Sequence[int], found: dict[Parameter, Type]) -> dict[Parameter, Type]:
    """Findings for each parameter: literals widened unless the constraint asks for them; else default or constraint."""
    chosen: dict[Parameter, Type] = {}
    for parameter in parameters:
        key = (signature.unit.index, parameter)
        decl = signature.unit.decls[parameter]
        value = found.get(key)
        if value is None:
            fallback = decl.b if decl.b >= 0 else decl.a
            value = engine.declared_type(signature.unit, fallback, chosen) if fallback >= 0 else UNKNOWN
        elif decl.a < 0:
            value = widened(value)
        chosen[key] = value
    return chosen


def signature_result(engine: Engine, signature: Signature) -> Type:
    """What a signature gives, with its env put in."""
    if signature.instance is not None:
        return substitute(engine, signature.instance, signature.env)
    if signature.function < 0:
        return UNRESOLVED
    return substitute(engine, engine.return_type(signature.unit, signature.function), signature.env)


def call_type(engine: Engine, unit: Unit, node: int) -> Type:
    """Type of a CALL, NEW or TAGGED node."""
    construct = unit.code[node] == Op.NEW
    callee = engine.type_of(unit, unit.code[node + 1])
    if isinstance(callee, Union):
        return union([_one_call(engine, unit, node, part, construct) for part in parts_of(non_nullish(callee))])
    if construct and isinstance(callee, Intersection):  # a mixin: an instance of the class and of what it was given
        return intersection([_one_call(engine, unit, node, part, construct) for part in callee.parts])
    return _one_call(engine, unit, node, callee, construct)


def _one_call(engine: Engine, unit: Unit, node: int, callee: Type, construct: bool) -> Type:
    if isinstance(callee, External):
        return callee if construct else External(callee.package, (*callee.path, "()"))
    if callee is ANY:
        return ANY
    if not construct and _is_of_runtime(callee):
        indirect = _indirect(engine, unit, node)
        if indirect is not None:
            return indirect
    signature = choose(engine, unit, node, engine.signatures(callee, construct))
    if signature is None and construct:  # a plain function as a constructor
        return engine.constructed(unit, unit.code[node + 1], callee)
    if signature is None:
        return UNRESOLVED
    env = inferred_env(engine, unit, node, signature)
    if signature.instance is not None:
        return substitute(engine, signature.instance, env)
    receiver = _receiver(engine, unit, unit.code[node + 1])
    if receiver is not None and THIS not in env:
        env = {**env, THIS: receiver}
    return substitute(engine, engine.declared_return(signature.unit, signature.function, env), env)


def _is_of_runtime(callee: Type) -> bool:
    return isinstance(callee, FunctionType) and callee.unit.external == "lib"


def _indirect(engine: Engine, unit: Unit, node: int) -> Type | None:
    """What `f.call(…)` and `f.apply(…)` give, and `f.bind(…)` of `this` alone; None for other calls."""
    code = unit.code
    callee = _unnarrowed(unit, code[node + 1])
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


def _unnarrowed(unit: Unit, callee: int) -> int:
    while unit.code[callee] in (Op.NARROW, Op.NON_NULL):
        callee = unit.code[callee + 1]
    return callee


def _receiver(engine: Engine, unit: Unit, callee: int) -> Type | None:
    callee = _unnarrowed(unit, callee)
    return engine.type_of(unit, unit.code[callee + 1]) if unit.code[callee] == Op.MEMBER else None


def declared_return(engine: Engine, unit: Unit, function: int, env: Env) -> Type:
    """Result of a function under an env: read anew from its annotation, so that `this` types find the receiver."""
    annotation = unit.functions[function].return_type
    if annotation >= 0:
        return engine.declared_type(unit, annotation, env)
    return engine.return_type(unit, function)


def return_type(engine: Engine, unit: Unit, function: int) -> Type:
    """Declared or inferred result of a function."""
    fact = unit.functions[function]
    if fact.return_type >= 0:
        return engine.declared_type(unit, fact.return_type)
    if not fact.has_body:
        return ANY
    if fact.is_generator:
        yielded = union(_yielded(engine, unit, item) for item in fact.yields[:_MOST_RETURNS])
        given = union(engine.type_of(unit, node) for node in fact.returns[:_MOST_RETURNS])
        return engine.lib("AsyncGenerator" if fact.is_async else "Generator", yielded, given, UNKNOWN)
    found = [engine.type_of(unit, node) for node in fact.returns[:_MOST_RETURNS]]
    if not found:
        result: Type = VOID
    else:
        result = _simplified(union([*found, *((UNDEFINED,) if fact.falls_through and not fact.is_arrow else ())]))
    return engine.lib("Promise", awaited(engine, result)) if fact.is_async else result


def _simplified(kind: Type) -> Type:
    """Literal results are widened where there are several, as the compiler shows them."""
    return kind if not isinstance(kind, Union) or len(kind.parts) < 8 else widened(kind)


def _yielded(engine: Engine, unit: Unit, node: int) -> Type:
    value = engine.type_of(unit, unit.code[node + 1]) if unit.code[node + 1] >= 0 else UNDEFINED
    return engine.iterated(value) if unit.code[node + 3] == 1 else value
