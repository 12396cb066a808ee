"""The lists, tables and blocks of code in a section of any type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count, takewhile
from typing import Final

from ..sections import Table
from .parts import Entry, Part, plain, short
from .structured_forms import CodeBlocks, FrontMatter, ListedBlock, ListItem, Lists, Structure, Tables, WrittenList, WrittenTable

#: Maximum number of lines from the end of an item to the next item of the same list. One blank line may be between the items.
_MAX_GAP: Final = 2
#: Maximum number of rows in a table, and of items in a list, including nested lists.
_MAX_ROWS: Final = 1_000


def written_parts(part: Part) -> Iterator[Structure]:
    """Yield the lists, the tables and the blocks of code of a section, each kind as one structure."""
    lists = list(_lists(part.entries()))
    if lists:
        yield Structure("list", _common([each.kind for each in lists]), Lists(lists))
    if part.tables:
        yield Structure("table", "table", Tables([_table(table) for table in part.tables]))
    if part.code:
        blocks = [ListedBlock(block.language.lower(), block.line, block.text.rstrip("\n").count("\n") + 1) for block in part.code]
        yield Structure("code", _common([block.language or "text" for block in blocks]), CodeBlocks(blocks))


def front_matter(fields: Mapping[str, str]) -> Structure:
    """Return the fields at the head of a document."""
    return Structure("front matter", "fields", FrontMatter({name: short(value) for name, value in fields.items()}))


def _common(forms: Sequence[str]) -> str:
    """Return the common form of all parts, or "mixed"."""
    return forms[0] if len(set(forms)) == 1 else "mixed"


def _lists(entries: Sequence[Entry]) -> Iterator[WrittenList]:
    """Yield the lists to which some items belong. A list ends if the kind changes or if other text follows an item."""
    held: list[Entry] = []
    for entry in entries:
        if held and (_kind(entry) != _kind(held[0]) or entry.item.line - _end_line(held[-1]) > _MAX_GAP):
            yield _list(held)
            held = []
        held.append(entry)
    if held:
        yield _list(held)


def _end_line(entry: Entry) -> int:
    return max([entry.item.end_line, *(_end_line(each) for each in entry.inner[-1:])])


def _kind(entry: Entry) -> str:
    if entry.item.is_done is not None:
        return "checkbox"
    return "numbered" if entry.item.is_numbered else "bullet"


def _list(entries: Sequence[Entry]) -> WrittenList:
    return WrittenList(_kind(entries[0]), _items(entries, count(1)), entries[0].item.line)


def _items(entries: Sequence[Entry], numbers: Iterator[int]) -> list[ListItem]:
    """Return the items with their nested items, up to the maximum number of items."""
    return [_item(entry, numbers) for entry in takewhile(lambda _: next(numbers) <= _MAX_ROWS, entries)]


def _item(entry: Entry, numbers: Iterator[int]) -> ListItem:
    item = entry.item
    inner = _items(entry.inner, numbers)
    kind = _kind(entry.inner[0]) if inner else ""
    return ListItem(short(plain(item.text)), item.line, item.is_done, item.number, kind, inner)


def _table(table: Table) -> WrittenTable:
    """Return the rows of a table as dictionaries by name of the column, without empty cells."""
    names = list(_headings(table.header))
    rows = table.rows[:_MAX_ROWS]
    records = [{name: short(cell) for name, cell in zip(names, row, strict=False) if cell.strip()} for row in rows]
    return WrittenTable(names, records, table.line)


def _headings(header: Sequence[str]) -> Iterator[str]:
    """Yield the names of the columns. An empty or repeated heading gets the number of its column."""
    seen: set[str] = set()
    for number, heading in enumerate(header, 1):
        name = short(heading) or f"column {number}"
        while name in seen:
            name = f"{name} ({number})"
        seen.add(name)
        yield name
