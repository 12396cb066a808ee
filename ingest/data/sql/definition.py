"""The definition in one statement while it is read: its symbol, its inner objects, and its changes."""

from __future__ import annotations

from typing import NamedTuple

from ...facts.data import ObjectName, SchemaChange


class Member(NamedTuple):
    """An object inside a statement: a column or a constraint. Offsets are in characters."""

    kind: str
    name: str
    start: int
    end: int
    name_start: int


class Definition:
    """The definition in a statement. In the changes, symbol 0 is the statement, and the symbols of its members begin at 1."""

    def __init__(self, kind: str, name: ObjectName, name_start: int) -> None:
        """`kind` is the kind of the statement's symbol."""
        self.kind = kind
        self.name = name
        self.name_start = name_start
        self.members: list[Member] = []
        #: The changes. Their `line` is an offset in characters, because lines are not known yet.
        self.changes: list[SchemaChange] = []
        #: First token and end (exclusive) of the query of a view or of `CREATE TABLE … AS`.
        self.query: tuple[int, int] | None = None
        #: Offset and text of a body that is a string, such as the body of a PostgreSQL function.
        self.body: tuple[int, str] | None = None

    def member(self, kind: str, name: str, start: int, end: int, name_start: int) -> int:
        """Add a member, and return its number."""
        self.members.append(Member(kind, name, start, end, name_start))
        return len(self.members)
