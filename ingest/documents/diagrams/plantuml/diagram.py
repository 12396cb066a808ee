"""Reads a diagram of PlantUML with the grammar of its kind. Statements determine the kind."""

from __future__ import annotations

import re

from ..diagram_parts import Diagram
from ..drawing import DiagramSyntaxError
from .classes import read_plantuml_classes
from .sequence import read_plantuml_sequence
from .source import plantuml_lines

_CLASS_WORD = re.compile(
    r"(?:abstract|class|interface|enum|annotation|struct|package|namespace|object)\b|entity\b[^{]*\{$"
    r"|.*(?:<\||\|>|\*--|--\*|o--|--o|\.\.>|<\.\.)"
)
_SEQUENCE_WORD = re.compile(
    r"(?:participant|actor|boundary|control|collections|queue|activate|alt|loop|opt|par)\b|[^:]*?<?<?--?(?:\[[^\[\]]*\])?-?>"
)
#: Statements of kinds without a grammar: activities, states, use cases, components, mind maps.
_OTHER_WORD = re.compile(
    r"(?:start$|stop$|:[^:]*;|if\s*\(|state\s|\[\*\]|usecase\s|component\s|\([^)]*\)|\[[^\]]+\]\s*[-.]|\*|@start(?!uml)|salt\b)"
)


def _kind(text: str) -> str:
    """Return the kind of a diagram, from the first statement that determines it: `sequence`, `class`, or an empty text."""
    kind = ""
    for _, statement in plantuml_lines(text):
        if _OTHER_WORD.match(statement) is not None:
            return ""
        if _CLASS_WORD.match(statement) is not None:
            return "class"
        if not kind and _SEQUENCE_WORD.match(statement) is not None:
            kind = "sequence"
    return kind


def read_plantuml(text: str) -> Diagram:
    """Read a diagram of PlantUML.

    Raises DiagramSyntaxError if the text does not follow the grammar of its kind, or if there is no grammar for its kind.
    """
    kind = _kind(text)
    if not kind:
        first = next(iter(plantuml_lines(text)), (1, "nothing"))
        raise DiagramSyntaxError(first[0], f"no grammar reads a diagram of PlantUML that begins with {first[1][:40]!r}")
    try:
        drawing = read_plantuml_classes(text) if kind == "class" else read_plantuml_sequence(text)
    except DiagramSyntaxError as error:
        error.kind = kind
        raise
    return drawing.as_diagram("plantuml", kind, text)
