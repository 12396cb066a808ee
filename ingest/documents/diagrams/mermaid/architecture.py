"""Architecture diagrams of mermaid: https://mermaid.js.org/syntax/architecture.html."""

from __future__ import annotations

import re

from ..drawing import DiagramSyntaxError, Drawing
from .common import statements, title_of
from .preamble import MermaidSource

_TITLE = r"(?:\[(?:\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|([\w ]+))\])"
_ID = r"([\w](?:[\w-]*\w)?)"
_ICON = r"(?:\s*\(([\w:-]+)\)|\s*\"(?:[^\"\\]|\\.)*\")?"
_PART = re.compile(rf"(group|service|junction)\s+{_ID}{_ICON}(?:\s*{_TITLE})?(?:\s*in\s+{_ID})?")
_EDGE = re.compile(
    rf"{_ID}(\{{group\}})?\s*:\s*([LRTB])\s*(?:(<)\s*)?(?:--|-{_TITLE}-)\s*(?:(>)\s*)?([LRTB])\s*:\s*{_ID}(\{{group\}})?"
)


def read_architecture(source: MermaidSource) -> Drawing:
    """Read an architecture diagram.

    Raises DiagramSyntaxError if a line is neither a part nor an edge.
    """
    drawing = Drawing()
    drawing.title = source.title
    for line, statement in statements(source):
        text = statement.partition("%%")[0].strip()
        part = _PART.fullmatch(text)
        edge = _EDGE.fullmatch(text) if part is None else None
        title = title_of(text)
        if part is not None:
            kind, name, icon = part[1], part[2], part[3]
            label = next((group for group in (part[4], part[5], part[6]) if group is not None), "")
            if kind == "group":
                drawing.add_group(name, line, label=label, kind=icon or kind, parent=part[7])
            else:
                drawing.add_node(name, line, label, icon or kind, part[7])
        elif edge is not None:
            label = next((group for group in (edge[5], edge[6], edge[7]) if group is not None), "")
            heads = "double arrow" if edge[4] and edge[8] else "arrow" if edge[8] else "arrow at source" if edge[4] else "open"
            drawing.add_edge(edge[1], edge[10], line, label=label, style=heads, ends=(edge[3], edge[9]))
        elif title is not None:
            drawing.title = title
        elif text:
            raise DiagramSyntaxError(line, f"expected a group, a service, a junction or an edge, but found {text[:40]!r}")
    return drawing
