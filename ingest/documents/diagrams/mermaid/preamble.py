"""The beginning of a mermaid diagram of any kind: front matter, directives, comments, and the keyword of the kind.

The line breaks of removed text stay, so that line numbers do not change.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..labels import hide_entities

_FRONT_MATTER = re.compile(r"\s*---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title[ \t]*:[ \t]*(.*)$", re.MULTILINE)
_DIRECTIVE = re.compile(r"%%\{(?:[^}]|\}(?!%%))*(?:\}%%)?")
_COMMENT = re.compile(r"^[ \t]*%%[^\n]*$", re.MULTILINE)
#: An HTML tag. Double quotes around its attributes become single quotes before a grammar reads the text.
_TAG = re.compile(r"<\w[^<>\n]*>")
_ATTRIBUTE = re.compile(r'="([^"<>\n]*)"')
#: The first words of diagrams. The first match counts, as in mermaid.
_KINDS = (
    (re.compile(r"C4(?:Context|Container|Component|Dynamic|Deployment)"), "c4"),
    (re.compile(r"classDiagram(?:-v2)?"), "class"),
    (re.compile(r"erDiagram"), "er"),
    (re.compile(r"gantt"), "gantt"),
    (re.compile(r"pie"), "pie"),
    (re.compile(r"requirement(?:Diagram)?"), "requirement"),
    (re.compile(r"sequenceDiagram"), "sequence"),
    (re.compile(r"(?:flowchart-elk|flowchart|graph)"), "flowchart"),
    (re.compile(r"timeline"), "timeline"),
    (re.compile(r"gitGraph"), "gitgraph"),
    (re.compile(r"stateDiagram(?:-v2)?"), "state"),
    (re.compile(r"journey"), "journey"),
    (re.compile(r"quadrantChart"), "quadrant"),
    (re.compile(r"architecture(?:-beta)?"), "architecture"),
    (re.compile(r"mindmap"), "mindmap"),
    (re.compile(r"block(?:-beta)?"), "block"),
)
_WORD = re.compile(r"[\w-]{1,40}")


class MermaidSource(NamedTuple):
    """The text of a diagram without its front matter, directives and keyword."""

    #: The kind, or "" if there is no grammar for the diagram.
    kind: str
    #: The word that begins the diagram, such as `graph` or `stateDiagram-v2`.
    keyword: str
    text: str
    #: The offset after the keyword.
    start: int
    #: The line of this offset.
    line: int
    title: str


def _only_breaks(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def _single_quotes(match: re.Match[str]) -> str:
    return _ATTRIBUTE.sub(r"='\1'", match[0])


def mermaid_source(text: str) -> MermaidSource:
    """Return the text for the grammar of a diagram."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    title = ""
    front = _FRONT_MATTER.match(text)
    if front is not None:
        named = _FRONT_TITLE.search(front[1])
        title = named[1].strip().strip("\"'") if named else ""
        text = "\n" * front[0].count("\n") + text[front.end() :]
    text = _DIRECTIVE.sub(_only_breaks, text)
    text = _COMMENT.sub("", text)
    if "<" in text:
        text = _TAG.sub(_single_quotes, text)
    text = hide_entities(text)
    start = len(text) - len(text.lstrip())
    line = text.count("\n", 0, start) + 1
    for pattern, kind in _KINDS:
        match = pattern.match(text, start)
        if match is not None:
            return MermaidSource(kind, match[0], text, match.end(), line, title)
    word = _WORD.match(text, start)
    return MermaidSource("", word[0] if word else "", text, start, line, title)
