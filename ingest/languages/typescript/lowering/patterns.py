"""Lower binding and assignment patterns.

Each name becomes a declaration. The value of a declaration is a path in the destructured value.
"""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from ....facts.model import DeclKind, Expando
from ....facts.nodes import bare_reference, this_value
from ....facts.operations import MemberFlag, Op, Use
from .context import Context
from .dispatch import inner_nodes, lower_expression
from .imports import string_value

#: Receives the node of a name and the lowered value of the name.
Bind = Callable[[Node, int], None]


def bind_pattern(cx: Context, node: Node, value: int, bind: Bind) -> None:
    """Walk a pattern and pass each bound name or assignment target to `bind`, with its value node."""
    cx.nest()
    kind = node.type
    if kind == "object_pattern":
        _object_pattern(cx, node, value, bind)
    elif kind == "array_pattern":
        _array_pattern(cx, node, value, bind)
    elif kind in ("assignment_pattern", "object_assignment_pattern"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None:
            default = lower_expression(cx, right)
            if left.type == "shorthand_property_identifier_pattern":
                value = _property(cx, value, cx.bytes_of(left), left.start_byte)
            bind_pattern(cx, left, cx.emit(Op.DEFAULTED, value, default, -1, left.start_byte), bind)
    elif kind in ("rest_pattern", "parenthesized_expression", "non_null_expression"):
        inner = inner_nodes(node)
        if inner:
            bind_pattern(cx, inner[0], value, bind)
    else:
        bind(node, value)
    cx.nesting -= 1


def _property(cx: Context, value: int, name: bytes, position: int, flags: int = MemberFlag.OF_PATTERN) -> int:
    return cx.emit(Op.MEMBER, value, cx.string(name), flags, position)


def _object_pattern(cx: Context, node: Node, value: int, bind: Bind) -> None:
    listed: list[int] = []
    for child in inner_nodes(node):
        kind = child.type
        if kind == "shorthand_property_identifier_pattern":
            listed.append(cx.string(cx.bytes_of(child)))
            bind(child, _property(cx, value, cx.bytes_of(child), child.start_byte))
        elif kind == "object_assignment_pattern":
            left = child.child_by_field_name("left")
            if left is not None:
                listed.append(cx.string(cx.bytes_of(left)))
            bind_pattern(cx, child, value, bind)
        elif kind == "pair_pattern":
            key, target = child.child_by_field_name("key"), child.child_by_field_name("value")
            if key is not None and target is not None:
                bind_pattern(cx, target, _keyed(cx, value, key, listed), bind)
        elif kind == "rest_pattern":
            rest = cx.emit(Op.REST_PROPERTIES, value, cx.list_of(listed), -1, child.start_byte)
            bind_pattern(cx, child, rest, bind)


def _keyed(cx: Context, value: int, key: Node, listed: list[int]) -> int:
    if key.type == "computed_property_name":
        inner = inner_nodes(key)
        index = lower_expression(cx, inner[0]) if inner else -1
        return cx.emit(Op.INDEX, value, index, MemberFlag.OF_PATTERN, key.start_byte)
    quoted = key.type == "string"
    name = string_value(cx, key) if quoted else cx.bytes_of(key)
    listed.append(cx.string(name))
    return _property(cx, value, name, key.start_byte, MemberFlag.OF_PATTERN | (MemberFlag.NO_USE if quoted else 0))


def _array_pattern(cx: Context, node: Node, value: int, bind: Bind) -> None:
    index = 0
    for child in node.children:
        if child.type == ",":
            index += 1
        elif child.is_named and child.type != "comment":
            op = Op.REST_ELEMENT if child.type == "rest_pattern" else Op.ELEMENT
            bind_pattern(cx, child, cx.emit(op, value, -1, index, child.start_byte), bind)


def assign_pattern(cx: Context, node: Node, value: int) -> None:
    """Lower `[a.b, c] = value` and `({a, b: c.d} = value)`, whose targets are expressions."""

    def assign(target: Node, part: int) -> None:
        if target.type == "shorthand_property_identifier_pattern":
            lowered = cx.name(cx.bytes_of(target), target.start_byte, Use.WRITE)
        else:
            lowered = lower_expression(cx, target)
        mark_written(cx, lowered)
        note_assignment(cx, lowered, part)

    first, code = len(cx.code), cx.code
    bind_pattern(cx, node, value, assign)
    for made in range(first, len(code), 5):
        if code[made] == Op.MEMBER and code[made + 3] & MemberFlag.OF_PATTERN:
            code[made + 3] |= MemberFlag.NO_USE


def mark_written(cx: Context, target: int) -> None:
    """Mark a NAME, MEMBER or INDEX as written."""
    target = bare_reference(cx.code, target)
    if target >= 0 and cx.code[target] == Op.NAME:
        cx.code[target + 3] = Use.WRITE
    elif target >= 0 and cx.code[target] in (Op.MEMBER, Op.INDEX):
        cx.code[target + 3] |= MemberFlag.WRITTEN


def note_assignment(cx: Context, target: int, value: int, symbol: int = -1) -> None:
    """Record an assignment: it may add a member, or initialize a variable that was declared without a value."""
    cx.forget_narrowing(target)
    target = bare_reference(cx.code, target)
    if target < 0:
        return
    op = cx.code[target]
    if op == Op.NAME:
        cx.expandos.append(Expando(target, value, symbol, _is_of_outer_function(cx, cx.strings[cx.code[target + 2]])))
    elif op == Op.MEMBER or (op == Op.INDEX and _adds_member(cx, target)):
        cx.expandos.append(Expando(target, value, symbol, False, _aliased_this(cx, cx.code[target + 1])))


def _adds_member(cx: Context, target: int) -> bool:
    """Return whether an INDEX node names a member: by a key of `this`, or by a literal key in JavaScript."""
    if cx.code[cx.code[target + 1]] == Op.THIS:
        return True
    return cx.code[cx.code[target + 2]] == Op.STRING and cx.language in ("javascript", "jsx")


def _aliased_this(cx: Context, owner: int) -> int:
    """Return the THIS node of `var self = this` if the block around the assignment declares the name, in JavaScript; else -1.

    TypeScript's binder searches only the locals of that block.
    """
    if cx.language not in ("javascript", "jsx"):
        return -1
    owner = bare_reference(cx.code, owner)
    if owner < 0 or cx.code[owner] != Op.NAME:
        return -1
    name, state = cx.strings[cx.code[owner + 2]], cx.scopes[cx.scope]
    binding = state.names.get(name)
    if binding is None and state.parent == state.hoist:  # in the outer block of a function, `var` declares in the function
        binding = cx.scopes[state.hoist].names.get(name)
    decl = cx.decls[cx.bindings[binding].decls[0]] if binding is not None else None
    return this_value(cx.code, decl.b) if decl is not None and decl.kind == DeclKind.VARIABLE else -1


def _is_of_outer_function(cx: Context, name: str) -> bool:
    """Return whether a name was declared earlier, but outside the function that is being read."""
    scope = cx.scope
    while scope >= 0:
        state = cx.scopes[scope]
        if name in state.names:
            return state.hoist != cx.scopes[cx.scope].hoist
        scope = state.parent
    return False
