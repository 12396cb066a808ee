"""Declare the globals of `globalThis.shop = …`, an assignment at the root of a JavaScript file."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from .....facts.model import Binding, Decl, DeclKind, Meaning
from .....facts.operations import Op
from .....symbols.states import ScopeState
from ..context import Context
from ..dispatch import inner_nodes

_GLOBAL: Final = b"globalThis"


def note_global_properties(cx: Context, root: Node) -> None:
    """Add the assigned properties of `globalThis` to the globals of the program, as the TypeScript compiler does.

    Call this when all names are resolved.
    """
    places = {place for child in root.named_children if (place := _assigned(cx, child)) >= 0}
    if not places:
        return
    code, strings = cx.code, cx.strings
    names: dict[str, int] = {}
    for expando in cx.expandos:
        target = expando.target
        if code[target] != Op.MEMBER or code[target + 4] not in places or code[code[target + 1] + 1] >= 0:
            continue
        name = strings[code[target + 2]]
        if name not in names:
            names[name] = len(cx.bindings)
            cx.bindings.append(Binding(name, Meaning.VALUE, [len(cx.decls)], len(cx.scopes), []))
            cx.decls.append(Decl(DeclKind.VARIABLE, name, expando.symbol, -1, expando.value, 3, code[target + 4]))
    if names:
        cx.scopes.append(ScopeState(0, len(cx.scopes), names=names, ambient="global"))


def _assigned(cx: Context, statement: Node) -> int:
    """Return the start offset of the property in a statement `globalThis.name = …`, or -1."""
    if statement.type != "expression_statement" or not cx.data.startswith(_GLOBAL, statement.start_byte):
        return -1
    inner = inner_nodes(statement)
    left = inner[0].child_by_field_name("left") if inner and inner[0].type == "assignment_expression" else None
    if left is None or left.type != "member_expression":
        return -1
    owner, name = left.child_by_field_name("object"), left.child_by_field_name("property")
    return name.start_byte if owner is not None and name is not None and cx.bytes_of(owner) == _GLOBAL else -1
