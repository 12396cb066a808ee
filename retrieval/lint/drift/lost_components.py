"""Find nodes of diagrams whose names occur in no code, in diagrams whose other nodes have names of code."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from ....graphdb.database import GraphDatabase
from ...text_search.indexed_text import IndexedTexts
from ..model.findings import Diagnostic
from .code_in_documents import is_about_other_code
from .code_words import words_of_code

_DIAGRAMS: Final = "MATCH (d:Symbol {kind: 'diagram'}) RETURN d.relativePath, d.startLine ORDER BY d.relativePath, d.startLine"
_NODES: Final = """
    MATCH (n:Symbol {kind: 'diagramNode'}) RETURN n.id, n.relativePath, n.startLine, n.name
    ORDER BY n.relativePath, n.startLine, n.name"""
#: An ASCII identifier of at least two words, which is not an English word. `words_of_code` has only ASCII words.
_COMPOUND: Final = re.compile(r"(?:[a-z]+[a-z0-9]*[A-Z]|[A-Z][a-z0-9]+[A-Z])\w*|[A-Za-z][a-z0-9]*_\w+", re.ASCII)
#: Minimum number of a diagram's nodes that name existing code.
_MIN_NODES: Final = 3
#: Minimum share of these nodes among the nodes whose names are identifiers.
_MIN_SHARE: Final = 0.6


class _Node(NamedTuple):
    """A node of a diagram whose name is an identifier of several words."""

    path: str
    line: int
    name: str
    #: Whether the node names a symbol or a file.
    is_code: bool


def lost_components(graph: GraphDatabase, texts: Callable[[], IndexedTexts]) -> Iterator[Diagnostic]:
    """Yield a warning for each node whose identifier occurs in no code, if most nodes of the diagram name existing code."""
    named = _nodes_with_code(graph)
    if len(named) < _MIN_NODES:
        return
    starts: dict[str, list[int]] = {}
    for path, line in graph.rows(_DIAGRAMS):
        starts.setdefault(path, []).append(line)
    diagrams: dict[tuple[str, int], list[_Node]] = {}
    for node, path, line, name in graph.rows(_NODES):
        if _COMPOUND.fullmatch(name) is not None and not is_about_other_code(path):
            diagram = bisect_right(starts.get(path, ()), line)
            diagrams.setdefault((path, diagram), []).append(_Node(path, line, name, node in named))
    for nodes in diagrams.values():
        known = sum(node.is_code for node in nodes)
        if known < _MIN_NODES or known < _MIN_SHARE * len(nodes):
            continue
        for node in nodes:
            if not node.is_code and node.name not in texts().once(words_of_code):
                message = f'The diagram has "{node.name}", and no code has that name. Correct or remove the node.'
                yield Diagnostic(node.path, node.line, "warning", message, "documents")


def _nodes_with_code(graph: GraphDatabase) -> set[str]:
    """Return the ids of the nodes that name a symbol or a file."""
    statement = "MATCH (n:Symbol {kind: 'diagramNode'})-[:MENTIONS]->(:%s) RETURN DISTINCT n.id"
    return {node for target in ("Symbol", "File") for (node,) in graph.rows(statement % target)}
