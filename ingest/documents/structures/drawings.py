"""The sequence diagrams and the flowcharts of a section, as participants with messages and as nodes with edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ..diagrams.diagram_parts import Diagram, DiagramBlock
from .parts import Part, as_written, short
from .structured_forms import Drawing, Drawings, DrawnEdge, DrawnNode, Structure

#: Kinds of diagrams, by section type.
DIAGRAM_TYPES: Final[Mapping[str, tuple[str, ...]]] = {
    "sequence diagram": ("sequence",),
    "flowchart": ("flowchart", "state", "graph", "digraph", "activity"),
}
#: Shapes of nodes that represent decisions.
_DECISIONS: Final = frozenset(("diamond", "rhombus", "choice", "decision", "hexagon"))
#: Kinds of blocks for further branches of a frame.
_BRANCHES: Final = frozenset(("else", "and", "option"))
#: Maximum depth of nested frames. Deeper frames are left out.
_MAX_FRAMES: Final = 16


def read_drawings(part: Part, type_name: str) -> Structure:
    """Return the diagrams of a section with kinds that match the types of the section."""
    kinds = DIAGRAM_TYPES[type_name]
    drawn = [(line, each) for line, each in part.diagrams if each.kind in kinds]
    readable = [_drawing(each, line) for line, each in drawn if each.problem is None and (each.nodes or each.messages)]
    if readable:
        return Structure(type_name, drawn[0][1].language, Drawings(readable))
    problem = next((each.problem.reason for _, each in drawn if each.problem is not None), "The section has no such diagram.")
    return as_written(part, type_name, problem)


def participants_of(parts: Sequence[Part]) -> list[str]:
    """Return the names of the participants in the sequence diagrams of a document."""
    found = dict.fromkeys(
        name
        for part in parts
        for _, each in part.diagrams
        if each.kind == "sequence"
        for node in each.nodes
        for name in (node.id, node.label)
        if name
    )
    return list(found)


def _drawing(diagram: Diagram, line: int) -> Drawing:
    labels = {node.id: _label(node.label or node.id) for node in diagram.nodes}
    labels.update({group.id: _label(group.label or group.id) for group in diagram.groups})
    nodes = [
        DrawnNode(
            node.id,
            labels[node.id],
            "decision" if node.kind in _DECISIONS else node.kind,
            line + node.line - 1,
        )
        for node in diagram.nodes
    ]
    edges = [
        DrawnEdge(
            labels.get(edge.source, edge.source),
            labels.get(edge.target, edge.target),
            _label(edge.label),
            style=edge.style,
            line=line + edge.line - 1,
        )
        for edge in diagram.edges
    ]
    edges += [
        DrawnEdge(
            labels.get(message.source, message.source),
            labels.get(message.target, message.target),
            _label(message.label),
            _frames(diagram.blocks, message.block),
            message.style,
            line + message.line - 1,
        )
        for message in diagram.messages
    ]
    return Drawing(_label(diagram.title), nodes, edges, line)


def _frames(blocks: Sequence[DiagramBlock], block: int | None) -> str:
    """Return the frames around a message, the outermost first."""
    found: list[str] = []
    while block is not None and len(found) < _MAX_FRAMES:
        frame = blocks[block]
        found.append(" ".join(f"{frame.kind} {frame.label}".split()))
        # The parent of a further branch is the block of the first branch. Only one of these two blocks is a frame of the message.
        block = blocks[frame.parent].parent if frame.kind in _BRANCHES and frame.parent is not None else frame.parent
    return " > ".join(reversed(found))


def _label(text: str) -> str:
    return short(text.replace("<br/>", " ").replace("<br>", " "))
