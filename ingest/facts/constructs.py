"""Facts that only users' queries read, and resolution does not. The facts are part of `FileFacts`."""

from __future__ import annotations

import msgspec


class TypePart(msgspec.Struct, array_like=True, gc=False):
    """A part of the type of an alias; the first part is the type itself.

    `TYPE_PART` in `graph.cypher` documents the texts.
    """

    #: Declaration of the alias.
    decl: int
    #: Index of the parent among the parts of the alias; -1 for the type itself.
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
    #: Index among the members of the shape.
    member: int
    #: The value as written, or derived from the previous member.
    text: str
    #: True if the source has a value that is not a literal.
    computed: bool
    #: The constant value, or "" if it is known only at run time.
    constant: str


class SideEffect(msgspec.Struct, array_like=True, gc=False):
    """A side effect of loading the file. `RUNS` in `graph.cypher` documents the texts."""

    kind: str
    position: int
    target: str
    text: str
    conditional: bool


class UnicodeName(msgspec.Struct, array_like=True, gc=False):
    """A declared name with characters beyond ASCII. `UNICODE_NAME` in `graph.cypher` documents the texts."""

    name: str
    position: int
    kind: str
    #: The innermost symbol that contains the name; -1 for none.
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
