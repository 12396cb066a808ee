"""Read the parts of a Java signature: `public <T> Optional<T> find(String name, Class<? extends T>... kinds)`."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from ....schema.signatures import SignatureParameter, SignatureParts, TypeParameter
from ...symbols.node_search import first_of
from ...symbols.node_text import node_text
from ..base import SyntaxTree

_MEMBERS = frozenset(("method_declaration", "constructor_declaration", "field_declaration"))
_PARAMETERS = frozenset(("formal_parameter", "spread_parameter"))


def signature_source(signature: str) -> bytes:
    """Return a file with a class whose only member is a method, constructor or field of this signature."""
    return f"class _ {{ {signature}{' {}' if '(' in signature else ';'} }}\n".encode()


def parts_of(tree: SyntaxTree) -> SignatureParts:
    """Return the parts of the member in a tree of `signature_source`; no parts if there is none. A field has only a type."""
    node = first_of(tree.root, _MEMBERS)
    if node is None:
        return SignatureParts((), None)
    return SignatureParts(
        tuple(_parameters(node.child_by_field_name("parameters"))),
        _type(node),
        tuple(_type_parameters(node.child_by_field_name("type_parameters"))),
    )


def _parameters(listed: Node | None) -> Iterator[SignatureParameter]:
    for node in listed.named_children if listed is not None else ():
        if node.type not in _PARAMETERS:
            continue
        is_rest = node.type == "spread_parameter"
        # The name of a spread parameter is in a declarator, and its type has no field.
        holder = next((child for child in node.named_children if child.type == "variable_declarator"), node)
        name = holder.child_by_field_name("name")
        types = [child for child in node.named_children if child.type not in ("modifiers", "variable_declarator")]
        written = _type(node) or (node_text(types[0]) if types else None)
        yield SignatureParameter(node_text(name) if name is not None else "", written, rest=is_rest)


def _type_parameters(listed: Node | None) -> Iterator[TypeParameter]:
    for node in listed.named_children if listed is not None else ():
        parts = [child for child in node.named_children if child.type != "type_bound"]
        bound = next((child for child in node.named_children if child.type == "type_bound"), None)
        if parts:
            yield TypeParameter(
                node_text(parts[-1]), node_text(bound).removeprefix("extends").strip() if bound is not None else None
            )


def _type(node: Node) -> str | None:
    """Return the type of a method's result, a parameter or a field, with the dimensions of an array after the name."""
    written = node.child_by_field_name("type")
    dimensions = node.child_by_field_name("dimensions")
    return node_text(written) + (node_text(dimensions) if dimensions is not None else "") if written is not None else None
