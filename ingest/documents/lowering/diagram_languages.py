"""Reads the text of a diagram in the language of its code block or its file."""

from __future__ import annotations

from ..diagrams.diagram_parts import Diagram, DiagramProblem
from ..diagrams.drawing import DiagramSyntaxError
from ..diagrams.graphviz import read_dot
from ..diagrams.mermaid.diagram import read_mermaid
from ..diagrams.plantuml.diagram import read_plantuml

#: Names after the fence of a code block, with the languages of diagrams.
_LANGUAGES = {
    "mermaid": "mermaid",
    "mmd": "mermaid",
    "plantuml": "plantuml",
    "puml": "plantuml",
    "uml": "plantuml",
    "dot": "dot",
    "graphviz": "dot",
    "gv": "dot",
}
_READERS = {"mermaid": read_mermaid, "plantuml": read_plantuml, "dot": read_dot}


def diagram_language(name: str) -> str | None:
    """Return the diagram language that the first word of a code block names, or None for other words."""
    return _LANGUAGES.get(name.lower())


def read_diagram(language: str, text: str) -> Diagram:
    """Read a diagram in one of the languages that `diagram_language` returns.

    Text with a syntax error is a diagram with a problem.
    """
    try:
        return _READERS[language](text.removeprefix("\ufeff"))
    except DiagramSyntaxError as error:
        return Diagram(language, error.kind, text, problem=DiagramProblem(error.line, error.reason))
