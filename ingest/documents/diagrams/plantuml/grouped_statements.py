"""Statements of PlantUML diagrams whose groups stand in braces: classes, components and states."""

from __future__ import annotations

from typing import ClassVar

from ..drawing import DiagramSyntaxError, Drawing
from .notes import Notes
from .source import plantuml_lines, title_of


class GroupedStatements:
    """Reads lines one after the other. A kind of diagram reads its own statements, and texts over several lines."""

    #: What a group is called in messages, and which statements the diagram has.
    group_name: ClassVar[str] = "group"
    expected: ClassVar[str]

    def __init__(self) -> None:
        self.drawing = Drawing()
        self.notes = Notes(self.drawing)
        #: Open groups, each with the line on which it begins. A group without a name is None.
        self.open: list[tuple[str | None, int]] = []
        #: The element that a note without a name is about.
        self.last = ""

    @property
    def group(self) -> str | None:
        """The innermost open group with a name."""
        return next((name for name, _ in reversed(self.open) if name is not None), None)

    def read(self, text: str) -> None:
        """Read all lines of a diagram.

        Raises DiagramSyntaxError if the text does not follow the grammar.
        """
        for line, statement in plantuml_lines(text):
            self._read_line(statement, line)
        if self.open:
            raise DiagramSyntaxError(self.open[-1][1], f"the {self.group_name} has no `}}`")
        self.finish()
        self.notes.finish()

    def read_inside(self, text: str) -> bool:
        """Read a line of an open text, such as the body of a class. Return False if no text is open."""
        return False

    def read_statement(self, text: str, line: int) -> bool:
        """Read a statement. Return False if the line is none.

        Raises DiagramSyntaxError if the statement does not follow the grammar.
        """
        raise NotImplementedError

    def finish(self) -> None:
        """Raise DiagramSyntaxError if an open text has no end."""

    def _read_line(self, text: str, line: int) -> None:
        if self.read_inside(text) or self.notes.read(text, line, self.last):
            return
        if text == "}":
            if not self.open:
                raise DiagramSyntaxError(line, f"`}}` without a {self.group_name}")
            self.open.pop()
        elif (title := title_of(text)) is not None:
            self.drawing.title = title
        elif not self.read_statement(text, line):
            raise DiagramSyntaxError(line, f"expected {self.expected}, but found {text[:40]!r}")
