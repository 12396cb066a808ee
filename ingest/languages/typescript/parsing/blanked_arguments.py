"""The type arguments that the grammars do not read: ``sql<Row>`select` ``, and `callback<Event>?.(event)`."""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Node

from ....symbols.byte_ranges import blank
from .edits import GapSource
from .mask import masked
from .parse import ParsedSource, parse_source
from .type_arguments import optional_calls, tagged_templates


class BlankedArguments(NamedTuple):
    """The type arguments of the tagged templates and optional calls of a source, parsed at their offsets."""

    source: bytes
    #: The nodes belong to its tree.
    parsed: ParsedSource
    #: Nodes of type arguments, by start offset.
    nodes: dict[int, Node]


def read_blanked_arguments(source: bytes) -> BlankedArguments:
    """Parse the type arguments of all tagged templates and optional calls of a source as those of calls: `f<Row>()`."""
    text = bytearray(blank(source))
    known = GapSource(source, masked(source))
    for start, end, *_ in (*tagged_templates(known), *optional_calls(known)):
        text[start:end] = source[start:end]
        before = min(start, 2)
        text[start - before : start] = b";f"[2 - before :]
        text[end : end + 2] = b"()"
    parsed = parse_source(bytes(text), "typescript")
    nodes: dict[int, Node] = {}
    waiting = [parsed.tree.root_node]
    while waiting:
        node = waiting.pop()
        if node.type == "type_arguments":
            nodes.setdefault(node.start_byte, node)
        elif node.type in ("program", "expression_statement", "call_expression"):
            waiting += node.named_children
    return BlankedArguments(source, parsed, nodes)
