"""Leave the rows of data out of a dump, in time linear in its length, so that only its definitions are indexed.

    INSERT INTO boats (id) VALUES (1), (2);     becomes     INSERT INTO boats (id) VALUES ;

Line ends stay, so that line numbers do not change.
"""

from __future__ import annotations

import re
from typing import Final

from .dialects import has_backslashes

#: Minimum size, in bytes, of a file whose rows are left out.
MIN_DUMP: Final = 1_000_000
#: The beginning of a statement with rows, up to the rows: one line with the table.
_BEGINNING: Final = re.compile(
    rb"^[ \t]*(?:(?P<insert>(?:INSERT|REPLACE)\b[^;'\n]{0,20000}?\bVALUES\b)|COPY\b[^;'\n]{0,20000}?\bFROM[ \t]+stdin\b[^;\n]*;)",
    re.MULTILINE | re.IGNORECASE,
)
#: Rows of `INSERT` up to the end of the statement: with backslash escapes as in MySQL, and without.
_ROWS: Final = re.compile(rb"(?:[^;'\"]++|'(?:[^'\\]++|''|\\.)*+'|\"(?:[^\"\\]++|\\.)*+\")*+", re.DOTALL)
_STANDARD_ROWS: Final = re.compile(rb"(?:[^;'\"]++|'(?:[^']++|'')*+'|\"[^\"]*+\")*+", re.DOTALL)
#: Number of bytes at the beginning of a file in which its dialect is detected.
_HEAD: Final = 100_000


def without_rows(data: bytes) -> bytes:
    """Return a dump without its rows of data. A file below `MIN_DUMP` is returned unchanged."""
    if len(data) < MIN_DUMP:
        return data
    rows = _ROWS if has_backslashes(data[0:_HEAD].decode("utf-8", "replace"), "") else _STANDARD_ROWS
    pieces: list[bytes] = []
    #: Beginnings of earlier statements. A repeated statement is left out completely.
    seen: set[bytes] = set()
    at = 0
    while (match := _BEGINNING.search(data, at)) is not None:
        is_new = match[0] not in seen
        seen.add(match[0])
        first = match.end() if is_new else match.start()
        pieces.append(data[at:first])
        at = _end_of_rows(data, match, rows)
        if not is_new:
            at = min(at + (match["insert"] is not None), len(data))
        pieces.append(b" " + b"\n" * data.count(b"\n", first, at))
    pieces.append(data[at:])
    return b"".join(pieces)


def _end_of_rows(data: bytes, match: re.Match[bytes], rows: re.Pattern[bytes]) -> int:
    if match["insert"] is None:
        closed = data.find(b"\n\\.", match.end())
        return closed if closed >= 0 else len(data)
    found = rows.match(data, match.end())
    end = found.end() if found is not None else match.end()
    return end if end < len(data) and data[end : end + 1] == b";" else len(data)
