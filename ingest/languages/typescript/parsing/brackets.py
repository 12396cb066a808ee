"""Match brackets in masked source, also the angle brackets of types."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

_FORWARD: Final = re.compile(rb"=>|[<>(){}\[\];]")

#: Maximum number of bytes that are searched for a matching bracket.
MAX_SPAN: Final = 20_000

#: Budget of searches from single brackets, as a multiple of the length of the mask. After that, all brackets are matched at once.
_MAX_SEARCHES: Final = 4

#: Number of bytes of white space that are skipped in one step; a masked comment is a long run of white space.
_STEP_LENGTH: Final = 256

_BRACKET: Final = re.compile(rb"[(){}\[\]]")
_TO_PARENTHESES: Final = bytes.maketrans(b"[{]}", b"(())")
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"(){}[]"))

#: Length in bytes of the chunks in which open brackets are counted.
_CHUNK_LENGTH: Final = 2_048

_CLOSES: Final = {b"<": b">", b"(": b")", b"[": b"]", b"{": b"}"}


class ClosingBrackets:
    """Finds the closing brackets of a mask.

    The total time is linear in the length of the mask, however many brackets are searched.
    """

    def __init__(self, mask: bytes) -> None:
        self._mask = mask
        #: Bytes that may still be searched from single brackets.
        self._left = _MAX_SEARCHES * len(mask)
        self._ends: dict[int, int] | None = None

    def end(self, opening: int) -> int:
        """Return the offset after the bracket that closes the bracket at `opening`, which may be `<`.

        Return -1 if there is none within `MAX_SPAN` bytes.
        """
        if self._ends is None:
            if self._left > 0:
                return self._search(opening)
            self._ends = dict(_matched(self._mask))
        end = self._ends.get(opening, -1)
        return end if end - opening <= MAX_SPAN else -1

    def _search(self, opening: int) -> int:
        """Search from one bracket. Most sources need the ends of few brackets, so this is faster than to match all."""
        expected: list[bytes] = []
        braces = 0
        last = opening
        for found in _FORWARD.finditer(self._mask, opening, opening + MAX_SPAN):
            token, last = found[0], found.end()
            if token == b"=>":
                continue
            if token in _CLOSES:
                expected.append(_CLOSES[token])
                braces += token == b"{"
            elif token == b";":
                if not braces:
                    break
            elif not expected or token != expected.pop():
                break
            else:
                braces -= token == b"}"
            if not expected:
                self._left -= last - opening
                return last
        self._left -= last - opening
        return -1


def _matched(mask: bytes) -> Iterator[tuple[int, int]]:
    """Yield the offset of each bracket that is closed, and the offset after the bracket that closes it.

    A closing bracket of another kind leaves all open brackets unmatched. Brackets other than braces also stay unmatched around a
    semicolon, unless inner braces contain it.
    """
    #: Offset and kind of each open bracket, and the number of earlier semicolons in the innermost open brace.
    opened: list[tuple[int, bytes, int]] = []
    #: Number of semicolons outside of all braces, then directly within each open brace.
    semicolons = [0]
    for found in _FORWARD.finditer(mask):
        token = found[0]
        if token == b"=>":
            continue
        if token in _CLOSES:
            opened.append((found.start(), token, semicolons[-1]))
            if token == b"{":
                semicolons.append(0)
        elif token == b";":
            semicolons[-1] += 1
        elif opened:
            start, kind, before = opened.pop()
            if _CLOSES[kind] != token:
                opened.clear()
                del semicolons[1:]
                continue
            if kind == b"{":
                semicolons.pop()
            elif semicolons[-1] != before:
                continue
            yield start, found.end()


def opening_angle(mask: bytes, closing_angle: int) -> int:
    """Return the offset of the `<` that the `>` at `closing_angle` closes.

    Return -1 if there is none within `MAX_SPAN` bytes.
    """
    depth = 0
    position = closing_angle
    braces = 0
    first = max(0, closing_angle - MAX_SPAN)
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
    """Return the offset after the last byte of code before `position`."""
    while position > 0:
        code = mask[max(0, position - _STEP_LENGTH) : position].rstrip()
        if code:
            return max(0, position - _STEP_LENGTH) + len(code)
        position -= _STEP_LENGTH
    return 0


def enclosing_brackets(mask: bytes, offsets: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the given offsets in order, each with the offset of the innermost open bracket other than `<`; -1 for none.

    A closing bracket of any kind closes the last opened bracket.
    """
    #: Chunks of the mask that have open brackets: start, end, and number of open brackets.
    chunks: list[tuple[int, int, int]] = []
    start = 0
    last, opening = None, -1
    for offset in offsets:
        for end in (*range(start + _CHUNK_LENGTH, offset, _CHUNK_LENGTH), offset):
            _read_chunk(mask, start, end, chunks)
            start = end
        innermost = chunks[-1] if chunks else None
        if innermost != last:
            last, opening = innermost, _last_unclosed(mask, *innermost) if innermost is not None else -1
        yield offset, opening


def _read_chunk(mask: bytes, start: int, end: int, chunks: list[tuple[int, int, int]]) -> None:
    # Almost every bracket is closed in its chunk, and `replace` removes such pairs far faster than a loop could.
    brackets = mask[start:end].translate(_TO_PARENTHESES, _NO_BRACKETS)
    while b"()" in brackets:
        brackets = brackets.replace(b"()", b"")
    opened = brackets.count(b"(")
    closed = len(brackets) - opened
    while closed and chunks:
        first, last, left = chunks.pop()
        if left > closed:
            chunks.append((first, last, left - closed))
        closed = max(0, closed - left)
    if opened:
        chunks.append((start, end, opened))


def _last_unclosed(mask: bytes, start: int, end: int, count: int) -> int:
    """Return the offset of the last of the first `count` brackets that a chunk leaves open."""
    opened: list[int] = []
    for found in _BRACKET.finditer(mask, start, end):
        if found[0] in b"([{":
            opened.append(found.start())
        elif opened:
            opened.pop()
    return opened[count - 1]
