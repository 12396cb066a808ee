"""Reads a diagram of mermaid with the grammar of its kind."""

from __future__ import annotations

from collections.abc import Callable

from ..diagram_parts import Diagram
from ..drawing import DiagramSyntaxError, Drawing
from .architecture import read_architecture
from .block import read_block
from .c4 import read_c4
from .charts import read_pie, read_quadrant
from .class_diagram import read_class_diagram
from .entity_relationship import read_entity_diagram
from .flowchart import read_flowchart
from .gantt import read_gantt
from .gitgraph import read_gitgraph
from .journey import read_journey
from .mindmap import read_mindmap
from .preamble import MermaidSource, mermaid_source
from .requirement import read_requirements
from .sequence import read_sequence
from .state import read_state_diagram
from .timeline import read_timeline

_GRAMMARS: dict[str, Callable[[MermaidSource], Drawing]] = {
    "flowchart": read_flowchart,
    "sequence": read_sequence,
    "class": read_class_diagram,
    "state": read_state_diagram,
    "er": read_entity_diagram,
    "gantt": read_gantt,
    "journey": read_journey,
    "mindmap": read_mindmap,
    "timeline": read_timeline,
    "gitgraph": read_gitgraph,
    "c4": read_c4,
    "requirement": read_requirements,
    "block": read_block,
    "architecture": read_architecture,
    "quadrant": read_quadrant,
    "pie": read_pie,
}


#: First words of diagrams without a grammar. Most of these diagrams have figures, but no nodes.
_WITHOUT_GRAMMAR = frozenset(
    (
        "info",
        "kanban",
        "packet",
        "packet-beta",
        "radar-beta",
        "sankey",
        "sankey-beta",
        "treemap",
        "treemap-beta",
        "xychart",
        "xychart-beta",
        "zenuml",
    )
)


def read_mermaid(text: str) -> Diagram:
    """Read a diagram of mermaid. A diagram without a grammar for its kind has no nodes.

    Raises DiagramSyntaxError if the text does not follow the grammar of its kind, or if mermaid has no such kind.
    """
    source = mermaid_source(text)
    grammar = _GRAMMARS.get(source.kind)
    if grammar is None and source.keyword in _WITHOUT_GRAMMAR:
        return Diagram("mermaid", source.keyword.removesuffix("-beta"), text, source.title)
    if grammar is None:
        name = source.keyword or "nothing"
        raise DiagramSyntaxError(source.line, f"no grammar reads a diagram that begins with {name!r}")
    try:
        return grammar(source).as_diagram("mermaid", source.kind, text)
    except DiagramSyntaxError as error:
        error.kind = source.kind
        raise
