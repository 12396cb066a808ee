"""Mask a source so that only its code is left, and patterns cannot match inside strings and comments.

For example, `f("a b") // call` becomes `f("___")` and eight spaces. The mask has the length and the line ends of its
source. Comments become spaces. The insides of strings, regular expressions and templates become underscores, between
their quotes. Code inside `${…}` stays.

The mask is made without a grammar, because it serves to find out why the grammar failed. It therefore guesses where only a
grammar could decide. A slash after an operator begins a regular expression, and an apostrophe after a letter is text between JSX
tags ("don't").
"""

from __future__ import annotations

import re
from typing import Final

from ....symbols.byte_ranges import NO_LINE_ENDS, blank

_TO_UNDERSCORES: Final = bytes.maketrans(NO_LINE_ENDS, b"_" * len(NO_LINE_ENDS))

#: Matches the beginning of text that is perhaps not code: of strings, comments, templates and regular expressions.
_IN_CODE: Final = re.compile(rb"[\"'`/]")
#: Like `_IN_CODE`, for the substitution of a template, in which braces are counted.
_IN_SUBSTITUTION: Final = re.compile(rb"[\"'`/{}]")
_STRING: Final = {
    b'"': re.compile(rb'"[^"\\\n]*(?:\\.[^"\\\n]*)*"', re.DOTALL),
    b"'": re.compile(rb"'[^'\\\n]*(?:\\.[^'\\\n]*)*'", re.DOTALL),
}
_TEMPLATE_TEXT: Final = re.compile(rb"[^`\\$]*(?:(?:\\.|\$(?!\{))[^`\\$]*)*", re.DOTALL)
_REGULAR_EXPRESSION: Final = re.compile(rb"/((?:[^\\/\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+)/[A-Za-z]*")

#: Bytes after which a slash begins a regular expression; after other bytes it is a division, or closes a JSX tag.
_BEFORE_EXPRESSION: Final = frozenset(b"(,=:[!&|?{;+-*%~^")
_WORD_BEFORE_EXPRESSION: Final = re.compile(
    rb"=>\Z|(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|instanceof|new|do|else|yield|await|throw|from|import|default|as|is|extends|keyof)\Z"
)


def masked(data: bytes) -> bytes:
    """Return `data` with everything but code masked; length and line ends stay."""
    return _Masking(data).run()


class _Masking:
    """One pass over the source. `_open_braces` has the number of open braces for each open template substitution."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._mask = bytearray(data)
        self._open_braces: list[int] = []
        #: The last bytes of the code read so far. They decide the meaning of a slash or an apostrophe.
        self._tail = b""

    def run(self) -> bytes:
        data = self._data
        position = 0
        while True:
            found = (_IN_SUBSTITUTION if self._open_braces else _IN_CODE).search(data, position)
            if found is None:
                return bytes(self._mask)
            code = data[position : found.start()].rstrip()
            if code:
                self._tail = code[-16:]
            position = self._mask_at(found.start())

    def _mask_at(self, start: int) -> int:
        """Mask the string, comment or other text at `start`, and return the offset after it."""
        kind = self._data[start : start + 1]
        if kind in _STRING:
            return self._mask_string(start, kind)
        if kind == b"/":
            return self._mask_slash(start)
        if kind == b"`":
            return self._mask_template(start + 1)
        return self._mask_brace(start)

    def _mask_string(self, start: int, quote: bytes) -> int:
        string = _STRING[quote].match(self._data, start)
        adjacent = self._data[start - 1 : start]
        is_text = (adjacent.isalnum() or adjacent in (b"_", b"$")) and not _WORD_BEFORE_EXPRESSION.search(self._tail)
        if string is None or is_text:
            return start + 1
        self._underscore(start + 1, string.end() - 1)
        self._tail = b'"'
        return string.end()

    def _mask_slash(self, start: int) -> int:
        data = self._data
        following = data[start + 1 : start + 2]
        if following == b"/" and not data.endswith((b"https:", b"http:"), start - 6, start):
            return self._mask_comment(start, data.find(b"\n", start))
        if following == b"*":
            return self._mask_comment(start, data.find(b"*/", start + 2) + 2)
        tail = self._tail
        if not tail or tail[-1] in _BEFORE_EXPRESSION or _WORD_BEFORE_EXPRESSION.search(tail):
            expression = _REGULAR_EXPRESSION.match(data, start)
            if expression is not None:
                self._underscore(expression.start(1), expression.end(1))
                self._tail = b"/"
                return expression.end()
        self._tail = b"/"
        return start + 1

    def _mask_comment(self, start: int, end: int) -> int:
        if end <= start:
            end = len(self._data)
        self._mask[start:end] = blank(self._data[start:end])
        return end

    def _mask_template(self, start: int) -> int:
        """Mask template text from `start` up to the closing backtick or the next substitution."""
        text = _TEMPLATE_TEXT.match(self._data, start)
        end = text.end() if text else start
        self._underscore(start, end)
        if self._data[end : end + 1] == b"$":
            self._open_braces.append(0)
            self._tail = b"{"
            return end + 2
        self._tail = b"`"
        return end + 1

    def _mask_brace(self, start: int) -> int:
        if self._data[start] == ord("{"):
            self._open_braces[-1] += 1
            self._tail = b"{"
            return start + 1
        if self._open_braces[-1] == 0:
            self._open_braces.pop()
            return self._mask_template(start + 1)
        self._open_braces[-1] -= 1
        self._tail = b"}"
        return start + 1

    def _underscore(self, start: int, end: int) -> None:
        self._mask[start:end] = self._data[start:end].translate(_TO_UNDERSCORES)
