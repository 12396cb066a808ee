"""A section with its lists, tables, code and inner sections, for the readers of section types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ..diagrams.diagram_parts import Diagram
from ..sections import CodeBlock, Document, Item, Section, Table
from .structured_forms import Raw, Structure

#: Maximum length of a text in a field, in characters.
MAX_TEXT: Final = 400
#: Form of the structure of a section whose text does not have the form of its type.
TEXT: Final = "text"
#: Maximum length of the text of a section that does not match the form of its type, in characters.
_MAX_RAW: Final = 4_000
#: Lines that do not begin a paragraph: headings and their underlines, lists, tables, fences, quotes, images, directives and HTML.
_NO_PARAGRAPH: Final = re.compile(
    r"\s*(?:#|=|[-*+][ \t]|\d+[.)][ \t]|\||```|~~~|!\[|\[!\[|<|:::|\.\. |\[\[|---|-{3,}|~{3,}|\*{3,}$)"
)
#: An item of a list, and an item that ends the previous paragraph.
_ANY_ITEM: Final = re.compile(r"\s*(?:[-*+]|\d+[.)])[ \t]")
_ITEM: Final = re.compile(r"\s*(?:[-*+]|1[.)])[ \t]")
#: The definition of a link or a footnote, which is no text: "[api]: https://…".
_DEFINITION: Final = re.compile(r" {0,3}\[[^\]]+\]:[ \t]")
#: An item that only links to a place of the same document.
_IN_DOCUMENT: Final = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[[^\]]*\]\(#")
_MARKS: Final = re.compile(r"[\[*_`]")
_MARKUP: Final = re.compile(r"\[(?P<text>[^\[\]]*)\]\([^()\s]*\)|[*_]{2,3}|`+|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)")


@dataclass(slots=True)
class Entry:
    """An item of a list, with its nested items."""

    item: Item
    inner: list[Entry] = field(default_factory=list)


@dataclass(slots=True)
class Part:
    """A section with its content before its first inner section."""

    section: Section
    lines: Sequence[str]
    items: list[Item] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    code: list[CodeBlock] = field(default_factory=list)
    #: The diagrams in blocks of code, each with the first line of its text.
    diagrams: list[tuple[int, Diagram]] = field(default_factory=list)
    inner: list[Part] = field(default_factory=list)
    #: The text of the section itself, once it was read.
    _text: str | None = None

    def entries(self) -> list[Entry]:
        """Return the outermost items of the lists, with their nested items."""
        return nested(self.items)

    def numbered_texts(self) -> Iterator[tuple[int, str]]:
        """Yield the lines of the section itself, after its title, with their line numbers."""
        for number in range(self.section.title_line + 1, self.section.own_end_line + 1):
            yield number, self.lines[number - 1].rstrip("\r")

    def paragraphs(self) -> Iterator[str]:
        """Yield the paragraphs of the section itself as plain text, without those inside items of lists."""
        for _, text in self.numbered_paragraphs():
            yield text

    def numbered_paragraphs(self) -> Iterator[tuple[int, str]]:
        """Yield the paragraphs of the section itself as plain text, each with the number of its first line."""
        held: list[str] = []
        fence = ""
        first = 0
        is_in_item = is_after_blank = False
        for number, line in self.numbered_texts():
            mark = line.lstrip()[:3]
            is_text = False
            if fence:
                fence = "" if mark == fence else fence
            elif mark in ("```", "~~~"):
                fence = mark
            elif not held and is_in_item and line.strip() and not (is_after_blank and not line[0].isspace()):
                pass  # a further line of an item
            elif line.strip():
                is_text = (_NO_PARAGRAPH if not held else _ITEM).match(line) is None and _DEFINITION.match(line) is None
                is_in_item = not is_text and _ANY_ITEM.match(line) is not None
            is_after_blank = not line.strip()
            if is_text:
                first = first if held else number
                held.append(line.strip())
            elif held:
                yield first, plain(" ".join(held))
                held = []
        if held:
            yield first, plain(" ".join(held))

    def flowing_texts(self) -> list[str]:
        """Return the paragraphs of the section itself and the outermost items of its lists, in their order."""
        items = [(item.line, item.text) for item in self.items if item.depth == 0]
        return [text for _, text in sorted([*self.numbered_paragraphs(), *items])]

    def listed(self) -> list[Entry]:
        """Return the entries of the lists without a table of contents, whose items are the titles of the section's own parts."""
        titles = {self.section.title, *(inner.section.title for inner in self.inner)}
        return [
            entry
            for entry in self.entries()
            if entry.item.text not in titles or not (entry.inner or _IN_DOCUMENT.match(self.lines[entry.item.line - 1]))
        ]

    def first_paragraph(self) -> str:
        """Return the first paragraph, shortened; "" if there is none."""
        return short(next(self.paragraphs(), ""))

    def text(self, limit: int) -> str:
        """Return the first `limit` characters of the section itself, without its title."""
        if self._text is None:
            text = "\n".join(self.lines[self.section.title_line : self.section.own_end_line])
            if "\r" in text:
                text = "\n".join(line for _, line in self.numbered_texts())
            self._text = text.strip()
        return self._text[:limit]


