"""Requirement diagrams of mermaid: https://mermaid.js.org/syntax/requirementDiagram.html."""

from __future__ import annotations

import re

from ..drawing import DiagramSyntaxError, Drawing
from .common import TURN, statements, title_of
from .preamble import MermaidSource

_DEFINITION = re.compile(
    r"(requirement|functionalRequirement|interfaceRequirement|performanceRequirement|physicalRequirement|designConstraint|element)"
    r"\s+([^{]+)\{\s*(\})?"
)
_NAME = re.compile(r"\"([^\"]*)\"|(\w[^:,{<>=\-\"]*)")
_RELATIONS = frozenset(("contains", "copies", "derives", "satisfies", "verifies", "refines", "traces"))
_ATTRIBUTE = re.compile(r"(id|text|risk|verifyMethod|type|docref)\s*:\s*(?:\"([^\"]*)\"|(.*))", re.IGNORECASE)
_IGNORED = re.compile(r"(?:style|classDef|class)\b|\w[\w-]*\s*:::")
_KINDS = {
    "requirement": "Requirement",
    "functionalRequirement": "Functional Requirement",
    "interfaceRequirement": "Interface Requirement",
    "performanceRequirement": "Performance Requirement",
    "physicalRequirement": "Physical Requirement",
    "designConstraint": "Design Constraint",
    "element": "Element",
}


def _name(text: str) -> str | None:
    """Return the name in a text, or None if the text is not a name."""
    match = _NAME.fullmatch(text.strip())
    return None if match is None else (match[1] if match[1] is not None else match[2].strip())


def _relation(text: str) -> tuple[str, str, str] | None:
    """Return source, kind and target of a relation, or None if the text is not a relation."""
    start, arrow, end = text.rpartition("->")
    if arrow:
        source, _, kind = start.rpartition("-")
        names = _name(source), _name(end)
    else:
        start, arrow, end = text.partition("<-")
        kind, _, source = end.partition("-")
        names = _name(source), _name(start)
    if not arrow or kind.strip() not in _RELATIONS or names[0] is None or names[1] is None:
        return None
    return names[0], kind.strip(), names[1]


def read_requirements(source: MermaidSource) -> Drawing:
    """Read a requirement diagram.

    Raises DiagramSyntaxError if the text does not follow the grammar.
    """
    drawing = Drawing()
    drawing.title = source.title
    current: str | None = None
    opened = 0
    for line, text in statements(source):
        if text.startswith("#"):
            continue
        if current is not None:
            attribute = _ATTRIBUTE.fullmatch(text)
            if text == "}":
                current = None
            elif attribute is not None:
                value = attribute[2] if attribute[2] is not None else attribute[3].strip()
                drawing.add_member(current, f"{attribute[1]}: {value}")
            else:
                raise DiagramSyntaxError(line, f"expected `name: value` or `}}`, but found {text[:40]!r}")
            continue
        definition = _DEFINITION.fullmatch(text)
        title = title_of(text)
        if definition is not None:
            name = _name(definition[2].partition(":::")[0])
            if name is None:
                raise DiagramSyntaxError(line, f"expected a name, but found {definition[2][:40]!r}")
            drawing.add_node(name, line, kind=_KINDS[definition[1]])
            current, opened = (None if definition[3] else name), line
        elif (relation := _relation(text)) is not None:
            drawing.add_edge(relation[0], relation[2], line, label=relation[1], style="arrow")
        elif title is not None:
            drawing.title = title
        elif TURN.match(text) is None and _IGNORED.match(text) is None:
            raise DiagramSyntaxError(line, f"expected a requirement, an element or a relation, but found {text[:40]!r}")
    if current is not None:
        raise DiagramSyntaxError(opened, f"the requirement {current!r} has no `}}`")
    return drawing
