"""Lower statements: the expressions in them, and the variables that they declare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tree_sitter import Node

from ....facts.model import DeclKind
from ....facts.operations import MemberFlag, Op, Use
from .context import GoContext
from .declarations import lower_constants, lower_type_declaration, lower_values, lowered_values
from .expressions import lower_expression, lower_parts
from .grammar import kind_of, parts_of
from .types import lower_type

#: Method of our own declarations that returns the key and the item of each step of a loop over a value.
_RANGE: Final = b"__range__"


def lower_block(cx: GoContext, node: Node) -> None:
    """Lower the statements of a block in a new scope."""
    outer = cx.enter()
    lower_statements(cx, parts_of(node))
    cx.visible = outer


def lower_statements(cx: GoContext, nodes: Sequence[Node]) -> None:
    """Lower statements in the innermost scope."""
    for node in nodes:
        lower_statement(cx, node)


def lower_statement(cx: GoContext, node: Node) -> None:
    """Lower a statement. If the grammar could not read the statement, lower its readable parts."""
    lower = _LOWER.get(kind_of(node))
    if lower is not None:
        lower(cx, node)
    else:
        lower_expression(cx, node)


def _list(cx: GoContext, node: Node) -> None:
    lower_statements(cx, parts_of(node))


# ---------------------------------------------------------------------- variables


def _declare(cx: GoContext, names: Sequence[Node], values: Sequence[int]) -> None:
    """Declare the names on the left of `:=`. Names of the innermost scope are assigned."""
    for place, node in enumerate(names):
        if kind_of(node) != "identifier":
            lower_expression(cx, node, MemberFlag.WRITTEN)
            continue
        text = cx.name_of(node)
        if text in cx.visible.names:
            cx.name(node, Use.WRITE)
        elif text != "_":
            cx.declare(DeclKind.VARIABLE, text, -1, values[place] if place < len(values) else -1, -1, node.start_byte)


def _short(cx: GoContext, node: Node) -> None:
    names = parts_of(node.child_by_field_name("left"))
    values = lowered_values(cx, parts_of(node.child_by_field_name("right")), len(names))
    _declare(cx, names, values)


def _assign(cx: GoContext, node: Node) -> None:
    lower_parts(cx, node.child_by_field_name("right"))
    for target in parts_of(node.child_by_field_name("left")):
        if kind_of(target) != "identifier" or cx.name_of(target) != "_":
            lower_expression(cx, target, MemberFlag.WRITTEN)


def _step(cx: GoContext, node: Node) -> None:
    for target in parts_of(node):
        lower_expression(cx, target, MemberFlag.WRITTEN)


def _variables(cx: GoContext, node: Node) -> None:
    for spec in _specs(node):
        lower_values(cx, spec)


def _specs(node: Node) -> list[Node]:
    found: list[Node] = []
    for child in parts_of(node):
        found += parts_of(child) if kind_of(child) == "var_spec_list" else [child]
    return found


def _types(cx: GoContext, node: Node) -> None:
    for spec in parts_of(node):
        lower_type_declaration(cx, spec)


# ---------------------------------------------------------------------- control flow


def _return(cx: GoContext, node: Node) -> None:
    for listed in parts_of(node):
        found = lower_parts(cx, listed)
        if len(found) == 1:
            cx.returns.append(found[0])


def _if(cx: GoContext, node: Node) -> None:
    outer = cx.enter()
    for field in ("initializer", "condition", "consequence", "alternative"):
        part = node.child_by_field_name(field)
        if part is not None:
            lower_statement(cx, part)
    cx.visible = outer


def _for(cx: GoContext, node: Node) -> None:
    outer = cx.enter()
    body = node.child_by_field_name("body")
    for child in parts_of(node):
        if child == body:
            continue
        if kind_of(child) == "range_clause":
            _range(cx, child)
        elif kind_of(child) == "for_clause":
            for field in ("initializer", "condition", "update"):
                part = child.child_by_field_name(field)
                if part is not None:
                    lower_statement(cx, part)
        else:
            lower_expression(cx, child)
    if body is not None:
        lower_block(cx, body)
    cx.visible = outer


def _range(cx: GoContext, node: Node) -> None:
    right = node.child_by_field_name("right")
    value = lower_expression(cx, right)
    names = parts_of(node.child_by_field_name("left"))
    if not names:
        return
    given = cx.part(value, _RANGE, node.start_byte)
    parts = [cx.emit(Op.ELEMENT, given, -1, place, node.start_byte) for place in range(len(names))]
    if any(kind_of(child) == ":=" for child in node.children):
        _declare(cx, names, parts)
        return
    for name in names:
        lower_expression(cx, name, MemberFlag.WRITTEN)


def _switch(cx: GoContext, node: Node) -> None:
    outer = cx.enter()
    for field in ("initializer", "value"):
        part = node.child_by_field_name(field)
        if part is not None:
            lower_statement(cx, part)
    for child in parts_of(node):
        if kind_of(child) in ("expression_case", "default_case"):
            _case(cx, child)
    cx.visible = outer


def _case(cx: GoContext, node: Node) -> None:
    outer = cx.enter()
    for child in parts_of(node):
        if kind_of(child) == "expression_list":
            lower_parts(cx, child)
        else:
            lower_statement(cx, child)
    cx.visible = outer


def _type_switch(cx: GoContext, node: Node) -> None:
    outer = cx.enter()
    initializer = node.child_by_field_name("initializer")
    if initializer is not None:
        lower_statement(cx, initializer)
    value = lower_expression(cx, node.child_by_field_name("value"))
    alias = parts_of(node.child_by_field_name("alias"))
    for child in parts_of(node):
        if kind_of(child) in ("type_case", "default_case"):
            _type_case(cx, child, alias, value)
    cx.visible = outer


def _type_case(cx: GoContext, node: Node, alias: Sequence[Node], value: int) -> None:
    """Lower a case of a type switch. The variable has the type of the case, if the case has only one type."""
    outer = cx.enter()
    written = [each for each in node.children_by_field_name("type") if each.is_named]  # commas have the same field
    kinds = [lower_type(cx, each) if cx.bytes_of(each) != b"nil" else -1 for each in written]
    for each, kind in zip(written, kinds, strict=True):
        if kind >= 0:
            cx.emit(Op.INSTANCEOF, value, kind, -1, each.start_byte)
        else:
            cx.emit(Op.EQUALITY, value, cx.emit(Op.NULL, -1, -1, -1, each.start_byte), 1, each.start_byte)
    narrowed = kinds[0] if len(kinds) == 1 else -1
    for name in alias[:1]:
        cx.declare(DeclKind.VARIABLE, cx.name_of(name), narrowed, value if narrowed < 0 else -1, -1, name.start_byte)
    lower_statements(cx, [child for child in parts_of(node) if child not in written])
    cx.visible = outer


def _select(cx: GoContext, node: Node) -> None:
    for child in parts_of(node):
        outer = cx.enter()
        lower_statements(cx, parts_of(child))
        cx.visible = outer


def _receive(cx: GoContext, node: Node) -> None:
    right = node.child_by_field_name("right")
    value = lower_expression(cx, right)
    names = parts_of(node.child_by_field_name("left"))
    values = [value, cx.emit(Op.BOOLEAN, 1, -1, -1, node.start_byte)]
    if any(kind_of(child) == ":=" for child in node.children):
        _declare(cx, names, values)
        return
    for name in names:
        lower_expression(cx, name, MemberFlag.WRITTEN)


def _lower_inner(cx: GoContext, node: Node) -> None:
    """Lower the statements and expressions inside a statement."""
    for child in parts_of(node):
        if kind_of(child) != "label_name":
            lower_statement(cx, child)


_LOWER: Final[dict[str, Callable[[GoContext, Node], None]]] = {
    "block": lower_block,
    "statement_list": _list,
    "expression_statement": _lower_inner,
    "short_var_declaration": _short,
    "var_declaration": _variables,
    "const_declaration": lower_constants,
    "type_declaration": _types,
    "assignment_statement": _assign,
    "inc_statement": _step,
    "dec_statement": _step,
    "return_statement": _return,
    "if_statement": _if,
    "for_statement": _for,
    "expression_switch_statement": _switch,
    "type_switch_statement": _type_switch,
    "select_statement": _select,
    "receive_statement": _receive,
    "send_statement": _lower_inner,
    "go_statement": _lower_inner,
    "defer_statement": _lower_inner,
    "labeled_statement": _lower_inner,
    "expression_list": _lower_inner,
    "ERROR": _lower_inner,
}
