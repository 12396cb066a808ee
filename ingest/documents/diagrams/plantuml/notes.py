"""Notes of PlantUML's class, component and state diagrams."""

from __future__ import annotations

import re

from ..drawing import DiagramSyntaxError, Drawing

_NOTE = re.compile(
    r"note\s+(?:(?:left|right|top|bottom)\b(?:\s+of)?(?:\s+(?:\"([^\"]*)\"|\[([^\]]*)\]|\(([^)]*)\)|([^:#\s]+)))?\s*)?"
    r"(?:#\w+\s*)?(?::\s*(.*))?"
)
_ON_LINK = re.compile(r"note\s+(?:(?:left|right|top|bottom)\s+)?on\s+link\s*(?:#\w+\s*)?(?::\s*(.*))?")
_FLOATING = re.compile(r"note\s+(?:\"([^\"]*)\"\s+)?as\s+(\w+).*")


class _Floating:
    """A note with a name, which lines connect with nodes."""

    def __init__(self, text: str | None, line: int) -> None:
        self.text = text
        self.line = line
        self.about: list[str] = []


class Notes:
    """Reads the notes of a diagram."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self._floating: dict[str, _Floating] = {}
        #: The open note: its nodes, its lines, its own line, and its name or an empty text.
        self._open: tuple[tuple[str, ...], list[str], int, str] | None = None

    def read(self, text: str, line: int, last: str) -> bool:
        """Read a line, and return whether it belongs to a note. A note without a node belongs to the node `last`."""
        if self._open is not None:
            self._read_inside(text)
        elif (floating := _FLOATING.fullmatch(text)) is not None:
            written = floating[1].replace("\\n", "\n") if floating[1] is not None else None
            self._floating[floating[2]] = _Floating(written, line)
            if written is None:
                self._open = ((), [], line, floating[2])
        elif (on_link := _ON_LINK.fullmatch(text)) is not None:
            edge = self._drawing.edges[-1] if self._drawing.edges else None
            self._begin((edge.source, edge.target) if edge is not None else (), on_link[1], line)
        elif (note := _NOTE.fullmatch(text)) is not None:
            about = next((name for name in note.groups()[:4] if name is not None), last)
            self._begin((about,) if about else (), note[5], line)
        else:
            return False
        return True

    def connects(self, source: str, target: str) -> bool:
        """Return whether a line between two names connects a note with a node. The note is then about the node."""
        for name, other in ((source, target), (target, source)):
            if name in self._floating:
                self._floating[name].about.append(other)
                return True
        return False

    def finish(self) -> None:
        """Add the notes with names to the diagram.

        Raises DiagramSyntaxError if a note has no end.
        """
        if self._open is not None:
            raise DiagramSyntaxError(self._open[2], "the note has no `end note`")
        for each in self._floating.values():
            about = [name for name in each.about if self._drawing.has_node(name) or self._drawing.has_group(name)]
            self._drawing.add_note(each.text or "", tuple(about), each.line)

    def _begin(self, about: tuple[str, ...], text: str | None, line: int) -> None:
        if text is None:
            self._open = (about, [], line, "")
        else:
            self._drawing.add_note(text.replace("\\n", "\n"), about, line)

    def _read_inside(self, text: str) -> None:
        assert self._open is not None
        about, lines, line, name = self._open
        if text.replace(" ", "") != "endnote":
            lines.append(text)
            return
        self._open = None
        if name:
            self._floating[name].text = "\n".join(lines)
        else:
            self._drawing.add_note("\n".join(lines), about, line)
