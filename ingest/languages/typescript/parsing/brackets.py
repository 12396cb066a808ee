"""Matching brackets in masked source, the angle brackets of types among them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

_FORWARD: Final = re.compile(rb"=>|[<>(){}\[\];]")
#: Type arguments and parameter lists longer than this are not looked through.
REACH: Final = 20_000

#: Blanks are looked through in steps of so many bytes: a masked comment is a long run of them.
_STEP: Final = 256

_BRACKET: Final = re.compile(rb"[(){}\[\]]")
_ALIKE: Final = bytes.maketrans(b"[{]}", b"(())")
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"(){}[]"))

#: Bytes that are read at once for the brackets that they leave open.
_STRETCH: Final = 2_048

_CLOSES: Final = {b"<": b">", b"(": b")", b"[": b"]", b"{": b"}"}


def closing(mask: bytes, opening: int) -> int:
    """Offset after the bracket that closes the one at `opening`, which may be `<`; -1 when there is none in reach."""
    expected: list[bytes] = []
    for found in _FORWARD.finditer(mask, opening, opening + REACH):
        token = found[0]
        if token == b"=>":
            continue
        if token in _CLOSES:
            expected.append(_CLOSES[token])
        elif token == b";":
            if b"}" not in expected:
                return -1
        elif not expected or token != expected.pop():
            return -1
        if not expected:
            return found.end()
    return -1


def opening_angle(mask: bytes, closing_angle: int) -> int:
    """Offset of the `<` that the `>` at `closing_angle` closes; -1 when there is none in reach."""
    depth = 0
    position = closing_angle
    braces = 0
    first = max(0, closing_angle - REACH)
    while position >= first:
        character = mask[position]
        if character == 0x3E and mask[position - 1] != 0x3D:
            depth += 1
        elif character == 0x3C:
            depth -= 1
            if depth == 0:
                return position
        elif character in b"})]":
            braces += 1
        elif character in b"{([":
            braces -= 1
            if braces < 0:
                return -1
        elif character == 0x3B and braces == 0:
            return -1
        position -= 1
    return -1


def end_of_code_before(mask: bytes, position: int) -> int:
    """Offset after the last byte of code before `position`."""
    while position > 0:
        code = mask[max(0, position - _STEP) : position].rstrip()
        if code:
            return max(0, position - _STEP) + len(code)
        position -= _STEP
    return 0


def enclosing_brackets(mask: bytes, offsets: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Each offset, in order, with that of the innermost bracket open there, which is none of `<`; -1 where none is open.

    Whatever closes closes the bracket opened last.
    """
    #: Stretches of the mask with brackets still open: start, end, and how many of those that it leaves open.
    stretches: list[tuple[int, int, int]] = []
    start = 0
    last, opening = None, -1
    for offset in offsets:
        for end in (*range(start + _STRETCH, offset, _STRETCH), offset):
            _read_stretch(mask, start, end, stretches)
            start = end
        innermost = stretches[-1] if stretches else None
        if innermost != last:
            last, opening = innermost, _left_open(mask, *innermost) if innermost is not None else -1
        yield offset, opening


def _read_stretch(mask: bytes, start: int, end: int, stretches: list[tuple[int, int, int]]) -> None:
    # Almost every bracket is closed in its stretch, and `replace` takes such pairs away far faster than a loop could.
    brackets = mask[start:end].translate(_ALIKE, _NO_BRACKETS)
    while b"()" in brackets:
        brackets = brackets.replace(b"()", b"")
    opened = brackets.count(b"(")
    closed = len(brackets) - opened
    while closed and stretches:
        first, last, left = stretches.pop()
        if left > closed:
            stretches.append((first, last, left - closed))
        closed = max(0, closed - left)
    if opened:
        stretches.append((start, end, opened))


def _left_open(mask: bytes, start: int, end: int, count: int) -> int:
    """Offset of the last of the first `count` brackets that a stretch leaves open."""
    opened: list[int] = []
    for found in _BRACKET.finditer(mask, start, end):
        if found[0] in b"([{":
            opened.append(found.start())
        elif opened:
            opened.pop()
    return opened[count - 1]
