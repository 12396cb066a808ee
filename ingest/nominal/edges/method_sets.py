"""Method sets: the methods of a type, and of pointers to the type: https://go.dev/ref/spec#Method_sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from ...facts.model import MemberKind, ShapeKind
from ...languages.typescript.resolve.model.unit import Unit
from .. import call_results, embedding
from ..engine import NominalEngine
from ..types import ClassInfo, Instance, parts, substitute

#: Maximum length of a chain of embedded types.
_MAX_LEVELS: Final = 12
VALUE: Final = "value"
POINTER: Final = "pointer"


class Holder(NamedTuple):
    """A type itself or one of its embedded types, and whether it is embedded as a pointer."""

    kind: Instance
    is_pointer: bool


def method_set(engine: NominalEngine, own: Instance, names: Iterable[str]) -> str:
    """Return VALUE if values of a type have all methods with some names; POINTER if only pointers to the type have them."""
    waiting = set(names)
    for level in _levels(engine, own):
        found: set[str] = set()
        for holder in level:
            for unit, shape in _declaring(engine, holder.kind):
                for member in unit.shapes[shape].members:
                    if member.name in waiting and member.kind == MemberKind.METHOD:
                        found.add(member.name)
                        if member.is_pointer and not holder.is_pointer:
                            return POINTER
        waiting -= found
        if not waiting:
            break
    return VALUE


def _levels(engine: NominalEngine, own: Instance) -> Iterator[list[Holder]]:
    """Yield a type, then the types that it embeds, level by level."""
    seen = {id(own.cls)}
    level = [Holder(own, False)]
    for _ in range(_MAX_LEVELS):
        if not level:
            return
        yield level
        following: list[Holder] = []
        for holder in level:
            unit, shape = holder.kind.cls.unit, holder.kind.cls.unit.shapes[holder.kind.cls.shape]
            mapping = call_results.arguments_of(engine, holder.kind)
            pointers = {member.type for member in shape.members if member.is_pointer and member.kind == MemberKind.PROPERTY}
            for node in shape.extends:
                for base in parts(substitute(engine.annotation(unit, node), mapping)):
                    if isinstance(base, Instance) and id(base.cls) not in seen:
                        seen.add(id(base.cls))
                        following.append(Holder(base, holder.is_pointer or node in pointers or _is_interface(base.cls)))
        level = following


def _is_interface(info: ClassInfo) -> bool:
    return info.unit.shapes[info.shape].kind == ShapeKind.INTERFACE


def _declaring(engine: NominalEngine, kind: Instance) -> Iterator[tuple[Unit, int]]:
    """Yield the shapes that declare the methods of a type."""
    yield kind.cls.unit, kind.cls.shape
    for each in embedding.methods_outside(engine, kind):
        yield each.cls.unit, each.cls.shape
