"""Matching brackets in masked source, the angle brackets of types among them."""

from __future__ import annotations

import re
from typing import Final

_FORWARD: Final = re.compile(rb"=>|[<>(){}\[\];]")
#: Type arguments and parameter lists longer than this are not looked through.
REACH: Final = 20_000

#: Blanks are looked through in steps of so many bytes: a masked comment is a long run of them.
_STEP: Final = 256

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
