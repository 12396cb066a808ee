"""The values of the members of enums."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...facts.model import Member
from ...facts.operations import Op
from ...languages.typescript.resolve.model.unit import Unit
from .. import class_order
from ..types import UNKNOWN, ClassInfo, ClassValue, FunctionValue, Instance, Type, Wrapped, parts, union
from . import iteration

if TYPE_CHECKING:
    from ..engine import NominalEngine

#: Attributes with the value of a member.
VALUE_NAMES: Final = frozenset(("value", "_value_"))


def value_of(engine: NominalEngine, kind: Instance) -> Type:
    """Return the type of `member.value` for a member of an enum; UNKNOWN for other classes, or if the enum defines `value`."""
    if _has_other_values(engine, kind.cls):
        return UNKNOWN
    found: list[Type] = []
    for ancestor in class_order.linear_order(engine, kind.cls).order:
        if not ancestor.cls.module:
            found += [_value(engine, kind.cls, ancestor.cls.unit, each) for each in _members(ancestor.cls)]
    return union(found) if UNKNOWN not in found else UNKNOWN


def value_at(engine: NominalEngine, unit: Unit, node: int) -> Type:
    """Return the value of `Color.RED.value`, by the node of `Color.RED`; unknown for other expressions."""
    code = unit.code
    if code[node] != Op.MEMBER:
        return UNKNOWN
    holder = engine.type_of(unit, code[node + 1])
    if not isinstance(holder, ClassValue) or _has_other_values(engine, holder.instance.cls):
        return UNKNOWN
    info = holder.instance.cls
    named = [each for each in _members(info) if each.name == unit.strings[code[node + 2]]]
    return _value(engine, info, info.unit, named[0]) if len(named) == 1 else UNKNOWN


def _has_other_values(engine: NominalEngine, info: ClassInfo) -> bool:
    """Return whether a class is not an enum, or defines `__new__` or `value`, which change the values of its members."""
    if info.module or not iteration.is_enum(engine, info):
        return True
    order = class_order.linear_order(engine, info).order
    own = [each.cls for each in order if not each.cls.module]
    return any(cls.members_named(name) for cls in own for name in ("__new__", *VALUE_NAMES))


def _members(info: ClassInfo) -> list[Member]:
    """Return the members of an enum: the assignments of its body without an annotation."""
    members = info.unit.shapes[info.shape].members
    return [each for each in members if each.static and each.function < 0 and each.type < 0 and each.name[:1] != "_"]


def _value(engine: NominalEngine, info: ClassInfo, unit: Unit, member: Member) -> Type:
    kind = engine.declared(unit, member.extra) if member.extra >= 0 else engine.type_of(unit, member.value)
    results: list[Type] = []
    for part in parts(kind):
        if isinstance(part, Instance) and part.cls.module == "enum" and part.cls.name == "auto":
            order = class_order.linear_order(engine, info).order
            is_text = any(each.cls.module == "builtins" and each.cls.name == "str" for each in order)
            results.append(engine.builtin("str" if is_text else "int"))
        elif isinstance(part, (FunctionValue, Wrapped)):
            return UNKNOWN
        else:
            results.append(part)
    return union(results)
