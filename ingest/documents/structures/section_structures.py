"""Reads the sections of a document: their lists, tables and code, and the fields of typed sections."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from .apis import read_api, read_endpoint
from .architectures import read_architecture
from .decisions import read_decision
from .drawings import DIAGRAM_TYPES, participants_of, read_drawings
from .lists_and_tables import front_matter, written_parts
from .parts import Part
from .releases import read_changelog, read_milestone, read_plan
from .requirements import read_requirements
from .structured_forms import Structure
from .workflow import read_workflow

if TYPE_CHECKING:
    from .section_types import SectionType

_READERS: Final[Mapping[str, Callable[[Part], Structure]]] = {
    "release plan": read_plan,
    "changelog": read_changelog,
    "api": read_api,
    "architecture": read_architecture,
    "requirements": read_requirements,
}
#: Readers of sections by the kind of the section.
_OF_KINDS: Final[Mapping[str, Callable[[Part], Structure]]] = {"endpoint": read_endpoint, "milestone": read_milestone}


def structures_of(
    parts: Sequence[Part], types: Sequence[SectionType], fields: Mapping[str, str]
) -> Iterator[tuple[int, Structure]]:
    """Yield the structures of the sections of a document, each with the number of its section.

    `fields` is the front matter, which belongs to the first section.
    """
    participants = participants_of(parts)
    if parts and fields:
        yield 0, front_matter(fields)
    for place, (part, kind) in enumerate(zip(parts, types, strict=True)):
        for written in written_parts(part):
            yield place, written
        if kind.kind in _OF_KINDS:
            yield place, _OF_KINDS[kind.kind](part)
        elif kind.kind == "decision":
            yield place, read_decision(part, fields)
        elif kind.kind == "section":
            for subject in kind.subjects:
                if subject == "workflow":
                    yield place, read_workflow(part, participants)
                elif subject in DIAGRAM_TYPES:
                    yield place, read_drawings(part, subject)
                else:
                    yield place, _READERS[subject](part)


def as_json(structure: Structure) -> str:
    """Return the fields of a structure as JSON, without empty fields."""
    return msgspec.json.encode(structure.fields).decode()
