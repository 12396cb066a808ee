"""The definition in one statement while it is read: its own symbol, the objects in it, and the changes that it makes."""

from __future__ import annotations

from typing import NamedTuple

from ...facts.data import ObjectName, SchemaChange


class Member(NamedTuple):
    """An object that a statement declares inside: a column or a constraint. Offsets are in characters."""

    kind: str
    name: str
    start: int
    end: int
    name_start: int


class Definition:
    """The definition in a statement. Changes number symbols from 0, the statement, and then its members."""

    def __init__(self, kind: str, name: ObjectName, name_start: int) -> None:
        """`kind` is the kind of the statement's symbol."""
        self.kind = kind
        self.name = name
        self.name_start = name_start
        self.members: list[Member] = []
        #: With offsets in characters for lines, which are known later.
        self.changes: list[SchemaChange] = []
        #: First and last token, exclusive, of a query that belongs to the object: of a view, or of `CREATE TABLE … AS`.
        self.query: tuple[int, int] | None = None
        #: Offset and text of a body in a string, such as that of a function of PostgreSQL.
        self.body: tuple[int, str] | None = None

    def member(self, kind: str, name: str, start: int, end: int, name_start: int) -> int:
        """Add a member, and return its number."""
        self.members.append(Member(kind, name, start, end, name_start))
        return len(self.members)
