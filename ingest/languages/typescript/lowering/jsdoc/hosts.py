"""Find the node that a JSDoc comment describes: the node after the comment, or the declaration or assignment in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node, Tree

from ..dispatch import inner_nodes
from .tags import Comment

_BETWEEN: Final = re.compile(rb"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_FUNCTIONS: Final = frozenset(
    (
        "arrow_function",
        "function_expression",
        "generator_function",
        "function_declaration",
        "generator_function_declaration",
        "function_signature",
        "method_definition",
    )
)
_CLASSES: Final = frozenset(("class", "class_declaration"))
#: The field with the value, by node type, for nodes whose value the comment may also describe.
_HOLDERS: Final = {
    "variable_declarator": "value",
    "pair": "value",
    "field_definition": "value",
    "public_field_definition": "value",
    "assignment_expression": "right",
}
_VARIABLES: Final = frozenset(("lexical_declaration", "variable_declaration", "using_declaration"))


@dataclass(slots=True)
class Hosts:
    """Comments by the id of the node that they describe."""

    functions: dict[int, Comment] = field(default_factory=dict)
    classes: dict[int, Comment] = field(default_factory=dict)
    #: Variables, members, assignments and parameters.
    values: dict[int, Comment] = field(default_factory=dict)
    #: Expressions in parentheses.
    casts: dict[int, Comment] = field(default_factory=dict)
    #: `this.x;`, which declares a member without a value.
    members: dict[int, Comment] = field(default_factory=dict)
    #: Functions that the `@type` of a comment describes.
    typed: set[int] = field(default_factory=set)
    #: Comments with overload signatures above a function, by the function.
    overloads: dict[int, list[Comment]] = field(default_factory=dict)


def find_hosts(data: bytes, tree: Tree, comments: list[Comment]) -> Hosts:
    """Find the nodes that comments describe.

    If there are several comments above a node, only the last comment and comments with `@overload` count.
    """
    hosts = Hosts()
    waiting: list[Comment] = []
    for index, comment in enumerate(comments):
        match = _BETWEEN.match(data, comment.end)
        offset = match.end() if match is not None else comment.end
        waiting.append(comment)
        if index + 1 < len(comments) and comments[index + 1].start < offset:
            continue
        _attach_comments(hosts, tree, waiting, offset)
        waiting = []
    return hosts


def _attach_comments(hosts: Hosts, tree: Tree, comments: list[Comment], offset: int) -> None:
    path = _path(tree, offset)
    overloads = [comment for comment in comments if comment.has("overload")]
    for index, node in enumerate(path):
        if node.start_byte != offset or index == 0:
            continue
        comment = comments[-1]
        function = _attach(hosts, node, comment, path[index - 1])
        if function is not None and overloads:
            hosts.overloads[function.id] = overloads
        if function is not None or node.id in hosts.values or node.id in hosts.classes:
            break
    for node in path[1:]:
        if node.type == "parenthesized_expression" and node.start_byte == offset:
            hosts.casts[node.id] = comments[-1]
            break


def _path(tree: Tree, offset: int) -> list[Node]:
    """Return the nodes around an offset, from the root down."""
    cursor = tree.walk()
    path = [tree.root_node]
    while cursor.goto_first_child_for_byte(offset) is not None:
        node = cursor.node
        if node is None or node.start_byte > offset:
            break
        path.append(node)
    return path


def _attach(hosts: Hosts, node: Node, comment: Comment, parent: Node) -> Node | None:
    """Record that the comment describes a node and its content. Return the function in the node, if there is one."""
    kind = node.type
    if kind in _FUNCTIONS:
        hosts.functions[node.id] = comment
        if parent.type not in _HOLDERS:
            hosts.typed.add(node.id)
        return node
    if kind in _CLASSES:
        hosts.classes[node.id] = comment
        return None
    if kind in _HOLDERS:
        hosts.values[node.id] = comment
        value = node.child_by_field_name(_HOLDERS[kind])
        return _attach(hosts, value, comment, node) if value is not None and _is_named(value) else None
    if kind == "export_statement":
        hosts.values[node.id] = comment
        declared = node.child_by_field_name("declaration") or node.child_by_field_name("value")
        return _attach(hosts, declared, comment, node) if declared is not None else None
    if kind in _VARIABLES:
        first = next((child for child in inner_nodes(node) if child.type == "variable_declarator"), None)
        return _attach(hosts, first, comment, node) if first is not None else None
    if kind in ("expression_statement", "return_statement"):
        return _attach_expression(hosts, node, comment)
    if parent.type == "formal_parameters":
        hosts.values[node.id] = comment
    return None


def _attach_expression(hosts: Hosts, statement: Node, comment: Comment) -> Node | None:
    for child in inner_nodes(statement)[:1]:
        if statement.type == "expression_statement" and child.type == "member_expression":
            hosts.members[child.id] = comment
        elif _is_named(child):
            return _attach(hosts, child, comment, statement)
    return None


def _is_named(node: Node) -> bool:
    return node.type in _FUNCTIONS or node.type in _CLASSES or node.type == "assignment_expression"
