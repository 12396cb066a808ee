"""Find the places in Go's syntax at which a value becomes a value of another type: https://go.dev/ref/spec#Assignability."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from tree_sitter import Node, Parser

from ..conversions import Conversion, Target
from .lowering.grammar import GRAMMAR, NAME_FIELDS, kind_of, last_name, parts_of

#: The kinds of nodes with a body and results.
FUNCTIONS: Final = ("function_declaration", "method_declaration", "func_literal")
#: The field of a node that has the name of the expression or type, by the kind of the node.
_FIELDS: Final = {
    **NAME_FIELDS,
    "call_expression": "function",
    "composite_literal": "type",
    "type_conversion_expression": "type",
}
#: Kinds of nodes whose first part has the name of the expression or type.
_WRAPPERS: Final = frozenset(("unary_expression", "parenthesized_expression", "pointer_type", "parenthesized_type"))


def conversions(data: bytes) -> Iterator[Conversion]:
    """Yield the assignments, arguments, results and elements of literals in a file, and the types that assertions name.

    An assertion `x.(*Road)` counts as a conversion of a `Road` to the type of `x`, because `Road` must implement that type.
    """
    pending: list[tuple[Node, Sequence[Node]]] = [(Parser(GRAMMAR).parse(data).root_node, ())]
    while pending:
        node, results = pending.pop()
        kind = kind_of(node)
        if kind in FUNCTIONS:
            results = result_types(node)
        read = _READERS.get(kind)
        if read is not None:
            yield from read(node)
        elif kind == "return_statement":
            values = _listed(node)
            for value, result in zip(values, results if len(values) == len(results) else (), strict=False):
                yield _made(value, Target.TYPE, name_position(result))
        pending += [(child, results) for child in node.named_children]


def _made(value: Node, kind: int, target: int, place: int = -1, name: str = "") -> Conversion:
    return Conversion(value.start_point.row + 1, name_position(value), kind, target, place, name)


def result_types(function: Node) -> list[Node]:
    """Return the types of the results of a function, one for each result."""
    result = function.child_by_field_name("result")
    if result is None or kind_of(result) != "parameter_list":
        return [] if result is None else [result]
    found: list[Node] = []
    for each in parts_of(result):
        written = each.child_by_field_name("type")
        if written is not None:
            found += [written] * max(1, len(each.children_by_field_name("name")))
    return found


def name_position(node: Node) -> int:
    """Return the position of the last name of an expression or a type: `&shop.Cart{}` at `Cart`."""
    return last_name(node, _FIELDS, _WRAPPERS).start_byte


def _listed(node: Node | None) -> list[Node]:
    """Return the expressions of a node, which may be in a list of expressions."""
    parts = parts_of(node)
    return parts_of(parts[0]) if len(parts) == 1 and kind_of(parts[0]) == "expression_list" else parts


def _declared(node: Node) -> Iterator[Conversion]:
    """Yield the values of `var a, b Type = x, y`."""
    written, value = node.child_by_field_name("type"), node.child_by_field_name("value")
    if written is not None and value is not None:
        for each in parts_of(value):
            yield _made(each, Target.TYPE, name_position(written))


def _assigned(node: Node) -> Iterator[Conversion]:
    left, right = parts_of(node.child_by_field_name("left")), parts_of(node.child_by_field_name("right"))
    if len(left) == len(right):
        for target, value in zip(left, right, strict=True):
            if kind_of(target) in ("identifier", "selector_expression"):
                yield _made(value, Target.EXPRESSION, name_position(target))


def _called(node: Node) -> Iterator[Conversion]:
    """Yield the arguments of a call, or the value that `Type(value)` converts."""
    function = node.child_by_field_name("function")
    if function is not None:
        for index, value in enumerate(parts_of(node.child_by_field_name("arguments"))):
            yield _made(value, Target.PARAMETER, name_position(function), index)


def _literal(node: Node) -> Iterator[Conversion]:
    """Yield the elements of a literal of a struct, slice, array or map."""
    written, body = node.child_by_field_name("type"), node.child_by_field_name("body")
    if written is None:
        return
    kind = kind_of(written)
    item = written.child_by_field_name("value" if kind == "map_type" else "element")
    for index, element in enumerate(parts_of(body)):
        parts = [element] if kind_of(element) != "keyed_element" else parts_of(element)
        value = parts_of(parts[-1])[:1] if kind_of(parts[-1]) == "literal_element" else parts[-1:]
        if not value or kind_of(value[0]) == "literal_value":
            continue
        if item is not None:
            yield _made(value[0], Target.TYPE, name_position(item))
        elif kind in ("type_identifier", "qualified_type"):
            key = (parts[0].text or b"").decode("utf-8", "replace") if len(parts) > 1 else ""
            yield _made(value[0], Target.FIELD, name_position(written), index, key)


def _asserted(node: Node) -> Iterator[Conversion]:
    value, written = node.child_by_field_name("operand"), node.child_by_field_name("type")
    if value is not None and written is not None:
        yield _made(written, Target.EXPRESSION, name_position(value))


def _switched(node: Node) -> Iterator[Conversion]:
    value = node.child_by_field_name("value")
    for case in parts_of(node) if value is not None else ():
        for written in case.children_by_field_name("type") if kind_of(case) == "type_case" else ():
            if value is not None and written.is_named:
                yield _made(written, Target.EXPRESSION, name_position(value))


_READERS: Final[dict[str, Callable[[Node], Iterator[Conversion]]]] = {
    "var_spec": _declared,
    "assignment_statement": _assigned,
    "call_expression": _called,
    "composite_literal": _literal,
    "type_assertion_expression": _asserted,
    "type_switch_statement": _switched,
}
