"""Find the values of enum members: as written, and the computed value if the language computes it at compile time."""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import mul, sub

from tree_sitter import Node

from ....facts.constructs import EnumValue
from .context import Context
from .dispatch import inner_nodes
from .imports import string_value
from .shapes import member_name

_Value = float | str | None
_PLAIN = frozenset(("string", "number"))


def _int32(number: float) -> int:
    """Apply JavaScript's ToInt32."""
    if math.isnan(number) or math.isinf(number):
        return 0
    whole = int(number) & 0xFFFFFFFF
    return whole - 0x1_0000_0000 if whole & 0x8000_0000 else whole


def _divide(left: float, right: float) -> float:
    return left / right if right else math.nan


def _power(left: float, right: float) -> float:
    return math.nan if abs(right) > 1023 or not left else float(left**right)


_BINARY: dict[str, Callable[[float, float], float]] = {
    "+": lambda left, right: left + right,
    "-": sub,
    "*": mul,
    "/": _divide,
    "%": lambda left, right: math.fmod(left, right) if right else math.nan,
    "**": _power,
    "<<": lambda left, right: _int32(_int32(left) << (_int32(right) & 31)),
    ">>": lambda left, right: _int32(left) >> (_int32(right) & 31),
    ">>>": lambda left, right: (_int32(left) & 0xFFFFFFFF) >> (_int32(right) & 31),
    "&": lambda left, right: _int32(_int32(left) & _int32(right)),
    "|": lambda left, right: _int32(_int32(left) | _int32(right)),
    "^": lambda left, right: _int32(_int32(left) ^ _int32(right)),
}
_UNARY: dict[str, Callable[[float], float]] = {
    "-": lambda value: -value,
    "+": lambda value: value,
    "~": lambda value: ~_int32(value),
}


def enum_values(cx: Context, shape: int, name: str, body: Node) -> list[EnumValue]:
    """Return the value of each member, in the order of the members of the shape."""
    found: list[EnumValue] = []
    known: dict[str, _Value] = {}
    after: _Value = 0.0
    for child in inner_nodes(body):
        written = child.child_by_field_name("value") if child.type == "enum_assignment" else None
        name_node = child.child_by_field_name("name") if child.type == "enum_assignment" else child
        if name_node is None:
            continue
        value = _evaluate(cx, written, name, known) if written is not None else after
        text = " ".join(cx.text(written).split()) if written is not None else _text_of_value(value)
        found.append(EnumValue(shape, len(found), text, written is not None and not _is_literal(written), _text_of_value(value)))
        known[member_name(cx, name_node)] = value
        after = value + 1 if isinstance(value, float) else None
    return found


def _is_literal(node: Node) -> bool:
    if node.type == "unary_expression":
        argument = node.child_by_field_name("argument")
        return argument is not None and argument.type == "number"
    return node.type in _PLAIN or (node.type == "template_string" and not node.named_children[1:])


def _text_of_value(value: _Value) -> str:
    """Return a value as JavaScript writes it, or "" if it is only known at run time."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, str):
        return f'"{value}"'
    return str(int(value)) if value.is_integer() and abs(value) < 1e21 else repr(value)


def _evaluate(cx: Context, node: Node, enum: str, known: dict[str, _Value]) -> _Value:
    """Return the value of a constant enum expression by the rules of the TypeScript handbook, or None for any other
    expression."""
    kind = node.type
    if kind == "number":
        return _number(cx.text(node))
    if kind == "string":
        return string_value(cx, node).decode("utf-8", "replace")
    if kind == "parenthesized_expression" and (inner := inner_nodes(node)):
        return _evaluate(cx, inner[0], enum, known)
    if kind == "identifier":
        return known.get(cx.text(node))
    if kind == "unary_expression":
        argument, sign = node.child_by_field_name("argument"), node.child_by_field_name("operator")
        value = _evaluate(cx, argument, enum, known) if argument is not None else None
        apply = _UNARY.get(sign.type) if sign is not None else None
        return float(apply(value)) if apply is not None and isinstance(value, float) else None
    if kind == "binary_expression":
        return _binary(cx, node, enum, known)
    if kind in ("member_expression", "subscript_expression"):
        return _member(cx, node, enum, known)
    return _template(cx, node, enum, known) if kind == "template_string" else None


def _number(text: str) -> _Value:
    plain = text.replace("_", "")
    try:
        return float(int(plain, 0)) if plain[:2].lower() in ("0x", "0o", "0b") else float(plain)
    except ValueError:
        return None


def _binary(cx: Context, node: Node, enum: str, known: dict[str, _Value]) -> _Value:
    left, right, sign = (node.child_by_field_name(field) for field in ("left", "right", "operator"))
    if left is None or right is None or sign is None:
        return None
    one, other = _evaluate(cx, left, enum, known), _evaluate(cx, right, enum, known)
    if isinstance(one, float) and isinstance(other, float):
        apply = _BINARY.get(sign.type)
        return float(apply(one, other)) if apply is not None else None
    if sign.type == "+" and one is not None and other is not None:
        return _joined(one) + _joined(other)
    return None


def _joined(value: float | str) -> str:
    return value if isinstance(value, str) else _text_of_value(value)


def _member(cx: Context, node: Node, enum: str, known: dict[str, _Value]) -> _Value:
    """Return the value of `Enum.Member` or `Enum["Member"]` of the same enum."""
    target = node.child_by_field_name("object")
    key = node.child_by_field_name("property") or node.child_by_field_name("index")
    if target is None or key is None or cx.text(target) != enum:
        return None
    return known.get(cx.text(key).strip("\"'"))


def _template(cx: Context, node: Node, enum: str, known: dict[str, _Value]) -> _Value:
    parts: list[str] = []
    for child in node.children[1:-1]:
        if child.type != "template_substitution":
            parts.append(cx.text(child))
            continue
        inner = inner_nodes(child)
        value = _evaluate(cx, inner[0], enum, known) if inner else None
        if value is None:
            return None
        parts.append(_joined(value))
    return "".join(parts)
