"""A diagram under construction, to which the grammars add nodes and edges."""

from __future__ import annotations

from typing import Final

from .diagram_parts import (
    Diagram,
    DiagramBlock,
    DiagramEdge,
    DiagramGroup,
    DiagramMessage,
    DiagramNode,
    DiagramNote,
)
from .labels import plain_label

#: Maximum number of groups around a group that becomes a member of an earlier group.
_MAX_DEPTH: Final = 50


class DiagramSyntaxError(Exception):
    """Raised for a diagram that does not follow its grammar.

    `line` counts from 1; `kind` is the kind of the diagram, if known.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason
        self.kind = ""


class Drawing:
    """Collects the parts of one diagram. Nodes and groups keep the order of their first mention."""

    def __init__(self) -> None:
        self.title = ""
        self.edges: list[DiagramEdge] = []
        self.messages: list[DiagramMessage] = []
        self.blocks: list[DiagramBlock] = []
        self._nodes: dict[str, DiagramNode] = {}
        self._members: dict[str, list[str]] = {}
        self._groups: dict[str, DiagramGroup] = {}
        self._notes: list[DiagramNote] = []

    def has_node(self, node_id: str) -> bool:
        """Return whether a node was mentioned."""
        return node_id in self._nodes

    def has_group(self, group_id: str) -> bool:
        """Return whether a group was opened."""
        return group_id in self._groups

    @property
    def group_ids(self) -> tuple[str, ...]:
        """The ids of groups in the order of their first mention."""
        return tuple(self._groups)

    def add_node(
        self, node_id: str, line: int, label: str | None = None, kind: str | None = None, group: str | None = None
    ) -> None:
        """Add a node, or complete an existing node. For None, the label, kind or group stays the same."""
        known = self._nodes.get(node_id)
        if known is None:
            text = node_id if label is None else plain_label(label)
            self._nodes[node_id] = DiagramNode(node_id, text, kind or "", group, line)
            return
        self._nodes[node_id] = DiagramNode(
            node_id,
            known.label if label is None else plain_label(label),
            kind or known.kind,
            group if group is not None else known.group,
            known.line,
        )

    def add_member(self, node_id: str, member: str) -> None:
        """Add an attribute or a method to a node."""
        self._members.setdefault(node_id, []).append(plain_label(member))

    def put_in_group(self, node_id: str, group: str) -> None:
        """Put a node or a group into a group, unless it already has a group."""
        node = self._nodes.get(node_id)
        if node is not None and node.group is None:
            self._nodes[node_id] = node._replace(group=group)
        inner = self._groups.get(node_id)
        if inner is not None and inner.parent is None and node_id != group:
            self._groups[node_id] = inner._replace(parent=group)

    def group_of(self, node_id: str) -> str | None:
        """Return the group of a node that is about to become a group; None for a group that would contain itself, or that has too
        many groups around it.
        """
        node = self._nodes.get(node_id)
        outer = node.group if node is not None else None
        seen = {node_id}
        at = outer
        while at is not None and at not in seen and len(seen) <= _MAX_DEPTH:
            seen.add(at)
            around = self._groups.get(at)
            at = around.parent if around is not None else None
        return outer if at is None else None

    def add_edge(
        self, source: str, target: str, line: int, *, label: str = "", style: str = "", ends: tuple[str, str] = ("", "")
    ) -> None:
        """Add an edge. `ends` are the labels at its source and its target."""
        self.edges.append(
            DiagramEdge(source, target, plain_label(label), style, line, plain_label(ends[0]), plain_label(ends[1]))
        )

    def add_group(self, group_id: str, line: int, *, label: str = "", kind: str = "", parent: str | None = None) -> None:
        """Add a group, or complete a group that is opened again."""
        known = self._groups.get(group_id)
        if known is None:
            self._groups[group_id] = DiagramGroup(group_id, plain_label(label), kind, parent, line)
        elif label:
            self._groups[group_id] = known._replace(label=plain_label(label))

    def add_message(self, source: str, target: str, line: int, *, label: str, style: str, block: int | None) -> None:
        """Add a message of a sequence diagram."""
        self.messages.append(DiagramMessage(source, target, plain_label(label), style, block, line))

    def add_block(self, kind: str, label: str, parent: int | None, line: int) -> int:
        """Add a block and return its position."""
        self.blocks.append(DiagramBlock(kind, plain_label(label), parent, line))
        return len(self.blocks) - 1

    def add_note(self, text: str, about: tuple[str, ...], line: int) -> None:
        """Add a note about nodes."""
        self._notes.append(DiagramNote(plain_label(text), about, line))

    def as_diagram(self, language: str, kind: str, text: str) -> Diagram:
        """Return the finished diagram. A group in an edge is not a node."""
        nodes = tuple(
            node._replace(members=tuple(self._members.get(node.id, ())))
            for node in self._nodes.values()
            if node.id not in self._groups
        )
        return Diagram(
            language,
            kind,
            text,
            title=plain_label(self.title),
            nodes=nodes,
            edges=tuple(self.edges),
            groups=tuple(self._groups.values()),
            messages=tuple(self.messages),
            blocks=tuple(self.blocks),
            notes=tuple(self._notes),
        )
