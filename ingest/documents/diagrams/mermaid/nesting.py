"""Base of the grammars of mermaid diagrams with nested groups. Statements are read one by one."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ..drawing import DiagramSyntaxError, Drawing
from .preamble import MermaidSource
from .scanner import Scanner


class NestedGrammar(ABC):
    """Reads statements one after the other, and records open groups."""

    #: Name of the kind of groups.
    group_kind: str
    #: The text that closes a group.
    group_end: str = "}"

    def __init__(self, source: MermaidSource) -> None:
        self.scanner = Scanner(source.text, source.start)
        self.drawing = Drawing()
        self.drawing.title = source.title
        #: Open groups, each with the line on which it begins.
        self.open: list[tuple[str, int]] = []

    @property
    def group(self) -> str | None:
        """The innermost open group."""
        return self.open[-1][0] if self.open else None

    def read(self) -> Drawing:
        """Return the diagram."""
        while True:
            self._skip_to_statement()
            if self.scanner.is_done:
                break
            self._read_statement(self.scanner.line)
        if self.open:
            name, line = self.open[-1]
            raise DiagramSyntaxError(line, f"the {self._group_name(name)} has no `{self.group_end}`")
        return self.drawing

    def _skip_to_statement(self) -> None:
        self.scanner.skip_all_space()

    @abstractmethod
    def _read_statement(self, line: int) -> None:
        """Read the statement at the current position, which is on line `line`."""

    def _group_name(self, name: str) -> str:
        """Return the name of an open group for error messages."""
        return self.group_kind

    def _close(self, line: int) -> None:
        if not self.open:
            raise DiagramSyntaxError(line, f"`{self.group_end}` without a {self.group_kind}")
        self.open.pop()
