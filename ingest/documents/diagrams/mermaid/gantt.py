"""Gantt charts of mermaid: https://mermaid.js.org/syntax/gantt.html."""

from __future__ import annotations

import re

from ..drawing import DiagramSyntaxError, Drawing
from .common import statements, title_of, without_comment
from .preamble import MermaidSource

_SETTING = re.compile(
    r"(?:dateFormat|axisFormat|tickInterval|includes|excludes|todayMarker|weekday|weekend|click)\s|(?:inclusiveEndDates|topAxis)\b"
)
_SECTION = re.compile(r"section\s(.*)", re.DOTALL)
_TASK = re.compile(r"([^:]+):(.+)", re.DOTALL)
_TAGS = frozenset(("active", "done", "crit", "milestone", "vert"))
_REFERENCE = re.compile(r"(after|until)\s+(.+)", re.DOTALL)


class _Gantt:
    """Reads tasks one after the other."""

    def __init__(self, title: str) -> None:
        self.drawing = Drawing()
        self.drawing.title = title
        self.section: str | None = None
        self.unnamed = 0

    def add_task(self, name: str, data: str, line: int) -> None:
        """Add a task from its tags, id, start and end. Only the end is required."""
        parts = [part.strip() for part in data.split(",")]
        tags = []
        while parts and parts[0] in _TAGS:
            tags.append(parts.pop(0))
        if len(parts) >= 3:
            task_id = parts[0]
            dates = parts[1:3]
        else:
            self.unnamed += 1
            task_id = f"task{self.unnamed}"
            dates = parts
        kind = "milestone" if "milestone" in tags else "task"
        self.drawing.add_node(task_id, line, name, kind, self.section)
        for part in (*tags, *dates):
            if part and part != "milestone":
                self.drawing.add_member(task_id, part)
        for date in dates:
            self._add_references(task_id, date, line)

    def _add_references(self, task_id: str, date: str, line: int) -> None:
        reference = _REFERENCE.fullmatch(date)
        if reference is not None:
            for other in reference[2].split():
                self.drawing.add_edge(other, task_id, line, label=reference[1], style="order")


def read_gantt(source: MermaidSource) -> Drawing:
    """Read a Gantt chart.

    Raises DiagramSyntaxError if a line is neither a task nor a setting.
    """
    gantt = _Gantt(source.title)
    for line, statement in statements(source):
        text = statement
        if (text.startswith("#") and ":" not in text) or _SETTING.match(text) is not None:
            continue
        title = title_of(text)
        section = _SECTION.fullmatch(text)
        task = _TASK.fullmatch(text)
        if title is not None:
            gantt.drawing.title = title
        elif section is not None:
            gantt.section = section[1].strip()
            gantt.drawing.add_group(gantt.section, line, label=gantt.section, kind="section")
        elif task is not None:
            gantt.add_task(task[1].strip(), without_comment(task[2]), line)
        else:
            raise DiagramSyntaxError(line, f"expected a task such as `name : 2026-01-01, 3d`, but found {text[:40]!r}")
    return gantt.drawing
