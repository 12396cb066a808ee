"""Bind the targets of assignments: names, parts of a value, attributes and items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tree_sitter import Node

from ....facts.model import DeclKind, Member, MemberKind
from ....facts.operations import Op
from .added_items import note_added
from .context import PythonContext, ScopeKind, attribute_parts, last_name
from .dispatch import lower_expression
from .flow import ITEMS
from .grammar import KINDS
from .known_items import hold_items
from .subscripts import lower_index

#: Flags of MEMBER and INDEX nodes.
WRITTEN: Final = 8


#: Kinds of targets that consist of several targets.
_SEVERAL_TARGETS: Final = frozenset(
    ("pattern_list", "tuple_pattern", "list_pattern", "expression_list", "tuple", "list", "parenthesized_expression")
)


def declare_name(cx: PythonContext, target: Node, value: int, annotation: int) -> None:
    """Declare a name that is assigned or annotated.

    Without an annotation, the name keeps the annotation of an earlier declaration.
    """
    name = cx.name_of(target)
    binding = cx.binding_to_write(name)
    if annotation >= 0:
        cx.annotation_of[binding] = annotation
    cx.declare(binding, DeclKind.VARIABLE, name, cx.annotation_of.get(binding, -1), value, 0, target.start_byte)


def assign(cx: PythonContext, target: Node, value: int, annotation: int = -1) -> None:
    """Bind the target of an assignment to a value."""
    kind = KINDS[target.kind_id]
    if kind == "identifier":
        name = cx.name_of(target)
        if cx.py_scope.kind == ScopeKind.CLASS:
            note_assignment(cx, target)
        declare_name(cx, target, value, annotation)
        is_call = value >= 0 and cx.code[value] == Op.CALL
        if is_call and cx.py_scope.receiver_is_class and last_name(cx, cx.code[value + 1]) == "__new__":
            cx.py_scope.made.add(name)  # `self = super().__new__(cls)`
        if annotation < 0 and name in cx.py_scope.names:
            hold_items(cx, name, value)
    elif kind in _SEVERAL_TARGETS:
        parts = [child for child in target.named_children if KINDS[child.kind_id] != "comment"]
        if kind == "parenthesized_expression" and len(parts) == 1:
            _ASSIGN[0](cx, parts[0], value)
            return
        rest = next((index for index, part in enumerate(parts) if KINDS[part.kind_id] == "list_splat_pattern"), len(parts))
        for index, part in enumerate(parts):
            if KINDS[part.kind_id] == "list_splat_pattern":
                inner = next(iter(part.named_children), None)
                op = Op.REST_ELEMENT
            else:
                inner, op = part, Op.ELEMENT
            if inner is not None:
                place = index if index <= rest else index - len(parts)
                _ASSIGN[0](cx, inner, cx.emit(op, value, -1, place, inner.start_byte))
    elif kind == "attribute":
        _assign_member(cx, target, value, annotation)
    elif kind == "subscript":
        _assign_item(cx, target, value)
    elif kind == "as_pattern_target" and target.named_children:
        _ASSIGN[0](cx, target.named_children[0], value)
    else:
        lower_expression(cx, target)


def _assign_item(cx: PythonContext, target: Node, value: int) -> None:
    """Bind an item of a container. For an index that is not constant, forget the known values of all items."""
    index = lower_index(cx, target)
    if cx.code[index] != Op.INDEX:
        return
    cx.code[index + 3] = WRITTEN
    container = target.child_by_field_name("value")
    if container is not None and value >= 0:
        note_added(cx, container, cx.emit(Op.ASSIGN, index, value, -1, target.start_byte))
    key = cx.key_of(target)
    if not key:
        cx.flow.forget_chains((), (ITEMS,))
    elif value >= 0:
        cx.flow.hold(key, (value,))


def _assign_member(cx: PythonContext, target: Node, value: int, annotation: int) -> None:
    inner, attribute = attribute_parts(target)
    if attribute is None:
        lower_expression(cx, target)
        return
    owner = lower_expression(cx, inner)
    cx.emit(Op.MEMBER, owner, cx.string(cx.bytes_of(attribute)), WRITTEN, attribute.start_byte)
    scope = cx.function_scope()
    while scope.parent is not None and not scope.receiver:
        scope = scope.parent
    name = cx.name_of(inner) if inner is not None and KINDS[inner.kind_id] == "identifier" else ""
    if scope.shape >= 0 and name and (name == scope.receiver or name in scope.made):
        is_static = scope.receiver_is_class and name == scope.receiver
        add_attribute(cx, scope.shape, attribute, value, annotation, is_static=is_static)
    key = cx.key_of(target)
    if key and value >= 0:
        cx.flow.hold(key, (value,))


def note_assignment(cx: PythonContext, name: Node) -> None:
    """Record the span of the assignment to an attribute of a class. In `for self.x in …`, this is the span of the name."""
    start, end = cx.assignment
    is_within = start <= name.start_byte < end
    cx.assigned_to[name.start_byte] = cx.assignment if is_within else (name.start_byte, name.end_byte)


def add_attribute(cx: PythonContext, shape: int, name: Node, value: int, annotation: int, *, is_static: bool) -> None:
    """Add an attribute that a method assigns to its receiver."""
    note_assignment(cx, name)
    member = Member(cx.name_of(name), MemberKind.PROPERTY, is_static, False, -1, -1, annotation, value, name.start_byte, -1)
    cx.shapes[shape].members.append(member)


_ASSIGN: Final[dict[int, Callable[[PythonContext, Node, int], None]]] = {0: assign}
