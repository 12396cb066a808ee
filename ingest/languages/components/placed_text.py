"""A text as long as a file, which contains only chosen pieces of code as separate statements, at their old offsets."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from ...symbols.byte_ranges import blank
from ..base import SyntaxTree
from ..typescript.parsing.parse import ParsedSource, parse_source
from .expression_scan import is_balanced
from .markup import Span

_ENTITIES: Final = re.compile(rb"&(?:(?:amp;&amp|quot|apos|amp|lt|gt|nbsp|#39|#34);)")
_DECODED: Final = {
    b"&amp;&amp;": b"&&",
    b"&quot;": b'"',
    b"&apos;": b"'",
    b"&amp;": b"&",
    b"&lt;": b"<",
    b"&gt;": b">",
    b"&#39;": b"'",
    b"&#34;": b'"',
}
_NOT_SPACE: Final = re.compile(rb"\S")


def without_entities(text: bytes) -> bytes:
    """Return HTML text with common entities decoded, filled up with spaces to the same length."""
    return _ENTITIES.sub(lambda found: _DECODED.get(found[0], b" ").ljust(len(found[0])), text) if b"&" in text else text


def only(data: bytes, spans: list[Span]) -> bytes:
    """Return a text of the same length in which everything outside of the spans is a space."""
    text = bytearray(blank(data))
    for start, end in spans:
        text[start:end] = data[start:end]
    return bytes(text)


def parse_only(data: bytes, spans: list[Span], dialect: str) -> SyntaxTree:
    """Return the syntax tree of a text in which everything outside of the spans is a space."""
    parsed = parse_source(only(data, spans), dialect)
    return SyntaxTree(parsed.tree.root_node, not parsed.problems)


class PlacedText:
    """Pieces of code at their places, parsed together. A piece whose brackets do not match is left out."""

    def __init__(self, data: bytes, language: str) -> None:
        self._data = data
        self._language = language
        self._text: bytearray | None = None
        self._nodes: dict[int, Node] = {}
        #: Starts of the pieces that were left out.
        self.broken: list[int] = []
        self.parsed: ParsedSource | None = None

    def add(self, span: Span, before: bytes, after: bytes, text: bytes | None = None) -> bool:
        """Put a piece of code into the text, between separators that replace the characters around it.

        Return whether this was possible.

        `text` is a replacement for the piece, with the same length.
        """
        text = self._data[span.start : span.end] if text is None else text
        if _NOT_SPACE.search(text) is None:
            return False
        whole = before + text + after
        if not is_balanced(whole, 0, len(whole)):
            self.broken.append(span.start)
            return False
        if self._text is None:
            self._text = bytearray(blank(self._data))
        placed, begin = self._text, span.start - len(before)
        if begin < 0 or span.end + len(after) > len(placed):
            return False
        placed[span.start : span.end] = text
        placed[begin : span.start] = before
        for offset, mark in enumerate(after, span.end):
            if placed[offset] not in b"\r\n":
                placed[offset] = mark
        return True

    def parse(self) -> None:
        """Parse the text. Call this before `node`."""
        if self._text is None:
            return
        self.parsed = parse_source(bytes(self._text), self._language)
        for child in self.parsed.tree.root_node.named_children:
            self._nodes[child.start_byte] = child

    def node(self, start: int) -> Node | None:
        """Return the statement that begins at an offset, or None."""
        return self._nodes.get(start)
