"""Find the parts of a text that its grammar could not read."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from ....schema.records import Problem

#: Nodes that a C function cannot contain. If one is found, the end of the function is unknown.
_OF_FILES: Final = ("function_definition", "preproc_include", "template_declaration", "namespace_definition")


def _is_whole_function(node: Node) -> bool:
    """Return whether a node is a C or C++ function whose header was read and whose end is known.

    Macros in the body of such a function, such as `TAILQ_FOREACH(a, b, c) {`, hide no declaration.
    """
    body = node.child_by_field_name("body") if node.type == "function_definition" else None
    if body is None or body.type != "compound_statement":
        return False
    if any(child.has_error or child.is_missing for child in node.children if child.id != body.id):
        return False
    last = body.children[-1]
    is_closed = last.type == "}" and not last.is_missing and last.start_point.column in (0, node.start_point.column)
    return is_closed and not any(child.type in _OF_FILES for child in body.children)


def tree_problems(root: Node, max_count: int) -> list[Problem]:
    """Return problems for the parts of a text that the grammar could not read.

    There is at most one problem for each line, and at most `max_count` in total.
    """
    lines: dict[int, Problem] = {}
    stack = [root] if root.has_error else []
    while stack and len(lines) < max_count:
        node = stack.pop()
        if node.is_error or node.is_missing:
            line = node.start_point.row + 1
            lines.setdefault(line, Problem(line, "the grammar does not read this"))
            continue
        if not _is_whole_function(node):
            stack += [child for child in reversed(node.children) if child.has_error or child.is_missing]
    return [lines[line] for line in sorted(lines)]
