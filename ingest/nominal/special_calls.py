"""Results of calls that no signature describes: `super()`, `partial`, `getattr` with a constant name, loaders of classes, and
others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..facts.operations import ContextKind, Op
from ..languages.typescript.resolve.model.unit import Unit
from . import call_results, class_order, member_lookup
from .items import iteration
from .program import last_name
from .types import (
    NONE,
    UNKNOWN,
    Callback,
    ClassValue,
    FunctionValue,
    Instance,
    Outside,
    Overloads,
    Parent,
    Type,
    Wrapped,
    bounded,
    parts,
    union,
)

if TYPE_CHECKING:
    from .engine import NominalEngine

#: Descriptors of the runtime that may be called like functions: `total = property(get_total)`.
_WRAPPERS: Final = {"property": Wrapped.PROPERTY, "staticmethod": Wrapped.STATIC, "classmethod": Wrapped.CLASS}
#: Methods that return an item of a dictionary by its key.
_ITEM_METHODS: Final = frozenset(("get", "pop", "setdefault"))
#: Packages whose functions `ib` and `attrib` declare attributes.
_ATTRS: Final = ("attr.", "attrs.")


def special_result(engine: NominalEngine, unit: Unit, node: int, kind: Type) -> Type | None:
    """Return the result of a call that no signature describes, or None for any other call."""
    code = unit.code
    given = unit.items(code[node + 2]).tolist()
    if node in unit.contexts and not given and isinstance(kind, ClassValue) and kind.instance.cls.name == "super":
        _, shape, is_class = unit.contexts[node]
        info = engine.program.class_info(unit, shape)
        own = Instance(info, class_order.class_parameters(engine, info))
        return Parent(ClassValue(own) if is_class else own, info)
    if isinstance(kind, ClassValue) and kind.instance.cls.name == "super" and len(given) == 2:
        behind, receiver = engine.type_of(unit, given[0]), bounded(engine.type_of(unit, given[1]))
        return Parent(receiver, behind.instance.cls) if isinstance(behind, ClassValue) else UNKNOWN
    if isinstance(kind, ClassValue) and kind.instance.cls.module == "builtins" and kind.instance.cls.name in _WRAPPERS:
        made = engine.type_of(unit, given[0]) if given and code[given[0]] != Op.PROP else UNKNOWN
        return Wrapped(_WRAPPERS[kind.instance.cls.name], made) if isinstance(made, (FunctionValue, Overloads)) else UNKNOWN
    context = unit.contexts.get(node)
    if context is not None and context[0] == ContextKind.FIELDS and _makes_class(engine, kind):
        return ClassValue(Instance(engine.program.class_info(unit, context[1])))
    if context is not None and context[0] == ContextKind.LOADED and (loaded := _loaded(engine, unit, context[1])) is not None:
        return loaded
    name = last_name(unit, code[node + 1])
    if isinstance(kind, (Outside, FunctionValue)) and name == "cast" and len(given) == 2:
        return engine.annotation(unit, given[0])
    if isinstance(kind, (Outside, FunctionValue)) and name in ("NewType",) and len(given) == 2:
        inner = engine.annotation(unit, given[1])
        return ClassValue(inner) if isinstance(inner, Instance) else UNKNOWN
    if name == "partialmethod" and given and isinstance(kind, (Outside, ClassValue)):
        method = engine.type_of(unit, given[0])
        return method if isinstance(method, FunctionValue) else UNKNOWN
    if name in _ITEM_METHODS and given and code[given[0]] == Op.STRING and code[code[node + 1]] == Op.MEMBER:
        return _typed_item(engine, unit, node, given)
    if name == "partial" and given and isinstance(kind, (Outside, ClassValue)):
        positional, named = call_results.argument_types(engine, unit, node)
        if not positional:
            return UNKNOWN
        wrapped = positional[0]
        function = wrapped if isinstance(wrapped, FunctionValue) else None
        return Callback(call_results.call_result(engine, wrapped, positional[1:], named), function)
    if name == "getattr" and len(given) > 1 and code[given[1]] == Op.STRING and isinstance(kind, (FunctionValue, Overloads)):
        return _named_attribute(engine, unit, given)
    if isinstance(kind, Outside) and kind.path.startswith(_ATTRS):
        return _of_attrs(engine, unit, node, kind.path.partition(".")[2])
    return None


def _loaded(engine: NominalEngine, unit: Unit, imports: int) -> Type | None:
    """Return the class or function that a call loads by its name, or the tuple of several; None if the repository has none."""
    code = unit.code
    nodes = unit.items(code[imports + 1]).tolist() if code[imports] == Op.ARRAY else [imports]
    found: list[Type] = []
    for node in nodes:
        kind = engine.type_of(unit, node)
        found.append(kind if isinstance(kind, (ClassValue, FunctionValue, Overloads)) else UNKNOWN)
    if all(each is UNKNOWN for each in found):
        return None
    return engine.tuple_of(found) if code[imports] == Op.ARRAY else found[0]


def _makes_class(engine: NominalEngine, kind: Type) -> bool:
    """Return whether calls of a value with a name and a list make a class: `NamedTuple`, `TypedDict` and enums."""
    if not isinstance(kind, ClassValue):
        return False
    info = kind.instance.cls
    return (info.module == "typing" and info.name in ("NamedTuple", "TypedDict")) or iteration.is_enum(engine, info)


def _named_attribute(engine: NominalEngine, unit: Unit, given: list[int]) -> Type:
    """Return the result of `getattr` with a constant name."""
    found = member_lookup.member_type(engine, engine.type_of(unit, given[0]), unit.strings[unit.code[given[1] + 2]])
    return union([found, engine.type_of(unit, given[2])]) if len(given) > 2 else found


def _of_attrs(engine: NominalEngine, unit: Unit, node: int, name: str) -> Type | None:
    """Return the results of functions of attrs: the value of an attribute or of a factory; None for other functions."""
    positional, named = call_results.argument_types(engine, unit, node)
    if name == "Factory":
        return call_results.call_result(engine, positional[0], [], {}) if positional else UNKNOWN
    if name in ("evolve", "assoc"):
        return positional[0] if positional else UNKNOWN
    if name not in ("ib", "attrib", "attr", "field"):
        return None
    for argument in unit.items(unit.code[node + 2]):
        if unit.code[argument] == Op.PROP and unit.strings[unit.code[argument + 2]] == "type":
            return engine.annotation(unit, unit.code[argument + 1])
    made = call_results.call_result(engine, named["factory"], [], {}) if "factory" in named else UNKNOWN
    return union([made, named.get("default", UNKNOWN)])


def _typed_item(engine: NominalEngine, unit: Unit, node: int, given: list[int]) -> Type | None:
    """Return the result of `get`, `pop` or `setdefault` on a typed dictionary, or None for other receivers."""
    code = unit.code
    receivers = parts(engine.type_of(unit, code[code[node + 1] + 1]))
    if not all(isinstance(each, Instance) and iteration.is_typed_dict(engine, each.cls) for each in receivers):
        return None
    items = [member_lookup.member_type(engine, each, unit.strings[code[given[0] + 2]]) for each in receivers]
    if len(given) > 1:
        items.append(engine.type_of(unit, given[1]))
    elif last_name(unit, code[node + 1]) == "get":
        items.append(NONE)
    return union(items)
