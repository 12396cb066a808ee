"""Overload resolution: which of several signatures a call chooses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....facts.operations import Op
from .member_lists import admits
from .model.properties import Signature
from .model.type_model import NEVER, Env, External, Tuple, Type, TypeParameter, parts_of
from .narrowing.inferred_predicates import guards_as
from .reduction import compose
from .relations import assignable
from .type_arguments import fixed, inferred_env, is_sensitive, outer_env, own_parameters, plain_inference

if TYPE_CHECKING:
    from .engine import Engine
    from .model.unit import Unit


def choose(engine: Engine, unit: Unit, node: int, options: Sequence[Signature]) -> Signature | None:
    """Return the first signature that may accept the arguments of a call, else the first that accepts the number of arguments."""
    if len(options) <= 1:
        return options[0] if options else None
    key = (unit.index, node, options[0].unit.index, options[0].function)
    position = engine.chosen_overloads.get(key)
    if position is None or position >= len(options):
        position = engine.chosen_overloads[key] = _choice(engine, unit, node, options)
    return options[position]


def _choice(engine: Engine, unit: Unit, node: int, options: Sequence[Signature]) -> int:
    arguments = unit.items(unit.code[node + 2])
    spreads = any(unit.code[argument] == Op.SPREAD for argument in arguments)
    explicit = len(unit.items(unit.code[node + 3])) if unit.code[node] in (Op.CALL, Op.NEW, Op.TAGGED) else 0
    fitting = [
        position
        for position, option in enumerate(options)
        if _takes_count(engine, option, len(arguments), spreads) and (not explicit or _takes_types(option, explicit))
    ]
    for position in fitting:
        option = options[position]
        if (
            _takes(engine, unit, option, arguments)
            and _is_within_bounds(engine, unit, node, option)
            and (spreads or _takes_rest(engine, unit, node, option, len(arguments)))
        ):
            return position
    return fitting[0] if fitting else 0


def _takes_count(engine: Engine, option: Signature, count: int, spreads: bool) -> bool:
    if option.function < 0:
        return not count
    least, most = engine.arity(option.unit, option.function)
    return spreads or least <= count <= most


def _takes_types(option: Signature, count: int) -> bool:
    """Return whether a signature accepts a number of type arguments."""
    own = own_parameters(option)
    return sum(option.unit.decls[parameter].b < 0 for parameter in own) <= count <= len(own)


def _takes(engine: Engine, unit: Unit, option: Signature, arguments: Sequence[int]) -> bool:
    for position, argument in enumerate(arguments):
        wanted = engine.parameter_type(option.unit, option.function, position, option.env)
        if unit.code[argument] == Op.FUNCTION:
            fits = _takes_function(engine, unit, wanted, argument, option.env)
        elif _has_excess(engine, unit, argument, wanted):
            fits = False
        else:
            fits = assignable(engine, engine.type_of(unit, argument), wanted)
        if fits is False or not guards_as(engine, unit, wanted, argument):
            return False
    return True


def _has_excess(engine: Engine, unit: Unit, argument: int, wanted: Type) -> bool:
    """Return whether an argument is an object literal with a member that its parameter's type does not admit.

    A literal with a spread may have any members.
    """
    if unit.code[argument] != Op.OBJECT or unit.items(unit.code[argument + 2]):
        return False
    names = (member.name for member in unit.shapes[unit.code[argument + 1]].members)
    return any(not admits(engine, wanted, name) for name in names if name)


def _takes_function(engine: Engine, unit: Unit, wanted: Type, argument: int, env: Env) -> bool | None:
    """Return whether a function literal fits a type: the type must pass at least as many arguments as the literal requires."""
    if isinstance(wanted, TypeParameter):  # a type parameter accepts only what its constraint accepts
        bound = engine.declared_type(wanted.unit, wanted.unit.decls[wanted.decl].a, env)
        return None if assignable(engine, engine.type_of(unit, argument), bound) is not False else False
    if wanted.opaque:
        return None
    mine, _ = engine.arity(unit, unit.code[argument + 1])
    for part in parts_of(wanted):
        for signature in engine.signatures(part, False):
            if engine.arity(signature.unit, signature.function)[1] >= mine and _result_fits(engine, unit, argument, signature):
                return True
    return engine.is_lib(wanted, "Function") or isinstance(wanted, External)


def _result_fits(engine: Engine, unit: Unit, argument: int, signature: Signature) -> bool:
    """Return False if the parameters of a literal are typed, and its result does not fit the result of the signature."""
    wanted = engine.signature_result(signature)
    if wanted.opaque or wanted.nullish or is_sensitive(unit, argument):
        return True
    return assignable(engine, engine.return_type(unit, unit.code[argument + 1]), wanted) is not False


def _is_within_bounds(engine: Engine, unit: Unit, node: int, option: Signature) -> bool:
    """Return whether the inferred type arguments of a signature may fit their constraints."""
    decls = option.unit.decls
    own = own_parameters(option)
    bounded = [parameter for parameter in own if decls[parameter].a >= 0]
    if not bounded:
        return True
    found = plain_inference(engine, unit, node, option, outer_env(option, own))
    for parameter in bounded:
        given = found.get((option.unit.index, parameter))
        if given is not None:
            bound = engine.declared_type(option.unit, decls[parameter].a, {**option.env, **found})
            if assignable(engine, given, bound) is False:
                return False
    return True


def _takes_rest(engine: Engine, unit: Unit, node: int, option: Signature, count: int) -> bool:
    """Return whether a rest parameter accepts its arguments.

    Only rest parameters with a conditional type are checked. Such a type is a different tuple for each call.
    """
    parameters = option.unit.functions[option.function].parameters if option.function >= 0 else ()
    if not parameters or not parameters[-1].rest or option.unit.code[parameters[-1].type] != Op.T_CONDITIONAL:
        return True
    rest = engine.declared_type(option.unit, parameters[-1].type, _inferred_or_default(engine, unit, node, option))
    if isinstance(rest, Tuple):
        left = count - len(parameters) + 1
        return len(rest.elements) - rest.optional <= max(left, 0) <= (math.inf if rest.rest is not None else len(rest.elements))
    return rest is not NEVER


def _inferred_or_default(engine: Engine, unit: Unit, node: int, option: Signature) -> Env:
    """Return the env that the arguments other than function literals decide for a signature.

    Undecided type parameters have their defaults.
    """
    own = own_parameters(option)
    explicit = unit.items(unit.code[node + 3]) if unit.code[node] in (Op.CALL, Op.NEW, Op.TAGGED) else ()
    if explicit:
        return inferred_env(engine, unit, node, option)
    env = outer_env(option, own)
    return compose(engine, env, fixed(engine, option, own, plain_inference(engine, unit, node, option, env)))
