"""Type arguments: the types that a call decides for the type parameters of a signature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....facts.operations import Op, ThisKind
from .declared import fill_arguments
from .inference import infer
from .model.properties import Signature
from .model.type_model import UNKNOWN, Env, Mapped, Parameter, Tuple, Type, TypeParameter, non_nullish, widened
from .reduction import compose
from .tuples import of_expressions

if TYPE_CHECKING:
    from .engine import Engine
    from .model.unit import Unit


def inferred_env(engine: Engine, unit: Unit, node: int, signature: Signature, before: int | None = None) -> Env:
    """Return the env that a call decides for a signature.

    Function literals from the argument at `before` on are skipped, because their types depend on this result.
    """
    parameters = own_parameters(signature)
    if not parameters:
        return signature.env
    explicit = unit.items(unit.code[node + 3]) if unit.code[node] in (Op.CALL, Op.NEW, Op.TAGGED) else ()
    if explicit:
        return explicit_env(engine, unit, explicit, signature)
    env = outer_env(signature, parameters)
    arguments = unit.items(unit.code[node + 2])
    found = dict(plain_inference(engine, unit, node, signature, env))
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


def explicit_env(engine: Engine, unit: Unit, written: Sequence[int], signature: Signature) -> Env:
    """Return the env that written type arguments decide for a signature. Those that are left out have their defaults."""
    return _given_env(engine, signature, tuple(engine.declared_type(unit, item) for item in written))


def instantiated(engine: Engine, signature: Signature, arguments: tuple[Type, ...]) -> Signature:
    """Return a signature with type arguments in place of the type parameters that a call would decide."""
    if not own_parameters(signature):
        return signature
    env = _given_env(engine, signature, arguments)
    instance = engine.substituted(signature.instance, env) if signature.instance is not None else None
    return Signature(signature.unit, signature.function, env, instance, (), True)


def _given_env(engine: Engine, signature: Signature, given: tuple[Type, ...]) -> Env:
    parameters = own_parameters(signature)
    filled = fill_arguments(engine, signature.unit, list(parameters), given)
    chosen: dict[Parameter, Type] = dict(zip(_keys(signature, parameters), filled, strict=True))
    return compose(engine, signature.env, chosen)


def plain_inference(engine: Engine, unit: Unit, node: int, signature: Signature, env: Env) -> dict[Parameter, Type]:
    """Infer type parameters from all arguments except function literals whose parameters have no types yet.

    The inference is cached, because the expected type of each argument depends on it.
    """
    key = (unit.index, node, signature.unit.index, signature.function)
    known = engine.inferences.get(key)
    if known is not None:
        return known
    before = engine.cut_off
    found: dict[Parameter, Type] = {}
    _from_receiver(engine, unit, node, signature, env, found)
    for position, argument in enumerate(unit.items(unit.code[node + 2])):
        if unit.code[argument] != Op.SPREAD and not is_sensitive(unit, argument):
            wanted = engine.parameter_type(signature.unit, signature.function, position, env)
            infer(engine, wanted, engine.type_of(unit, argument), found)
    if engine.cut_off == before:
        engine.inferences[key] = found
    return found


def _from_receiver(engine: Engine, unit: Unit, node: int, signature: Signature, env: Env, found: dict[Parameter, Type]) -> None:
    """Infer from the receiver of a method call, if the method has a `this` parameter: `create<C>(this: C)`."""
    this_type = signature.unit.functions[signature.function].this_type if signature.function >= 0 else -1
    receiver = receiver_type(engine, unit, unit.code[node + 1]) if this_type >= 0 and unit.code[node] == Op.CALL else None
    if receiver is not None:
        infer(engine, engine.declared_type(signature.unit, this_type, env), receiver, found)


def _from_rest(
    engine: Engine, unit: Unit, arguments: Sequence[int], signature: Signature, env: Env, found: dict[Parameter, Type]
) -> None:
    """Infer from all the arguments of a rest parameter together, if its type is a whole tuple."""
    parameters = signature.unit.functions[signature.function].parameters if signature.function >= 0 else ()
    if not parameters or not parameters[-1].rest or len(arguments) < len(parameters):
        return
    pattern = engine.declared_type(signature.unit, parameters[-1].type, env)
    if not isinstance(pattern, TypeParameter | Tuple | Mapped):  # an array is matched argument by argument
        return
    infer(engine, pattern, of_expressions(engine, unit, arguments[len(parameters) - 1 :]), found)


def is_sensitive(unit: Unit, argument: int) -> bool:
    """Return whether an argument is a function literal with a parameter that has no annotation."""
    if unit.code[argument] != Op.FUNCTION:
        return False
    return any(entry.type < 0 for entry in unit.functions[unit.code[argument + 1]].parameters)


def own_parameters(signature: Signature) -> tuple[int, ...]:
    """Return the type parameters that a call of a signature decides."""
    if signature.is_instantiated:
        return ()
    own = signature.unit.functions[signature.function].type_parameters if signature.function >= 0 else ()
    return (*own, *signature.class_parameters)


def outer_env(signature: Signature, own: Sequence[int]) -> Env:
    """Return the env of a signature without its own type parameters. Each call decides these separately."""
    keys = frozenset(_keys(signature, own))
    return {key: value for key, value in signature.env.items() if key not in keys}


def _keys(signature: Signature, parameters: Sequence[int]) -> list[Parameter]:
    return [(signature.unit.index, parameter) for parameter in parameters]


def _from_context(
    engine: Engine, unit: Unit, node: int, signature: Signature, found: dict[Parameter, Type], own: frozenset[Parameter]
) -> None:
    """If no argument decides a parameter, infer it from the type that the context of the call expects."""
    if all(key in found for key in own) or node not in unit.contexts:
        return
    expected = engine.context_type(unit, node)
    if expected.opaque:
        return
    hints: dict[Parameter, Type] = {}
    infer(engine, engine.signature_result(signature), non_nullish(expected), hints)
    for key, value in hints.items():
        if key in own and key not in found and not value.opaque:
            found[key] = value


def fixed(engine: Engine, signature: Signature, parameters: Sequence[int], found: dict[Parameter, Type]) -> dict[Parameter, Type]:
    """Return the type argument for each parameter.

    An inferred literal is widened unless the parameter has a constraint. Without an inferred type, the type argument is the
    default or the constraint.
    """
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


def receiver_type(engine: Engine, unit: Unit, callee: int) -> Type | None:
    """Return the type that a method is called on; None if the callee is not a member. The type of `super` is the type
    of `this`.
    """
    callee = unit.unnarrowed(callee)
    if unit.code[callee] != Op.MEMBER:
        return None
    target = unit.code[callee + 1]
    return engine.shape_instance(unit, unit.code[target + 2]) if is_super(unit, target) else engine.type_of(unit, target)


def is_super(unit: Unit, node: int) -> bool:
    """Return whether a node is the `super` of a method."""
    code = unit.code
    return code[node] == Op.SUPER and code[node + 1] == ThisKind.INSTANCE and code[node + 2] >= 0
