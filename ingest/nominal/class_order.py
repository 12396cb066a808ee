"""The order in which the bases of a class are searched, and the type parameters of classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..facts.operations import Op
from ..languages.typescript.resolve.model.unit import Unit
from . import call_results, embedding
from .overloading import members
from .program import last_name
from .types import UNKNOWN, ClassInfo, ClassValue, Instance, Linear, Type, Variable, parts, substitute, union

if TYPE_CHECKING:
    from .engine import NominalEngine

_PROMOTED: Final = frozenset((("int", "float"), ("int", "complex"), ("float", "complex")))


def base_name(unit: Unit, node: int) -> int:
    """Return the node of the name in a base class, without its type arguments."""
    return unit.code[node + 1] if unit.code[node] == Op.INDEX else node


def class_parameters(engine: NominalEngine, info: ClassInfo) -> tuple[Variable, ...]:
    """Return the type parameters of a class."""
    if info.parameters is None:
        info.parameters = ()
        level, reads = engine.enter_level(0), engine.reads
        info.parameters = tuple(_written_parameters(engine, info))
        engine.enter_level(level)
        engine.reads = reads
    return info.parameters


def _written_parameters(engine: NominalEngine, info: ClassInfo) -> list[Variable]:
    unit, shape = info.unit, info.unit.shapes[info.shape]
    found: dict[Variable, None] = {}
    for index in shape.type_parameters:
        kind = engine.declared(unit, index)
        if isinstance(kind, Variable):
            found[kind] = None
    if found:
        return list(found)
    for node in shape.extends:
        if unit.code[node] != Op.INDEX:
            found.update(dict.fromkeys(_inherited_parameters(engine, unit, node)))
            continue
        name = last_name(unit, unit.code[node + 1])
        mentioned = variables_in(engine, unit, unit.code[node + 2])
        if name in ("Generic", "Protocol"):
            return mentioned
        found.update(dict.fromkeys(mentioned))
    return list(found)


def _inherited_parameters(engine: NominalEngine, unit: Unit, node: int) -> tuple[Variable, ...]:
    """Return the type parameters that a class inherits from a library's base class without type arguments.

    In `class CartManager(Manager)`, the base `Manager` of a library has a parameter for its model. `CartManager` gets the
    same parameter, because the model is only known where the manager is an attribute: `objects = CartManager()`.
    """
    found: dict[Variable, None] = {}
    for part in parts(engine.type_of(unit, node)):
        if isinstance(part, ClassValue):
            found.update(dict.fromkeys(_open_parameters(engine, part.instance.cls)))
    return tuple(found)


def _open_parameters(engine: NominalEngine, base: ClassInfo) -> tuple[Variable, ...]:
    """Return the type parameters of a class that is, or derives from, a class of a library."""
    parameters = class_parameters(engine, base)
    is_open = bool(parameters) and any(
        engine.program.rules.is_library(each.cls.module) for each in linear_order(engine, base).order
    )
    return parameters if is_open else ()


def variables_in(engine: NominalEngine, unit: Unit, node: int) -> list[Variable]:
    """Return the type variables that a node names, in the order of the source."""
    code = unit.code
    if node < 0:
        return []
    if code[node] in (Op.NAME, Op.FLOW, Op.MEMBER):
        kind = engine.type_of(unit, node)
        return [kind] if isinstance(kind, Variable) else []
    inner: list[int] = []
    if code[node] == Op.ARRAY:
        inner = unit.items(code[node + 1]).tolist()
    elif code[node] == Op.INDEX:
        inner = [code[node + 2]]
    elif code[node] == Op.OPERATOR:
        inner = [code[node + 1], code[node + 2]]
    return list(dict.fromkeys(each for part in inner for each in variables_in(engine, unit, part)))


def linear_order(engine: NominalEngine, info: ClassInfo) -> Linear:
    """Return the ancestors of a class, beginning with itself.

    The order is Python's C3 linearization. In languages whose types embed others, the order is by depth of embedding.
    """
    if info.linear is None:
        own = Instance(info, class_parameters(engine, info))
        info.linear = Linear((own,), False)  # read if the class is among its own bases
        level, reads = engine.enter_level(0), engine.reads  # the order is the same at all levels
        rules = engine.program.rules
        if rules.has_overloads:
            info.linear = members.order(engine, info, own)
        elif rules.is_static:
            info.linear = embedding.order_by_depth(engine, own)
        else:
            info.linear = _merged_order(engine, info, own)
        engine.enter_level(level)
        engine.reads = reads
    return info.linear


def _merged_order(engine: NominalEngine, info: ClassInfo, own: Instance) -> Linear:
    unit, complete = info.unit, True
    sequences: list[list[Instance]] = []
    bases: list[Instance] = []
    for node in unit.shapes[info.shape].extends:
        kind = engine.annotation(unit, node)
        if unit.code[node] != Op.INDEX:
            kind = union([_with_open_parameters(engine, each) for each in parts(kind)])
        is_class = any(isinstance(each, Instance) for each in parts(kind))  # such as `asyncio.Protocol`
        if not is_class and last_name(unit, base_name(unit, node)) in ("Generic", "Protocol"):
            continue
        for base in parts(kind):
            if isinstance(base, Instance) and base.cls is not info:
                inner = linear_order(engine, base.cls)
                complete = complete and inner.is_complete
                mapping = call_results.arguments_of(engine, base)
                seen = [substitute(each, mapping) for each in inner.order]
                sequences.append([each for each in seen if isinstance(each, Instance)])
                bases.append(base)
            else:
                complete = False
    if info.module != "builtins" or info.name != "object":
        root = engine.builtin("object")
        if isinstance(root, Instance) and not bases:
            sequences.append([root])
    return Linear((own, *_merged([*sequences, list(bases)])), complete)


def _with_open_parameters(engine: NominalEngine, base: Type) -> Type:
    """Return a base class with the type parameters that a class inherits from it, if it is a library's without type arguments."""
    if not isinstance(base, Instance) or any(each is not UNKNOWN for each in base.arguments):
        return base
    inherited = _open_parameters(engine, base.cls)
    return Instance(base.cls, inherited) if inherited else base


