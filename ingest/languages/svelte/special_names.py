"""Read the names that have a meaning in Svelte's components: the types `$$Props`, `$$Events` and `$$Slots`, and the values
`$$props`, `$$restProps` and `$$slots`.
"""

from __future__ import annotations

from typing import Final

from ...facts.model import DeclKind, Member
from ...facts.operations import MemberFlag, Op
from ..components.lowering import ComponentLowering

#: The member of the class of a component with the type of its attributes, and the one with the values that its slots pass.
PROPS: Final = "$$prop_def"
SLOTS: Final = "$$slot_def"
_VALUES: Final = {"$$props": PROPS, "$$restProps": PROPS, "$$slots": SLOTS}


def members_of_type(component: ComponentLowering, type_: int) -> list[Member]:
    """Return the members of an object type, which may be written in place or be a type of the scripts without parameters."""
    cx = component.cx
    for _ in range(10):
        if cx.code[type_] == Op.T_OBJECT:
            return cx.shapes[cx.code[type_ + 1]].members
        name = cx.code[type_ + 1] if cx.code[type_] == Op.T_REFERENCE else type_
        binding = cx.scopes[0].names.get(cx.strings[cx.code[name + 2]], -1) if cx.code[name] == Op.T_NAME else -1
        decls = [cx.decls[each] for each in cx.bindings[binding].decls] if binding >= 0 else []
        if len(decls) != 1 or decls[0].kind not in (DeclKind.INTERFACE, DeclKind.ALIAS):
            return []
        if decls[0].kind == DeclKind.INTERFACE:
            return cx.shapes[decls[0].a].members
        type_ = decls[0].a
    return []


def read_special_values(component: ComponentLowering) -> None:
    """Let `$$props`, `$$restProps` and `$$slots` have the types of the attributes and of the slots."""
    cx = component.cx
    if b"$$" not in component.source.data:
        return
    made: list[tuple[int, int, int]] = []
    for node, scope, meaning in cx.pending:
        name = cx.strings[cx.code[node + 2]]
        if cx.code[node] != Op.NAME or name not in _VALUES or component.binding_at(name, scope) >= 0:
            made.append((node, scope, meaning))
            continue
        cx.owners += (len(cx.code), cx.owner_of(node))
        this = component.instance(cx.code[node + 4])
        cx.owners += (len(cx.code), cx.symbol)
        cx.code[node : node + 4] = [Op.MEMBER, this, cx.string(_VALUES[name].encode()), MemberFlag.NO_USE]
    cx.pending = made
