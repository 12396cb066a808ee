"""Values of type variables of methods: from arguments, from expected types, and from the results of lambdas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts.operations import ContextKind, Op
from ...languages.typescript.resolve.model.unit import Unit
from .. import call_results, class_order
from ..inference import mentions_variable
from ..types import NONE, UNKNOWN, ClassValue, FunctionValue, Instance, Type, Variable, parts, substitute
from . import choice, conversions, members, values

if TYPE_CHECKING:
    from ..engine import NominalEngine

#: Maximum depth of nested types that are matched.
_MAX_NESTING = 8


def match(engine: NominalEngine, wanted: Type, given: Type, mapping: dict[Type, Type], depth: int = 0) -> None:
    """Learn the values of type variables in an expected type from a given type."""
    if given is UNKNOWN or given is NONE or depth > _MAX_NESTING or choice.is_nothing(given):
        return
    if isinstance(wanted, Variable):
        if given == wanted:
            return
        given = conversions.boxed(engine, given)
        known = mapping.get(wanted)
        if known is None or known is UNKNOWN or (_has_unknown_part(known) and not _has_unknown_part(given)):
            mapping[wanted] = given
        elif known != given and depth == 0:
            both = conversions.joined(engine, [known, given])
            mapping[wanted] = both if both is not UNKNOWN else known
        return
    if not isinstance(wanted, Instance):
        return
    for part in parts(given):
        each = members.bound_of(engine, part) if isinstance(part, Variable) else part
        if not isinstance(each, Instance):
            continue
        seen = class_order.as_class(engine, each, wanted.cls)
        if seen is None:
            # The expected type may be a supertype of the given type.
            above = class_order.as_class(engine, wanted, each.cls)
            if above is not None:
                for w, g in zip(above.arguments, each.arguments, strict=False):
                    match(engine, w, g, mapping, depth + 1)
            continue
        for w, g in zip(wanted.arguments, seen.arguments, strict=False):
            match(engine, w, g, mapping, depth + 1)


def _has_unknown_part(kind: Type) -> bool:
    """Return whether a type argument is unknown, at any depth."""
    return isinstance(kind, Instance) and any(each is UNKNOWN or _has_unknown_part(each) for each in kind.arguments)


def learned(engine: NominalEngine, unit: Unit, call: int, value: FunctionValue, until: int) -> dict[Type, Type]:
    """Return the values of the type variables of a method at a call.

    The argument at the position `until`, and later lambdas and method references, are ignored. If `until` is -1, all arguments
    are read.
    """
    code = unit.code
    arguments = unit.items(code[call + 2]).tolist()
    mapping: dict[Type, Type] = {}
    facts = value.unit.functions[value.function]
    is_open = bool(facts.type_parameters) or _is_diamond(unit, call)
    if code[call] == Op.CALL and code[call + 3] >= 0:
        written = [engine.annotation(unit, each) for each in unit.items(code[call + 3])]
        variables = [engine.declared(value.unit, index) for index in facts.type_parameters]
        mapping.update({variable: kind for variable, kind in zip(variables, written, strict=False) if kind is not UNKNOWN})
    if not is_open:
        return mapping
    is_variadic = _is_variadic(engine, unit, value, arguments)
    wanted = choice.wanted_types(engine, value, len(arguments), is_variadic)
    functions = [place for place, node in enumerate(arguments) if node >= 0 and code[node] in choice.FUNCTIONS]
    for place, node in enumerate(arguments):
        if place not in functions and place != until and place < len(wanted) and mentions_variable(wanted[place]):
            match(engine, wanted[place], engine.type_of(unit, node), mapping)
    result = choice.substituted(engine, value, result_of(engine, unit, call, value))
    variables_left = [each for each in variables_of(result) if each not in mapping]
    weak: dict[Type, Type] = {}
    if variables_left:
        expected: dict[Type, Type] = {}
        match(engine, result, engine.expected(unit, call), expected)
        core = engine.core_type("Object")
        open_around = dict.fromkeys(_open_around(engine, unit, call), UNKNOWN)
        for each, found in expected.items():
            kind = substitute(found, open_around)
            if each not in mapping and kind is not UNKNOWN and not _is_foreign(unit, kind):
                # A wildcard, as in `Collector<T, ?, R>`, gives only `Object`, so the types of lambdas are preferred.
                (weak if core is not None and kind == core else mapping)[each] = kind
    for place in functions:
        if until >= 0 and place >= until:
            break
        if place < len(wanted):
            _learn_function(engine, unit, arguments[place], substitute(wanted[place], mapping), mapping)
    for each, kind in weak.items():
        mapping.setdefault(each, kind)
    for each, kind in list(mapping.items()):
        if isinstance(each, Variable) and isinstance(kind, Instance) and kind.arguments:
            mapping[each] = _within_bound(engine, each, kind, mapping)
    return mapping


def _within_bound(engine: NominalEngine, variable: Variable, kind: Instance, mapping: dict[Type, Type]) -> Type:
    """Return the value of a type variable with the type arguments that its bound gives.

    For `M extends Map<K, D>`, `TreeMap::new` gives the type `TreeMap` without arguments, and `() -> new TreeMap<>()` gives
    `TreeMap` with unknown arguments.
    """
    bound = members.bound_of(engine, variable)
    is_open = kind == values.raw(engine, kind) or all(each is UNKNOWN for each in kind.arguments)
    if not isinstance(bound, Instance) or not is_open:
        return kind
    own = Instance(kind.cls, class_order.class_parameters(engine, kind.cls))
    seen = class_order.as_class(engine, own, bound.cls)
    if seen is None:
        return kind
    inner: dict[Type, Type] = {}
    match(engine, seen, substitute(bound, mapping), inner)
    return substitute(own, inner) if inner else kind


def _is_foreign(unit: Unit, kind: Type) -> bool:
    """Return whether a type is a type variable of another file that the enclosing call has not inferred yet."""
    return isinstance(kind, Variable) and kind.key[0] != unit.path


def _open_around(engine: NominalEngine, unit: Unit, call: int) -> list[Type]:
    """Return the type variables that the calls around a call infer together with the call."""
    found: list[Type] = []
    at = call
    for _ in range(_MAX_NESTING):
        kind, around, _ = unit.contexts.get(at, (-1, -1, -1))
        if kind == ContextKind.ARGUMENT:
            method = engine.selected(unit, around)
            if isinstance(method, FunctionValue):
                declared = method.unit.functions[method.function].type_parameters
                found += [engine.declared(method.unit, index) for index in declared]
                if _is_diamond(unit, around) and method.owner is not None:
                    found += class_order.class_parameters(engine, method.owner.cls)
        elif kind not in (ContextKind.SAME, ContextKind.RETURN):
            break
        at = around
    return found


def result_of(engine: NominalEngine, unit: Unit, call: int, value: FunctionValue) -> Type:
    """Return the result of a method or constructor, before type variables are replaced."""
    if unit.code[call] == Op.NEW:
        return value.owner if value.owner is not None else UNKNOWN
    return engine.returned(value.unit, value.function)


def variables_of(kind: Type) -> list[Variable]:
    """Return the type variables that a type mentions."""
    if isinstance(kind, Variable):
        return [kind]
    return [each for inner in kind.arguments for each in variables_of(inner)] if isinstance(kind, Instance) else []


def _is_diamond(unit: Unit, call: int) -> bool:
    code = unit.code
    a = code[call + 1]
    return code[call] == Op.NEW and a >= 0 and code[a] == Op.T_REFERENCE and len(unit.items(code[a + 2])) == 0


def _is_variadic(engine: NominalEngine, unit: Unit, value: FunctionValue, arguments: list[int]) -> bool:
    """Return whether a call passes single items to a variadic parameter, and not an array."""
    written = value.unit.functions[value.function].parameters
    if not written or not written[-1].rest:
        return False
    if len(arguments) != len(written):
        return True
    last = arguments[-1]
    kind = UNKNOWN if last < 0 or unit.code[last] in choice.FUNCTIONS else engine.type_of(unit, last)
    return not (isinstance(kind, Instance) and kind.cls.name == "$array")


def _learn_function(engine: NominalEngine, unit: Unit, node: int, wanted: Type, mapping: dict[Type, Type]) -> None:
    """Learn type variables from the parameters and the result of a lambda or a method reference."""
    method = members.function_of(engine, wanted)
    if method is None:
        return
    result = choice.substituted(engine, method, engine.returned(method.unit, method.function))
    if unit.code[node] == Op.FUNCTION:
        function = unit.functions[unit.code[node + 1]]
        for kind, each in zip(members.parameter_types(engine, method), function.parameters, strict=False):
            if each.type >= 0:
                match(engine, kind, engine.annotation(unit, each.type), mapping)
        if mentions_variable(result):
            _learn_result(engine, unit, function.returns, result, mapping)
        return
    owner = engine.type_of(unit, unit.code[node + 1])
    target = engine.selected(unit, node)
    parameters = members.parameter_types(engine, method)
    if isinstance(owner, ClassValue) and parameters and isinstance(target, FunctionValue):
        member = members.member_of(target)
        if member is not None and not member.static and member.name != "<init>":
            match(engine, parameters[0], owner.instance, mapping)
    if isinstance(target, FunctionValue):
        taken = members.parameter_types(engine, target)
        if len(taken) == len(parameters):
            for kind, takes in zip(parameters, taken, strict=True):
                if not mentions_variable(takes):
                    match(engine, kind, takes, mapping)
        match(engine, result, referred_result(engine, unit, node, target, mapping, parameters), mapping)
    elif isinstance(target, ClassValue):
        match(engine, result, target.instance, mapping)


def _learn_result(engine: NominalEngine, unit: Unit, returned: list[int], result: Type, mapping: dict[Type, Type]) -> None:
    """Learn type variables from the values that a lambda returns. Of returned functions, the results are known first."""
    plain = [each for each in returned if unit.code[each] not in choice.FUNCTIONS]
    for each in returned:
        if unit.code[each] in choice.FUNCTIONS:
            _learn_function(engine, unit, each, substitute(result, mapping), mapping)
    if plain:
        match(engine, result, conversions.joined(engine, [engine.type_of(unit, each) for each in plain]), mapping)


def referred_result(
    engine: NominalEngine, unit: Unit, node: int, target: FunctionValue, mapping: dict[Type, Type], parameters: list[Type]
) -> Type:
    """Return the result type of a referenced method when it is called with parameters of the expected types."""
    if target.unit.decls[target.declaration].name == "<init>":
        return target.owner if target.owner is not None else UNKNOWN
    given = [substitute(each, mapping) for each in parameters]
    member = members.member_of(target)
    owner = engine.type_of(unit, unit.code[node + 1])
    inner: dict[Type, Type] = {}
    result = engine.returned(target.unit, target.function)
    is_unbound = isinstance(owner, ClassValue) and member is not None and not member.static
    if is_unbound and given and target.owner is not None:
        first = members.bound_of(engine, given[0]) if isinstance(given[0], Variable) else given[0]
        seen = class_order.as_class(engine, first, target.owner.cls) if isinstance(first, Instance) else None
        if seen is not None:
            result = substitute(result, call_results.arguments_of(engine, seen))
    elif target.owner is not None:
        result = choice.substituted(engine, target, result)
    for kind, each in zip(members.parameter_types(engine, target), given[1:] if is_unbound else given, strict=False):
        match(engine, kind, each, inner)
    return substitute(result, inner)


def may_refer(engine: NominalEngine, unit: Unit, node: int, count: int, *, has_result: bool) -> bool | None:
    """Return whether a method reference fits a function with `count` parameters; None if that is not known.

    `has_result` says whether the function returns a value. If so, a reference to a single method fits only if the method
    returns a value.
    """
    code = unit.code
    owner, name = engine.type_of(unit, code[node + 1]), unit.strings[code[node + 2]]
    is_type = isinstance(owner, ClassValue)
    value = owner.instance if isinstance(owner, ClassValue) else owner
    if not isinstance(value, Instance):
        return None
    if value.cls.name == "$array" and name == "<init>":
        return count == 1
    found = members.constructors(engine, value.cls, value) if name == "<init>" else members.methods(engine, value, name)
    if not found:
        return count == 0 if name == "<init>" and members.has_default_constructor(value.cls) else None
    counts: set[int] = set()
    if (
        has_result
        and len(found) == 1
        and name != "<init>"
        and choice.is_nothing(engine.returned(found[0].unit, found[0].function))
    ):
        return False
    for each in found:
        written = each.unit.functions[each.function].parameters
        if written and written[-1].rest:
            return None
        member = members.member_of(each)
        is_unbound = is_type and name != "<init>" and member is not None and not member.static
        counts.add(len(written) + is_unbound)
    return count in counts
