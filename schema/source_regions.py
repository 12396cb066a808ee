"""Records of the nested regions of source text, whose lines an excerpt may leave out.

A line such as `if (a) {` opens a region, and usually a line such as `}` closes it. Between these lines are the parts of the
region: statements, members or arguments. Only parts of two or more lines are recorded. A line outside of these parts is blank, or
is a part by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


class Role(Enum):
    """The content of a region, which determines the parts that may be left out."""

    #: Statements, which may be left out.
    BLOCK = "block"
    #: The body of a declaration such as a method, which may also be shown without its body.
    BODY = "body"
    #: Members of a type or an object, which may be left out.
    MEMBERS = "members"
    #: Arguments, elements of a list, or attributes or children of markup, which may be left out.
    LIST = "list"
    #: Variables of one statement. The first and the last variable always remain, because they begin and end the statement.
    DECLARATORS = "declarators"
    #: An expression in parentheses, or arguments. Each part remains, but lines inside of a part may be left out.
    GROUP = "group"
    #: An expression that ends its statement and begins on a later line, as after `return () =>`.
    TAIL = "tail"
    #: Parameters, types, text and code with syntax errors: all lines remain.
    FIXED = "fixed"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a region: its first and last line, decorators included, and its outermost regions in source order."""

    first: int
    last: int
    regions: Sequence[Region]


@dataclass(frozen=True, slots=True)
class Region:
    """A range of lines whose parts may be left out. Lines count from 1."""

    role: Role
    #: The line that opens the region.
    first: int
    #: The line that closes the region; the last line of the last part if no line closes it, as in Python.
    last: int
    #: Whether `last` is the line of a closing bracket or keyword.
    is_closed: bool
    #: The parts with two or more lines, in source order. For declarators, parts with one line are included.
    parts: Sequence[Part]
    #: Whether the first line ends with the opening of the region, so that no part begins on it.
    opens_line_end: bool = True
    #: Whether the last line begins with the closing of the region, so that no part ends on it.
    closes_line_start: bool = True
    #: Whether a line end is enough to separate two parts.
    is_parted_by_lines: bool = False

    @property
    def inner(self) -> range:
        """The lines between the opening and the closing line."""
        return range(self.first + 1, self.last + (0 if self.is_closed else 1))


@dataclass(frozen=True, slots=True)
class SourceTree:
    """The regions of a text, and the replacements for omitted code in its language."""

    #: The whole text: a block that begins one line before the text and ends one line after it.
    whole: Region
    #: Text after the signature of a declaration that is shown without its body: ";".
    bodiless: str
    #: An empty statement, for languages in which a block may not be empty; else "".
    empty_statement: str
