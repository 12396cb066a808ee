"""Let the attributes of a component's elements decide the type parameters that its script declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...facts.model import DeclKind, Function, Member, MemberKind, Parameter
from ...facts.operations import Op

if TYPE_CHECKING:
    from .lowering import ComponentLowering

#: Members of the class of a component that have the type of its attributes: of Vue's and of Svelte's.
_PROPS: Final = ("$props", "$$prop_def")


def construct_from_props(component: ComponentLowering) -> None:
    """Give the class of a component with type parameters a constructor that takes the attributes."""
    cx, start = component.cx, component.state.start
    named = next((each for each in component.members.members if each.name in _PROPS), None)
    if named is None or not component.members.type_parameters:
        return
    named.type = _structure(component, named.type)
    given = Parameter("props", -1, named.type, -1, True, False)
    cx.functions.append(Function(-1, [given], [], -1, [], [], -1, False, False, False, False, False, start))
    component.members.members.append(
        Member("constructor", MemberKind.CONSTRUCTOR, False, False, -1, len(cx.functions) - 1, -1, -1, start, -1)
    )


def _structure(component: ComponentLowering, type_: int) -> int:
    """Return a type in which interfaces of the file are object types, which see the type parameters of the component."""
    cx = component.cx
    if cx.code[type_] == Op.T_INTERSECTION:
        parts = [_structure(component, part) for part in cx.items(cx.code[type_ + 1])]
        return cx.emit(Op.T_INTERSECTION, cx.list_of(parts), -1, -1, cx.code[type_ + 4])
    if cx.code[type_] != Op.T_NAME:
        return type_
    binding = cx.scopes[0].names.get(cx.strings[cx.code[type_ + 2]], -1)
    decls = [cx.decls[each] for each in cx.bindings[binding].decls] if binding >= 0 else []
    if len(decls) != 1 or decls[0].kind != DeclKind.INTERFACE or cx.shapes[decls[0].a].extends:
        return type_
    return cx.emit(Op.T_OBJECT, decls[0].a, -1, -1, cx.code[type_ + 4])
