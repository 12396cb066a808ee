"""Read markup in one pass: tags with their attributes, expressions in braces, and elements whose content is text.

The reader recovers from any error: an unclosed part ends with the text. Offsets are bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from .expression_scan import expression_end

_TAG_NAME: Final = re.compile(rb"[A-Za-z][^\s/>\"'<={}]{0,200}")
_SPACE: Final = re.compile(rb"\s*")
_ATTRIBUTE_NAME: Final = re.compile(rb"(?:\[[^\]\s>\"'=]{0,200}\]|[^\s\"'>/={}<])+")
_EQUALS: Final = re.compile(rb"\s*=\s*")
_UNQUOTED: Final = re.compile(rb"[^\s\"'>{}]+")


class Braces(Enum):
    """The meaning of braces in the text of a dialect."""

    #: `{{ code }}` in text, and nothing in attributes.
    MUSTACHE = "mustache"
    #: `{code}` in text and in attributes.
    CODE = "code"


class Span(NamedTuple):
    """A range of bytes."""

    start: int
    end: int


class Attribute(NamedTuple):
    """An attribute. For `{x}` and `{...x}`, the name is empty and the code is the only part."""

    name: str
    start: int
    #: The value without quotes or braces; None if there is no value.
    value: Span | None
    #: Pieces of code in the value.
    code: tuple[Span, ...] = ()
    #: Whether the value is a single piece of code.
    is_code: bool = False
    is_quoted: bool = False


class Open(NamedTuple):
    """An opening tag."""

    name: str
    start: int
    end: int
    name_start: int
    attributes: tuple[Attribute, ...]
    #: Whether it ends with `/>`.
    is_closed: bool

    def attribute(self, name: str) -> Attribute | None:
        """Return the attribute with a name, or None."""
        return next((each for each in self.attributes if each.name == name), None)

    def text(self, name: str, data: bytes) -> str | None:
        """Return the text of an attribute: "" for an attribute without a value, None for a missing attribute."""
        found = self.attribute(name)
        if found is None:
            return None
        return data[found.value.start : found.value.end].decode("utf-8", "replace") if found.value is not None else ""


class Close(NamedTuple):
    """A closing tag."""

    name: str
    start: int
    end: int
    name_start: int


class Code(NamedTuple):
    """Code in braces in the text; the range is inside the braces."""

    start: int
    end: int


class Raw(NamedTuple):
    """An element whose content is text, such as a script."""

    tag: Open
    content: Span
    end: int


Event = Open | Close | Code | Raw


@dataclass(slots=True)
class MarkupReader:
    """Reads one text of markup."""

    data: bytes
    braces: Braces
    #: Elements whose content is text.
    raw: frozenset[str] = frozenset(("script", "style"))
    #: Finds the brace that closes code between two offsets; -1 if there is none.
    code_end: Callable[[bytes, int, int], int] = expression_end
    #: False after an unclosed brace. Later braces are then not read as code, so that the time is linear.
    _has_code: bool = True

    def events(self, start: int, end: int) -> Iterator[Event]:
        """Yield the events between two offsets, in source order."""
        data = self.data
        opener = b"{{" if self.braces is Braces.MUSTACHE else b"{"
        notable = re.compile(b"<|" + re.escape(opener))
        at = start
        while (found := notable.search(data, at, end)) is not None:
            at = found.start()
            if found[0] == b"<":
                event, at = self._markup(at, end)
                if event is not None:
                    yield event
            else:
                code, at = self._code(at, end)
                if code is not None:
                    yield Code(*code)

    def _code(self, at: int, end: int) -> tuple[Span | None, int]:
        """Return the code after an opening brace, and the offset after it."""
        if not self._has_code:
            return None, at + 1
        if self.braces is Braces.MUSTACHE:
            close = self.data.find(b"}}", at + 2, end)
            found, after = Span(at + 2, close), close + 2
        else:
            close = self.code_end(self.data, at + 1, end)
            found, after = Span(at + 1, close), close + 1
        if close < 0:
            self._has_code = False
            return None, at + 1
        return found, after

    def _markup(self, at: int, end: int) -> tuple[Event | None, int]:
        data = self.data
        if data.startswith(b"<!--", at):
            close = data.find(b"-->", at + 4, end)
            return None, close + 3 if close >= 0 else end
        if data.startswith(b"</", at):
            name = _TAG_NAME.match(data, at + 2, end)
            close = data.find(b">", at, end)
            after = close + 1 if close >= 0 else end
            if name is None:
                return None, after
            return Close(name[0].decode("utf-8", "replace"), at, after, at + 2), after
        name = _TAG_NAME.match(data, at + 1, end)
        if name is None:
            return None, at + 1
        tag = self.tag(at, name, end)
        if tag.is_closed or tag.name not in self.raw:
            return tag, tag.end
        content, after = self.raw_content(tag, end)
        return Raw(tag, content, after), after

    def raw_content(self, tag: Open, end: int) -> tuple[Span, int]:
        """Return the content of an element up to its first closing tag, and the offset after the tag."""
        closing = re.compile(b"</" + re.escape(tag.name.encode()) + rb"(?=[\s>/])", re.IGNORECASE)
        found = closing.search(self.data, tag.end, end)
        if found is None:
            return Span(tag.end, end), end
        close = self.data.find(b">", found.end(), end)
        return Span(tag.end, found.start()), close + 1 if close >= 0 else end

    def tag(self, start: int, name: re.Match[bytes], end: int) -> Open:
        """Return the opening tag that begins at an offset and has a name."""
        data, at = self.data, name.end()
        attributes: list[Attribute] = []
        is_closed = False
        while True:
            space = _SPACE.match(data, at, end)
            at = space.end() if space is not None else at
            mark = data[at : at + 1] if at < end else b""
            if mark == b">":
                at += 1
                break
            if mark == b"" or mark == b"<":
                break
            if mark == b"/":
                is_closed = data[at + 1 : at + 2] == b">"
                comment = self.braces is Braces.CODE and data[at + 1 : at + 2] in (b"/", b"*")
                at = self._comment_end(at, end) if comment else at + 1
                continue
            is_closed = False
            attribute, at = self._attribute(at, end)
            if attribute is not None:
                attributes.append(attribute)
        text = name[0].decode("utf-8", "replace")
        return Open(text, start, at, start + 1, tuple(attributes), is_closed)

    def _comment_end(self, at: int, end: int) -> int:
        closer = b"\n" if self.data[at + 1 : at + 2] == b"/" else b"*/"
        close = self.data.find(closer, at + 2, end)
        return close + len(closer) if close >= 0 else end

    def _attribute(self, at: int, end: int) -> tuple[Attribute | None, int]:
        data = self.data
        if self.braces is Braces.CODE and data[at : at + 1] == b"{":
            code, after = self._code(at, end)
            return (Attribute("", at, code, (code,), True), after) if code is not None else (None, after)
        name = _ATTRIBUTE_NAME.match(data, at, end)
        if name is None:
            return None, at + 1
        text = name[0].decode("utf-8", "replace")
        equals = _EQUALS.match(data, name.end(), end)
        if equals is None:
            return Attribute(text, at, None), name.end()
        begin = equals.end()
        mark = data[begin : begin + 1]
        if mark in (b'"', b"'"):
            close = self._quoted_end(begin + 1, end, mark)
            span = Span(begin + 1, close)
            pieces = tuple(self._pieces(span))
            is_code = len(pieces) == 1 and pieces[0].start - 1 == span.start and pieces[0].end + 1 == span.end
            return Attribute(text, at, span, pieces, is_code, True), min(close + 1, end)
        if mark == b"{" and self.braces is Braces.CODE:
            found, after = self._code(begin, end)
            if found is not None:
                return Attribute(text, at, found, (found,), True), after
            return Attribute(text, at, None), after
        if mark == b"`" and self.braces is Braces.CODE:
            close = data.find(b"`", begin + 1, end)
            after = close + 1 if close >= 0 else end
            span = Span(begin, after)
            return Attribute(text, at, span, (span,), True), after
        value = _UNQUOTED.match(data, begin, end)
        if value is None:
            return Attribute(text, at, None), begin
        return Attribute(text, at, Span(begin, value.end())), value.end()

    def _quoted_end(self, at: int, end: int, quote: bytes) -> int:
        """Return the offset of the quote that closes a value. Quotes in code do not count."""
        if self.braces is Braces.MUSTACHE:
            close = self.data.find(quote, at, end)
            return close if close >= 0 else end
        notable = re.compile(b"[{" + quote + b"]")
        while (found := notable.search(self.data, at, end)) is not None:
            if found[0] == quote:
                return found.start()
            at = self._code(found.start(), end)[1]
        return end

    def _pieces(self, span: Span) -> Iterator[Span]:
        if self.braces is Braces.MUSTACHE:
            return
        at = self.data.find(b"{", span.start, span.end)
        while at >= 0:
            code, after = self._code(at, span.end)
            if code is not None:
                yield code
            at = self.data.find(b"{", after, span.end)
