"""Mind maps of mermaid: https://mermaid.js.org/syntax/mindmap.html."""

from __future__ import annotations

import re

from ..drawing import DiagramSyntaxError, Drawing
from .common import unwrapped
from .preamble import MermaidSource
from .scanner import Scanner

_ID = re.compile(r"[^(\[\n){}]+")
#: Each entry: the delimiters before and after the text of a node, and the shape of the node.
_SHAPES = (
    ("))", "((", "bang"),
    ("((", "))", "circle"),
    (")", "(", "cloud"),
    ("(-", "-)", "cloud"),
    ("(", ")", "rounded"),
    ("[", "]", "square"),
    ("{{", "}}", "hexagon"),
)
#: The delimiter after the text of a node, which mermaid does not compare with the one before the text.
_SHAPE_END = re.compile(r"\)\)|-?\)|\]|\}\}|\(\(|\(-?")
_TEXT = re.compile(r"[^()\]}]+")
_INDENT = re.compile(r"[^\S\n]*")
_DECORATION = re.compile(r"(?:::icon\([^)\n]*\)|:::[^\n]*|%%[^\n]*)")


class _Mindmap:
    """Reads lines whose indentation determines the tree."""

    def __init__(self, source: MermaidSource) -> None:
        self.scanner = Scanner(source.text, source.start)
        self.drawing = Drawing()
        self.drawing.title = source.title
        #: The path to the last node, as pairs of indentation and id.
        self.path: list[tuple[int, str]] = []
        self.ids: dict[str, int] = {}

    def read(self) -> Drawing:
        """Return the tree as nodes and edges from parents to children."""
        scanner = self.scanner
        while not scanner.is_done:
            before = scanner.at
            scanner.match(_INDENT)
            indent = scanner.at - before
            if not scanner.take("\n") and not scanner.is_done:
                if scanner.match(_DECORATION) is None:
                    self._read_node(indent)
                scanner.skip_space()
                scanner.match(_DECORATION)
                scanner.skip_space()
                if not scanner.is_done and not scanner.take("\n"):
                    raise scanner.failure("the end of the line")
        return self.drawing

    def _read_node(self, indent: int) -> None:
        scanner = self.scanner
        line = scanner.line
        match = scanner.match(_ID)
        name = match[0].strip() if match is not None else ""
        label, shape = self._read_shape()
        if label is None and not name:
            raise scanner.failure("a node")
        text = name if label is None else label
        node = self._new_id(name or text)
        while self.path and self.path[-1][0] >= indent:
            self.path.pop()
        if not self.path and self.ids and len(self.ids) + sum(self.ids.values()) > 1:
            raise DiagramSyntaxError(line, f"the node {text[:40]!r} is a second root")
        self.drawing.add_node(node, line, text, shape or "default")
        if self.path:
            self.drawing.add_edge(self.path[-1][1], node, line, style="branch")
        self.path.append((indent, node))

    def _new_id(self, name: str) -> str:
        """Return the id of a node; a repeated name gets a number."""
        count = self.ids.get(name, -1) + 1
        self.ids[name] = count
        return f"{name} {count + 1}" if count else name

    def _read_shape(self) -> tuple[str | None, str | None]:
        scanner = self.scanner
        for opening, ending, shape in _SHAPES:
            if not scanner.take(opening):
                continue
            if scanner.take('"'):
                quoted = scanner.until('"')
                if quoted is None:
                    raise scanner.failure("the end of a quoted text")
                text = unwrapped(quoted)
            else:
                match = scanner.match(_TEXT)
                text = match[0] if match is not None else ""
                if text.endswith("-") and ending == "-)":
                    text = text[:-1]
                    scanner.at -= 1
            if scanner.match(_SHAPE_END) is None:
                raise scanner.failure(f"`{ending}` after the text of the node")
            return text, shape
        return None, None


def read_mindmap(source: MermaidSource) -> Drawing:
    """Read a mind map.

    Raises DiagramSyntaxError if the text does not follow the grammar.
    """
    return _Mindmap(source).read()
