"""Requirements, user stories and criteria of acceptance in tables and lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..sections import Table
from .parts import Entry, Part, as_written, cell, columns, plain, short
from .structured_forms import Requirement, Requirements, Structure

_COLUMNS: Final = {
    "id": re.compile(r"(?:id|#|no\.?|nr\.?|key|ref)\b|#$", re.IGNORECASE),
    "priority": re.compile(r"(?:priority|prio|moscow|level|importance)\b", re.IGNORECASE),
    "text": re.compile(
        r"(?:(?:user )?story|requirement|description|criteri(?:on|a)|acceptance|metric|feature|need|what|attribute|name)\b", re.I
    ),
}
_ID: Final = re.compile(r"[\[(]?(?P<id>[A-Z]++(?:[-_. ][A-Z]++)*+[-_. ]?\d+(?:\.\d+)*)[\])]?[ ]*[:.\u2013\u2014-]?[ ]+(?=\S)")
#: An id without a number: "[R-transport] Open a connection".
_LABEL: Final = re.compile(r"\[(?P<id>[A-Z][A-Za-z]*(?:-\w+)+)\][ ]+")
_MAX_ID: Final = 60
_STORY: Final = re.compile(
    r"\bas (?:an?|the) (?P<role>.{1,80}?),? i (?:want|need|can|would like)(?: to)? (?P<goal>.{1,300}?)"
    r"(?:,? (?:so that|in order to|so) (?P<benefit>.{1,300}))?$",
    re.IGNORECASE,
)
_SCENARIO: Final = re.compile(r"\bgiven (?P<given>.{1,300}?),? when (?P<when>.{1,300}?),? then (?P<then>.{1,300})", re.IGNORECASE)
_CONTENTS: Final = re.compile(r"(?:table of )?contents\b", re.IGNORECASE)
_LEVEL: Final = re.compile(r"\b(?P<level>must|shall|required|should|recommended|may|optional|could)\b", re.IGNORECASE)
_LEVELS: Final = {"shall": "must", "required": "must", "recommended": "should", "optional": "may", "could": "may"}
_MAX_DEPTH: Final = 3
#: Maximum number of lines of a nested list that are kept as details.
_MAX_DETAILS: Final = 20


def read_requirements(part: Part) -> Structure:
    """Return the requirements of a section and its inner sections."""
    rows = [requirement for table in part.tables for requirement in _rows(table)]
    if rows:
        return Structure("requirements", "table", Requirements(rows))
    listed = [_requirement_of_item(entry) for entry in part.listed()]
    if listed:
        return Structure("requirements", "list", Requirements(listed))
    inner = list(_inner_requirements(part, _MAX_DEPTH))
    if inner:
        return Structure("requirements", "sections", Requirements(inner))
    return as_written(part, "requirements", "The section has no table, list or sections of requirements.")


def requirement_of(text: str) -> Requirement:
    """Return the requirement that a text states."""
    joined = short(text)
    named = _ID.match(joined) or _LABEL.match(joined)
    statement = joined[named.end() :] if named is not None else joined
    requirement = Requirement(statement, named["id"] if named is not None else "")
    level = _LEVEL.search(statement)
    if level is not None:
        requirement.priority = _LEVELS.get(level["level"].lower(), level["level"].lower())
    story = _STORY.search(statement)
    if story is not None:
        requirement.role, requirement.goal = story["role"], story["goal"]
        requirement.benefit = (story["benefit"] or "").rstrip(".")
    scenario = _SCENARIO.search(statement)
    if scenario is not None:
        requirement.given, requirement.when, requirement.then = scenario["given"], scenario["when"], scenario["then"]
    return requirement


def _inner_requirements(part: Part, depth: int) -> Iterator[Requirement]:
    """Yield a requirement for each inner section with an id, and the requirements in lists and tables of other inner sections."""
    for inner in part.inner:
        if _CONTENTS.match(inner.section.title) is not None:
            continue
        if _ID.match(f"{inner.section.title} ") is not None or _STORY.search(inner.section.title) is not None:
            requirement = requirement_of(f"{inner.section.title} {inner.first_paragraph()}")
            requirement.details = [short(entry.item.text) for entry in inner.entries()][:_MAX_DETAILS]
            requirement.line = inner.section.title_line
            yield requirement
            continue
        for table in inner.tables:
            yield from _rows(table)
        for entry in inner.entries():
            yield _requirement_of_item(entry)
        if depth > 1:
            yield from _inner_requirements(inner, depth - 1)


def _requirement_of_item(entry: Entry) -> Requirement:
    requirement = requirement_of(entry.item.text)
    requirement.done = entry.item.is_done
    requirement.details = [short(inner.item.text) for inner in entry.inner][:_MAX_DETAILS]
    requirement.line = entry.item.line
    return requirement


def _columns(table: Table) -> dict[str, int]:
    """Return the columns of a table. A column "Requirement" of ids beside a column of texts is the column of ids."""
    found = columns(table, _COLUMNS)
    ids = found.get("text")
    if ids is None or "id" in found or not all(len(row) > ids and _is_id(plain(row[ids])) for row in table.rows):
        return found
    others = (place for place, heading in enumerate(table.header) if place != ids and _COLUMNS["text"].match(plain(heading)))
    text = next(others, None)
    return found if text is None else {**found, "id": ids, "text": text}


def _is_id(text: str) -> bool:
    return len(text) <= _MAX_ID and not text.isalpha() and text[:1].isalpha() and text[-1:].isdigit() and " " not in text


def _rows(table: Table) -> Iterator[Requirement]:
    found = _columns(table)
    if "text" not in found:
        return
    others = [place for place in range(len(table.header)) if place not in found.values()]
    for place, row in enumerate(table.rows):
        requirement = requirement_of(cell(row, found["text"]))
        requirement.id = cell(row, found.get("id")) or requirement.id
        requirement.priority = cell(row, found.get("priority")) or requirement.priority
        requirement.details = [f"{table.header[each]}: {text}" for each in others if (text := cell(row, each))]
        requirement.line = table.row_line(place)
        yield requirement
