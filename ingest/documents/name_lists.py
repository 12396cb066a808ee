"""Read the names at the beginning of the items of lists and of the rows of tables, which often are the members of one type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from .code_terms import key_name
from .data_keys import FIELD
from .names import has_several_words, read_name
from .sections import Document, Item, Reference

#: Minimum and maximum number of names beside each other that are read.
_MIN_NAMES: Final = 2
_MAX_NAMES: Final = 100
#: Maximum length of a name, in characters.
_MAX_LENGTH: Final = 60
#: Maximum number of lines from the end of an item to the next item of the same list.
_MAX_GAP: Final = 2
#: Number of columns of a table that are searched for names.
_MAX_COLUMNS: Final = 2
#: A key of several words with dashes between them: `max-items`.
_KEY: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
_MARKUP: Final = "`*_[ "


def listed_names(document: Document, lines: Sequence[str]) -> Iterator[Reference]:
    """Yield the names that begin the items of lists and the rows of tables, each with the names beside it, like keys of data."""
    headings = [heading.line for heading in document.headings]
    for group in (*_of_lists(document.items, headings), *_of_tables(document)):
        named = [(name, line) for text, line in group if (name := _name(text))][:_MAX_NAMES]
        names = tuple(dict.fromkeys(key_name(name) for name, _ in named))
        if len(names) >= _MIN_NAMES:
            for name, line in named:
                written = lines[line - 1] if line <= len(lines) else ""
                place = written.find(f"`{name}`") + 1 or max(written.find(name), 0)
                yield Reference(FIELD, key_name(name), line, place + 1, names)


def _of_lists(items: Sequence[Item], headings: Sequence[int]) -> list[list[tuple[str, int]]]:
    """Return the beginnings of the items of each list, with their lines. A heading ends all lists."""
    groups: list[list[tuple[str, int]]] = []
    #: The open lists, the outermost first, each with the last line of its last item.
    opened: list[tuple[int, int, list[tuple[str, int]]]] = []
    at = 0
    for item in items:
        while at < len(headings) and headings[at] <= item.line:
            opened.clear()
            at += 1
        while opened and opened[-1][0] > item.depth:
            opened.pop()
        if opened and opened[-1][0] == item.depth:
            _, end, group = opened.pop()
            if item.line - end > _MAX_GAP:
                groups.append(group := [])
        else:
            groups.append(group := [])
        opened.append((item.depth, max(item.end_line, item.line), group))
        group.append((item.lead, item.line))
    return groups


def _of_tables(document: Document) -> Iterator[list[tuple[str, int]]]:
    """Yield the cells of the column with names of each table: the second one if the first one has none, such as flags."""
    for table in document.tables:
        for column in range(_MAX_COLUMNS):
            cells = [(row[column], table.row_line(place)) for place, row in enumerate(table.rows) if len(row) > column]
            if sum(bool(_name(text)) for text, _ in cells) >= _MIN_NAMES:
                yield cells
                break


def _name(text: str) -> str:
    """Return the single name or key that a text is, perhaps with markup; "" for other texts and plain words with a capital."""
    plain = text.strip(_MARKUP).rstrip("]:?")
    if _KEY.fullmatch(plain[:_MAX_LENGTH]) is not None:
        return plain
    name = read_name(plain) if plain and len(plain) <= _MAX_LENGTH else None
    if name is None or len(name.parts) != 1:
        return ""
    [last] = name.parts
    return "" if last[:1].isupper() and not has_several_words(last) else last
