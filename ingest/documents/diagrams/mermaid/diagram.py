"""Reads a diagram of mermaid with the grammar of its kind."""

from __future__ import annotations

from collections.abc import Callable

from ..drawing import DiagramSyntaxError, Drawing
from ..records import Diagram
from .flowchart import read_flowchart
from .preamble import MermaidSource, mermaid_source
from .sequence import read_sequence

_GRAMMARS: dict[str, Callable[[MermaidSource], Drawing]] = {
    "flowchart": read_flowchart,
    "sequence": read_sequence,
}


def read_mermaid(text: str) -> Diagram:
    """Read a diagram of mermaid.

    Raises DiagramSyntaxError if the text does not follow the grammar of its kind, or if no grammar reads its kind.
    """
    source = mermaid_source(text)
    grammar = _GRAMMARS.get(source.kind)
    if grammar is None:
        name = source.keyword or "nothing"
        raise DiagramSyntaxError(source.line, f"no grammar reads a diagram that begins with {name!r}")
    try:
        return grammar(source).as_diagram("mermaid", source.kind, text)
    except DiagramSyntaxError as error:
        error.kind = source.kind
        raise
