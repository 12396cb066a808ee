"""The type arguments of tagged templates, ``sql<Row>`select` ``, which the grammars do not read."""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Node

from ....symbols.byte_ranges import blank
from .edits import GapSource
from .mask import masked
from .parse import ParsedSource, parse_source
from .type_arguments import tagged_templates


class TagArguments(NamedTuple):
    """The type arguments of the tagged templates of a source, parsed at their offsets."""

    source: bytes
    #: The nodes belong to its tree.
    parsed: ParsedSource
    #: Nodes of type arguments, by start offset.
    nodes: dict[int, Node]


def read_tag_arguments(source: bytes) -> TagArguments:
    """Parse the type arguments of all tagged templates of a source as those of calls: ``f<Row>()``."""
    text = bytearray(blank(source))
    for start, end, *_ in tagged_templates(GapSource(source, masked(source))):
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
    return TagArguments(source, parsed, nodes)
