"""Give the variables that `bind:this={row}` sets the type of the component."""

from __future__ import annotations

from ...facts.model import DeclKind
from ...facts.operations import Op
from ..components.lowering import ComponentLowering


def hold_instance(component: ComponentLowering, tag: int, value: int, position: int) -> None:
    """Let a variable of the script without a type hold the instance of the component that the node `tag` names."""
    cx = component.cx
    binding = cx.scopes[0].names.get(cx.strings[cx.code[value + 2]], -1) if value >= 0 and cx.code[value] == Op.NAME else -1
    decls = [cx.decls[each] for each in cx.bindings[binding].decls] if binding >= 0 else []
    if len(decls) == 1 and decls[0].kind == DeclKind.VARIABLE and decls[0].a < 0 and _is_empty(component, decls[0].b):
        made = cx.emit(Op.NEW, tag, cx.list_of([]), -1, position)
        decls[0].a = cx.emit(Op.T_QUERY, made, -1, -1, position)


def _is_empty(component: ComponentLowering, node: int) -> bool:
    """Return whether a variable begins without a value: `let row`, `let row = null`, `let row = $state()`."""
    code = component.cx.code
    if node >= 0 and code[node] == Op.SEQUENCE:  # the argument of a rune
        node = component.cx.items(code[node + 1])[-1]
    if node < 0 or code[node] in (Op.NULL, Op.UNDEFINED):
        return True
    callee = code[node + 1] if code[node] == Op.CALL else -1
    if callee < 0 or component.cx.items(code[node + 2]) or code[callee] not in (Op.NAME, Op.MEMBER):
        return False
    name = callee if code[callee] == Op.NAME else code[callee + 1]
    return code[name] == Op.NAME and component.cx.strings[code[name + 2]] == "$state"
