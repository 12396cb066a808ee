"""The sections of a document in any markup: headings and their nesting become ranges of lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

#: Name of the section with the text before the first heading.
PREAMBLE: Final = "preamble"


class Heading(NamedTuple):
    """A heading of a document."""

    #: First line of the heading, which may be an overline above its text.
    line: int
    #: The line of the heading's text.
    title_line: int
    #: Level of the heading; 1 is the outermost level.
    level: int
    title: str
    anchor: str


#: Maximum length of the name of a document's part, in characters.
_MAX_NAME: Final = 80


def symbol_name(title: str) -> str:
    """Return the name for the symbol of a document's part, from the title of the part."""
    plain = " ".join(title.split())
    return f"{plain[: _MAX_NAME - 1]}…" if len(plain) > _MAX_NAME else plain or "(untitled)"


@dataclass(slots=True)
class Item:
    """An item of a list."""

    line: int
    end_line: int
    text: str
    #: True or False for a checkbox, else None.
    is_done: bool | None
    #: Number of lists around the list of the item.
    depth: int
    #: The displayed number of a numbered item; 0 for other items.
    number: int = 0
    #: The bold text, the link or the code at the beginning of the item, else "".
    lead: str = ""

    @property
    def is_numbered(self) -> bool:
        """Whether the list of the item is numbered."""
        return self.number > 0


@dataclass(slots=True)
class Table:
    """A table: the texts of its cells."""

    line: int
    header: list[str]
    rows: list[list[str]] = field(default_factory=list)
    #: The first lines of the rows, for markups in which a row may have several lines.
    row_lines: list[int] = field(default_factory=list)

    def row_line(self, row: int) -> int:
        """Return the line of a row. In Markdown, a line of dashes follows the header."""
        return self.row_lines[row] if self.row_lines else self.line + 2 + row


class CodeBlock(NamedTuple):
    """A block of code; `line` is the first line of the code."""

    line: int
    language: str
    text: str


class Reference(NamedTuple):
    """A place where a document names something: a link, a span of code or an import in a block of code."""

    #: "link", "image", "code" or "import".
    form: str
    #: The target of a link, the text of a span of code, or the module that an import names.
    text: str
    line: int
    column: int
    #: The imported names.
    names: tuple[str, ...] = ()
    #: Extension of files in the language of an import.
    extension: str = ""


@dataclass(slots=True)
class Document:
    """The content of a document, with the structure of its markup."""

    headings: list[Heading] = field(default_factory=list)
    #: All anchors that links may target, with their lines.
    anchors: dict[str, int] = field(default_factory=dict)
    references: list[Reference] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    code: list[CodeBlock] = field(default_factory=list)
    #: Fields of the front matter or the head of a document.
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Section:
    """A heading with everything up to the next heading of the same or a higher level."""

    title: str
    level: int
    anchor: str
    title_line: int
    start_line: int
    end_line: int
    #: Last line before the first subsection.
    own_end_line: int
    #: Index of the enclosing section; -1 for none.
    parent: int
    depth: int


def sections_of(headings: Sequence[Heading], lines: Sequence[str]) -> list[Section]:
    """Return the sections in order. Each non-blank line is in an outermost section, and no section ends with a blank line."""
    #: For each line, the number of the last non-blank line up to the line; 0 if there is none.
    last_text = [0]
    for number, line in enumerate(lines, 1):
        last_text.append(number if line.strip() else last_text[-1])
    first_line, line_count = next((number for number in last_text if number), 0), last_text[-1]
    found: list[Section] = []
    if line_count and (not headings or first_line < headings[0].line):
        end = headings[0].line - 1 if headings else line_count
        found.append(Section(PREAMBLE, 1, "", first_line, first_line, end, end, -1, 0))
    open_sections: list[int] = []
    for heading in headings:
        while open_sections and found[open_sections[-1]].level >= heading.level:
            found[open_sections.pop()].end_line = heading.line - 1
        parent = open_sections[-1] if open_sections else -1
        if parent >= 0:
            found[parent].own_end_line = min(found[parent].own_end_line, heading.line - 1)
        section = Section(
            heading.title,
            heading.level,
            heading.anchor,
            heading.title_line,
            heading.line,
            line_count,
            line_count,
            parent,
            len(open_sections),
        )
        open_sections.append(len(found))
        found.append(section)
    for section in found:
        section.end_line = last_text[section.end_line]
        section.own_end_line = min(section.own_end_line, section.end_line)
    return found
