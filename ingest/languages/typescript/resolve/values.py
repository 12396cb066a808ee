"""Types of expressions, and of the values that names declare.

For example, `a ? 1 : "x"` is `1 | "x"`, and the value of `class Repo {}` is `Static(Repo)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from ....facts.model import DeclKind
from ....facts.operations import Cast, ContextKind, Logic, MemberFlag, Op, Result
from .calls import call_type
from .contexts import is_constant, this_type
from .declared import instantiated_value
from .expando_members import computed_name, reference
from .members import overloads
from .model.binder import AmbientModule, Declared, Entity, Globals, LoadedFiles, Module, Outside, Value
from .model.free_parameters import is_open
from .model.properties import Signature
from .model.type_model import (
    ANY,
    BIGINT,
    BOOLEAN,
    EMPTY,
    NEVER,
    NULL,
    NUMBER,
    STRING,
    UNDEFINED,
    UNRESOLVED,
    VOID,
    ClassExpression,
    External,
    FunctionType,
    Instance,
    Literal,
    Mapped,
    ModuleType,
    ObjectLiteral,
    Overloads,
    Static,
    Tuple,
    Type,
    Union,
    intersection,
    non_nullish,
    parts_of,
    union,
    widened,
)
from .narrowing.type_predicates import is_guard
from .object_literals import without_duplicate_literals
from .reduction import indexed_type
from .relations import assignable
from .tuples import element_at, elements_from, of_expressions
from .utility_types import awaited

if TYPE_CHECKING:
    from .engine import Engine
    from .model.unit import Unit

#: Maximum number of assigned values that are read for a variable declared without a value.
_MAX_ASSIGNED = 8


#: Members that only Vue's refs have.
_REF_MARKS: Final = ("[RefSymbol]", "__v_isRef")


def type_of(engine: Engine, unit: Unit, node: int) -> Type:
    """Return the type of an expression, or unresolved."""
    handler = _VALUES.get(unit.code[node])
    return handler(engine, unit, node) if handler is not None else UNRESOLVED


def _name(engine: Engine, unit: Unit, node: int) -> Type:
    if 0 <= unit.template <= node:
        return _unwrapped_ref(engine, _named_value(engine, unit, node))
    return _named_value(engine, unit, node)


def _unwrapped_ref(engine: Engine, kind: Type) -> Type:
    """Return the type of the value in a ref, which a name in a template refers to; other types are returned as they are."""
    if isinstance(kind, Union):
        return union([_unwrapped_ref(engine, part) for part in kind.parts])
    # A `Record<string, T>` has every name, also the mark.
    if kind.opaque or kind.nullish or isinstance(kind, Mapped) or not any(engine.properties(kind, mark) for mark in _REF_MARKS):
        return kind
    return engine.property_type(kind, "value")


def _named_value(engine: Engine, unit: Unit, node: int) -> Type:
    binding = unit.code[node + 1]
    if binding >= 0:
        return engine.type_of_binding(unit, binding)
    name = unit.strings[unit.code[node + 2]]
    if name == "undefined":
        return UNDEFINED
    entity = engine.binder.named(unit, node)
    return entity_value(engine, entity) if entity is not None else UNRESOLVED


def entity_value(engine: Engine, entity: Entity) -> Type:
    """Return the type of an entity as a value."""
    if isinstance(entity, Outside):
        return _outside_value(engine, entity)
    if isinstance(entity, Module | AmbientModule | Globals | LoadedFiles):
        return ModuleType(entity)
    if isinstance(entity, Value):
        if entity.function >= 0:
            return overloads(entity.unit, [entity.function], EMPTY)
        return engine.type_of(entity.unit, entity.node)
    return engine.type_of_binding(entity.unit, entity.binding)


def _outside_value(engine: Engine, entity: Outside) -> Type:
    """Return the type that an installed package declares for an entity; an `External` if it declares none."""
    declared = engine.binder.installed(entity)
    found = entity_value(engine, declared) if declared is not None and not isinstance(declared, Outside) else UNRESOLVED
    return External(entity.package, entity.path) if found.opaque else found


def type_of_binding(engine: Engine, unit: Unit, binding: int) -> Type:
    """Return the type of the value that a binding declares. Imports are followed."""
    entity = engine.binder.follow(unit, binding)
    if entity is None:
        return UNRESOLVED
    if not isinstance(entity, Declared):
        return entity_value(engine, entity)
    declared = engine.binder.declarations(entity)
    if (entity.unit, entity.binding) != (unit, binding):
        return engine.type_of_binding(entity.unit, entity.binding)
    kinds = {owner.decls[index].kind for owner, index in declared}
    if kinds == {DeclKind.CLASS} and engine.is_in_generic(entity.unit, entity.unit.decls[entity.facts.decls[0]].a):
        return ClassExpression(entity.unit, entity.unit.decls[entity.facts.decls[0]].a, EMPTY)
    if kinds & {DeclKind.CLASS, DeclKind.ENUM, DeclKind.NAMESPACE}:
        return Static(entity)
    functions = [(owner, index) for owner, index in declared if owner.decls[index].kind == DeclKind.FUNCTION]
    if functions:
        if engine.has_added(entity):
            return Static(entity)
        # Scripts that declare global functions with the same name are separate programs, so only the nearest function counts.
        nearest = functions[0][0]
        return overloads(nearest, [owner.decls[index].a for owner, index in functions if owner is nearest], EMPTY)
    for owner, index in declared:
        decl = owner.decls[index]
        if decl.kind == DeclKind.VARIABLE:
            if decl.a < 0 and decl.b >= 0 and engine.has_added(entity) and _accepts_expandos(owner, decl.b):
                return Static(entity)
            return engine.plain_type(owner, index)
        if decl.kind == DeclKind.PARAMETER:
            return _parameter(engine, owner, index)
        if decl.kind == DeclKind.ENUM_MEMBER:
            return engine.enum_of(owner, decl.a)
    return UNRESOLVED


def _accepts_expandos(unit: Unit, value: int) -> bool:
    """Return whether assignments add members to a value: to functions everywhere, and to any value in JavaScript."""
    return unit.code[value] == Op.FUNCTION or unit.facts.language in ("javascript", "jsx")


def plain_type(engine: Engine, unit: Unit, index: int) -> Type:
    """Return the type of a variable: of its annotation, its initializer, or the values assigned to it."""
    decl = unit.decls[index]
    # The data of a route has the type that its `load` returns, not the result of the type `PageLoad`.
    if decl.a >= 0 and not (decl.b >= 0 and engine.binder.is_route_type(unit, decl.a)):
        return engine.declared_type(unit, decl.a)
    if decl.b >= 0:
        found = engine.type_of(unit, decl.b)
        if unit.code[decl.b] == Op.ARRAY and not unit.items(unit.code[decl.b + 1]):
            return _filled(engine, unit, index, found)
        if decl.c != 1:
            found = widened(found)
            if found.nullish:
                return _assigned(engine, unit, index, found)
        return found
    return _assigned(engine, unit, index, UNRESOLVED)


def _filled(engine: Engine, unit: Unit, index: int, empty: Type) -> Type:
    """Return the type of a variable that begins as `[]`: an array of the types of the values that are pushed to it."""
    binding = unit.binding_of(index)
    pushed = engine.pushed_values(unit, binding)[:_MAX_ASSIGNED] if binding is not None else ()
    if not pushed:
        return empty
    elements = union(engine.type_of(unit, value) for value in pushed)
    return engine.lib("Array", widened(elements))


def _assigned(engine: Engine, unit: Unit, index: int, otherwise: Type) -> Type:
    binding = unit.binding_of(index)
    if binding is None:
        return otherwise
    values = [engine.type_of(unit, value) for value in engine.assigned_values(unit, binding)[:_MAX_ASSIGNED]]
    return widened(union(values)) if values else otherwise


def _parameter(engine: Engine, unit: Unit, index: int) -> Type:
    decl = unit.decls[index]
    if decl.a >= 0:
        return engine.declared_type(unit, decl.a)
    return engine.type_of(unit, decl.b)


def _parameter_value(engine: Engine, unit: Unit, node: int) -> Type:
    """Return the type of a PARAMETER node: from the annotation, or from the type that the context expects for the function."""
    function, position = unit.code[node + 1], unit.code[node + 3]
    entry = unit.functions[function].parameters[position]
    if entry.type >= 0:
        return engine.declared_type(unit, entry.type)
    return engine.contextual_parameter(unit, function, position)


def _member(engine: Engine, unit: Unit, node: int) -> Type:
    name = unit.strings[unit.code[node + 2]]
    if name == "exports" and (own := engine.binder.own_exports(unit, node)) is not None:
        return entity_value(engine, own)
    target = engine.type_of(unit, unit.code[node + 1])
    if target.opaque:
        return target if target is ANY else UNRESOLVED
    found = engine.property_type(non_nullish(target), name)
    in_template = 0 <= unit.template <= node
    if in_template and unit.code[unit.unnarrowed(unit.code[node + 1])] == Op.THIS:
        found = _unwrapped_ref(engine, found)
    if found is UNRESOLVED and (in_template or isinstance(target, FunctionType | ObjectLiteral | Static | Instance)):
        entity = engine.binder.dotted(unit, node)  # an export in addition to `module.exports = …`
        found = entity_value(engine, entity) if entity is not None else UNRESOLVED
    return union((found, UNDEFINED)) if unit.code[node + 3] & MemberFlag.OPTIONAL and found is not UNRESOLVED else found


def _index(engine: Engine, unit: Unit, node: int) -> Type:
    target = non_nullish(engine.type_of(unit, unit.code[node + 1]))
    key = engine.type_of(unit, unit.code[node + 2])
    if isinstance(key, Literal):
        return engine.property_type(target, key.value)
    computed = engine.properties(target, computed_name(unit, unit.code[node + 2]))
    if computed:
        return computed[0].type()
    if isinstance(key, Instance | Tuple) or key.opaque:
        return engine.index_type(target, key)
    if is_open(key):
        return indexed_type(engine, target, key)
    return union(
        engine.property_type(target, part.value) if isinstance(part, Literal) else engine.index_type(target, part)
        for part in parts_of(key)
    )


def _super(engine: Engine, unit: Unit, node: int) -> Type:
    kind, shape = unit.code[node + 1], unit.code[node + 2]
    if shape < 0 or kind not in (1, 2):
        return UNRESOLVED
    if kind == 1:
        return intersection(engine.bases(unit, shape))
    base = unit.base_class(shape)
    return engine.type_of(unit, unit.code[base + 1]) if base >= 0 else UNRESOLVED


def _function(engine: Engine, unit: Unit, node: int) -> Type:
    return FunctionType(unit, unit.code[node + 1], EMPTY)


def _class(engine: Engine, unit: Unit, node: int) -> Type:
    return engine.class_value(unit, unit.code[node + 1])


def class_value(engine: Engine, unit: Unit, shape: int) -> Type:
    """Return the type of a class as a value, which refers to the declared name of the class if there is one."""
    decl = unit.shapes[shape].decl
    binding = unit.binding_of(decl)
    if binding is None or engine.is_in_generic(unit, shape):
        return ClassExpression(unit, shape, EMPTY)
    return Static(Declared(unit, binding))


def _object(engine: Engine, unit: Unit, node: int) -> Type:
    return ObjectLiteral(unit, node, EMPTY)


def _array(engine: Engine, unit: Unit, node: int) -> Type:
    """Return the type of an array literal: a tuple if one is expected or the literal is constant, else an array."""
    items = unit.items(unit.code[node + 1])[:64]
    if node in unit.contexts:
        expected = non_nullish(engine.context_type(unit, node))
        if any(isinstance(part, Tuple) for part in parts_of(expected)) or is_constant(engine, unit, node):
            return of_expressions(engine, unit, items)
        if not items and engine.is_lib(expected, "Array", "ReadonlyArray"):
            return expected
    elements = [
        engine.iterated(engine.type_of(unit, unit.code[item + 1])) if unit.code[item] == Op.SPREAD else engine.type_of(unit, item)
        for item in items
    ]
    return engine.lib("Array", widened(without_duplicate_literals(engine, union(elements))) if elements else UNRESOLVED)


def _constant(kind: Type) -> Callable[[Engine, Unit, int], Type]:
    def answer(engine: Engine, unit: Unit, node: int) -> Type:
        return kind

    return answer


def _string(engine: Engine, unit: Unit, node: int) -> Type:
    return Literal(STRING, unit.strings[unit.code[node + 2]])


def _number(engine: Engine, unit: Unit, node: int) -> Type:
    return Literal(NUMBER, unit.strings[unit.code[node + 2]])


def _boolean(engine: Engine, unit: Unit, node: int) -> Type:
    return Literal(BOOLEAN, "true" if unit.code[node + 1] else "false")


def _regex(engine: Engine, unit: Unit, node: int) -> Type:
    return engine.lib("RegExp")


def _meta(engine: Engine, unit: Unit, node: int) -> Type:
    return engine.lib("ImportMeta") if unit.code[node + 1] == 1 else UNRESOLVED


def _conditional(engine: Engine, unit: Unit, node: int) -> Type:
    return without_duplicate_literals(
        engine, union((engine.type_of(unit, unit.code[node + 2]), engine.type_of(unit, unit.code[node + 3])))
    )


def _logical(engine: Engine, unit: Unit, node: int) -> Type:
    right = engine.type_of(unit, unit.code[node + 2])
    if _is_default_of_target(unit, node):
        return right
    left = engine.type_of(unit, unit.code[node + 1])
    if unit.code[node + 3] == Logic.AND:
        return union((right, *(part for part in parts_of(left) if part.nullish or isinstance(part, Literal))))
    return without_duplicate_literals(engine, union((non_nullish(left), right)))


def _is_default_of_target(unit: Unit, node: int) -> bool:
    """Return whether a node is the value of `api.text = api.text || {}`."""
    kind, target, _ = unit.contexts.get(node, (-1, -1, -1))
    if kind != ContextKind.ASSIGNED or unit.code[node + 3] == Logic.AND:
        return False
    place = reference(unit, target)
    return place is not None and place == reference(unit, unit.code[node + 1])


def _binary(engine: Engine, unit: Unit, node: int) -> Type:
    result = unit.code[node + 3]
    if result == Result.ADDITION:
        sides = [widened(engine.type_of(unit, unit.code[node + side])) for side in (1, 2)]
        return STRING if STRING in sides else NUMBER if sides == [NUMBER, NUMBER] else union((STRING, NUMBER))
    if result == Result.UNDEFINED:
        return UNDEFINED
    return BOOLEAN if result == Result.BOOLEAN else NUMBER


def _assign(engine: Engine, unit: Unit, node: int) -> Type:
    value = engine.type_of(unit, unit.code[node + 2])
    if unit.code[node + 3] < 0:
        return value
    return union((non_nullish(engine.type_of(unit, unit.code[node + 1])), value))


def _await(engine: Engine, unit: Unit, node: int) -> Type:
    return awaited(engine, engine.type_of(unit, unit.code[node + 1]))


def _yield(engine: Engine, unit: Unit, node: int) -> Type:
    """Return the type of `yield* value`: the result type of the inner generator. Other yields are unresolved."""
    if unit.code[node + 3] != 1:
        return UNRESOLVED
    return engine.generator_result(engine.type_of(unit, unit.code[node + 1]))


def _as(engine: Engine, unit: Unit, node: int) -> Type:
    cast = unit.code[node + 3]
    if cast == Cast.CONST or cast == Cast.SATISFIES:
        return engine.type_of(unit, unit.code[node + 1])
    return engine.declared_type(unit, unit.code[node + 2])


def _same(engine: Engine, unit: Unit, node: int) -> Type:
    return engine.type_of(unit, unit.code[node + 1])


def _instantiation(engine: Engine, unit: Unit, node: int) -> Type:
    """Return the type of `value<A, B>` that is not called at once."""
    return instantiated_value(engine, unit, engine.type_of(unit, unit.code[node + 1]), unit.code[node + 2], EMPTY)


def _non_null(engine: Engine, unit: Unit, node: int) -> Type:
    return non_nullish(engine.type_of(unit, unit.code[node + 1]))


def _sequence(engine: Engine, unit: Unit, node: int) -> Type:
    items = unit.items(unit.code[node + 1])
    return engine.type_of(unit, items[-1]) if items else UNDEFINED


def _element(engine: Engine, unit: Unit, node: int) -> Type:
    target = non_nullish(engine.type_of(unit, unit.code[node + 1]))
    found = []
    for part in parts_of(target):
        index = unit.code[node + 3]
        if isinstance(part, Tuple):
            found.append(element_at(part, index))
        else:
            found.append(engine.iterated(part))
    return union(found)


def _rest_element(engine: Engine, unit: Unit, node: int) -> Type:
    target = engine.type_of(unit, unit.code[node + 1])
    if isinstance(target, Tuple):
        return elements_from(target, unit.code[node + 3])
    return engine.lib("Array", engine.iterated(target))


def _defaulted(engine: Engine, unit: Unit, node: int) -> Type:
    value = engine.type_of(unit, unit.code[node + 1])
    default = engine.type_of(unit, unit.code[node + 2])
    known = non_nullish(value)
    if known.opaque or known.nullish:
        return widened(default)
    is_function = isinstance(default, FunctionType | Overloads | Static) and engine.signatures(default, False)
    return _either_function(engine, known, default) if is_function and not _is_annotated(unit, unit.code[node + 1]) else known


def _either_function(engine: Engine, known: Type, default: Type) -> Type:
    """Return the type of a value that is a function or its default.

    If functions of one type can replace functions of the other type, return the other type. Otherwise, return the union.
    """
    signatures = engine.signatures(known, False)
    if not signatures:
        return union((known, default))
    if is_guard(signatures[0].unit, signatures[0].function):
        return known  # the guard of a narrower type can replace the guard of a wider type
    given = engine.signatures(default, False)[0]
    if _can_replace(engine, signatures[0], given):
        return default
    return known if _can_replace(engine, given, signatures[0]) else union((known, default))


def _can_replace(engine: Engine, one: Signature, other: Signature) -> bool:
    """Return whether the first function takes no more parameters than the second, and its result fits the result of the
    second.
    """
    if one.function < 0 or other.function < 0:
        return False
    required, offered = one.unit.functions[one.function].parameters, other.unit.functions[other.function].parameters
    if not any(parameter.rest for parameter in offered) and (
        len(required) > len(offered) or any(parameter.rest for parameter in required)
    ):
        return False
    result, wanted = engine.signature_result(one), engine.signature_result(other)
    return wanted is VOID or (result is not ANY and assignable(engine, result, wanted) is True)


def _is_annotated(unit: Unit, value: int) -> bool:
    """Return whether a value is part of a parameter with an annotation, so that a default does not change the type."""
    while unit.code[value] in (Op.MEMBER, Op.ELEMENT, Op.INDEX, Op.DEFAULTED):
        value = unit.code[value + 1]
    return unit.code[value] == Op.PARAMETER and unit.functions[unit.code[value + 1]].parameters[unit.code[value + 3]].type >= 0


def _iterated(engine: Engine, unit: Unit, node: int) -> Type:
    kind = engine.type_of(unit, unit.code[node + 1])
    element = engine.iterated(kind)
    if unit.code[node + 3] == 2 and element in (UNRESOLVED, NEVER):  # `v-for` of Vue: the values of an object, or numbers
        is_number = kind is NUMBER or (isinstance(kind, Literal) and kind.base is NUMBER)
        return NUMBER if is_number else _object_values(engine, non_nullish(kind))
    return awaited(engine, element) if unit.code[node + 3] == 1 else element


def _object_values(engine: Engine, kind: Type) -> Type:
    """Return the type of the values of an object: of its index signature, else of its members."""
    indexed = engine.index_type(kind, STRING)
    names = engine.member_names(kind) if indexed in (UNRESOLVED, NEVER) else None
    return union([engine.property_type(kind, name) for name in names]) if names else indexed


def _import_call(engine: Engine, unit: Unit, node: int) -> Type:
    entity = engine.binder.imported(unit, unit.code[node + 1], "*")
    return engine.lib("Promise", entity_value(engine, entity)) if entity is not None else UNRESOLVED


def _require(engine: Engine, unit: Unit, node: int) -> Type:
    entity = engine.binder.imported(unit, unit.code[node + 1], "=")
    return entity_value(engine, entity) if entity is not None else UNRESOLVED


def _narrow(engine: Engine, unit: Unit, node: int) -> Type:
    return engine.narrowed(unit, node)


def _module(engine: Engine, unit: Unit, node: int) -> Type:
    entity = engine.binder.imported(unit, unit.code[node + 1], "*")
    return ModuleType(entity) if entity is not None else UNRESOLVED


_VALUES: dict[int, Callable[[Engine, Unit, int], Type]] = {
    Op.NAME: _name,
    Op.MEMBER: _member,
    Op.INDEX: _index,
    Op.THIS: this_type,
    Op.SUPER: _super,
    Op.CALL: call_type,
    Op.NEW: call_type,
    Op.TAGGED: call_type,
    Op.FUNCTION: _function,
    Op.CLASS: _class,
    Op.OBJECT: _object,
    Op.ARRAY: _array,
    Op.STRING: _string,
    Op.NUMBER: _number,
    Op.BOOLEAN: _boolean,
    Op.NULL: _constant(NULL),
    Op.UNDEFINED: _constant(UNDEFINED),
    Op.REGEX: _regex,
    Op.TEMPLATE: _constant(STRING),
    Op.BIGINT: _constant(BIGINT),
    Op.CONDITIONAL: _conditional,
    Op.LOGICAL: _logical,
    Op.BINARY: _binary,
    Op.UNARY: _binary,
    Op.ASSIGN: _assign,
    Op.AWAIT: _await,
    Op.YIELD: _yield,
    Op.AS: _as,
    Op.NON_NULL: _non_null,
    Op.INSTANTIATION: _instantiation,
    Op.SEQUENCE: _sequence,
    Op.META: _meta,
    Op.EQUALITY: _constant(BOOLEAN),
    Op.TYPEOF: _constant(STRING),
    Op.NOT: _constant(BOOLEAN),
    Op.INSTANCEOF: _constant(BOOLEAN),
    Op.IN: _constant(BOOLEAN),
    Op.ELEMENT: _element,
    Op.REST_ELEMENT: _rest_element,
    Op.REST_PROPERTIES: _same,
    Op.PARAMETER: _parameter_value,
    Op.ITERATED: _iterated,
    Op.KEY: _constant(STRING),
    Op.DEFAULTED: _defaulted,
    Op.IMPORT_CALL: _import_call,
    Op.REQUIRE: _require,
    Op.NARROW: _narrow,
    Op.T_IMPORT: _module,
}
