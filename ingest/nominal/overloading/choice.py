"""Choose the overload that a call runs: by subtyping, then also with boxing, then also with variadic parameters.

If several methods apply in one phase, the most specific method is chosen. The Java Language Specification, section 15.12.2,
describes the phases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...facts.model import Member, ShapeKind
from ...facts.operations import Op
from ...languages.typescript.resolve.model.unit import Unit
from .. import call_results
from ..inference import mentions_variable
from ..types import NONE, UNKNOWN, ClassValue, FunctionValue, Instance, ModuleValue, Outside, Type, Variable, parts, substitute
from . import conversions, inference, members, method_references, names, type_arguments, values

if TYPE_CHECKING:
    from ..engine import NominalEngine

#: Lambdas and method references, whose types follow only from the expected type.
FUNCTIONS: Final = (Op.FUNCTION, Op.REFERS)
_CALLABLE: Final = ("method", "constructor")
#: Modifiers of access. Without one, only the package of a method may call it.
_ACCESS: Final = frozenset(("public", "protected", "private"))


def selected(engine: NominalEngine, unit: Unit, node: int) -> Type:
    """Return the method or constructor that a call or a reference to a method means.

    The result is a `FunctionValue`, the `ClassValue` of a class that declares no constructor, an `Outside`, or UNKNOWN.
    """
    code = unit.code
    op, a = code[node], code[node + 1]
    if op == Op.REFERS:
        return method_references.referred(engine, unit, node)
    found, outside = candidates(engine, unit, node)
    if not found:
        if op == Op.NEW or (a >= 0 and code[a] in (Op.THIS, Op.SUPER)):
            made = _constructed_class(engine, unit, node)
            return ClassValue(made) if isinstance(made, Instance) else made if isinstance(made, Outside) else UNKNOWN
        return Outside(outside) if outside else UNKNOWN
    arguments = unit.items(code[node + 2]).tolist()
    if outside and code[a] == Op.LEXICAL:
        return _among_unknown(engine, unit, found, arguments)
    return choose(engine, unit, found, arguments)


def is_refused(engine: NominalEngine, unit: Unit, node: int) -> bool:
    """Return whether all methods or constructors with the name of a call are known, and certainly none takes its arguments."""
    code = unit.code
    if code[node] not in (Op.CALL, Op.NEW):
        return False
    found, outside = candidates(engine, unit, node)
    if not found or outside:
        return False
    arguments = unit.items(code[node + 2]).tolist()
    given = [_argument_type(engine, unit, each) for each in arguments]
    return not any(
        takes_count(each, len(arguments)) and _applies(engine, unit, each, arguments, given, phase) is not False
        for each in found
        for phase in range(3)
    )


def may_pass(engine: NominalEngine, unit: Unit, node: int, kind: Type, wanted: Type) -> bool | None:
    """Return whether a value of some type may be assigned where a type is expected; None if that is not known."""
    return _fits(engine, unit, node, kind, wanted, 2)


def candidates(engine: NominalEngine, unit: Unit, node: int) -> tuple[list[FunctionValue], str]:
    """Return the methods or constructors with the name of a call, or the dotted name of an external method."""
    code = unit.code
    op, a = code[node], code[node + 1]
    if op == Op.NEW or (a >= 0 and code[a] in (Op.THIS, Op.SUPER)):
        made = _constructed_class(engine, unit, node)
        made_by = members.constructors(engine, made.cls, made) if isinstance(made, Instance) else []
        return [each for each in made_by if _is_accessible(unit, each)] or made_by, ""
    if a < 0:
        return [], ""
    name = unit.strings[code[a + 2]]
    if code[a] == Op.LEXICAL:
        return names.methods_named(engine, unit, code[a + 1], name)
    if code[a] != Op.MEMBER:
        return [], ""
    found, outside = of_receiver(engine, values.anonymous_type(engine, unit, code[a + 1]), name)
    return [each for each in found if _is_accessible(unit, each)], outside


def _is_accessible(unit: Unit, method: FunctionValue) -> bool:
    """Return whether a file may call a method. Only its own file may call a private method."""
    if method.unit is unit:
        return True
    member = members.member_of(method)
    if member is None or method.unit.external or method.unit.facts.package == unit.facts.package:
        return member is None or not member.optional
    return not member.optional and not _is_of_its_package(method, member)


def _is_of_its_package(method: FunctionValue, member: Member) -> bool:
    """Return whether only the package of a method may call it, because it has no modifier of access."""
    owner = method.owner
    if owner is None or member.symbol < 0 or owner.cls.unit.shapes[owner.cls.shape].kind != ShapeKind.CLASS:
        return False
    symbol = method.unit.facts.symbols[member.symbol]
    return symbol.kind in _CALLABLE and _ACCESS.isdisjoint(symbol.modifiers)


def of_receiver(engine: NominalEngine, receiver: Type, name: str) -> tuple[list[FunctionValue], str]:
    found: list[FunctionValue] = []
    outside = ""
    for part in parts(receiver):
        if isinstance(part, Outside):
            outside = outside or f"{part.path}.{name}"
        elif isinstance(part, ModuleValue):
            continue
        value = part.instance if isinstance(part, ClassValue) else part
        for each in members.receivers(engine, value):
            found += [made for made in members.methods(engine, each, name) if made not in found]
        if isinstance(part, Variable) and not found:
            outside = outside or next(
                (f"{each.path}.{name}" for each in parts(members.bound_of(engine, part)) if isinstance(each, Outside)), ""
            )
    return found, outside


def _constructed_class(engine: NominalEngine, unit: Unit, node: int) -> Type:
    """Return the class whose constructor a call means."""
    code = unit.code
    a = code[node + 1]
    if code[node] == Op.NEW:
        kind = engine.annotation(unit, a)
        if isinstance(kind, Instance) and kind.cls.unit.shapes[kind.cls.shape].kind == ShapeKind.INTERFACE:
            return UNKNOWN  # an anonymous class
        return kind
    if code[a] == Op.THIS:
        return names.own_instance(engine, unit, code[a + 2])
    return engine.type_of(unit, a)


# ---------------------------------------------------------------------- the choice


def choose(engine: NominalEngine, unit: Unit, found: list[FunctionValue], arguments: list[int]) -> Type:
    """Return the method among several that a call with some arguments runs; UNKNOWN if that is not certain."""
    fitting = [each for each in found if takes_count(each, len(arguments))]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        return UNKNOWN
    given = [_argument_type(engine, unit, node) for node in arguments]
    for phase in range(3):
        sure: list[FunctionValue] = []
        likely: list[FunctionValue] = []
        for each in fitting:
            answer = _accepts(engine, unit, each, arguments, given, phase)
            if answer:
                sure.append(each)
            elif answer is None:
                likely.append(each)
        if sure or likely:
            listed = [*sure, *likely]
            exact = [each for each in sure if phase < 2 and likely and _is_exact(engine, each, given)]
            best = exact[0] if len(exact) == 1 else most_specific(engine, unit, listed, arguments, phase == 2)
            if best is None:
                return UNKNOWN
            if best in likely and len(listed) > 1 and not sure and not _is_same_for_all(engine, listed, given):
                return UNKNOWN
            if (
                best in sure
                and likely
                and not _is_exact(engine, best, given)
                and not _is_most_specific(engine, unit, best, likely, arguments, phase == 2)
            ):
                return UNKNOWN
            return best
    return fitting[0] if len(fitting) == 1 else UNKNOWN


def _among_unknown(engine: NominalEngine, unit: Unit, found: list[FunctionValue], arguments: list[int]) -> Type:
    """Return the method that certainly accepts the arguments of a call, if external types may declare methods of this name.

    A method with a parameter of type `Object` does not count, because an external method is likely to be more specific.
    """
    given = [_argument_type(engine, unit, node) for node in arguments]
    fitting = [each for each in found if takes_count(each, len(arguments))]
    sure = [each for each in fitting if _accepts(engine, unit, each, arguments, given, 0)]
    best = most_specific(engine, unit, sure, arguments, is_variadic=False) if sure else None
    if best is None:
        return UNKNOWN
    core = engine.core_type("Object")
    wanted = [members.erased(engine, each) for each in wanted_types(engine, best, len(arguments), is_variadic=False)]
    is_broad = any(each is UNKNOWN or (core is not None and each == core) for each in wanted)
    return UNKNOWN if is_broad else best


def _is_exact(engine: NominalEngine, value: FunctionValue, given: list[Type]) -> bool:
    """Return whether the erased types of the arguments equal the parameter types of a method."""
    if UNKNOWN in given:
        return False
    wanted = wanted_types(engine, value, len(given), is_variadic=False)
    return len(wanted) == len(given) and all(
        members.erased(engine, one) == members.erased(engine, two) for one, two in zip(given, wanted, strict=True)
    )


def _is_same_for_all(engine: NominalEngine, listed: list[FunctionValue], given: list[Type]) -> bool:
    """Return whether the methods have equal types for each parameter whose argument type is unknown."""
    first = members.parameter_types(engine, listed[0])
    for other in listed[1:]:
        kinds = members.parameter_types(engine, other)
        for place, kind in enumerate(given):
            if kind is UNKNOWN or isinstance(kind, Outside):
                one, two = _at(first, place), _at(kinds, place)
                if members.erased(engine, one) != members.erased(engine, two):
                    return False
    return True


def _is_most_specific(
    engine: NominalEngine,
    unit: Unit,
    best: FunctionValue,
    likely: list[FunctionValue],
    arguments: list[int],
    is_variadic: bool,
) -> bool:
    """Return whether a method is at least as specific as all other methods that may accept the arguments."""
    return all(_is_as_specific(engine, unit, best, each, arguments, is_variadic) for each in likely)


def _at(kinds: list[Type], place: int) -> Type:
    return kinds[min(place, len(kinds) - 1)] if kinds else UNKNOWN


def takes_count(value: FunctionValue, count: int) -> bool:
    written = value.unit.functions[value.function].parameters
    if written and written[-1].rest:
        return count >= len(written) - 1
    return count == len(written)


def _argument_type(engine: NominalEngine, unit: Unit, node: int) -> Type:
    if node < 0 or unit.code[node] in FUNCTIONS:
        return UNKNOWN
    kind = engine.type_of(unit, node)
    return NONE if kind is UNKNOWN and _is_of_any_type(engine, unit, node) else kind


def _is_of_any_type(engine: NominalEngine, unit: Unit, node: int) -> bool:
    """Return whether an argument calls a method whose result takes on any expected type: `<T> T any()`.

    Such an argument may be passed wherever `null` may be passed.
    """
    if unit.code[node] != Op.CALL or unit.code[node + 3] >= 0:
        return False
    method = engine.selected(unit, node)
    if not isinstance(method, FunctionValue):
        return False
    facts = method.unit.functions[method.function]
    result = engine.returned(method.unit, method.function)
    own = [engine.declared(method.unit, index) for index in facts.type_parameters]
    if not isinstance(result, Variable) or result not in own or members.bound_of(engine, result) is not UNKNOWN:
        return False
    return not any(mentions_variable(each) for each in members.parameter_types(engine, method))


def wanted_types(engine: NominalEngine, value: FunctionValue, count: int, is_variadic: bool) -> list[Type]:
    """Return the type that a method expects for each of `count` arguments.

    The arguments for a variadic parameter are single items if `is_variadic`, else one array.
    """
    written = value.unit.functions[value.function].parameters
    kinds = members.parameter_types(engine, value)
    if written and written[-1].rest and not is_variadic:
        kinds[-1] = engine.array_of(kinds[-1])
    if is_variadic and written and written[-1].rest:
        kinds = [*kinds[:-1], *[kinds[-1]] * max(count - len(kinds) + 1, 0)]
    return kinds


def _accepts(
    engine: NominalEngine, unit: Unit, value: FunctionValue, arguments: list[int], given: list[Type], phase: int
) -> bool | None:
    """Return whether a method accepts the arguments in a phase, their type arguments included; None if that is not known."""
    answer = _applies(engine, unit, value, arguments, given, phase)
    if answer is False:
        return False
    for place, node in enumerate(arguments):
        if type_arguments.differ(engine, unit, node, given[place], value, place, is_item=phase == 2):
            return False
    return answer


def _applies(
    engine: NominalEngine, unit: Unit, value: FunctionValue, arguments: list[int], given: list[Type], phase: int
) -> bool | None:
    written = value.unit.functions[value.function].parameters
    is_rest = bool(written) and written[-1].rest
    if phase == 2 and not is_rest:
        return False
    wanted = wanted_types(engine, value, len(arguments), phase == 2)
    if len(wanted) != len(arguments):
        return False
    is_sure = True
    for node, kind, want in zip(arguments, given, wanted, strict=True):
        answer = _fits(engine, unit, node, kind, want, phase)
        if answer is False:
            return False
        is_sure = is_sure and bool(answer)
    return True if is_sure else None


def _fits(engine: NominalEngine, unit: Unit, node: int, kind: Type, wanted: Type, phase: int) -> bool | None:
    """Return whether an argument of some type may be passed where a type is expected; None if that is not known."""
    code = unit.code
    if node >= 0 and code[node] in FUNCTIONS:
        return _takes_function(engine, unit, node, wanted)
    if node >= 0 and code[node] == Op.CONDITIONAL:
        own = conversions.own_type_of_conditional(engine, unit, node)
        if own is not None:
            return conversions.fits(engine, own, wanted, boxes=phase > 0)
        # Each branch is compared on its own.
        answers = [
            _fits(engine, unit, each, _argument_type(engine, unit, each), wanted, phase)
            for each in (code[node + 2], code[node + 3])
        ]
        return False if False in answers else None if None in answers else True
    return conversions.fits(engine, kind, wanted, boxes=phase > 0)


def _takes_function(engine: NominalEngine, unit: Unit, node: int, wanted: Type) -> bool | None:
    """Return whether a lambda or a method reference may be passed where a type is expected."""
    if wanted is UNKNOWN or isinstance(wanted, (Outside, Variable)):
        return None
    method = members.function_of(engine, wanted)
    if method is None:
        return False
    count = len(method.unit.functions[method.function].parameters)
    has_result = not _is_void(engine, method)
    if unit.code[node] == Op.REFERS:
        return inference.may_refer(engine, unit, node, count, has_result=has_result)
    function = unit.functions[unit.code[node + 1]]
    if len(function.parameters) != count:
        return False
    if function.has_body:
        return (bool(function.returns) or not function.falls_through) if has_result else not function.returns
    value = function.returns[0] if function.returns else -1
    if not has_result:
        return value < 0 or unit.code[value] in (Op.CALL, Op.NEW, Op.ASSIGN, Op.UNARY)
    if not function.parameters and value >= 0 and unit.code[value] == Op.CALL:
        return not is_nothing(engine.type_of(unit, value))
    return True


def is_nothing(kind: Type) -> bool:
    """Return whether a type is `void`."""
    return isinstance(kind, Instance) and kind.cls.name == "$void"


def _is_void(engine: NominalEngine, method: FunctionValue) -> bool:
    return is_nothing(engine.returned(method.unit, method.function))


# ---------------------------------------------------------------------- the most specific


def most_specific(
    engine: NominalEngine, unit: Unit, found: list[FunctionValue], arguments: list[int], is_variadic: bool
) -> FunctionValue | None:
    """Return the most specific method: all other methods would accept its parameters, too. Return None if there is none."""
    if len(found) == 1:
        return found[0]
    best = [
        each
        for each in found
        if all(each is other or _is_as_specific(engine, unit, each, other, arguments, is_variadic) for other in found)
    ]
    if not best:
        return None
    # Among methods with equal parameters, a method with a body is preferred to an abstract method.
    return next((each for each in best if each.unit.functions[each.function].has_body), best[0])


def _is_as_specific(
    engine: NominalEngine,
    unit: Unit,
    one: FunctionValue,
    other: FunctionValue,
    arguments: list[int],
    is_variadic: bool,
) -> bool:
    count = len(arguments)
    first, second = wanted_types(engine, one, count, is_variadic), wanted_types(engine, other, count, is_variadic)
    if is_variadic and not _is_narrower_rest(engine, one, other, count):
        return False
    for place, node in enumerate(arguments):
        a, b = _at(first, place), _at(second, place)
        if node >= 0 and unit.code[node] in FUNCTIONS:
            if not _is_narrower_function(engine, unit, node, a, b):
                return False
            continue
        if a == b:
            continue
        if isinstance(a, Variable) and isinstance(b, Variable):
            above = members.bound_of(engine, b)
            if above is not UNKNOWN and conversions.fits(engine, members.bound_of(engine, a), above, boxes=False) is not True:
                return False
            continue
        if not conversions.fits(engine, a, b, boxes=False):
            return False
    return True


def _is_narrower_rest(engine: NominalEngine, one: FunctionValue, other: FunctionValue, count: int) -> bool:
    """Return whether one variadic method is as specific as another, for the number of arguments of the call plus one.

    Source: the Java Language Specification, section 15.12.2.5, which compares the first k + 1 variable arity types.
    """
    first, second = [wanted_types(engine, each, count + 1, is_variadic=True) for each in (one, other)]
    if len(members.parameter_types(engine, other)) != count + 1:
        return True
    return first[-1] == second[-1] or conversions.fits(engine, first[-1], second[-1], boxes=False) is True


def _is_narrower_function(engine: NominalEngine, unit: Unit, node: int, one: Type, other: Type) -> bool:
    if members.erased(engine, one) == members.erased(engine, other) or conversions.fits(engine, one, other, boxes=False):
        return True
    if conversions.fits(engine, other, one, boxes=False):
        return False  # the other interface extends this one
    first, second = members.function_of(engine, one), members.function_of(engine, other)
    if first is None or second is None:
        return False
    mine, theirs = engine.returned(first.unit, first.function), engine.returned(second.unit, second.function)
    if is_nothing(theirs):
        return True
    if is_nothing(mine):
        return False
    given = _result_of(engine, unit, node)
    if conversions.primitive_of(mine) and conversions.primitive_of(theirs):
        return bool(conversions.fits(engine, mine, theirs, boxes=False))
    if conversions.primitive_of(mine) and not conversions.primitive_of(theirs):
        return bool(conversions.primitive_of(given))
    if conversions.primitive_of(theirs) and not conversions.primitive_of(mine):
        return given is not UNKNOWN and not conversions.primitive_of(given)
    return False


def _result_of(engine: NominalEngine, unit: Unit, node: int) -> Type:
    if unit.code[node] == Op.REFERS:
        method = engine.selected(unit, node)
        return engine.returned(method.unit, method.function) if isinstance(method, FunctionValue) else UNKNOWN
    function = unit.functions[unit.code[node + 1]]
    return engine.type_of(unit, function.returns[0]) if function.returns else UNKNOWN


# ---------------------------------------------------------------------- type arguments


def substituted(engine: NominalEngine, value: FunctionValue, kind: Type) -> Type:
    """Return a type from a method's signature with the type arguments of the method's owner."""
    return substitute(kind, call_results.arguments_of(engine, value.owner)) if value.owner is not None else kind
