"""Cut a text that is too long for an embedding model: between statements, else between their parts, else between lines.

Only embedding cuts a chunk. Answers show and count the whole chunk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from ..files.source_text import SourceText
from .byte_ranges import decoded

#: Maximum length of a piece, in characters: 32,000 tokens of four characters, which current models accept.
MAX_PIECE_LENGTH = 128_000


def embedding_cuts(text: str, kept: Sequence[tuple[int, int, int]], root: Node, source: SourceText) -> list[int]:
    """Return ascending offsets that cut `text` into pieces of at most `MAX_PIECE_LENGTH` characters.

    `kept` are the ranges of the source in the text: first byte, end, and the offset of the first byte in the text.
    """
    if len(text) <= MAX_PIECE_LENGTH:
        return []
    begin, end = kept[0][0], kept[-1][1]
    holder = root.descendant_for_byte_range(begin, end - 1) or root
    return list(_needed_cuts(list(_places(_boundaries(holder, begin, end, source.data), kept, source.data)), text))


def _boundaries(root: Node, begin: int, end: int, data: bytes) -> list[int]:
    """Return byte offsets between `begin` and `end` that cut a node into pieces, at the highest possible level."""
    found: list[int] = []
    at = begin
    levels = [(iter(root.named_children), end)]
    while levels:
        children, end = levels[-1]
        for child in children:
            start, stop = child.start_byte, min(child.end_byte, end)
            if stop - at <= MAX_PIECE_LENGTH:
                continue
            if start > at:
                found += (*_line_ends(data, at, start), start)
                at = start
            if stop - at > MAX_PIECE_LENGTH:
                levels.append((iter(child.named_children), stop))
                break
        else:
            found += _line_ends(data, at, end)
            at = found[-1] if found else at
            levels.pop()
    return found


def _line_ends(data: bytes, at: int, end: int) -> Iterator[int]:
    """Yield offsets that cut a node without parts, such as a long string: after lines, else between any two characters."""
    while end - at > MAX_PIECE_LENGTH:
        newline = data.rfind(b"\n", at + 1, at + MAX_PIECE_LENGTH) + 1
        at = newline or _character_start(data, at + MAX_PIECE_LENGTH)
        yield at


def _character_start(data: bytes, offset: int) -> int:
    while data[offset] & 0xC0 == 0x80:
        offset -= 1
    return offset


def _places(offsets: Sequence[int], kept: Sequence[tuple[int, int, int]], data: bytes) -> Iterator[int]:
    """Yield the offsets in the text that correspond to ascending offsets in the source, without offsets in omitted source."""
    ranges = iter(kept)
    at, end, place = next(ranges)
    for offset in offsets:
        while offset > end:
            found = next(ranges, None)
            if found is None:
                return
            at, end, place = found
        if offset >= at:
            place += len(decoded(data, at, offset))
            at = offset
            yield place


def _needed_cuts(places: Sequence[int], text: str) -> Iterator[int]:
    """Yield the offsets among the ascending `places` at which the text must be cut so that no piece is too long."""
    at = 0
    for place, following in zip(places, [*places[1:], len(text)], strict=True):
        if following - at > MAX_PIECE_LENGTH and place > at:
            yield place
            at = place
