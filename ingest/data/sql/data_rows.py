"""Leave the rows of data out of a dump, in linear time and without holding the dump in memory.

    INSERT INTO boats (id) VALUES (1), (2);     becomes     INSERT INTO boats (id) VALUES ;

Only the definitions are indexed. Line ends stay, so that lines of the text are lines of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from .dialects import dialect_of, has_backslashes

#: Minimum size, in bytes, of a file whose rows are left out.
MIN_DUMP: Final = 1_000_000
#: Maximum number of bytes from the beginning of a statement with rows to its rows.
_MAX_HEAD: Final = 20_000
#: The beginning of a statement with rows, up to the rows; it names the table, in one line.
_BEGINNING: Final = re.compile(
    rb"^[ \t]*(?:(?P<insert>(?:INSERT|REPLACE)\b[^;'\n]{0,%d}?\bVALUES\b)|COPY\b[^;'\n]{0,%d}?\bFROM[ \t]+stdin\b[^;\n]*;)"
    % (_MAX_HEAD, _MAX_HEAD),
    re.MULTILINE | re.IGNORECASE,
)
#: Rows of `INSERT` up to the end of the statement: with backslash escapes as in MySQL, and without.
_ROWS: Final = re.compile(rb"(?:[^;'\"]++|'(?:[^'\\]++|''|\\.)*+'(?!')|\"(?:[^\"\\]++|\\.)*+\")*+", re.DOTALL)
_STANDARD_ROWS: Final = re.compile(rb"(?:[^;'\"]++|'(?:[^']++|'')*+'(?!')|\"[^\"]*+\")*+", re.DOTALL)
#: The end of the rows of `COPY`.
_COPY_END: Final = b"\n\\."
#: Number of bytes at the beginning of a file in which its dialect is detected.
_HEAD: Final = 100_000


def without_rows(data: bytes) -> bytes:
    """Return a dump without its rows of data. A file below `MIN_DUMP` is returned unchanged."""
    return data if len(data) < MIN_DUMP else condensed([data])


def condensed(blocks: Iterable[bytes]) -> bytes:
    """Return the dump that consists of some blocks, without its rows of data."""
    return b"".join(_Filter(blocks).pieces())


class _Filter:
    """Reads the blocks of a dump, and holds only the part that is not yet read."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._blocks = iter(blocks)
        self._data = b""
        #: Where the unread part of `_data` begins.
        self._at = 0
        self._is_complete = False
        #: Beginnings of earlier statements; a repeated statement is left out completely.
        self._seen: set[bytes] = set()

    def pieces(self) -> Iterator[bytes]:
        self._extend(_HEAD)
        head = self._data[0:_HEAD].decode("utf-8", "replace")
        rows = _ROWS if has_backslashes(head, dialect_of(head)) else _STANDARD_ROWS
        while True:
            found = _BEGINNING.search(self._data, self._at)
            if not self._is_complete and (found is None or found.end() > len(self._data) - _MAX_HEAD):
                # The statement may go on in the next block. A line that begins in this block is searched again.
                kept = self._data.rfind(b"\n", self._at, max(len(self._data) - 2 * _MAX_HEAD, self._at)) + 1
                if found is None and kept > self._at:
                    yield self._data[self._at : kept]
                    self._at = kept
                self._extend(len(self._data) - self._at)
                continue
            if found is None:
                yield self._data[self._at : len(self._data)]
                return
            is_new = found[0] not in self._seen
            self._seen.add(found[0])
            yield self._data[self._at : found.end() if is_new else found.start()]
            lines = 0 if is_new else found[0].count(b"\n")
            self._at = found.end()
            lines += self._skip_copied() if found["insert"] is None else self._skip_rows(rows)
            if not is_new and found["insert"] is not None:
                self._at = min(self._at + 1, len(self._data))
            yield b" " + b"\n" * lines

    def _skip_rows(self, rows: re.Pattern[bytes]) -> int:
        """Skip the rows of `INSERT`, and return the number of their lines. Rows without an end last until the end of the file."""
        lines = 0
        while True:
            match = rows.match(self._data, self._at)
            end = match.end() if match is not None else self._at
            is_end = end < len(self._data) and self._data[end : end + 1] == b";"
            if not is_end and self._is_complete:
                end = len(self._data)
            lines += self._data.count(b"\n", self._at, end)
            self._at = end
            if is_end or self._is_complete:
                return lines
            # A string may continue in the next blocks. Each extension is as long as the part that is read again.
            self._extend(len(self._data) - self._at)

    def _skip_copied(self) -> int:
        """Skip the rows of `COPY`, and return the number of their lines."""
        lines = 0
        while True:
            end = self._data.find(_COPY_END, self._at)
            if end < 0:
                end = len(self._data) if self._is_complete else max(len(self._data) - len(_COPY_END), self._at)
                is_end = self._is_complete
            else:
                is_end = True
            lines += self._data.count(b"\n", self._at, end)
            self._at = end
            if is_end:
                return lines
            self._extend(1)

    def _extend(self, count: int) -> None:
        """Drop what was read, and add blocks with at least a number of bytes, or all blocks that are left."""
        parts = [self._data[self._at : len(self._data)]]
        added = 0
        while added < max(count, 1):
            block = next(self._blocks, None)
            if block is None:
                self._is_complete = True
                break
            parts.append(block)
            added += len(block)
        self._data, self._at = b"".join(parts), 0
