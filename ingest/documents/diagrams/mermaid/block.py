"""Block diagrams of mermaid: https://mermaid.js.org/syntax/block.html."""

from __future__ import annotations

import re

from ..drawing import Drawing
from .common import ACCESSIBILITY, unwrapped
from .links import link_style
from .nesting import NestedGrammar
from .preamble import MermaidSource

_COLUMNS = re.compile(r"columns\s+(?:auto\b|\d+)")
_SPACE = re.compile(r"space(?::\d+)?(?![\w-])")
_NAMED_BLOCK = re.compile(r"block:(?=[^\s])")
_BLOCK = re.compile(r"block(?:-beta)?\b(?!:)")
_END = re.compile(r"end\b")
_IGNORED = re.compile(r"(?:classDef|class|style)\s[^\n]*")
_ID = re.compile(r"[^(\[\n\-){}\s<>:=]+")
_SIZE = re.compile(r":\d+")
_LINK = re.compile(r"[xo<]?(?:--+[-xo>]|==+[=xo>]|-?\.+-[xo>]?)|~~~+")
_START = re.compile(r"([xo<]?(?:--|==|-\.))\s*\"([^\"]*)\"\s*")
_OPENINGS = ("(((", "((", "([", "(-", "(", "{{", "{", "[[", "[|", "[(", "[\\", "[/", "[", ">")
_CLOSINGS = (")))", "))", "])", "-)", ")]", ")", "}}", "}", "]]", "\\]", "/]", "]")
_ARROW = re.compile(r"<\[\s*\"([^\"]*)\"\s*\]>\s*\(([^)\n]*)\)")


class _Block(NestedGrammar):
    """Reads blocks and links one after the other."""

    group_kind = "block"
    group_end = "end"

    def __init__(self, source: MermaidSource) -> None:
        super().__init__(source)
        self.unnamed = 0

    def _read_statement(self, line: int) -> None:
        scanner = self.scanner
        if scanner.match(_NAMED_BLOCK) is not None:
            name, label = self._read_written_node()
            scanner.match(_SIZE)
            self._open(name, label or "", line)
        elif scanner.match(_BLOCK) is not None:
            self.unnamed += 1
            self._open(f"block {self.unnamed}", "", line)
        elif scanner.match(_END) is not None:
            self._close(line)
        elif not any(scanner.match(pattern) for pattern in (_COLUMNS, _SPACE, _IGNORED, ACCESSIBILITY)):
            self._read_chain(line)

    def _open(self, name: str, label: str, line: int) -> None:
        self.drawing.add_group(name, line, label=label, kind="block", parent=self.group)
        self.open.append((name, line))

    def _read_chain(self, line: int) -> None:
        source = self._read_node(line)
        while True:
            before = self.scanner.at
            self.scanner.skip_all_space()
            link = self._read_link()
            if link is None:
                self.scanner.at = before
                return
            self.scanner.skip_all_space()
            target = self._read_node(self.scanner.line)
            self.drawing.add_edge(source, target, line, label=link[0], style=link[1])
            source = target

    def _read_link(self) -> tuple[str, str] | None:
        """Read a link and return its label and its style, or None if there is no link."""
        scanner = self.scanner
        start = scanner.match(_START)
        if start is not None:
            end = scanner.match(_LINK)
            if end is None:
                raise scanner.failure("an arrow that ends the text of the link")
            return start[2], link_style(end[0], start[1])
        whole = scanner.match(_LINK)
        return ("", link_style(whole[0])) if whole is not None else None

    def _read_node(self, line: int) -> str:
        name, label = self._read_written_node()
        self.scanner.match(_SIZE)
        if not self.drawing.has_group(name):
            self.drawing.add_node(name, line, label, "block", self.group)
        return name

    def _read_written_node(self) -> tuple[str, str | None]:
        scanner = self.scanner
        match = scanner.match(_ID)
        if match is None:
            raise scanner.failure("a block")
        arrow = scanner.match(_ARROW)
        if arrow is not None:
            return match[0], arrow[1]
        opening = next((opening for opening in _OPENINGS if scanner.text.startswith(opening, scanner.at)), None)
        if opening is None:
            return match[0], None
        scanner.at += len(opening)
        scanner.skip_space()
        quoted = scanner.until('"') if scanner.take('"') else None
        if quoted is None:
            raise scanner.failure("a quoted text")
        scanner.skip_space()
        if not any(scanner.take(closing) for closing in _CLOSINGS):
            raise scanner.failure("a bracket after the text of the block")
        return match[0], unwrapped(quoted)


def read_block(source: MermaidSource) -> Drawing:
    """Read a block diagram.

    Raises DiagramSyntaxError if the text does not follow the grammar.
    """
    return _Block(source).read()
