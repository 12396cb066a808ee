"""Timelines of mermaid: https://mermaid.js.org/syntax/timeline.html."""

from __future__ import annotations

import re

from ..drawing import DiagramSyntaxError, Drawing
from .common import statements, title_of
from .preamble import MermaidSource

_SECTION = re.compile(r"section\s([^:]*)", re.DOTALL)
_EVENT = re.compile(r":(?:\s|$)")
_DIRECTION = re.compile(r"(?:LR|TD)\b\s*")


def read_timeline(source: MermaidSource) -> Drawing:
    """Read a timeline. Periods are nodes, and events are their members.

    Raises DiagramSyntaxError if an event has no period.
    """
    drawing = Drawing()
    drawing.title = source.title
    section: str | None = None
    period = ""
    count = 0
    for line, statement in statements(source):
        text = statement.partition("#")[0].strip()
        if line == source.line:
            text = _DIRECTION.sub("", text, count=1)
        if not text:
            continue
        title, begun = title_of(text), _SECTION.fullmatch(text)
        if title is not None:
            drawing.title = title
            continue
        if begun is not None:
            section = begun[1].strip()
            drawing.add_group(section, line, label=section, kind="section")
            continue
        name, *events = _EVENT.split(text)
        if name.strip():
            count += 1
            period = f"period{count}"
            drawing.add_node(period, line, name.strip(), "period", section)
        elif not period:
            raise DiagramSyntaxError(line, "an event stands before the first period")
        for event in events:
            drawing.add_member(period, event.strip())
    return drawing
