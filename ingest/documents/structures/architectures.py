"""Read the components of an architecture, with their responsibilities and technologies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..sections import Table
from .parts import Entry, Part, as_written, cell, columns, short, split_lead
from .structured_forms import Architecture, Component, Structure

_COLUMNS: Final = {
    "name": re.compile(
        r"(?:component|module|service|layer|package|name|part|subsystem|crate|directory|folder|path|container|area)s?\b",
        re.I,
    ),
    "responsibility": re.compile(
        r"(?:responsibilit(?:y|ies)|description|purpose|role|what|function|does|contents?|notes?)\b", re.IGNORECASE
    ),
    "technology": re.compile(
        r"(?:technolog(?:y|ies)|tech(?: stack)?|stack|language|framework|built with|implementation|tools?)\b", re.IGNORECASE
    ),
}
#: The technology of a component, in an item of the component's section.
_TECHNOLOGY: Final = re.compile(
    r"(?:technolog(?:y|ies)|tech(?: stack)?|stack|built with|language|framework)s?[ ]*:[ ]*(?P<text>.+)", re.I
)
_RESPONSIBILITY: Final = re.compile(r"(?:responsibilit(?:y|ies)|purpose|role)[ ]*:[ ]*(?P<text>.+)", re.IGNORECASE)
#: Headings inside an architecture that concern all components, not one component.
_GENERAL: Final = re.compile(
    r"(?:overview|introduction|summary|background|goals?|non-goals|context|principles|diagrams?|see also|references"
    r"|further reading|table of contents|contents|glossary|terms|terminology|definitions|legend|notes|examples?|faq|motivation"
    r"|conclusion|data ?flow|flow|how it works|usage|(?:external )?dependencies|source files)\b",
    re.IGNORECASE,
)
#: An item of a list of documents: "- [Overview](overview.md)".
_LINKED_DOCUMENT: Final = re.compile(
    r"\s*(?:[-*+]|\d+[.)])\s+[*_]{0,2}\[[^\[\]]*\]\([^()\s]*\.(?:md|mdx|rst|adoc|html|pdf)(?:#[^()\s]*)?\)", re.IGNORECASE
)
_BOTTOM: Final = 3
#: Maximum number of words in an item that is only the name of a component.
_MAX_WORDS: Final = 3
_SEPARATORS: Final = re.compile(r"[,;+]| and | / ")


def read_architecture(part: Part) -> Structure:
    """Return the components of a section: rows of a table, inner sections, items with a name, or nodes of a C4 diagram."""
    for table in part.tables:
        rows = list(_rows(table))
        if rows:
            return Structure("architecture", "table", Architecture(rows))
    inner = [each for each in part.inner if _GENERAL.match(each.section.title) is None]
    entries = [entry for entry in part.entries() if _LINKED_DOCUMENT.match(part.lines[entry.item.line - 1]) is None]
    listed = list(_components_of_items(entries))
    if len(listed) >= 2:
        return Structure("architecture", "list", Architecture([*listed, *(_section(each, _BOTTOM) for each in inner)]))
    described = [_section(each, _BOTTOM) for each in inner]
    if any(each.responsibility or each.technology or each.components for each in described):
        return Structure("architecture", "sections", Architecture(described))
    names = [entry.item for entry in entries]
    if len(names) >= 2 and all(item.text and len(item.text.split()) <= _MAX_WORDS for item in names):
        return Structure("architecture", "list", Architecture([Component(short(item.text), line=item.line) for item in names]))
    drawn = [
        Component(short(node.label or node.id), technology=[], line=line + node.line - 1)
        for line, diagram in part.diagrams
        if diagram.kind in ("c4", "architecture", "block", "component", "deployment")
        for node in diagram.nodes
    ]
    if drawn:
        return Structure("architecture", "diagram", Architecture(drawn))
    return as_written(part, "architecture", "The section has no table, list, sections or diagram of components.")


def _section(part: Part, depth: int) -> Component:
    component = Component(part.section.title, part.first_paragraph(), line=part.section.title_line)
    for entry in part.entries():
        _add_detail(component, entry.item.text)
    component.components = list(_components_of_items(part.entries()))
    if depth > 1:
        inner = [each for each in part.inner if _GENERAL.match(each.section.title) is None]
        component.components += [_section(each, depth - 1) for each in inner]
    return component


def _add_detail(component: Component, text: str) -> None:
    technology = _TECHNOLOGY.match(text)
    if technology is not None:
        component.technology += _names(technology["text"])
    responsibility = _RESPONSIBILITY.match(text)
    if responsibility is not None and not component.responsibility:
        component.responsibility = short(responsibility["text"])


def _components_of_items(entries: list[Entry]) -> Iterator[Component]:
    """Yield the items that begin with a name in bold, as code or as a link, with the rest of their text."""
    for entry in entries:
        name, text = split_lead(entry.item)
        if not entry.item.lead or not name or _TECHNOLOGY.match(entry.item.text) or _RESPONSIBILITY.match(entry.item.text):
            continue
        component = Component(short(name), text, line=entry.item.line)
        for inner in entry.inner:
            _add_detail(component, inner.item.text)
        component.components = list(_components_of_items(entry.inner))
        yield component


def _rows(table: Table) -> Iterator[Component]:
    found = columns(table, _COLUMNS)
    if "name" not in found or len(found) < 2:
        return
    for place, row in enumerate(table.rows):
        name = cell(row, found["name"])
        if name:
            technology = _names(cell(row, found.get("technology")))
            yield Component(name, cell(row, found.get("responsibility")), technology, line=table.row_line(place))


def _names(text: str) -> list[str]:
    return [name for part in _SEPARATORS.split(text) if (name := part.strip(" ."))]
