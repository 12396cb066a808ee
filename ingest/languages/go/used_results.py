"""Count the results of calls that the code around them uses: https://go.dev/ref/spec#Assignment_statements."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node, Parser

from .conversions import FUNCTIONS, result_types
from .lowering.expressions import place_of_call
from .lowering.grammar import GRAMMAR, kind_of, parts_of

#: Statements that use no result of their call.
_UNCOUNTED: Final = frozenset(("expression_statement", "go_statement", "defer_statement"))
#: The fields with the targets of values, by the kind of the statement.
_TARGETS: Final = {"assignment_statement": "left", "short_var_declaration": "left", "var_spec": "name"}


def used_results(data: bytes) -> dict[int, int]:
    """Return the number of results that the code uses from each call, by the position of the called name.

    Calls whose results are not used are left out. A call that is the only argument of another call is also left out, because its
    results may be all arguments.
    """
    found: dict[int, int] = {}
    pending: list[tuple[Node, int]] = [(Parser(GRAMMAR).parse(data).root_node, 0)]
    while pending:
        node, results = pending.pop()
        kind = kind_of(node)
        if kind in FUNCTIONS:
            results = len(result_types(node))
        children = parts_of(node)
        if kind == "expression_list" and len(children) == 1:
            # The list of an assignment or of a `return` statement is read with the statement.
            count = _taken(node.parent, results)
        else:
            # A call in parentheses is counted with the expression around them.
            is_counted = kind not in _UNCOUNTED and kind != "parenthesized_expression"
            count = 1 if is_counted and not (kind == "argument_list" and len(children) == 1) else -1
        for child in children:
            called = _called(child)
            if called >= 0 and count >= 0:
                found[called] = count
            pending.append((child, results))
    return found


def _taken(statement: Node | None, results: int) -> int:
    """Return the number of values that a statement takes from its only expression."""
    kind = kind_of(statement) if statement is not None else ""
    if statement is None or kind == "return_statement":
        return results
    if kind not in _TARGETS:
        return 1
    targets = [each for each in statement.children_by_field_name(_TARGETS[kind]) if each.is_named]
    return len(parts_of(targets[0])) if targets and kind_of(targets[0]) == "expression_list" else len(targets)


def _called(node: Node) -> int:
    """Return the position of the called name if a node is a call, also inside of parentheses; -1 for other expressions.

    The grammar reads `f[int](x)` as a conversion; whether it is one depends on what `f` is.
    """
    inner: Node | None = node
    while inner is not None and kind_of(inner) == "parenthesized_expression":
        inner = inner.named_child(0)
    if inner is None:
        return -1
    if kind_of(inner) == "call_expression":
        return place_of_call(inner.child_by_field_name("function"), inner)
    written = inner.child_by_field_name("type") if kind_of(inner) == "type_conversion_expression" else None
    return place_of_call(written, inner) if written is not None and kind_of(written) == "generic_type" else -1
