"""Read the parts of a Python signature: `async def find(self, name: str, /, *accounts: Account, key=None) -> list[Account]`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from ....schema.signatures import SignatureParameter, SignatureParts, TypeParameter
from ...symbols.node_search import first_of
from ...symbols.node_text import node_text
from ..base import SyntaxTree

_VARIABLE: Final = "assignment"
_DECLARATIONS: Final = ("function_definition", _VARIABLE)
_SPLATS = frozenset(("list_splat_pattern", "dictionary_splat_pattern"))


def signature_source(signature: str) -> bytes:
    """Return a module with a declaration of this signature: a function, or a variable with or without an annotation."""
    return (f"{signature}: ...\n" if "(" in signature else f"{signature}\n").encode()


def parts_of(tree: SyntaxTree) -> SignatureParts:
    """Return the parts of the declaration in a tree of `signature_source`; no parts if there is none.

    `self` and `cls` are parameters, and a variable has only a type. Names have no stars.
    """
    node = first_of(tree.root, _DECLARATIONS)
    if node is None:
        return SignatureParts((), None)
    written = node.child_by_field_name("type" if node.type == _VARIABLE else "return_type")
    return SignatureParts(
        tuple(_parameters(node.child_by_field_name("parameters"))),
        node_text(written) if written is not None else None,
        tuple(_type_parameters(node.child_by_field_name("type_parameters"))),
    )


def _parameters(listed: Node | None) -> Iterator[SignatureParameter]:
    for node in listed.named_children if listed is not None else ():
        name = node.child_by_field_name("name")
        if name is None:
            name = node.named_children[0] if node.type == "typed_parameter" else node
        if name.type != "identifier" and name.type not in _SPLATS:
            continue  # `/`, a single `*`, a comment
        written, default = node.child_by_field_name("type"), node.child_by_field_name("value")
        yield SignatureParameter(
            node_text(name).lstrip("*"),
            node_text(written) if written is not None else None,
            rest=name.type in _SPLATS,
            default=node_text(default) if default is not None else None,
        )


def _type_parameters(listed: Node | None) -> Iterator[TypeParameter]:
    for node in listed.named_children if listed is not None else ():
        name, _, bound = node_text(node).partition(":")
        yield TypeParameter(name.strip(), bound.strip() or None)
