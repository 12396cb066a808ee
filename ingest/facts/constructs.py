"""Facts of a file that resolution has no use for, but people ask about; part of its `FileFacts`."""

from __future__ import annotations

import msgspec


class TypePart(msgspec.Struct, array_like=True, gc=False):
    """A part of a type alias's type; the first is the type itself. `TYPE_PART` in `graph.cypher` documents the texts."""

    #: Declaration of the alias.
    decl: int
    #: Place among the alias's parts of what it is part of; -1 for the type itself.
    parent: int
    role: str
    kind: str
    text: str
    name: str
    readonly: str
    optional: str


class EnumValue(msgspec.Struct, array_like=True, gc=False):
    """The value of an enum member."""

    shape: int
    #: Place among the members of the shape.
    member: int
    #: As it is written, or as it follows from the member before.
    text: str
    #: True for what is written and no literal.
    computed: bool
    #: The constant that it is; "" where only running the code tells.
    constant: str


class SideEffect(msgspec.Struct, array_like=True, gc=False):
    """Something that loading the file does. `RUNS` in `graph.cypher` documents the texts."""

    kind: str
    position: int
    target: str
    text: str
    conditional: bool


class UnicodeName(msgspec.Struct, array_like=True, gc=False):
    """A declared name beyond ASCII. `UNICODE_NAME` in `graph.cypher` documents the texts."""

    name: str
    position: int
    kind: str
    #: Innermost symbol around it; -1 for none.
    owner: int
    scope: str
    scripts: list[str]
    mixed: bool
    zero_width: bool
    direction: bool
    normal: str
    alike: list[str]
    reason: str
    severity: str
