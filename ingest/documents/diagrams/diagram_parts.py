"""The parts of a diagram: nodes, edges, groups, messages with their blocks, and notes."""

from __future__ import annotations

from typing import NamedTuple


class DiagramNode(NamedTuple):
    """A box, a participant, a class, a state, a task or another drawn element."""

    id: str
    #: The displayed text; the id if the diagram has no other text. Lines are separated by newlines.
    label: str
    #: The shape or the role, in the words of the grammar: `diamond`, `actor`, `entity`, `milestone`.
    kind: str
    #: The id of the innermost group, else None.
    group: str | None
    line: int
    #: Members as written, such as attributes and methods of a class or attributes of an entity.
    members: tuple[str, ...] = ()


class DiagramEdge(NamedTuple):
    """A connection of two nodes or groups. Edges are in the order of the source."""

    source: str
    target: str
    label: str
    #: The line and its head, such as `arrow`, `dotted arrow` or `inheritance`.
    style: str
    line: int
    #: The texts at the two ends, such as a cardinality.
    source_label: str = ""
    target_label: str = ""


class DiagramGroup(NamedTuple):
    """A subgraph, a namespace, a composite state, a section or a boundary."""

    id: str
    label: str
    kind: str
    #: The id of the enclosing group, else None.
    parent: str | None
    line: int


class DiagramBlock(NamedTuple):
    """A loop, an alternative or another frame of a sequence diagram.

    Messages refer to a block by its position. Each further branch (`else`, `and`, `option`) is a separate block, whose parent is
    the block of its first branch.
    """

    kind: str
    label: str
    #: The position of the enclosing block, else None.
    parent: int | None
    line: int


class DiagramMessage(NamedTuple):
    """A message of a sequence diagram. Messages are in the order of time."""

    source: str
    target: str
    label: str
    style: str
    #: The position of the innermost block, else None.
    block: int | None
    line: int


class DiagramNote(NamedTuple):
    """A note, and the nodes to which it belongs."""

    text: str
    about: tuple[str, ...]
    line: int


class DiagramProblem(NamedTuple):
    """The reason why a diagram could not be read, and the line."""

    line: int
    reason: str


class Diagram(NamedTuple):
    """A diagram. Lines count from 1 at the first line of its text.

    A diagram with a problem has only its text, and its kind if the kind is known.
    """

    #: `mermaid`, `plantuml` or `dot`.
    language: str
    #: `flowchart`, `sequence`, `class`, `state`, `er` or another kind; empty if the kind is unknown.
    kind: str
    text: str
    title: str = ""
    nodes: tuple[DiagramNode, ...] = ()
    edges: tuple[DiagramEdge, ...] = ()
    groups: tuple[DiagramGroup, ...] = ()
    messages: tuple[DiagramMessage, ...] = ()
    blocks: tuple[DiagramBlock, ...] = ()
    notes: tuple[DiagramNote, ...] = ()
    problem: DiagramProblem | None = None
