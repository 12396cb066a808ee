"""Lower the patterns of `match`: the names that a pattern binds, and the narrowed subject after a match."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tree_sitter import Node

from ....facts.operations import Op
from .assignment import assign
from .bound_names import captured_names
from .context import PythonContext
from .dispatch import lower_expression
from .grammar import KINDS


def _unwrapped(pattern: Node) -> Node:
    while KINDS[pattern.kind_id] == "case_pattern" and len(pattern.named_children) == 1:
        pattern = pattern.named_children[0]
    return pattern


def bind_pattern(cx: PythonContext, pattern: Node, subject: int) -> int:
    """Bind the names of a pattern, and return the node of the subject after a match."""
    inner = _unwrapped(pattern)
    kind = KINDS[inner.kind_id]
    if kind == "dotted_name" and len(inner.named_children) == 1:
        if cx.name_of(inner) != "_":
            assign(cx, inner.named_children[0], subject)
        return subject
    if kind == "as_pattern":
        parts = inner.named_children
        matched = _PATTERN[0](cx, parts[0], subject) if len(parts) > 1 else subject
        assign(cx, parts[-1], matched)
        return matched
    if kind == "class_pattern":
        parts = inner.named_children
        matched = cx.emit(Op.MATCHED, subject, cx.list_of([_dotted(cx, parts[0])]), -1, inner.start_byte)
        for place, part in enumerate(parts[1:]):
            part = _unwrapped(part)
            alias: Node | None = None
            if KINDS[part.kind_id] == "as_pattern" and len(part.named_children) > 1:
                first = _unwrapped(part.named_children[0])
                if KINDS[first.kind_id] == "keyword_pattern":  # the grammar reads `x=A() as y` as `(x=A()) as y`
                    part, alias = first, part.named_children[-1]
            if KINDS[part.kind_id] == "keyword_pattern" and len(part.named_children) == 2:
                name, value = part.named_children
                member = cx.emit(Op.MEMBER, matched, cx.string(cx.bytes_of(name)), 4, name.start_byte)
                held = _PATTERN[0](cx, value, member)
                if alias is not None:
                    assign(cx, alias, held)
            else:
                _PATTERN[0](cx, part, cx.emit(Op.FIELD, matched, -1, place, part.start_byte))
        return matched
    if kind == "union_pattern":
        classes: list[int] = []
        for part in inner.named_children:
            matched = _PATTERN[0](cx, part, subject)
            if cx.code[matched] != Op.MATCHED:
                return subject
            classes += cx.items(cx.code[matched + 2])
        return cx.emit(Op.MATCHED, subject, cx.list_of(classes), -1, inner.start_byte)
    if kind == "dotted_name":
        _dotted(cx, inner)  # `case Color.RED` reads a constant
        return subject
    if kind == "dict_pattern":
        _mapping_items(cx, inner, subject)
        return subject
    if kind in ("list_pattern", "tuple_pattern"):
        _sequence_items(cx, inner, subject)
        return subject
    unknown = -1
    for name in captured_names(inner, cx.data):
        unknown = cx.emit(Op.UNKNOWN, -1, -1, -1, name.start_byte) if unknown < 0 else unknown
        assign(cx, name, unknown)
    return subject


def _mapping_items(cx: PythonContext, pattern: Node, subject: int) -> None:
    """Bind the names in a pattern of a mapping: `{"kind": kind, **rest}`."""
    key = -1
    for part in pattern.named_children:
        kind = KINDS[part.kind_id]
        if kind == "case_pattern":
            _PATTERN[0](cx, part, cx.emit(Op.FIELD, subject, key, 0, part.start_byte))
        elif kind == "splat_pattern":
            _rest(cx, part, subject)
        elif kind != "comment":
            key = _dotted(cx, part) if kind == "dotted_name" else lower_expression(cx, part)


def _sequence_items(cx: PythonContext, pattern: Node, subject: int) -> None:
    """Bind the names in a pattern of a sequence: `[first, *rest, last]`."""
    items = [_unwrapped(part) for part in pattern.named_children if KINDS[part.kind_id] != "comment"]
    rest = next((index for index, part in enumerate(items) if KINDS[part.kind_id] == "splat_pattern"), len(items))
    for index, part in enumerate(items):
        if index == rest:
            _rest(cx, part, cx.emit(Op.REST_ELEMENT, subject, -1, index, part.start_byte))
        else:
            place = index if index < rest else index - len(items)
            _PATTERN[0](cx, part, cx.emit(Op.ELEMENT, subject, -1, place, part.start_byte))


def _rest(cx: PythonContext, splat: Node, value: int) -> None:
    """Bind the name in `*rest` or `**rest`, unless the name is `_`."""
    name = next(iter(splat.named_children), None)
    if name is not None and KINDS[name.kind_id] == "identifier":
        assign(cx, name, value)


def _dotted(cx: PythonContext, node: Node) -> int:
    parts = node.named_children if KINDS[node.kind_id] == "dotted_name" else [node]
    value = cx.name(cx.bytes_of(parts[0]), parts[0].start_byte)
    for part in parts[1:]:
        value = cx.emit(Op.MEMBER, value, cx.string(cx.bytes_of(part)), 0, part.start_byte)
    return value


#: The table through which `bind_pattern` calls itself. `EXPRESSIONS` in `dispatch.py` explains why.
_PATTERN: Final[dict[int, Callable[[PythonContext, Node, int], int]]] = {0: bind_pattern}
