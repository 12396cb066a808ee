"""Find where JavaScript in markup ends, in one pass: brackets are counted outside of strings, templates, comments and regular
expressions."""

from __future__ import annotations

import re
from typing import Final

_NOTABLE: Final = re.compile(rb"""["'`/(){}\[\]]""")
_DOUBLE: Final = re.compile(rb'"[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*"')
_SINGLE: Final = re.compile(rb"'[^'\\\n]*(?:\\[\s\S][^'\\\n]*)*'")
#: Signs that end the text of a template, or escape the next character.
IN_TEMPLATE: Final = re.compile(rb"[`\\]|\$\{")
#: A regular expression. The length of its parts is limited, so that an unclosed expression takes constant time.
_REGEX: Final = re.compile(rb"/(?![*/])(?:[^/\\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n]){0,200}\]){1,300}/")
#: Ends of code after which a slash begins a regular expression.
_BEFORE_REGEX: Final = re.compile(rb"(?:[(,=:\[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of))\Z")
_CLOSERS: Final = {b"(": b")", b"[": b"]", b"{": b"}"}


def expression_end(data: bytes, start: int, end: int) -> int:
    """Return the offset of the `}` that closes the code from `start` on, or -1 if there is none before `end`."""
    at, is_closed = _scan(data, start, end)
    return at if is_closed else -1


def is_balanced(data: bytes, start: int, end: int) -> bool:
    """Return whether all brackets, strings and templates of code are closed, and no others."""
    at, is_closed = _scan(data, start, end)
    return at == end and not is_closed


def _scan(data: bytes, start: int, end: int) -> tuple[int, bool]:
    """Return the offset of the first closing bracket without an opening bracket, and whether the bracket is a `}`.

    The offset is `end` if all brackets have partners, and -1 if a part is unclosed or a closing bracket has the wrong kind.
    """
    stack: list[bytes] = []
    at = start
    while (found := _NOTABLE.search(data, at, end)) is not None:
        mark, at = found[0], found.end()
        if mark == b'"' or mark == b"'":
            at = string_end(data, found.start(), end)
        elif mark == b"`":
            at = _template_end(data, at, end, stack)
        elif mark == b"/":
            at = slash_end(data, found.start(), start, end)
        elif mark in _CLOSERS:
            stack.append(_CLOSERS[mark])
        elif not stack:
            return found.start(), mark == b"}"
        else:
            expected = stack.pop()
            if expected == b"`" and mark == b"}":
                at = _template_end(data, at, end, stack)
            elif expected != mark:
                return -1, False
        if at < 0:
            return -1, False
    return (-1, False) if stack else (end, False)


def _template_end(data: bytes, at: int, end: int, stack: list[bytes]) -> int:
    """Return the offset after a template, or after its next `${`, which is added to the stack; -1 if the template is unclosed."""
    while (found := IN_TEMPLATE.search(data, at, end)) is not None:
        if found[0] == b"`":
            return found.end()
        if found[0] == b"${":
            stack.append(b"`")
            return found.end()
        at = found.end() + 1
    return -1


def string_end(data: bytes, at: int, end: int) -> int:
    """Return the offset after the string that begins with a quote, or after the quote if the string is not closed on its line."""
    text = (_DOUBLE if data[at : at + 1] == b'"' else _SINGLE).match(data, at, end)
    return text.end() if text is not None else at + 1


def slash_end(data: bytes, at: int, start: int, end: int) -> int:
    """Return the offset after a comment, a regular expression or a slash."""
    following = data[at + 1 : at + 2]
    if following == b"/":
        newline = data.find(b"\n", at, end)
        return newline if newline >= 0 else end
    if following == b"*":
        close = data.find(b"*/", at + 2, end)
        return close + 2 if close >= 0 else end
    before = data[max(start, at - 20) : at].rstrip()
    if not before or _BEFORE_REGEX.search(before) is not None:
        found = _REGEX.match(data, at, end)
        if found is not None:
            return found.end()
    return at + 1


def skeleton(data: bytes, start: int, end: int) -> bytes:
    """Return code of the same length, with spaces inside brackets, strings and templates."""
    text = bytearray(data[start:end])
    depth, opened, at = 0, 0, start
    while (found := _NOTABLE.search(data, at, end)) is not None:
        mark, at = found[0], found.end()
        if mark in _CLOSERS:
            opened = at if depth == 0 else opened
            depth += 1
        elif mark in b")]}":
            depth -= 1
            if depth == 0:
                text[opened - start : found.start() - start] = b" " * (found.start() - opened)
            depth = max(depth, 0)
        else:
            if mark == b"`":
                at = max(_template_end(data, at, end, []), at)
            elif mark == b"/":
                at = slash_end(data, found.start(), start, end)
            else:
                at = string_end(data, found.start(), end)
            if depth == 0 and at - found.start() > 1:
                text[found.start() - start : at - start] = b" " * (at - found.start())
    return bytes(text)
