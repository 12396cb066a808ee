"""Limit an error to the statement that contains it.

After an unclosed bracket the parser may lose the rest of the file. But most code is indented correctly, so the lines with one
indentation are the statements of one body. Each root statement is parsed separately, then the inner statements of each statement
that fails, until the broken statements are found. The broken statements are overwritten with bytes that cannot begin a token: the
grammar turns them into one ERROR node and continues after it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple

from tree_sitter import Node

from .edits import Edit, apply_edits
from .mask import masked
from .trees import Attempt, Grammar

_FIRST_BYTE_OF_LINE: Final = re.compile(rb"^([ \t]*)([^\s])", re.MULTILINE)
#: Texts at the beginning of a line that continue the statement before it.
_CONTINUATION: Final = re.compile(
    rb"[})\]>,.?:|&=*/%;`]|</|\{\s*$|(?:else|catch|finally|extends|implements|from|as|of|in|instanceof|satisfies)(?![\w$])"
)
#: The lines with which git marks the two sides of a conflict.
_CONFLICT_MARKER: Final = re.compile(rb"^(?:<{7}|\|{7}|={7}|>{7})(?: [^\r\n]*)?(?=\r?$)", re.MULTILINE)
_NOT_LINE_ENDS: Final = re.compile(rb"[^\r\n]")
#: No token begins with this byte.
_NO_TOKEN: Final = b"\1"
#: Maximum number of levels of nested bodies that are searched.
_MAX_DEPTH: Final = 12
#: Budget for parsing parts of a file, as a multiple of the bytes of the file.
_MAX_READINGS: Final = 4
#: Bytes that are added to the budget, so that short files get more parses.
_SHORT_FILE: Final = 50_000
#: Maximum number of broken statements in a file; a file with more may not be JavaScript.
_MAX_CULPRITS: Final = 50


class Culprit(NamedTuple):
    """A broken statement: the range of its lines after the first indentation, and the offset of its first error."""

    start: int
    end: int
    error: int


def contained(grammar: Grammar, best: Attempt, repaired: Attempt) -> tuple[Attempt, list[Culprit]]:
    """Return a better attempt, in which culprits are overwritten, and the overwritten culprits.

    If no attempt is better, return `best` and no culprits. `repaired` is the source with repaired gaps of the grammar.
    """
    culprits = [Culprit(*found.span(), found.start()) for found in _CONFLICT_MARKER.finditer(repaired.data)]
    data = apply_edits(repaired.data, [Edit(start, end, b" " * (end - start)) for start, end, _ in culprits])
    lines = _Lines(data)
    damage = _damage(best, lines)
    if damage == 0:
        return best, []
    search = _CulpritSearch(grammar, data, lines)
    blocks = lines.blocks(0, len(lines.indents), 0)
    culprits += islice((culprit for block in blocks for culprit in search.culprits(block)), _MAX_CULPRITS)
    if not 0 < len(culprits) < _MAX_CULPRITS:
        return best, []
    fills = [Edit(start, end, _NOT_LINE_ENDS.sub(_NO_TOKEN, repaired.data[start:end])) for start, end, _ in culprits]
    for base in (best, repaired):
        attempt = grammar.next_attempt(base, fills)
        if _damage(attempt, lines) < damage:
            return attempt, culprits
    return best, []


def _damage(attempt: Attempt, lines: _Lines) -> int:
    """Return the number of bytes in ERROR nodes, and in broken nodes that extend beyond the lines of their statement."""
    damaged = end = 0
    errors = ((site.node.start_byte, site.node.end_byte) for site in attempt.errors)
    for start, stop in sorted([*errors, *_runaway_statements(attempt.tree.root_node, lines)]):
        damaged += max(0, stop - max(start, end))
        end = max(end, stop)
    return damaged


def _runaway_statements(root: Node, lines: _Lines) -> Iterator[tuple[int, int]]:
    waiting = [child for child in root.children if child.has_error]
    while waiting:
        node = waiting.pop()
        if node.end_byte > lines.end_of_statement(node.start_byte):
            yield node.start_byte, node.end_byte
        else:
            waiting += [child for child in node.children if child.has_error]


class _Lines:
    """The lines of code of a source. Lines inside comments and templates do not count."""

    def __init__(self, data: bytes) -> None:
        mask = masked(data)
        if mask.count(b"`") % 2:
            # After an unclosed template, the mask takes templates for code and code for templates, so the mask is not used.
            mask = data
        found = [line for line in _FIRST_BYTE_OF_LINE.finditer(mask) if data[line.start(2)] == mask[line.start(2)]]
        #: Offset of the first byte of code of each line, followed by the end of the source.
        self.starts = [line.start(2) for line in found] + [len(data)]
        self.indents = [line.end(1) - line.start(1) for line in found]
        self._is_beginning = [_CONTINUATION.match(mask, line.start(2)) is None for line in found]
        self._is_decorator = [line[2] == b"@" for line in found]
        #: Offset after the last byte of each line.
        self.ends = [_end_of_line(data, line.start(2)) for line in found]

    def blocks(self, first: int, last: int, indent: int) -> list[tuple[int, int]]:
        """Return the statements at an indentation among the lines from `first` up to `last`.

        A statement is a pair of its first line and the line after its last line.
        """
        blocks: list[tuple[int, int]] = []
        start = -1
        for line in range(first, last):
            if self.indents[line] < indent:
                if start >= 0:
                    blocks.append((start, line))
                start = -1
            elif start < 0:
                start = line
            elif self.indents[line] == indent and self._begins_statement(line):
                blocks.append((start, line))
                start = line
        if start >= 0:
            blocks.append((start, last))
        return blocks

    def end_of_statement(self, start: int) -> int:
        """Return the offset after the statement whose first line contains an offset."""
        line = bisect_right(self.starts, start) - 1
        return self._statement_ends[line] if 0 <= line < len(self.indents) else self.starts[-1]

    @cached_property
    def _statement_ends(self) -> list[int]:
        """For each line, the end of the last line before the next statement at the same or a smaller indentation."""
        ends = [self.starts[-1]] * len(self.indents)
        following: list[int] = []
        for line in range(len(self.indents) - 1, -1, -1):
            while following and not self._ends_statement(line, following[-1]):
                following.pop()
            if following:
                ends[line] = self.ends[following[-1] - 1]
            following.append(line)
        return ends

    def _ends_statement(self, line: int, later: int) -> bool:
        indent = self.indents[later] - self.indents[line]
        return indent < 0 or (indent == 0 and self._begins_statement(later))

    def _begins_statement(self, line: int) -> bool:
        return self._is_beginning[line] and not self._is_decorator[line - 1]

    def inner_blocks(self, first: int, last: int) -> list[tuple[int, int]]:
        """Return the statements in the bodies of the statement that consists of these lines."""
        for line in range(first + 1, last):
            if self.indents[line] > self.indents[first] and self._is_beginning[line]:
                return self.blocks(line, last, self.indents[line])
        return []


def _end_of_line(data: bytes, start: int) -> int:
    end = data.find(b"\n", start)
    end = len(data) if end < 0 else end
    return end - 1 if data[end - 1 : end] == b"\r" else end


class _CulpritSearch:
    def __init__(self, grammar: Grammar, data: bytes, lines: _Lines) -> None:
        self._grammar = grammar
        self._data = data
        self._lines = lines
        self._bytes_left = _MAX_READINGS * len(data) + _SHORT_FILE

    def culprits(self, block: tuple[int, int], before: bytes = b"", after: bytes = b"", depth: int = 0) -> Iterator[Culprit]:
        """Yield the innermost broken statements of a block. The block is parsed between two texts."""
        errors = self._errors(before, self._text(block), after)
        if not errors:
            return
        broken = self._broken_parts(block, before, after) if depth < _MAX_DEPTH else []
        if broken:
            for part, part_before, part_after in broken:
                yield from self.culprits(part, part_before, part_after, depth + 1)
        else:
            start, end = self._lines.starts[block[0]], self._lines.ends[block[1] - 1]
            yield Culprit(start, end, min(max(start, start + errors[0] - len(before)), end - 1))

    def _broken_parts(self, block: tuple[int, int], before: bytes, after: bytes) -> list[tuple[tuple[int, int], bytes, bytes]]:
        """Return the inner statements that fail within their frame, each with the texts around it.

        The frame is the block without inner statements. The result is empty if the frame itself is broken.
        """
        parts = self._lines.inner_blocks(*block)
        frames = self._frames(block, parts)
        if not parts or self._errors(before, b"".join(frames), after):
            return []
        broken = []
        for index, part in enumerate(parts):
            part_before = before + b"".join(frames[: index + 1])
            part_after = b"".join(frames[index + 1 :]) + after
            if self._errors(part_before, self._text(part), part_after):
                broken.append((part, part_before, part_after))
        return broken if len(broken) <= max(2, len(parts) // 2) else []

    def _frames(self, block: tuple[int, int], parts: Sequence[tuple[int, int]]) -> list[bytes]:
        """Return the texts before each part and after the last part."""
        bounds = [block[0], *(line for part in parts for line in part), block[1]]
        return [self._text((bounds[index], bounds[index + 1])) for index in range(0, len(bounds), 2)]

    def _text(self, block: tuple[int, int]) -> bytes:
        return self._data[self._lines.starts[block[0]] : self._lines.starts[block[1]]]

    def _errors(self, before: bytes, text: bytes, after: bytes) -> list[int]:
        """Return the offsets of the errors in the joined text; none if too many bytes were read already."""
        whole = before + text + after
        self._bytes_left -= len(whole)
        if self._bytes_left < 0:
            return []
        return [site.node.start_byte for site in self._grammar.attempt(whole).errors]
