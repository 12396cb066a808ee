"""The types of expressions, of declarations and of written types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...facts.model import DeclKind, ShapeKind
from ...facts.operations import ContextKind, MemberFlag, Op, Result, Use
from ...languages.typescript.resolve.model.unit import Unit
from .. import call_results, class_order
from ..types import (
    NONE,
    UNKNOWN,
    ClassValue,
    FunctionValue,
    Instance,
    ModuleValue,
    Outside,
    Type,
    Variable,
    parts,
    substitute,
    union,
)
from . import choice, conversions, inference, members, names

if TYPE_CHECKING:
    from ..engine import NominalEngine

_NUMBERS: Final = ("$int", "$long", "$float", "$double", "$char")
_BOOLEANS: Final = (Op.BOOLEAN, Op.NOT, Op.INSTANCEOF, Op.EQUALITY)


def expression_type(engine: NominalEngine, unit: Unit, node: int) -> Type:
    """Return the type of an expression; for the name of a type, its `ClassValue`."""
    code = unit.code
    op, a, b, c = code[node], code[node + 1], code[node + 2], code[node + 3]
    if op == Op.NAME:
        return engine.binding(unit, a)
    if op == Op.LEXICAL:
        return _lexical(engine, unit, a, unit.strings[b], c)
    if op == Op.MEMBER:
        return _member(engine, unit, node)
    if op in (Op.CALL, Op.NEW):
        return _called(engine, unit, node)
    if op == Op.THIS:
        return names.own_instance(engine, unit, b) if b >= 0 else UNKNOWN
    if op == Op.SUPER:
        return _super(engine, unit, b)
    if op == Op.AS:
        return engine.annotation(unit, b)
    if op == Op.STRING:
        return engine.core_type("String") or UNKNOWN
    if op == Op.NUMBER:
        return engine.core_type(_NUMBERS[c]) or UNKNOWN
    if op in _BOOLEANS:
        return engine.core_type("$boolean") or UNKNOWN
    if op == Op.NULL:
        return NONE
    if op == Op.BINARY:
        return _operated(engine, engine.type_of(unit, a), engine.type_of(unit, b), c)
    if op == Op.UNARY:
        kind = conversions.unboxed(engine, engine.type_of(unit, a))
        return conversions.promoted(engine, kind, kind) if conversions.primitive_of(kind) else UNKNOWN
    if op == Op.ASSIGN:
        return engine.type_of(unit, a)
    if op == Op.CONDITIONAL:
        own = conversions.own_type_of_conditional(engine, unit, node)
        return own if own is not None else _one_of(engine, unit, node, [b, c])
    if op == Op.PHI:
        return _one_of(engine, unit, node, unit.items(a).tolist())
    if op == Op.INDEX:
        return _item(engine, engine.type_of(unit, a))
    if op == Op.ITERATED:
        return _iterated(engine, engine.type_of(unit, a))
    if op == Op.ELEMENT:
        return _component(engine, engine.type_of(unit, a), c)
    if op in choice.FUNCTIONS:
        return engine.expected(unit, node)
    if op in (Op.T_NAME, Op.T_REFERENCE):
        kind = engine.annotation(unit, node)
        return ClassValue(kind) if isinstance(kind, Instance) else kind
    return UNKNOWN


def _lexical(engine: NominalEngine, unit: Unit, shape: int, name: str, use: int) -> Type:
    if use == Use.TYPE:
        return names.type_or_package(engine, unit, shape, name)
    if use == Use.CALL:
        return UNKNOWN
    found = names.field_named(engine, unit, shape, name)
    if found is not None:
        return found.type
    return names.type_or_package(engine, unit, shape, name)


def _member(engine: NominalEngine, unit: Unit, node: int) -> Type:
    code = unit.code
    value, name = anonymous_type(engine, unit, code[node + 1]), unit.strings[code[node + 2]]
    if name == "class":
        kind = engine.annotation(unit, code[node + 1])
        made = engine.core_type("Class")
        return Instance(made.cls, (conversions.boxed(engine, kind),)) if made is not None else UNKNOWN
    if isinstance(value, ModuleValue):
        return names.member_of_package(engine, unit, value, name)
    if isinstance(value, Outside):
        return Outside(f"{value.path}.{name}")
    if code[node + 3] == MemberFlag.TYPE:
        return member_type(engine, value, name)
    if isinstance(value, ClassValue):
        info = value.instance.cls
        if name in ("this", "super"):
            own = names.own_instance(engine, info.unit, info.shape)
            if name == "this" or info.unit.shapes[info.shape].kind == ShapeKind.INTERFACE:
                return own
            return _super(engine, info.unit, info.shape)
        inner = members.own_type(engine, info, name) if not members.declares_field(info, name) else None
        if inner is None:  # the base of a class may name types of the class, so that its ancestors are not known yet
            found = members.field(engine, value.instance, name)
            if found is not None:
                return found.type
            inner = members.nested_type(engine, info, name)
        return substitute(inner, call_results.arguments_of(engine, value.instance)) if inner is not None else UNKNOWN
    for each in members.receivers(engine, value):
        found = members.field(engine, each, name)
        if found is not None:
            return found.type
        inner = members.nested_type(engine, each.cls, name)
        if inner is not None:
            return substitute(inner, call_results.arguments_of(engine, each))
    return UNKNOWN


def member_type(engine: NominalEngine, around: Type, name: str) -> Type:
    """Return the type with a name in another type, as a `ClassValue`; UNKNOWN if there is none."""
    if not isinstance(around, ClassValue):
        return UNKNOWN
    inner = members.nested_type(engine, around.instance.cls, name)
    return substitute(inner, call_results.arguments_of(engine, around.instance)) if inner is not None else UNKNOWN


def _super(engine: NominalEngine, unit: Unit, shape: int) -> Type:
    if shape < 0:
        return UNKNOWN
    facts = unit.shapes[shape]
    if facts.kind == ShapeKind.CLASS and facts.extends:
        return engine.annotation(unit, facts.extends[0])
    own = names.own_instance(engine, unit, shape)
    above = [each for each in members.seen_by(engine, own)[1:] if facts.kind == ShapeKind.ENUM]
    return above[0] if above else engine.core_type("Object") or UNKNOWN


def _called(engine: NominalEngine, unit: Unit, node: int) -> Type:
    code = unit.code
    method = engine.selected(unit, node)
    if code[node] == Op.NEW:
        kind = engine.annotation(unit, code[node + 1])
        if not isinstance(kind, Instance) or not inference._is_diamond(unit, node):
            return kind
        parameters = class_order.class_parameters(engine, kind.cls)
        own = Instance(kind.cls, parameters)
        mapping: dict[Type, Type] = {}
        if isinstance(method, FunctionValue):
            open_method = FunctionValue(method.unit, method.function, method.declaration, own, own)
            mapping = inference.learned(engine, unit, node, open_method, -1)
        else:
            inference.match(engine, own, engine.expected(unit, node), mapping)
        is_free = node not in unit.contexts and not len(unit.items(code[node + 2]))
        own_count = members.own_parameter_count(kind.cls)
        found = [mapping.get(each) or (erased_bound(engine, each) if is_free else UNKNOWN) for each in parameters[:own_count]]
        return Instance(kind.cls, (*found, *kind.arguments[own_count:]))
    if not isinstance(method, FunctionValue):
        return UNKNOWN
    result = engine.returned(method.unit, method.function)
    if choice.is_nothing(result) and members.returns_object(engine, method):
        return method.receiver or method.owner or UNKNOWN
    if members.is_class_getter(method) and isinstance(result, Instance) and isinstance(method.receiver, Instance):
        return Instance(result.cls, (members.erased(engine, method.receiver),))
    seen = choice.substituted(engine, method, result)
    if not inference.variables_of(seen):
        return seen
    mapping = inference.learned(engine, unit, node, method, -1)
    made = substitute(seen, mapping)
    left = [each for each in inference.variables_of(made) if _is_of(each, method)]
    bounds = {each: choice.substituted(engine, method, members.known_bound(engine, each, mapping)) for each in left}
    return substitute(made, {each: substitute(bound, mapping) for each, bound in bounds.items()}) if left else made


def anonymous_type(engine: NominalEngine, unit: Unit, node: int) -> Type:
    """Return the type of an expression; for `new Task() { … }`, the anonymous class itself."""
    code = unit.code
    if node >= 0 and code[node] == Op.NEW and code[node + 3] >= 0:
        return names.own_instance(engine, unit, code[node + 3])
    return engine.type_of(unit, node)


def _is_of(variable: Variable, method: FunctionValue) -> bool:
    """Return whether a method declares a type variable."""
    declared = method.unit.functions[method.function].type_parameters
    return any(method.unit.decls[index].position == variable.key[1] for index in declared) and variable.key[0] == method.unit.path


def _operated(engine: NominalEngine, one: Type, two: Type, kind: int) -> Type:
    if kind == Result.BOOLEAN:
        return engine.core_type("$boolean") or UNKNOWN
    if kind == Result.ADDITION:
        text = engine.core_type("String")
        for each in (one, two):
            if text is not None and isinstance(each, Instance) and each.cls is text.cls:
                return text
        if UNKNOWN in (one, two) or isinstance(one, Outside) or isinstance(two, Outside):
            return UNKNOWN
    return conversions.promoted(engine, one, two)


def _one_of(engine: NominalEngine, unit: Unit, node: int, values: list[int]) -> Type:
    wanted = engine.expected(unit, node) if node in unit.contexts else UNKNOWN
    if isinstance(wanted, Instance) and not inference.variables_of(wanted):
        return wanted
    return conversions.joined(engine, [engine.type_of(unit, each) for each in values])


def _item(engine: NominalEngine, kind: Type) -> Type:
    for part in parts(kind):
        if isinstance(part, Instance) and part.cls.name == "$array" and part.arguments:
            return part.arguments[0]
    return UNKNOWN


def _iterated(engine: NominalEngine, kind: Type) -> Type:
    for part in parts(kind):
        each = members.bound_of(engine, part) if isinstance(part, Variable) else part
        if isinstance(each, Instance):
            if each.cls.name == "$array":
                return _item(engine, each)
            wanted = engine.core_type("Iterable")
            seen = class_order.as_class(engine, each, wanted.cls) if wanted is not None else None
            if seen is not None:
                return seen.arguments[0] if seen.arguments else UNKNOWN
    return UNKNOWN


def _component(engine: NominalEngine, kind: Type, place: int) -> Type:
    if not isinstance(kind, Instance):
        return UNKNOWN
    unit, shape = kind.cls.unit, kind.cls.unit.shapes[kind.cls.shape]
    fields = [each for each in shape.members if each.type >= 0 and each.function < 0 and not each.static]
    if place >= len(fields):
        return UNKNOWN
    return substitute(engine.annotation(unit, fields[place].type), call_results.arguments_of(engine, kind))


# ---------------------------------------------------------------------- declarations


def declared_value(engine: NominalEngine, unit: Unit, index: int) -> Type:
    """Return the value of a declaration."""
    decl = unit.decls[index]
    if decl.kind == DeclKind.VARIABLE:
        return engine.annotation(unit, decl.a) if decl.a >= 0 else anonymous_type(engine, unit, decl.b)
    if decl.kind == DeclKind.PARAMETER:
        return _lambda_parameter(engine, unit, decl.c, unit.code[decl.b + 3])
    if decl.kind == DeclKind.CLASS:
        return ClassValue(names.own_instance(engine, unit, decl.a))
    if decl.kind == DeclKind.TYPE_PARAMETER:
        key = (unit.path, decl.position)
        engine.type_variables[key] = (unit, decl.a)
        return Variable(decl.name, key, UNKNOWN)
    return UNKNOWN


def _lambda_parameter(engine: NominalEngine, unit: Unit, function: int, place: int) -> Type:
    node = _lambdas(engine, unit).get(function, -1)
    method = members.function_of(engine, engine.expected(unit, node)) if node >= 0 else None
    wanted = members.parameter_types(engine, method) if method is not None else []
    return wanted[place] if place < len(wanted) else UNKNOWN


def _lambdas(engine: NominalEngine, unit: Unit) -> dict[int, int]:
    """Return the nodes of the lambdas of a file with an expected type, by function."""
    found = engine.lambda_tables.get(id(unit))
    if found is None:
        code = unit.code
        found = {code[node + 1]: node for node in unit.contexts if code[node] == Op.FUNCTION}
        engine.lambda_tables[id(unit)] = found
    return found


def expected_type(engine: NominalEngine, unit: Unit, node: int) -> Type:
    """Return the type that the context of an expression expects, or UNKNOWN."""
    context = unit.contexts.get(node)
    if context is None:
        return UNKNOWN
    kind, a, b = context
    if kind == ContextKind.ANNOTATED:
        return engine.annotation(unit, a)
    if kind == ContextKind.ASSIGNED:
        return engine.type_of(unit, a)
    if kind == ContextKind.SAME:
        return engine.expected(unit, a)
    if kind == ContextKind.RETURN:
        method = members.function_of(engine, engine.expected(unit, a))
        return (
            choice.substituted(engine, method, engine.returned(method.unit, method.function)) if method is not None else UNKNOWN
        )
    if kind == ContextKind.ARGUMENT:
        return _expected_argument(engine, unit, a, b)
    return UNKNOWN


def _expected_argument(engine: NominalEngine, unit: Unit, call: int, place: int) -> Type:
    """Return the type that a method expects for one argument of a call, after the other arguments are known."""
    method = engine.selected(unit, call)
    if not isinstance(method, FunctionValue):
        return UNKNOWN
    if inference._is_diamond(unit, call) and method.owner is not None:
        own = names.own_instance(engine, method.owner.cls.unit, method.owner.cls.shape)
        method = FunctionValue(method.unit, method.function, method.declaration, own, own)
    count = len(unit.items(unit.code[call + 2]))
    wanted = choice.wanted_types(engine, method, count, is_variadic=inference._is_variadic(engine, unit, method, [-1] * count))
    if place >= len(wanted):
        return UNKNOWN
    if not inference.variables_of(wanted[place]):
        return wanted[place]
    return substitute(wanted[place], inference.learned(engine, unit, call, method, place))


# ---------------------------------------------------------------------- written types


def annotated_type(engine: NominalEngine, unit: Unit, node: int) -> Type:
    """Return the type that a written type means."""
    code = unit.code
    op, a, b = code[node], code[node + 1], code[node + 2]
    if op in (Op.NAME, Op.LEXICAL, Op.MEMBER):
        kind = engine.type_of(unit, node)
        return raw(engine, kind.instance) if isinstance(kind, ClassValue) else kind
    if op == Op.T_NAME:
        name = unit.strings[b]
        return engine.core_type(name) or engine.core_type(name[1:]) or UNKNOWN
    if op == Op.T_REFERENCE:
        base = engine.annotation(unit, a)
        if not isinstance(base, Instance):
            return base
        parameters = class_order.class_parameters(engine, base.cls)
        written = unit.items(b).tolist()
        if not written:
            return base
        own = parameters[: members.own_parameter_count(base.cls)]
        filled = (written + [-1] * len(own))[: len(own)]
        return Instance(
            base.cls,
            (
                *[
                    engine.annotation(unit, each) if each >= 0 else erased_bound(engine, parameter)
                    for each, parameter in zip(filled, own, strict=True)
                ],
                *base.arguments[len(own) :],
            ),
        )
    if op == Op.T_UNION:
        return union([engine.annotation(unit, each) for each in unit.items(a)])
    if op == Op.THIS:
        return names.own_instance(engine, unit, b) if b >= 0 else UNKNOWN
    return UNKNOWN


def erased_bound(engine: NominalEngine, parameter: Variable) -> Type:
    """Return the type for a wildcard without bounds, and for a type parameter in a type without arguments."""
    bound = members.bound_of(engine, parameter)
    if isinstance(bound, Instance):
        return members.erased(engine, bound)
    return UNKNOWN if bound is not UNKNOWN else engine.core_type("Object") or UNKNOWN


def raw(engine: NominalEngine, kind: Instance) -> Instance:
    """Return a type without arguments; only the bounds of its parameters are known.

    For an inner class, the arguments of the types around it are kept.
    """
    parameters = class_order.class_parameters(engine, kind.cls)
    if not parameters:
        return kind
    count = members.own_parameter_count(kind.cls)
    return Instance(kind.cls, (*[erased_bound(engine, each) for each in parameters[:count]], *kind.arguments[count:]))
