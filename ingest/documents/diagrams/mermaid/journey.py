"""User journeys of mermaid: https://mermaid.js.org/syntax/userJourney.html."""

from __future__ import annotations

import re

from ..drawing import DiagramSyntaxError, Drawing
from .common import statements, title_of, without_comment
from .preamble import MermaidSource

_SECTION = re.compile(r"section\s([^:]*)", re.DOTALL)
_TASK = re.compile(r"([^:]+):([^:]*)(?::(.*))?", re.DOTALL)


def read_journey(source: MermaidSource) -> Drawing:
    """Read a user journey. Tasks are nodes, and the score and the people are their members.

    Raises DiagramSyntaxError if a line is not a task.
    """
    drawing = Drawing()
    drawing.title = source.title
    section: str | None = None
    count = 0
    for line, statement in statements(source):
        text = without_comment(statement)
        if not text:
            continue
        title, begun, task = title_of(text), _SECTION.fullmatch(text), _TASK.fullmatch(text)
        if title is not None:
            drawing.title = title
        elif begun is not None:
            section = begun[1].strip()
            drawing.add_group(section, line, label=section, kind="section")
        elif task is not None:
            count += 1
            name = f"task{count}"
            drawing.add_node(name, line, task[1].strip(), "task", section)
            drawing.add_member(name, task[2].strip())
            for person in (task[3] or "").split(","):
                if person.strip():
                    drawing.add_member(name, person.strip())
        else:
            raise DiagramSyntaxError(line, f"expected a task such as `name: 3: person`, but found {text[:40]!r}")
    return drawing
