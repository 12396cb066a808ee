"""Give the refs of scripts that a template sets by `ref="form"` the type of the component: `useTemplateRef("form")`, `ref()`."""

from __future__ import annotations

from typing import Final

from ...facts.model import DeclKind
from ...facts.operations import Op
from ..components.lowering import ComponentLowering

#: Functions that make a ref. A template sets the variable with the name that its `ref` has.
_MAKERS: Final = frozenset(("ref", "shallowRef"))


def calls_for_refs(component: ComponentLowering) -> dict[str, list[int]]:
    """Return the calls without a type that make refs for the template, by name."""
    cx = component.cx
    found: dict[str, list[int]] = {}
    for node in cx.calls:
        given = cx.items(cx.code[node + 2])
        if _is_untyped(component, node, "useTemplateRef") and given and cx.code[given[0]] == Op.STRING:
            found.setdefault(cx.strings[cx.code[given[0] + 2]], []).append(node)
    for name, binding in cx.scopes[0].names.items():
        decls = [cx.decls[each] for each in cx.bindings[binding].decls]
        if len(decls) == 1 and decls[0].kind == DeclKind.VARIABLE and decls[0].a < 0 <= decls[0].b:
            made = decls[0].b
            if any(_is_untyped(component, made, maker) for maker in _MAKERS) and _is_empty(component, made):
                found.setdefault(name, []).append(made)
    return found


def _is_untyped(component: ComponentLowering, node: int, name: str) -> bool:
    """Return whether a node is a call of a function by its name, without type arguments."""
    code = component.cx.code
    callee = code[node + 1] if code[node] == Op.CALL and code[node + 3] < 0 else -1
    return callee >= 0 and code[callee] == Op.NAME and component.cx.strings[code[callee + 2]] == name


def _is_empty(component: ComponentLowering, call: int) -> bool:
    code = component.cx.code
    return all(code[each] in (Op.NULL, Op.UNDEFINED) for each in component.cx.items(code[call + 2]))


def hold_instance(component: ComponentLowering, call: int, instance: int, position: int) -> None:
    """Let the value of the ref that a call makes be an instance of a component."""
    shape = component.object_shape()
    component.property(shape, "value", type_=instance, position=position)
    component.property(shape, "[RefSymbol]", position=position)
    component.cast(call, component.type_of_shape(shape))
