"""Decide whether the body of a lambda may end without a value, by the Java Language Specification, section 14.22.

A lambda whose body always throws is compatible with functions with and without a result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from .grammar import child_of_kind, kind_of, parts_of

_LOOPS: Final = ("while_statement", "do_statement", "for_statement", "enhanced_for_statement")
_LEAVING: Final = ("throw_statement", "break_statement", "continue_statement", "yield_statement")
#: Nodes in which a `break` without a label does not leave an outer statement.
_OTHER_TARGETS: Final = (*_LOOPS, "switch_expression", "lambda_expression", "class_body", "class_declaration")


def may_end(body: Node) -> bool:
    """Return whether a block may end without a value: at its end, or with a `return` without a value."""
    walk = _Walk()
    return walk.completes(body) or walk.returns_nothing


class _Walk:
    """Reads the statements of a block."""

    def __init__(self) -> None:
        self.returns_nothing = False

    def completes(self, node: Node) -> bool:
        """Return whether a statement can complete normally, so that code after it may run."""
        kind = kind_of(node)
        if kind == "return_statement":
            self.returns_nothing = self.returns_nothing or not parts_of(node)
            return False
        if kind in _LEAVING:
            return False
        if kind == "block":
            return self._all(parts_of(node))
        if kind == "if_statement":
            branches = [node.child_by_field_name(name) for name in ("consequence", "alternative")]
            ends = [branch is None or self.completes(branch) for branch in branches]
            return any(ends)
        if kind in _LOOPS:
            return self._of_loop(node, kind)
        if kind in ("try_statement", "try_with_resources_statement"):
            return self._of_try(node)
        if kind == "switch_expression":
            return self._of_switch(node)
        if kind == "synchronized_statement":
            return self._all([each for each in parts_of(node) if kind_of(each) == "block"])
        return True

    def _all(self, nodes: Sequence[Node]) -> bool:
        ends = [self.completes(node) for node in nodes]
        return all(ends)

    def _of_loop(self, node: Node, kind: str) -> bool:
        body = node.child_by_field_name("body")
        if body is not None:
            self.completes(body)
        condition = node.child_by_field_name("condition")
        is_endless = condition is None if kind == "for_statement" else False
        if condition is not None:
            while kind_of(condition) == "parenthesized_expression" and parts_of(condition):
                condition = parts_of(condition)[0]
            is_endless = kind_of(condition) == "true"
        return not is_endless or body is None or _breaks(body)

    def _of_try(self, node: Node) -> bool:
        bodies = [child_of_kind(each, "block") if kind_of(each) == "catch_clause" else each for each in parts_of(node)]
        ends = [self.completes(each) for each in bodies if each is not None and kind_of(each) == "block"]
        last = child_of_kind(node, "finally_clause")
        block = child_of_kind(last, "block") if last is not None else None
        return any(ends) and (block is None or self.completes(block))

    def _of_switch(self, node: Node) -> bool:
        groups = parts_of(node.child_by_field_name("body"))
        labels = [each for group in groups for each in parts_of(group) if kind_of(each) == "switch_label"]
        has_default = any(each.type == "default" for label in labels for each in label.children)
        ends = [self._all([each for each in parts_of(group) if kind_of(each) != "switch_label"]) for group in groups]
        is_rule = bool(groups) and kind_of(groups[-1]) == "switch_rule"
        return not has_default or (any(ends) if is_rule else ends[-1]) or any(_breaks(group) for group in groups)


def _breaks(node: Node) -> bool:
    """Return whether a `break` inside a node may leave the statement around the node. A `break` with a label counts, too."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if kind_of(each) == "break_statement":
            return True
        waiting += [child for child in parts_of(each) if kind_of(child) not in _OTHER_TARGETS]
    return False
