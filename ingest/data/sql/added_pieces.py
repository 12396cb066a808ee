"""Find the tables of statements that code adds together from several strings: `builder.WriteString("FROM boats ")`.

No string is a complete statement, so each string tells only the tables whose names follow `FROM` or `JOIN` in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ...facts.data import ObjectName, Query, TableUse
from .code_strings import QUOTE, CodeStrings

#: A string that code adds to a text or to a list in a variable, or with which it begins one.
_ADDED: Final = re.compile(
    r"(?:\b(?P<name>[A-Za-z_]\w*+)(?:\.(?:WriteString|append|Append|AppendLine|appendLine|push)\(\s*+|\s*+\+=\s*+"
    r"|\s*+:?=\s*+(?:new\s++)?(?:StringBuilder\(|StringBuffer\(|\[)\s*+)|\bFprint(?:f|ln)?\(\s*+&?(?P<target>[A-Za-z_]\w*+),\s*+)"
    r"[rbfuRBFU]?" + QUOTE
)
_VERB: Final = re.compile(r"\s*+(?:(?:SELECT|WITH|UPDATE)\b|INSERT\s++INTO\b|DELETE\s++FROM\b|(?:select|with)\b)")
_TABLE: Final = re.compile(
    r"(?P<word>\b(?:FROM|JOIN|from|join)\s++)[\"`\[]?(?P<name>[A-Za-z_]\w*+(?:\.[A-Za-z_]\w*+)?)(?!\w*\s*+\()"
)
#: Code in front of `FROM` where no table follows: `DELETE FROM boats`, `IS DISTINCT FROM name`, `EXTRACT(DAY FROM made)`.
_OTHER_FROM: Final = re.compile(
    r"(?:\b(?:DELETE|DISTINCT)\s+|\b(?:EXTRACT|TRIM|SUBSTRING|OVERLAY)\s?\([^()]{0,80})\Z", re.IGNORECASE
)
#: The name of a query that a statement declares for itself: `WITH old AS (`.
_NAMED: Final = re.compile(r"\b(\w++)\s++AS\s++(?:(?:NOT\s++)?MATERIALIZED\s++)?\(", re.IGNORECASE)
#: Number of characters in front of `FROM` that are looked at.
_MAX_BEFORE: Final = 120
#: Maximum number of strings of a file.
_MAX_PIECES: Final = 2_000


class _Piece(NamedTuple):
    """A string that code adds to a text."""

    text: str
    line: int


def added_tables(text: str, owners: Sequence[int], dialect: str) -> Iterator[Query]:
    """Yield a statement for each table in the strings of a code that several strings form. `owners` has the symbols of lines."""
    for symbol, pieces in _texts(text, owners):
        begins = next((at for at, each in enumerate(pieces) if _VERB.match(each.text) is not None), len(pieces))
        whole = "".join(each.text for each in pieces[begins:])
        own = {each.lower() for each in _NAMED.findall(whole)}
        seen: set[str] = set()
        for at in range(begins, len(pieces)):
            following = pieces[at + 1].text if at + 1 < len(pieces) else " "
            for name in _tables(pieces[at].text, following):
                if name.lower() not in own and name not in seen:
                    seen.add(name)
                    schema, _, table = name.rpartition(".")
                    use = TableUse(ObjectName(table, schema), False)
                    yield Query(symbol, pieces[at].line, "select", [use], "string", dialect, True)


def _texts(text: str, owners: Sequence[int]) -> Iterator[tuple[int, list[_Piece]]]:
    """Yield the strings that the code of a symbol adds to a variable, of variables with at least two strings."""
    strings = CodeStrings(text)
    found: dict[tuple[int, str], list[_Piece]] = {}
    line, at, end = 1, 0, 0
    for count, match in enumerate(_ADDED.finditer(text)):
        if count >= _MAX_PIECES:
            break
        joined = strings.joined(match, match.end()) if match.start() >= end else None
        if joined is None:
            continue
        end = joined.end
        line, at = line + text.count("\n", at, match.start()), match.start()
        key = (owners[min(line, len(owners) - 1)], match["name"] or match["target"])
        found.setdefault(key, []).append(_Piece(joined.text, line))
    for (symbol, _), pieces in found.items():
        if symbol >= 0 and len(pieces) > 1:
            yield symbol, pieces


def _tables(text: str, following: str) -> Iterator[str]:
    """Yield the tables that a string names completely."""
    for match in _TABLE.finditer(text):
        is_open = match.end() == len(text) and (following[:1].isalnum() or following[:1] in ("_", "."))
        before = text[max(0, match.start() - _MAX_BEFORE) : match.start()]
        if not is_open and _OTHER_FROM.search(before) is None:
            yield match["name"]
