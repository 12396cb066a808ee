"""Read code in braces that may contain markup, as in Astro and MDX: `{items.map((item) => <li>it's {item.name}</li>)}`.

Markup in code becomes an array of its expressions, with every byte at its old offset. The result is JavaScript.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from .expression_scan import (
    IN_TEMPLATE,
    slash_end,
    string_end,
)
from .markup import Attribute, Close, Open, Span
from .names import VOID

_IN_CODE: Final = re.compile(rb"""["'`/(){}\[\]<]""")
_IN_MARKUP: Final = re.compile(rb"[<{]")
_IN_TAG: Final = re.compile(rb"""[>{"']|(?<=[\s"'}])[A-Za-z_:@][^\s=>/{}"'<]{0,200}""")
_NAME: Final = re.compile(rb"[A-Za-z][^\s/>{}\"'=<]{0,200}")
#: Ends of code before markup.
_BEFORE_MARKUP: Final = re.compile(rb"(?:[(,=:\[!&|?{};>]|\b(?:return|default|await|yield))\Z")
_RAW: Final = frozenset((b"script", b"style"))
_CLOSERS: Final = {b"(": b")", b"[": b"]", b"{": b"}"}


class NestedCode(NamedTuple):
    """Code in braces."""

    #: Offset of the closing brace.
    end: int
    #: The code, with markup replaced by arrays. The length stays the same.
    text: bytes
    #: The tags in the code.
    tags: tuple[Open | Close, ...]


def nested_code(data: bytes, start: int, end: int) -> NestedCode | None:
    """Return the code from an offset to its closing brace; None if there is no closing brace."""
    return _Scan(data, start, end).run()


