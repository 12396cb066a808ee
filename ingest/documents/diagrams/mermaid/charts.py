"""Pie charts and quadrant charts of mermaid. Values are nodes."""

from __future__ import annotations

import re

from ..drawing import DiagramSyntaxError, Drawing
from .common import statements, title_of
from .preamble import MermaidSource

_SHOW_DATA = re.compile(r"showData\b\s*")
_SLICE = re.compile(r"(?:\"([^\"]*)\"|'([^']*)')\s*:\s*(-?\d+(?:\.\d+)?)\s*(?:%%.*)?")
_POINT = re.compile(r"(?:\"([^\"]*)\"\s*|([^:\"]+))(?::::\s*[\w-]+\s*)?:\s*\[\s*([\d.]+)\s*,\s*([\d.]+)\s*\].*")
_AXIS = re.compile(r"(?:x-axis|y-axis)\s")
_QUADRANT = re.compile(r"quadrant-([1-4])\s+(?:\"([^\"]*)\"|(.*))")


def read_pie(source: MermaidSource) -> Drawing:
    """Read a pie chart. Slices are nodes, and their values are members.

    Raises DiagramSyntaxError if a line is not a slice.
    """
    drawing = Drawing()
    drawing.title = source.title
    for line, statement in statements(source):
        text = _SHOW_DATA.sub("", statement, count=1) if statement.startswith("showData") else statement
        title, part = title_of(text), _SLICE.fullmatch(text)
        if title is not None:
            drawing.title = title
        elif part is not None:
            label = part[1] if part[1] is not None else part[2]
            if not drawing.has_node(label):
                drawing.add_node(label, line, kind="slice")
                drawing.add_member(label, part[3])
        elif text:
            raise DiagramSyntaxError(line, f'expected a slice such as `"name" : 40`, but found {text[:40]!r}')
    return drawing


def read_quadrant(source: MermaidSource) -> Drawing:
    """Read a quadrant chart. Points are nodes with their coordinates as members, and quadrants are groups.

    Raises DiagramSyntaxError if a line is neither a point, an axis nor a quadrant.
    """
    drawing = Drawing()
    drawing.title = source.title
    for line, text in statements(source):
        title, quadrant, point = title_of(text), _QUADRANT.fullmatch(text), _POINT.fullmatch(text)
        if title is not None:
            drawing.title = title
        elif quadrant is not None:
            label = quadrant[2] if quadrant[2] is not None else quadrant[3]
            drawing.add_group(f"quadrant-{quadrant[1]}", line, label=label, kind="quadrant")
        elif point is not None:
            name = (point[1] if point[1] is not None else point[2]).strip()
            drawing.add_node(name, line, kind="point", group=_quadrant_of(point[3], point[4]))
            drawing.add_member(name, point[3])
            drawing.add_member(name, point[4])
        elif _AXIS.match(text) is None and not text.startswith("classDef"):
            raise DiagramSyntaxError(line, f"expected a point, an axis or a quadrant, but found {text[:40]!r}")
    return drawing


def _quadrant_of(across: str, up: str) -> str | None:
    """Return the quadrant of coordinates from 0 to 1. Quadrants are numbered counterclockwise from the upper right."""
    try:
        is_right, is_upper = float(across) > 0.5, float(up) > 0.5
    except ValueError:
        return None
    return f"quadrant-{1 if is_right and is_upper else 2 if is_upper else 4 if is_right else 3}"
