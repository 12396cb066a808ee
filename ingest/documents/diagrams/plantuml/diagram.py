"""Reads a diagram of PlantUML with the grammar of its kind. Statements determine the kind."""

from __future__ import annotations

import re

from ..diagram_parts import Diagram
from ..drawing import DiagramSyntaxError, Drawing
from .c4 import read_plantuml_c4
from .classes import read_plantuml_classes
from .components import read_plantuml_components
from .sequence import read_plantuml_sequence
from .source import plantuml_lines
from .states import read_plantuml_states

_CLASS_WORD = re.compile(
    r"(?:abstract|class|enum|annotation|struct|object|protocol|exception)\b|entity\b[^{]*\{$|.*(?:<\||\|>|\*--|--\*|o--|--o)"
)
#: Statements of class diagrams and of component diagrams.
_CLASS_OR_COMPONENT_WORD = re.compile(r"(?:interface|package|namespace)\b|.*(?:\.\.>|<\.\.)")
_COMPONENT_WORD = re.compile(
    r"(?:component|usecase|artifact|agent|card|cloud|node|rectangle|folder|frame|file|storage|hexagon|person|process|stack|label)\b"
    r"|\(\)\s|\([^()]+\)|\[[^\]*]+\]|:[^:;]+:(?!.*;$)|.*[-.]>?\s+(?:\([^()]{1,200}\)|\[[^\]*]{1,200}\])"
)
_STATE_WORD = re.compile(r"state\s|\[\*\]|.*-->\s*\[\*\]")
_C4_WORD = re.compile(r"(?:Person|System|Container|Component|Enterprise_Boundary|Deployment_Node|Node|Boundary)\w*\s*\(")
_SEQUENCE_WORD = re.compile(
    r"(?:participant|actor|boundary|control|collections|queue|activate|alt|loop|opt|par)\b|[^:]*?<?<?--?(?:\[[^\[\]]*\])?-?>"
)
#: Statements that only sequence diagrams have, among them messages from and to the outside.
_ONLY_SEQUENCE_WORD = re.compile(r"(?:participant|activate|alt|loop|opt|par2?)\b|\[[-<ox]|.*[->ox]\](?:\s*:|$)", re.IGNORECASE)
#: Statements of kinds without a grammar: activities, mind maps, archimate diagrams.
_OTHER_WORD = re.compile(r"(?:start$|stop$|:[^:]*;|if\s*\(|\(\*|\*|@start(?!uml)|salt\b|archimate\b|robust\b|concise\b|nwdiag\b)")


def _kinds(text: str) -> tuple[str, ...]:
    """Return the kinds that a diagram may have, the likeliest first. The first statement that determines the kind counts."""
    seen: tuple[str, ...] = ()
    for _, statement in plantuml_lines(text):
        if _OTHER_WORD.match(statement) is not None:
            return ()
        if _C4_WORD.match(statement) is not None:
            return ("c4",)
        if _STATE_WORD.match(statement) is not None:
            return ("state",)
        if _ONLY_SEQUENCE_WORD.match(statement) is not None:
            return ("sequence",)
        if _COMPONENT_WORD.match(statement) is not None:
            return ("component", "class")
        if _CLASS_WORD.match(statement) is not None:
            return ("class", "component")
        if _CLASS_OR_COMPONENT_WORD.match(statement) is not None:
            seen = ("class", "component")
        elif not seen and _SEQUENCE_WORD.match(statement) is not None:
            seen = ("sequence", "component")
    return seen


def _drawn(kind: str, text: str) -> tuple[Drawing, str]:
    """Return the content of a diagram, and its exact kind."""
    if kind == "component":
        return read_plantuml_components(text)
    read = {"class": read_plantuml_classes, "state": read_plantuml_states, "c4": read_plantuml_c4}
    return read.get(kind, read_plantuml_sequence)(text), kind


def read_plantuml(text: str) -> Diagram:
    """Read a diagram of PlantUML.

    Raises DiagramSyntaxError if the text does not follow the grammar of its kind, or if there is no grammar for its kind.
    """
    failure: DiagramSyntaxError | None = None
    for likely in _kinds(text):
        try:
            drawing, kind = _drawn(likely, text)
        except DiagramSyntaxError as error:
            # The reason of the likeliest kind is told. PlantUML tries its grammars one after the other, too.
            error.kind = error.kind or likely
            failure = failure or error
        else:
            return drawing.as_diagram("plantuml", kind, text)
    if failure is not None:
        raise failure
    first = next(iter(plantuml_lines(text)), (1, "nothing"))
    raise DiagramSyntaxError(first[0], f"no grammar reads a diagram of PlantUML that begins with {first[1][:40]!r}")
