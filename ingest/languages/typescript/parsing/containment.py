"""Keeping an error to the code that holds it.

After an unclosed bracket the parser may lose the rest of the file. But most code is indented as it is meant: lines at one
indentation are the statements of one body. So each root statement is parsed alone, and of those that fail the inner statements,
until the broken ones are found. They are overwritten with bytes that can begin no token: the grammar makes one ERROR node of such
a run and reads on after it.
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
#: What begins a line that goes on with the statement before it.
_GOES_ON: Final = re.compile(
    rb"[})\]>,.?:|&=*/%;`]|</|\{\s*$|(?:else|catch|finally|extends|implements|from|as|of|in|instanceof|satisfies)(?![\w$])"
)
#: The lines that git leaves around the two sides of a conflict.
_CONFLICT_MARKER: Final = re.compile(rb"^(?:<{7}|\|{7}|={7}|>{7})(?: [^\r\n]*)?(?=\r?$)", re.MULTILINE)
_NOT_LINE_ENDS: Final = re.compile(rb"[^\r\n]")
#: No token begins with this byte.
_NO_TOKEN: Final = b"\1"
#: Bodies inside bodies that are looked into.
_DEEPEST: Final = 12
#: Parsing of parts may read so many times the bytes of the file.
_MAX_READINGS: Final = 4
_SHORT_FILE: Final = 50_000
#: A file with more broken statements is not worth the search: it may be no JavaScript at all.
_MAX_CULPRITS: Final = 50


class Culprit(NamedTuple):
    """Broken code: the bytes of its lines without the indentation of the first, and where its first error is."""

    start: int
    end: int
    error: int


def contained(grammar: Grammar, best: Attempt, mended: Attempt) -> tuple[Attempt, list[Culprit]]:
    """A better attempt, in which culprits are overwritten, and the culprits; `best` and none where it would be no better.

    `mended` is the same source with the gaps of the grammar mended in its data.
    """
    culprits = [Culprit(*found.span(), found.start()) for found in _CONFLICT_MARKER.finditer(mended.data)]
    data = apply_edits(mended.data, [Edit(start, end, b" " * (end - start)) for start, end, _ in culprits])
    lines = _Lines(data)
    harm = _harm(best, lines)
    if harm == 0:
        return best, []
    search = _CulpritSearch(grammar, data, lines)
    blocks = lines.blocks(0, len(lines.indents), 0)
    culprits += islice((culprit for block in blocks for culprit in search.culprits(block)), _MAX_CULPRITS)
    if not 0 < len(culprits) < _MAX_CULPRITS:
        return best, []
    fills = [Edit(start, end, _NOT_LINE_ENDS.sub(_NO_TOKEN, mended.data[start:end])) for start, end, _ in culprits]
    for base in (best, mended):
        attempt = grammar.next_attempt(base, fills)
        if _harm(attempt, lines) < harm:
            return attempt, culprits
    return best, []


def _harm(attempt: Attempt, lines: _Lines) -> int:
    """Bytes of ERROR nodes, and of broken nodes that run on beyond the lines that are theirs by indentation."""
    harmed = end = 0
    errors = ((site.node.start_byte, site.node.end_byte) for site in attempt.errors)
    for start, stop in sorted([*errors, *_runaways(attempt.tree.root_node, lines)]):
        harmed += max(0, stop - max(start, end))
        end = max(end, stop)
    return harmed


def _runaways(root: Node, lines: _Lines) -> Iterator[tuple[int, int]]:
    waiting = [child for child in root.children if child.has_error]
    while waiting:
        node = waiting.pop()
        if node.end_byte > lines.end_of_statement(node.start_byte):
            yield node.start_byte, node.end_byte
        else:
            waiting += [child for child in node.children if child.has_error]


class _Lines:
    """The lines of code of a source. Lines inside comments and templates are none."""

    def __init__(self, data: bytes) -> None:
        mask = masked(data)
        if mask.count(b"`") % 2:
            # A template has no end, so what the mask takes for templates after it may be code.
            mask = data
        found = [line for line in _FIRST_BYTE_OF_LINE.finditer(mask) if data[line.start(2)] == mask[line.start(2)]]
        #: Offset of each line's first byte of code; after the last one the end of the source.
        self.starts = [line.start(2) for line in found] + [len(data)]
        self.indents = [line.end(1) - line.start(1) for line in found]
        self._begins = [_GOES_ON.match(mask, line.start(2)) is None for line in found]
        self._is_decorator = [line[2] == b"@" for line in found]
        #: Offset after the last byte of each line.
        self.ends = [_end_of_line(data, line.start(2)) for line in found]

    def blocks(self, first: int, last: int, indent: int) -> list[tuple[int, int]]:
        """The statements at an indentation among the lines from `first` up to `last`: first line and the line after the last."""
        blocks: list[tuple[int, int]] = []
        start = -1
        for line in range(first, last):
            if self.indents[line] < indent:
                if start >= 0:
                    blocks.append((start, line))
                start = -1
            elif start < 0:
                start = line
            elif self.indents[line] == indent and self._begins_anew(line):
                blocks.append((start, line))
                start = line
        if start >= 0:
            blocks.append((start, last))
        return blocks

    def end_of_statement(self, start: int) -> int:
        """Offset after the lines of the statement in whose first line an offset is."""
        line = bisect_right(self.starts, start) - 1
        return self._statement_ends[line] if 0 <= line < len(self.indents) else self.starts[-1]

    @cached_property
    def _statement_ends(self) -> list[int]:
        """For each line the end of the last one before a statement at its indentation, or at a smaller one."""
        ends = [self.starts[-1]] * len(self.indents)
        following: list[int] = []
        for line in range(len(self.indents) - 1, -1, -1):
            while following and not self._ends_before(line, following[-1]):
                following.pop()
            if following:
                ends[line] = self.ends[following[-1] - 1]
            following.append(line)
        return ends

    def _ends_before(self, line: int, later: int) -> bool:
        indent = self.indents[later] - self.indents[line]
        return indent < 0 or (indent == 0 and self._begins_anew(later))

    def _begins_anew(self, line: int) -> bool:
        return self._begins[line] and not self._is_decorator[line - 1]

    def inner_blocks(self, first: int, last: int) -> list[tuple[int, int]]:
        """The statements of the bodies of the statement that these lines are."""
        for line in range(first + 1, last):
            if self.indents[line] > self.indents[first] and self._begins[line]:
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
        """The innermost broken statements of a block, which stands between two texts."""
        errors = self._errors(before, self._text(block), after)
        if not errors:
            return
        broken = self._broken_parts(block, before, after) if depth < _DEEPEST else []
        if broken:
            for part, part_before, part_after in broken:
                yield from self.culprits(part, part_before, part_after, depth + 1)
        else:
            start, end = self._lines.starts[block[0]], self._lines.ends[block[1] - 1]
            yield Culprit(start, end, min(max(start, start + errors[0] - len(before)), end - 1))

    def _broken_parts(self, block: tuple[int, int], before: bytes, after: bytes) -> list[tuple[tuple[int, int], bytes, bytes]]:
        """The inner statements that fail within the frame, with what stands around them; none when the frame itself is broken."""
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
        """What stands before each part and after the last."""
        bounds = [block[0], *(line for part in parts for line in part), block[1]]
        return [self._text((bounds[index], bounds[index + 1])) for index in range(0, len(bounds), 2)]

    def _text(self, block: tuple[int, int]) -> bytes:
        return self._data[self._lines.starts[block[0]] : self._lines.starts[block[1]]]

    def _errors(self, before: bytes, text: bytes, after: bytes) -> list[int]:
        """Offsets of the errors in the joined text; none, too, when enough has been read."""
        whole = before + text + after
        self._bytes_left -= len(whole)
        if self._bytes_left < 0:
            return []
        return [site.node.start_byte for site in self._grammar.attempt(whole).errors]
