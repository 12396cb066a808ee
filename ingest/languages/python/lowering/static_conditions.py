"""Conditions whose value is known before the code runs: `TYPE_CHECKING`, the version of Python and the platform.

The type checkers' rules for such conditions are in the typing documentation under "Version and platform checks".
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Final

from tree_sitter import Node

from .bound_names import text_of

#: The version and platform for which code is read.
_VERSION: Final = (3, 13)
_PLATFORM: Final = "linux"
_OS_NAME: Final = "posix"
_ORDERS: Final[dict[str, Callable[[tuple[int, ...], tuple[int, ...]], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def static_value(condition: Node, data: bytes) -> bool | None:
    """Return the value of a condition; None if it is not known before the code runs."""
    kind = condition.type
    if kind == "parenthesized_expression" and len(condition.named_children) == 1:
        return static_value(condition.named_children[0], data)
    if kind in ("true", "false"):
        return kind == "true"
    if kind == "integer":
        return {"0": False, "1": True}.get(text_of(condition, data))
    if kind in ("identifier", "attribute"):
        return True if text_of(condition, data).rpartition(".")[2] == "TYPE_CHECKING" else None
    if kind == "not_operator":
        argument = condition.child_by_field_name("argument")
        inner = static_value(argument, data) if argument is not None else None
        return None if inner is None else not inner
    if kind == "boolean_operator":
        return _combined(condition, data)
    if kind == "comparison_operator":
        return _compared(condition, data)
    return _of_call(condition, data) if kind == "call" else None


def _combined(condition: Node, data: bytes) -> bool | None:
    left, right = condition.child_by_field_name("left"), condition.child_by_field_name("right")
    operation = condition.child_by_field_name("operator")
    if left is None or right is None or operation is None:
        return None
    decides = operation.type == "or"
    values = static_value(left, data), static_value(right, data)
    if decides in values:
        return decides
    return None if None in values else not decides


def _compared(condition: Node, data: bytes) -> bool | None:
    operators = condition.children_by_field_name("operators")
    operands = [child for child in condition.named_children if child.type != "comment"]
    if len(operands) != 2 or len(operators) != 1:
        return None
    left, right = operands
    subject, symbol = text_of(left, data), operators[0].type
    if subject in ("sys.platform", "os.name") and right.type == "string" and symbol in ("==", "!="):
        actual = _PLATFORM if subject == "sys.platform" else _OS_NAME
        return (_string(right, data) == actual) == (symbol == "==")
    order = _ORDERS.get(symbol)
    if order is None:
        return None
    if subject == "sys.version_info":
        wanted = _numbers(right, data)
        # A comparison with three numbers depends on the micro version, which is not known.
        return order(_VERSION[: len(wanted)], wanted) if wanted and len(wanted) <= len(_VERSION) else None
    if subject == "sys.version_info[0]" and right.type == "integer":
        return order(_VERSION[:1], (int(text_of(right, data)),)) if text_of(right, data).isdecimal() else None
    return None


def _of_call(condition: Node, data: bytes) -> bool | None:
    function, arguments = condition.child_by_field_name("function"), condition.child_by_field_name("arguments")
    if function is None or arguments is None or text_of(function, data) != "sys.platform.startswith":
        return None
    given = arguments.named_children
    return _PLATFORM.startswith(_string(given[0], data)) if len(given) == 1 and given[0].type == "string" else None


def _numbers(node: Node, data: bytes) -> tuple[int, ...]:
    """Return the numbers in a tuple of number literals; empty for other expressions."""
    if node.type != "tuple":
        return ()
    texts = [text_of(child, data) for child in node.named_children if child.type != "comment"]
    return tuple([int(text) for text in texts]) if all(text.isdecimal() for text in texts) else ()


def _string(node: Node, data: bytes) -> str:
    return "".join(text_of(child, data) for child in node.named_children if child.type == "string_content")
