"""The types of expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..facts.model import DeclKind
from ..facts.operations import Cast, Display, Logic, Op, Result
from ..languages.typescript.resolve.model.unit import Unit
from . import call_results, declared_values, imported_values, member_lookup, narrowing, patterns, static_types, written_types
from .items import collected_items, enumerations, iteration
from .types import NONE, UNKNOWN, ClassValue, FunctionValue, Instance, Type, bounded, parts, union

if TYPE_CHECKING:
    from .engine import NominalEngine

_COMPARISONS: Final = frozenset(("__lt__", "__le__", "__gt__", "__ge__"))


def expression_type(engine: NominalEngine, unit: Unit, node: int) -> Type:
    """Return the type of an expression."""
    code = unit.code
    op, a, b, c = code[node], code[node + 1], code[node + 2], code[node + 3]
    if op == Op.FLOW:
        return _flowing(engine, unit, unit.items(b).tolist())
    if op == Op.NAME:
        return engine.binding(unit, a) if a >= 0 else imported_values.free_value(engine, unit, unit.strings[b])
    if op == Op.DECLARED:
        if a < 0:
            return engine.binding(unit, b) if b >= 0 else UNKNOWN
        return (
            declared_values.function_group(engine, unit, a)
            if unit.decls[a].kind == DeclKind.FUNCTION
            else engine.declared(unit, a)
        )
    if op == Op.PHI:
        found = _flowing(engine, unit, unit.items(a).tolist())
        if b < 0 or (found is not UNKNOWN and not collected_items.has_unknown_items(found)):
            return found
        # The item types of an attribute are known from its declaration, not from the empty container that was assigned first.
        whole = engine.type_of(unit, b)
        return whole if found is UNKNOWN or whole is not UNKNOWN else found
    if op == Op.MEMBER:
        if unit.strings[b] in enumerations.VALUE_NAMES:
            value = enumerations.value_at(engine, unit, a)
            if value is not UNKNOWN:
                return value
        return member_lookup.member_type(engine, engine.type_of(unit, a), unit.strings[b])
    if op == Op.CALL:
        return call_results.call_at(engine, unit, node)
    if op == Op.NARROW:
        kind = engine.type_of(unit, a)
        pair = unit.items(b)
        return narrowing.narrowed(engine, unit, kind, pair[0], bool(pair[1]), unit.strings[c])
    if op == Op.PARAMETER:
        return UNKNOWN
    if op == Op.INDEX:
        return _subscript(engine, unit, node)
    if op == Op.FUNCTION:
        return FunctionValue(unit, a, -1)
    if op == Op.STRING:
        return engine.builtin("bytes" if c == 1 else "str")
    if op == Op.TEMPLATE:
        return engine.builtin("str")
    if op == Op.NUMBER:
        return engine.builtin(("int", "float", "complex")[max(c, 0)])
    if op in (Op.BOOLEAN, Op.NOT, Op.EQUALITY, Op.COMPARED, Op.IN):
        return engine.builtin("bool")
    if op == Op.NULL:
        return NONE
    if op == Op.ARRAY:
        return _display(engine, unit, unit.items(a).tolist(), c)
    if op == Op.DICT:
        keys = [engine.type_of(unit, each) for each in unit.items(a)]
        values = [engine.type_of(unit, each) for each in unit.items(b)]
        for each in unit.items(c) if c >= 0 else ():
            key, value = iteration.entries(engine, engine.type_of(unit, each))
            keys.append(key)
            values.append(value)
        return engine.builtin("dict", (union(keys), union(values)))
    if op == Op.COMPREHENSION:
        first = engine.type_of(unit, a)
        if c == Display.DICT:
            return engine.builtin("dict", (first, engine.type_of(unit, b)))
        if c == Display.GENERATOR:
            return engine.builtin("Generator", (first, NONE, NONE), "typing")
        return engine.builtin("set" if c == Display.SET else "list", (first,))
    if op == Op.CONDITIONAL:
        return union([engine.type_of(unit, b), engine.type_of(unit, c)])
    if op == Op.LOGICAL:
        left = engine.type_of(unit, a)
        if c == Logic.OR:
            left = union([each for each in parts(left) if each is not NONE])
        elif left is not NONE:
            # `a and b` is `a` only if `a` is falsy. Most instances are truthy, so of the left side only None remains.
            left = union([each for each in parts(left) if each is NONE])
        return union([left, engine.type_of(unit, b)])
    if op == Op.OPERATOR:
        return _operated(engine, unit, a, b, unit.strings[c])
    if op == Op.AWAIT:
        return iteration.awaited(engine, engine.type_of(unit, a))
    if op == Op.ASSIGN:
        return engine.type_of(unit, b)
    if op == Op.ITERATED:
        return iteration.iterated(engine, engine.type_of(unit, a), is_async=c == 1)
    if op == Op.ENTERED:
        return iteration.entered(engine, engine.type_of(unit, a), is_async=c == 1)
    if op == Op.ELEMENT:
        return _element(engine, engine.type_of(unit, a), c)
    if op == Op.REST_ELEMENT:
        return engine.builtin("list", (iteration.iterated(engine, engine.type_of(unit, a)),))
    if op == Op.CAUGHT:
        caught = _caught(engine, unit, a)
        return engine.builtin("ExceptionGroup", (caught,)) if c == 1 else caught
    if op == Op.MATCHED:
        return narrowing.of_classes(
            engine, engine.type_of(unit, a), [engine.type_of(unit, each) for each in unit.items(b)], holds=True
        )
    if op == Op.FIELD:
        return _subscript(engine, unit, node) if b >= 0 else patterns.field_at(engine, engine.type_of(unit, a), c)
    if op == Op.YIELD:
        return declared_values.resumed_value(engine, unit, node)
    if op == Op.AS:
        return engine.type_of(unit, a) if c == Cast.MADE and _is_hidden(engine, unit, a) else engine.annotation(unit, b)
    if op == Op.BINARY:  # an addition, whose result has the type of the operand that is not a literal
        is_literal = a < 0 or unit.code[a] == Op.STRING or (unit.code[a] == Op.BINARY and unit.code[a + 3] == Result.STRING)
        return engine.type_of(unit, b if is_literal and c == Result.ADDITION else a)
    if op == Op.INSTANTIATION:
        return static_types.instantiated(engine, unit, node)
    return UNKNOWN


def _flowing(engine: NominalEngine, unit: Unit, nodes: list[int]) -> Type:
    return union([engine.type_of(unit, each) for each in nodes])


def _is_hidden(engine: NominalEngine, unit: Unit, call: int) -> bool:
    """Return whether a call means a function of the package that has the name of a built-in function, such as `new`."""
    callee = unit.code[call + 1]
    return imported_values.free_name(engine, unit, unit.strings[unit.code[callee + 2]]) is not None


def _display(engine: NominalEngine, unit: Unit, nodes: list[int], kind: int) -> Type:
    items: list[Type] = []
    is_known = True
    for node in nodes:
        if unit.code[node] == Op.SPREAD:
            is_known = False
            items.append(iteration.iterated(engine, engine.type_of(unit, unit.code[node + 1])))
        else:
            items.append(engine.type_of(unit, node))
    if kind == Display.TUPLE:
        return engine.tuple_of(items) if is_known else engine.builtin("tuple", (union(items),))
    return engine.builtin("set" if kind == Display.SET else "list", (union(items),))


def _element(engine: NominalEngine, kind: Type, place: int) -> Type:
    results: list[Type] = []
    for part in parts(bounded(kind)):
        items = iteration.items_of(engine, part)
        if items is not None:
            results.append(items[place] if -len(items) <= place < len(items) else UNKNOWN)
        else:
            results.append(iteration.iterated(engine, part))
    return union(results)


def _caught(engine: NominalEngine, unit: Unit, node: int) -> Type:
    classes = engine.type_of(unit, node)
    found: list[Type] = []
    for part in parts(classes):
        if isinstance(part, ClassValue):
            found.append(part.instance)
        elif isinstance(part, Instance) and part.items is not None:
            found += [each.instance for item in part.items for each in parts(item) if isinstance(each, ClassValue)]
    return union(found)


def _operated(engine: NominalEngine, unit: Unit, left: int, right: int, name: str) -> Type:
    one = engine.type_of(unit, left)
    if right < 0:
        return call_results.call_result(engine, member_lookup.member_type(engine, one, name), [], {}) if name else UNKNOWN
    two = engine.type_of(unit, right)
    if not name:
        return UNKNOWN
    results: list[Type] = []
    written, name = name, plain_operator(name)
    for part in parts(one):
        method = member_lookup.member_type(engine, part, operator_of(engine, part, written))
        takes = not isinstance(method, FunctionValue) or call_results.accepts(engine, method, [two], {})
        result = call_results.call_result(engine, method, [two], {}) if takes else UNKNOWN
        if result is UNKNOWN and name not in _COMPARISONS:
            result = call_results.call_result(engine, member_lookup.member_type(engine, two, "__r" + name[2:]), [part], {})
        if result is UNKNOWN and name in _COMPARISONS:
            result = engine.builtin("bool")
        results.append(result)
    return union(results)


def operator_of(engine: NominalEngine, kind: Type, name: str) -> str:
    """Return the method of a value that a binary operator calls: `+=` calls `__iadd__`, or `__add__` if there is none."""
    plain = plain_operator(name)
    return name if name != plain and member_lookup.find_members(engine, kind, name) else plain


def plain_operator(name: str) -> str:
    """Return the method of a binary operator without assignment: `__add__` for `__iadd__`."""
    return f"__{name[3:]}" if name.startswith("__i") else name


def _subscript(engine: NominalEngine, unit: Unit, node: int) -> Type:
    code = unit.code
    value, index = engine.type_of(unit, code[node + 1]), code[node + 2]
    results: list[Type] = []
    for part in parts(bounded(value)):
        if isinstance(part, ClassValue) and iteration.is_enum(engine, part.instance.cls):
            results.append(part.instance)
        elif isinstance(part, ClassValue) and (getters := member_lookup.metaclass_members(engine, part, "__getitem__")):
            results.append(call_results.call_result(engine, getters[0].type, [engine.type_of(unit, index)], {}))
        elif isinstance(part, ClassValue):
            found = written_types.annotated_type(engine, unit, node)
            results.append(ClassValue(found) if isinstance(found, Instance) else UNKNOWN)
        elif isinstance(part, FunctionValue) and engine.program.rules.is_static:
            results.append(part)  # a generic function with type arguments
        elif code[index] == Op.NUMBER and iteration.items_of(engine, part) is not None:
            results.append(_element(engine, part, _integer(unit.strings[code[index + 2]])))
        elif _negative(unit, index) and iteration.items_of(engine, part) is not None:
            results.append(_element(engine, part, -_integer(unit.strings[code[code[index + 1] + 2]])))
        elif isinstance(part, Instance) and code[index] == Op.STRING and iteration.is_typed_dict(engine, part.cls):
            results.append(member_lookup.member_type(engine, part, unit.strings[code[index + 2]]))
        elif isinstance(part, Instance) and code[index] == Op.SLICE and part.cls.module == "builtins":
            results.append(Instance(part.cls, part.arguments))
        else:
            given = engine.builtin("slice") if code[index] == Op.SLICE else engine.type_of(unit, index)
            results.append(call_results.call_result(engine, member_lookup.member_type(engine, part, "__getitem__"), [given], {}))
    return union(results)


def _integer(text: str) -> int:
    try:
        return int(text.replace("_", ""), 0)
    except ValueError:
        return 1 << 30


def _negative(unit: Unit, node: int) -> bool:
    code = unit.code
    return code[node] == Op.OPERATOR and code[node + 2] < 0 and code[code[node + 1]] == Op.NUMBER