class _Scan:
    """One pass over code with markup. The stack contains the open parts: brackets, templates, markup and tags."""

    def __init__(self, data: bytes, start: int, end: int) -> None:
        self._data = data
        self._start = start
        self._end = end
        #: The open parts, the innermost last: the closing bracket for a bracket, b"`" for a substitution of a template, b"<" for
        #: markup, b"t" for a tag, b"c" for code in markup.
        self._stack: list[bytes] = []
        #: Number of open elements of each markup.
        self._depths: list[int] = []
        self._tags: list[Open | Close] = []
        self._tag_name = b""
        self._tag_start = 0
        self._attributes: list[Attribute] = []

    def run(self) -> NestedCode | None:
        at = self._start
        data, end = self._data, self._end
        pieces: list[tuple[int, int]] = []
        marks: list[tuple[int, int]] = []
        stack = self._stack
        while at < end:
            top = stack[-1] if stack else b""
            if top == b"<":
                at = self._markup(at, marks)
            elif top == b"t":
                at = self._tag(at, marks)
            else:
                begin = at
                found = _IN_CODE.search(data, at, end)
                if found is None:
                    return None
                mark, at = found[0], found.end()
                if mark == b"<":
                    pieces.append((begin, found.start()))
                    at = self._open_markup(found.start(), marks)
                    if stack and stack[-1] == b"t":
                        continue
                    pieces.append((found.start(), at))
                    continue
                if mark in (b'"', b"'"):
                    at = string_end(data, found.start(), end)
                elif mark == b"`":
                    at = self._template(at)
                elif mark == b"/":
                    at = slash_end(data, found.start(), self._start, end)
                elif mark in _CLOSERS:
                    stack.append(_CLOSERS[mark])
                elif not stack:
                    if mark != b"}":
                        return None
                    pieces.append((begin, found.start()))
                    return self._nested_code(found.start(), pieces, marks)
                else:
                    expected = stack.pop()
                    if expected == b"`" and mark == b"}":
                        at = self._template(at)
                    elif expected == b"c" and mark == b"}":
                        pieces.append((begin, found.start()))
                        marks.append((found.start(), ord(",")))
                        continue
                    elif expected != mark:
                        return None
                if at < 0:
                    return None
                pieces.append((begin, at))
        return None

    def _nested_code(self, close: int, pieces: list[tuple[int, int]], marks: list[tuple[int, int]]) -> NestedCode:
        data, start = self._data, self._start
        if not marks:
            return NestedCode(close, data[start:close], ())
        text = bytearray(byte if byte in b"\r\n" else 32 for byte in data[start:close])
        for begin, end in pieces:
            text[begin - start : end - start] = data[begin:end]
        for at, mark in marks:
            text[at - start] = mark
        return NestedCode(close, bytes(text), tuple(self._tags))

    def _template(self, at: int) -> int:
        while (found := IN_TEMPLATE.search(self._data, at, self._end)) is not None:
            if found[0] == b"`":
                return found.end()
            if found[0] == b"${":
                self._stack.append(b"`")
                return found.end()
            at = found.end() + 1
        return -1

    def _open_markup(self, at: int, marks: list[tuple[int, int]]) -> int:
        """Enter markup if a `<` in code begins markup, and return the offset at which reading continues."""
        data = self._data
        before = data[max(self._start, at - 20) : at].rstrip()
        is_tag = _NAME.match(data, at + 1, self._end) is not None or data.startswith((b"<>", b"<!--"), at)
        is_spaced = data[at - 1 : at].isspace() and data[at + 1 : at + 2].isalpha()  # `a <b`, as the compiler of Astro reads it
        if not is_tag or (before and not is_spaced and _BEFORE_MARKUP.search(before) is None):
            return at + 1
        if data.startswith(b"<!--", at):
            close = data.find(b"-->", at, self._end)
            return close + 3 if close >= 0 else self._end
        if marks and marks[-1][1] == ord("]") and not data[marks[-1][0] + 1 : at].strip():
            marks[-1] = (marks[-1][0], ord(","))  # markup directly behind markup continues its list
        else:
            marks.append((at, ord("[")))
        self._stack.append(b"<")
        self._depths.append(0)
        return self._element(at)

    def _element(self, at: int) -> int:
        """Enter the tag at an offset."""
        found = _NAME.match(self._data, at + 1, self._end)
        self._tag_name = found[0] if found is not None else b""
        self._tag_start = at
        self._attributes = []
        self._stack.append(b"t")
        return at + 1 + len(self._tag_name)

    def _markup(self, at: int, marks: list[tuple[int, int]]) -> int:
        data, end = self._data, self._end
        found = _IN_MARKUP.search(data, at, end)
        if found is None:
            return end
        at = found.start()
        if found[0] == b"{":
            self._stack.append(b"c")
            return at + 1
        if data.startswith(b"<!--", at):
            close = data.find(b"-->", at, end)
            return close + 3 if close >= 0 else end
        if data.startswith(b"</", at):
            close = data.find(b">", at, end)
            if close < 0:
                return end
            if (name := _NAME.match(data, at + 2, close)) is not None:
                self._tags.append(Close(name[0].decode("utf-8", "replace"), at, close + 1, at + 2))
            self._depths[-1] -= 1
            if self._depths[-1] <= 0:
                self._leave_markup(close, marks)
            return close + 1
        if _NAME.match(data, at + 1, end) is None and not data.startswith(b"<>", at):
            return at + 1
        return self._element(at)

    def _leave_markup(self, close: int, marks: list[tuple[int, int]]) -> None:
        """Leave the markup that ends at an offset."""
        marks.append((close, ord("]")))
        self._stack.pop()
        self._depths.pop()

    def _tag(self, at: int, marks: list[tuple[int, int]]) -> int:
        data, end = self._data, self._end
        found = _IN_TAG.search(data, at, end)
        if found is None:
            return end
        mark = found[0]
        if mark == b"{":
            self._stack.append(b"c")
            return found.end()
        if mark in (b'"', b"'"):
            close = data.find(mark, found.end(), end)
            if close >= 0 and self._attributes:
                last = self._attributes[-1]
                if last.start + len(last.name.encode()) + 1 == found.start() and data.startswith(b"=", found.start() - 1):
                    self._attributes[-1] = Attribute(last.name, last.start, Span(found.end(), close), is_quoted=True)
            return close + 1 if close >= 0 else end
        if mark != b">":
            self._attributes.append(Attribute(mark.decode("utf-8", "replace"), found.start(), None))
            return found.end()
        self._stack.pop()
        name = self._tag_name
        text = name.decode("utf-8", "replace")
        is_closed = data[found.start() - 1 : found.start()] == b"/"
        self._tags.append(Open(text, self._tag_start, found.end(), self._tag_start + 1, tuple(self._attributes), is_closed))
        at = found.end()
        if name in _RAW and not is_closed:
            closing = re.compile(b"</" + re.escape(name), re.IGNORECASE).search(data, at, end)
            stop = data.find(b">", closing.end(), end) if closing is not None else -1
            at = stop + 1 if stop >= 0 else end
            is_closed = True
        if is_closed or text in VOID:
            if self._depths[-1] <= 0:
                self._leave_markup(at - 1, marks)
        else:
            self._depths[-1] += 1
        return at