def is_subclass(engine: NominalEngine, one: Type, other: Type) -> bool | None:
    """Return whether a class derives from another class; None if that is not known."""
    if not isinstance(one, Instance) or not isinstance(other, Instance):
        return one == other
    if one.cls is other.cls:
        return True
    linear = linear_order(engine, one.cls)
    if any(each.cls is other.cls for each in linear.order):
        return True
    if other.cls.module == "builtins" and (one.cls.name, other.cls.name) in _PROMOTED:
        return True
    return False if linear.is_complete else None


def as_class(engine: NominalEngine, kind: Instance, info: ClassInfo) -> Instance | None:
    """Return an instance as an instance of `info`, if that is its class or an ancestor of its class; else None."""
    if kind.cls is info:
        return kind
    mapping = call_results.arguments_of(engine, kind)
    for each in linear_order(engine, kind.cls).order:
        if each.cls is info:
            found = substitute(each, mapping)
            return found if isinstance(found, Instance) else None
    return None


def _merged(sequences: list[list[Instance]]) -> list[Instance]:
    """Merge the orders of several bases as Python's method resolution order does (C3)."""
    found: list[Instance] = []
    waiting = [sequence for sequence in sequences if sequence]
    while waiting:
        chosen: Instance | None = None
        for sequence in waiting:
            head = sequence[0]
            if not any(each.cls is head.cls for other in waiting for each in other[1:]):
                chosen = head
                break
        if chosen is None:
            chosen = waiting[0][0]  # Python refuses to create such a class
        found.append(chosen)
        waiting = [rest for sequence in waiting if (rest := [each for each in sequence if each.cls is not chosen.cls])]
    return found
