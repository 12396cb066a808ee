"""Find the types that the scripts of a component declare under names with a meaning, such as `Props` of Astro."""

from __future__ import annotations

from ...facts.model import Meaning
from ...facts.operations import Op, Use
from .lowering import ComponentLowering


def declared_type(component: ComponentLowering, name: str) -> int:
    """Return a node of the type that the scripts declare under a name, or -1."""
    cx = component.cx
    binding = cx.scopes[0].names.get(name, -1)
    if binding < 0 or not cx.bindings[binding].meaning & Meaning.TYPE:
        return -1
    position = cx.decls[cx.bindings[binding].decls[0]].position
    cx.owners += (len(cx.code), -1)
    named = cx.emit(Op.T_NAME, binding, cx.string(name.encode()), Use.TYPE, position)
    type_ = cx.emit(Op.T_REFERENCE, named, -1, -1, position)
    cx.owners += (len(cx.code), cx.symbol)
    return type_
