"""The types that annotations mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..facts.model import DeclKind
from ..facts.operations import Display, Op
from ..languages.typescript.resolve.model.unit import Unit
from . import class_order, imported_values, static_types
from .types import (
    NONE,
    SELF_TYPE,
    UNKNOWN,
    Callback,
    ClassOf,
    ClassValue,
    Instance,
    Outside,
    Type,
    Variable,
    parts,
    substitute,
    union,
)

if TYPE_CHECKING:
    from .engine import NominalEngine

_ELLIPSIS: Final = Op.UNDEFINED
#: Names of `typing` for classes of other modules.
_CLASSES: Final = {
    "List": ("builtins", "list"),
    "Dict": ("builtins", "dict"),
    "Set": ("builtins", "set"),
    "FrozenSet": ("builtins", "frozenset"),
    "Tuple": ("builtins", "tuple"),
    "Type": ("builtins", "type"),
    "Text": ("builtins", "str"),
    "DefaultDict": ("collections", "defaultdict"),
    "OrderedDict": ("collections", "OrderedDict"),
    "Deque": ("collections", "deque"),
    "Counter": ("collections", "Counter"),
    "ChainMap": ("collections", "ChainMap"),
    "Pattern": ("re", "Pattern"),
    "Match": ("re", "Match"),
    "ContextManager": ("contextlib", "AbstractContextManager"),
    "AsyncContextManager": ("contextlib", "AbstractAsyncContextManager"),
}
_SPECIAL_MODULES: Final = ("typing.", "typing_extensions.", "collections.abc.")
_TRANSPARENT: Final = frozenset(("ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "Annotated", "Unpack", "InitVar"))


def annotated_type(engine: NominalEngine, unit: Unit, node: int) -> Type:
    """Return the type that an annotation means."""
    code = unit.code
    op = code[node]
    if op == Op.NULL:
        return NONE
    if op in (Op.NAME, Op.FLOW, Op.MEMBER, Op.PHI):
        return _named_type(engine, unit, node)
    if op == Op.OPERATOR and unit.strings[code[node + 3]] == "__or__":
        return union([engine.annotation(unit, code[node + 1]), engine.annotation(unit, code[node + 2])])
    if op == Op.INDEX:
        return _generic(engine, unit, node)
    if op == Op.CALL:
        kind = engine.type_of(unit, node)
        return union([each.instance for each in parts(kind) if isinstance(each, ClassValue)])
    return static_types.static_type(engine, unit, node)


def _named_type(engine: NominalEngine, unit: Unit, node: int) -> Type:
    kind = engine.type_of(unit, node)
    found: list[Type] = []
    for part in parts(kind):
        if isinstance(part, ClassValue):
            found.append(_unapplied(engine, part.instance))
        elif isinstance(part, Variable):
            found.append(part)
        elif isinstance(part, Outside):
            found.append(_special_form(engine, part.path))
        elif part is NONE:
            found.append(NONE)
    if found:
        return union(found)
    alias = imported_values.origin_of(engine, unit, node)
    if alias is not None:
        decl = alias.facts
        if decl.kind == DeclKind.VARIABLE and decl.b >= 0:
            return engine.annotation(alias.unit, decl.b)
        if decl.kind == DeclKind.ALIAS:
            return engine.annotation(alias.unit, decl.a)
    return UNKNOWN


def without_arguments(instance: Instance) -> Type:
    """Return the type of a class without arguments."""
    if instance.arguments:
        return Instance(instance.cls, tuple([UNKNOWN] * len(instance.arguments)))
    return instance


def _unapplied(engine: NominalEngine, instance: Instance) -> Type:
    """Return the type of a class in an annotation: its type arguments are unknown, unless an alias sets them."""
    return without_arguments(instance) if instance.arguments == class_order.class_parameters(engine, instance.cls) else instance


def _special_form(engine: NominalEngine, path: str) -> Type:
    if not path.startswith(_SPECIAL_MODULES):
        return UNKNOWN if path.startswith("builtins.") else Outside(path)
    name = path.rpartition(".")[2]
    if name == "Self":
        return SELF_TYPE
    if name in _CLASSES:
        module, cls = _CLASSES[name]
        made = engine.builtin(cls, (), module)
        return (
            without_arguments(Instance(made.cls, class_order.class_parameters(engine, made.cls)))
            if isinstance(made, Instance)
            else UNKNOWN
        )
    if name == "Callable":
        return Callback(UNKNOWN)
    if name in ("LiteralString", "AnyStr"):
        return engine.builtin("str")
    return UNKNOWN


def _generic(engine: NominalEngine, unit: Unit, node: int) -> Type:
    code = unit.code
    base, index = engine.type_of(unit, code[node + 1]), code[node + 2]
    is_list = code[index] == Op.ARRAY and code[index + 3] == Display.TUPLE
    written = unit.items(code[index + 1]).tolist() if is_list else [index]
    for part in parts(base):
        if isinstance(part, ClassValue):
            return _generic_type(engine, unit, part.instance, written)
        if isinstance(part, Outside) and part.path.startswith(_SPECIAL_MODULES):
            return _special_generic(engine, unit, part.path.rpartition(".")[2], written)
        if isinstance(part, Outside):
            return UNKNOWN
    alias = imported_values.origin_of(engine, unit, code[node + 1])
    if alias is not None and alias.facts.kind in (DeclKind.VARIABLE, DeclKind.ALIAS):
        body = alias.facts.b if alias.facts.kind == DeclKind.VARIABLE else alias.facts.a
        inner = engine.annotation(alias.unit, body)
        variables = class_order.variables_in(engine, alias.unit, body)
        given = [engine.annotation(unit, each) for each in written]
        return substitute(inner, dict(zip(variables, given, strict=False)))
    return UNKNOWN


def _generic_type(engine: NominalEngine, unit: Unit, instance: Instance, written: list[int]) -> Type:
    info = instance.cls
    if info.module == "builtins" and info.name == "tuple":
        if len(written) == 2 and unit.code[written[1]] == _ELLIPSIS:
            return Instance(info, (engine.annotation(unit, written[0]),))
        return engine.tuple_of([engine.annotation(unit, each) for each in written])
    if info.module == "builtins" and info.name == "type":
        return class_of(engine, engine.annotation(unit, written[0]))
    given = [engine.annotation(unit, each) for each in written]
    count = len(class_order.class_parameters(engine, info))
    return Instance(info, tuple((given + [UNKNOWN] * count)[:count]))


def class_of(engine: NominalEngine, kind: Type) -> Type:
    """Return the class of the instances that a type describes."""
    found: list[Type] = []
    for part in parts(kind):
        if isinstance(part, Instance):
            found.append(ClassValue(part))
        elif isinstance(part, Variable):
            found.append(ClassOf(part))
    return union(found)


def _special_generic(engine: NominalEngine, unit: Unit, name: str, written: list[int]) -> Type:
    if name == "Optional":
        return union([engine.annotation(unit, written[0]), NONE])
    if name == "Union":
        return union([engine.annotation(unit, each) for each in written])
    if name in _TRANSPARENT:
        return engine.annotation(unit, written[0])
    if name == "Callable":
        return _callable(engine, unit, written) if len(written) == 2 else Callback(UNKNOWN)
    if name == "Type":
        return class_of(engine, engine.annotation(unit, written[0]))
    if name in ("TypeGuard", "TypeIs"):
        return engine.builtin("bool")
    if name == "Literal":
        return union([engine.type_of(unit, each) for each in written])
    if name in _CLASSES:
        module, cls = _CLASSES[name]
        made = engine.builtin(cls, (), module)
        return _generic_type(engine, unit, made, written) if isinstance(made, Instance) else UNKNOWN
    return UNKNOWN


def _callable(engine: NominalEngine, unit: Unit, written: list[int]) -> Callback:
    """Return the type of `Callable[[A, B], R]`."""
    code, first = unit.code, written[0]
    listed = unit.items(code[first + 1]).tolist() if code[first] == Op.ARRAY else []
    parameters = tuple([engine.annotation(unit, each) for each in listed])
    return Callback(engine.annotation(unit, written[1]), None, parameters)
