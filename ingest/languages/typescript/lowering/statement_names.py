"""Name statements that declare nothing as a person would: `describe("cart")`, `if (debug)`, `module.exports`.

A statement of one line is its own name. The name of a longer statement is the callee or the assigned name. The name stops before
the first function or object, so that a change of the body does not change it.
"""

from __future__ import annotations

from typing import TypeGuard

from tree_sitter import Node

from ....symbols.headers import MAX_NAME_LENGTH, first_words, header
from .context import Context
from .dispatch import first_inner, inner_nodes, two_fields
from .functions import FUNCTION_NODES

#: Node types around an expression that do not change its name.
_AROUND = frozenset(("parenthesized_expression", "await_expression", "unary_expression", "as_expression", "non_null_expression"))
#: Types of short arguments, which distinguish calls of one function.
_SHORT_ARGUMENTS = frozenset(("string", "identifier", "member_expression", "number", "this", "true", "false", "null", "regex"))
_MAX_CHAIN_LENGTH = 60
#: Statements that are named by the code before their body, with the field that contains the body.
_HEADED = {
    "if_statement": "consequence",
    "for_statement": "body",
    "for_in_statement": "body",
    "while_statement": "body",
    "with_statement": "body",
    "switch_statement": "body",
    "labeled_statement": "body",
}
_BARE = {"try_statement": "try", "do_statement": "do", "statement_block": "block"}

#: The name of a function that is called at once, and of the statement that consists of the call.
IIFE = "IIFE"


def statement_name(cx: Context, node: Node) -> str:
    """Return the name of a statement."""
    if node.start_point.row == node.end_point.row:
        return first_words(cx, node)
    kind = node.type
    if kind in _BARE:
        return _BARE[kind]
    if kind in _HEADED:
        body = node.child_by_field_name(_HEADED[kind])
        head = header(cx, node.start_byte, body.start_byte if body is not None else node.end_byte).rstrip(": ")
        return head[:MAX_NAME_LENGTH] or first_words(cx, node)
    inner = first_inner(node) if kind == "expression_statement" else None
    return (inner is not None and expression_name(cx, inner)) or first_words(cx, node)


def expression_name(cx: Context, node: Node) -> str:
    """Return the name of an expression of several lines, or "" if the first line is as clear."""
    while node.type in _AROUND and (inner := inner_nodes(node)):
        node = inner[-1] if node.type != "as_expression" else inner[0]
    kind = node.type
    if kind in FUNCTION_NODES:
        return ""
    if kind in ("assignment_expression", "augmented_assignment_expression"):
        return _reference(cx, node.child_by_field_name("left"))
    if kind in ("call_expression", "new_expression"):
        return _call_name(cx, node)[:MAX_NAME_LENGTH]
    if kind == "binary_expression":  # `debug && report(() => { … })`
        left, right = two_fields(node, "left", "right")
        first = cx.text(left) if left is not None and left.start_point.row == left.end_point.row else ""
        called = expression_name(cx, right) if right is not None and first else ""
        operator = node.child_by_field_name("operator")
        return f"{first} {operator.type} {called}"[:MAX_NAME_LENGTH] if called and operator is not None else ""
    return ""


def _call_name(cx: Context, node: Node) -> str:
    callee = _callee(node)
    while callee is not None and callee.type == "parenthesized_expression" and (inner := first_inner(callee)) is not None:
        callee = inner
    if callee is None:
        return ""
    if callee.type in FUNCTION_NODES:
        return IIFE
    if callee.type == "member_expression" and _is_function(callee.child_by_field_name("object")):
        return IIFE  # `(function () { … }).call(this)`
    name = _reference(cx, callee)
    if not name:
        return ""
    arguments = node.child_by_field_name("arguments")
    if arguments is None or arguments.type == "template_string":
        return name
    given = ", ".join(_short_arguments(cx, arguments))
    return f"new {name}({given})" if node.type == "new_expression" else f"{name}({given})"


def _is_function(node: Node | None) -> bool:
    while node is not None and node.type == "parenthesized_expression":
        node = first_inner(node)
    return node is not None and node.type in FUNCTION_NODES


def _reference(cx: Context, node: Node | None) -> str:
    """Return a name or a chain of members and calls; for a long chain, its last name."""
    if node is None:
        return ""
    text = _chain(cx, node)
    last = node.child_by_field_name("property") if node.type == "member_expression" else None
    return cx.text(last) if last is not None and (not text or len(text) > _MAX_CHAIN_LENGTH) else text


def _chain(cx: Context, node: Node) -> str:
    """Return a chain in one line, without call arguments that have bodies.

    The result is "" if the first link has a line break or a brace.
    """
    links: list[str] = []
    while True:
        target, name = two_fields(node, "object", "property")
        if node.type == "member_expression" and target is not None and name is not None:
            links.append(f".{cx.text(name)}")
            node = target
        elif node.type in ("call_expression", "new_expression") and _is_linked(callee := _callee(node)):
            links.append(f"({', '.join(_short_arguments(cx, node.child_by_field_name('arguments')))})")
            node = callee
        else:
            text = cx.text(node)
            return "" if "\n" in text or "{" in text else text + "".join(reversed(links))


def _callee(node: Node) -> Node | None:
    return node.child_by_field_name("function") or node.child_by_field_name("constructor")


def _is_linked(callee: Node | None) -> TypeGuard[Node]:
    return callee is not None and callee.type in ("member_expression", "identifier", "call_expression")


def _short_arguments(cx: Context, arguments: Node | None) -> list[str]:
    """Return the texts of the arguments before the first that is not a plain value."""
    found: list[str] = []
    for argument in inner_nodes(arguments) if arguments is not None else ():
        text = cx.text(argument)
        is_plain = argument.type in _SHORT_ARGUMENTS or (argument.type == "template_string" and "\n" not in text)
        if not is_plain or sum(map(len, found)) + len(text) > MAX_NAME_LENGTH:
            break
        found.append(text)
    return found
