"""Titles of a reference that are names of code without markup: `### subprocess.kill(signal)`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from .names import read_name, read_title
from .sections import Reference, Section

#: Form of a mention that is a whole title.
TITLE: Final = "heading"


def title_references(sections: Sequence[Section], references: Iterable[Reference]) -> list[Reference]:
    """Return a reference for each title that is recognizable as a name, unless a span of code in the title is one."""
    marked = {each.line for each in references if each.form == "code" and read_name(each.text) is not None}
    found: list[Reference] = []
    for section in sections:
        title = section.title.replace("`", "")
        if section.title_line not in marked and (name := read_title(title)) is not None and name.is_compound:
            found.append(Reference(TITLE, title, section.title_line, 1))
    return found
