"""Titles of a reference that are names of code without markup: `### subprocess.kill(signal)`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from .names import read_name, read_title
from .sections import Reference, Section

#: Form of a mention that is a whole title.
TITLE: Final = "heading"
#: Several names as a title, and what is between them: `extract() and extract_first()`.
_NAME: Final = r"[A-Za-z_$][\w$.:#]{0,80}(?:\([^()]{0,80}\))?"
_SEVERAL: Final = re.compile(rf"{_NAME}(?:(?:, (?:and |or )?| and | or | / ){_NAME}){{1,8}}")
_BETWEEN: Final = re.compile(r", (?:and |or )?(?![^()]*\))| and | or | / ")


def title_references(sections: Sequence[Section], references: Iterable[Reference]) -> list[Reference]:
    """Return a reference for each title that is recognizable as a name, unless a span of code in the title is one."""
    marked = {each.line for each in references if each.form == "code" and read_name(each.text) is not None}
    found: list[Reference] = []
    for section in sections:
        if section.title_line in marked:
            continue
        title = section.title.replace("`", "")
        several = _BETWEEN.split(title) if _SEVERAL.fullmatch(title) is not None else [title]
        names = [read_title(each) for each in several]
        if all(name is not None and name.is_compound for name in names):
            found += [Reference(TITLE, each, section.title_line, 1) for each in several]
    return found
