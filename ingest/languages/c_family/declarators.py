"""Finds declared names in C and C++, where a declarator nests the name inside pointers, arrays and parameter lists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ...symbols.node_text import node_text
from ..syntax_only.names import type_name

if TYPE_CHECKING:
    from tree_sitter import Node

#: Name of an unnamed namespace, as compilers print it.
ANONYMOUS: Final = "(anonymous namespace)"
_NAMES: Final = frozenset(
    ("identifier", "field_identifier", "type_identifier", "destructor_name", "operator_name", "operator_cast", "primitive_type")
)
#: A macro that the grammar reads as a function without a type: `TEST(StoreTest, Opens) { … }`.
_MACRO: Final = re.compile(r"[A-Z][A-Z0-9_]*")


def declared_name(declarator: Node) -> tuple[Node | None, list[str]]:
    """Return the name node of a declarator and the types that qualify it: `Store` for `Store::open`."""
    owners: list[str] = []
    node: Node | None = declarator
    while node is not None and node.type not in _NAMES:
        if node.type == "qualified_identifier":
            scope = node.child_by_field_name("scope")
            if scope is not None:
                owners.append(type_name(node_text(scope)))
            node = node.child_by_field_name("name")
        elif node.type in ("template_function", "template_method", "template_type"):
            node = node.child_by_field_name("name")
        else:
            inner = node.child_by_field_name("declarator")
            named = node.named_children
            node = inner if inner is not None else named[0] if named else None
    return node, owners


def name_of(declared: Node, node: Node | None, header: bytes) -> tuple[str, int] | None:
    """Return the name of a conversion, of a namespace without a name, or of a test that is written as a macro."""
    if node is None:
        return (ANONYMOUS, declared.start_byte) if declared.type == "namespace_definition" else None
    name = node_text(node).strip()
    if node.type == "operator_cast":
        return " ".join(name.partition("(")[0].split()), node.start_byte
    if declared.type == "function_definition" and _MACRO.fullmatch(name) and declared.child_by_field_name("type") is None:
        declarator = declared.child_by_field_name("declarator")
        return (" ".join(node_text(declarator).split()), node.start_byte) if declarator is not None else None
    return None
