"""Read the parts of a Go signature: `func (r *Repo) Find(name string, options ...Option) (*Account, error)`."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from ....schema.signatures import SignatureParameter, SignatureParts, TypeParameter
from ...symbols.node_search import first_of
from ...symbols.node_text import node_text
from ..base import SyntaxTree

_FUNCTIONS = frozenset(("function_declaration", "method_declaration", "method_elem", "func_literal"))


def signature_source(signature: str) -> bytes:
    """Return a file with a declaration of this signature, which is a function, or a method in an interface."""
    declaration = f"{signature} {{}}" if signature.startswith("func") else f"type _ interface {{\n{signature}\n}}"
    return f"package _\n{declaration}\n".encode()


def parts_of(tree: SyntaxTree) -> SignatureParts:
    """Return the parts of the function in a tree of `signature_source`, without the receiver; no parts if there is no function.

    Parameters without a name have the name "". Several results are one type, `(*Account, error)`.
    """
    node = first_of(tree.root, _FUNCTIONS)
    if node is None:
        return SignatureParts((), None)
    result = node.child_by_field_name("result")
    return SignatureParts(
        tuple(_parameters(node.child_by_field_name("parameters"))),
        node_text(result) if result is not None else None,
        tuple(_type_parameters(node.child_by_field_name("type_parameters"))),
    )


def _parameters(listed: Node | None) -> Iterator[SignatureParameter]:
    for node in listed.named_children if listed is not None else ():
        written = node.child_by_field_name("type")
        if written is None:
            continue
        names = [node_text(name) for name in node.children_by_field_name("name")] or [""]
        for name in names:
            yield SignatureParameter(name, node_text(written), rest=node.type == "variadic_parameter_declaration")


def _type_parameters(listed: Node | None) -> Iterator[TypeParameter]:
    for node in listed.named_children if listed is not None else ():
        constraint = node.child_by_field_name("type")
        for name in node.children_by_field_name("name"):
            yield TypeParameter(node_text(name), node_text(constraint) if constraint is not None else None)