def nested(items: Sequence[Item]) -> list[Entry]:
    """Return the outermost items among some items, each with its nested items."""
    roots: list[Entry] = []
    #: The open entries, outermost first.
    path: list[Entry] = []
    for item in items:
        while path and path[-1].item.depth >= item.depth:
            path.pop()
        entry = Entry(item)
        (path[-1].inner if path else roots).append(entry)
        path.append(entry)
    return roots


def parts_of(
    document: Document,
    sections: Sequence[Section],
    lines: Sequence[str],
    diagrams: Mapping[int, Diagram],
    section_at: Callable[[int], int],
) -> list[Part]:
    """Return the parts of a document, one for each section.

    `diagrams` has the diagrams in blocks of code, by their first lines, and `section_at` returns the section at a line.
    """
    parts = [Part(section, lines) for section in sections]
    for part in parts:
        if part.section.parent >= 0:
            parts[part.section.parent].inner.append(part)
    if not parts:
        return parts

    def at(line: int) -> Part:
        return parts[section_at(line)]

    for item in document.items:
        at(item.line).items.append(item)
    for table in document.tables:
        at(table.line).tables.append(table)
    for block in document.code:
        at(block.line).code.append(block)
        if (drawn := diagrams.get(block.line)) is not None:
            at(block.line).diagrams.append((block.line, drawn))
    return parts


def as_written(part: Part, type_name: str, reason: str) -> Structure:
    """Return the text of a section that does not match the form of its type, with the reason."""
    return Structure(type_name, TEXT, Raw(part.text(_MAX_RAW)), reason)


def short(text: str) -> str:
    """Return a text in one line, of at most `MAX_TEXT` characters."""
    joined = " ".join(text.split())
    return joined if len(joined) <= MAX_TEXT else f"{joined[: MAX_TEXT - 1]}…"


def plain(text: str) -> str:
    """Return a text without the marks of links, code and emphasis."""
    return _MARKUP.sub(lambda found: found["text"] or "", text).strip() if _MARKS.search(text) is not None else text.strip()


def columns(table: Table, names: Mapping[str, re.Pattern[str]]) -> dict[str, int]:
    """Return the indices of columns by name. A heading is assigned to the first matching name without a column."""
    found: dict[str, int] = {}
    for place, heading in enumerate(table.header):
        for name, pattern in names.items():
            if name not in found and pattern.match(plain(heading)) is not None:
                found[name] = place
                break
    return found


def cell(row: Sequence[str], place: int | None) -> str:
    """Return the text of a cell, shortened; "" for a missing column or cell."""
    return short(row[place]) if place is not None and place < len(row) else ""


def split_lead(item: Item) -> tuple[str, str]:
    """Return the term that begins an item, and the text after it: "**Cart**: holds items", "Cart - holds items"."""
    text = item.text
    if item.lead and text.startswith(item.lead):
        rest = text[len(item.lead) :].lstrip()
        return item.lead.rstrip(" :."), short(rest.lstrip(":\u2013\u2014- "))
    for mark in (": ", " \u2014 ", " \u2013 ", " - "):
        name, found, rest = text.partition(mark)
        if found and 0 < len(name) <= 60 and len(name.split()) <= 6:
            return name.strip(), short(rest)
    return "", short(text)
