"""Records of what nests in source text: the regions of a syntax tree whose lines an excerpt may leave out.

A region is a stretch of lines with a first line that opens it, such as that of `{`, and mostly a last line that closes it. What
stands between are its parts: statements, members, arguments. Only what takes several lines is recorded. A line between the first
and the last line of a region that lies in no recorded part is a part of one line, or blank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


class Role(Enum):
    """What a region holds, and so what may be left out of it."""

    #: Statements, each of which may be left out.
    BLOCK = "block"
    #: Statements of a declaration that may also be written as its signature alone, such as a method.
    BODY = "body"
    #: Members of a type or an object, each of which may be left out.
    MEMBERS = "members"
    #: Arguments, elements, attributes or children of markup, each of which may be left out.
    LIST = "list"
    #: Several variables that one statement declares. The first and the last begin and end the statement, and remain.
    DECLARATORS = "declarators"
    #: An expression in parentheses, or arguments that may not be left out: all remain, and may lose lines themselves.
    GROUP = "group"
    #: An expression that ends its statement and begins on a later line, as behind `return () =>`.
    TAIL = "tail"
    #: Parameters, types, text and code with syntax errors: all lines remain.
    FIXED = "fixed"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a region: its first and last line, decorators included, and the outermost regions in it in source order."""

    first: int
    last: int
    regions: Sequence[Region]


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of lines of which parts may be left out. Lines count from 1."""

    role: Role
    #: The line that opens it.
    first: int
    #: The line that closes it; the last line of its last part where nothing closes it, as in Python.
    last: int
    #: Whether `last` is the line of a bracket or a word that closes it.
    is_closed: bool
    #: The parts that take several lines, in source order; of declarators those of one line too.
    parts: Sequence[Part]
    #: Whether no part begins on the first line: that line ends with what opens the region.
    opens_line_end: bool = True
    #: Whether no part ends on the last line: that line begins with what closes the region.
    closes_line_start: bool = True
    #: Whether its parts are parted by the ends of their lines alone.
    is_parted_by_lines: bool = False

    @property
    def inner(self) -> range:
        """The lines between the one that opens it and the one that closes it."""
        return range(self.first + 1, self.last + (0 if self.is_closed else 1))


@dataclass(frozen=True, slots=True)
class SourceTree:
    """The regions of a text, and how its language writes what stands for left out code."""

    #: The whole text: a block that begins one line before it and ends one line behind it.
    whole: Region
    #: What follows a signature that stands for a declaration without its body: ";".
    bodiless: str
    #: A statement that does nothing, for a block that may not be empty; "" where it may.
    empty_statement: str
