"""AsciiDoc by its lines: titles, lists, tables, spans of code, links, images, includes and blocks of code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...documents.line_lists import ListReader, Marker
from ...documents.published_api import published_name
from ...documents.sections import CodeBlock, Document, Heading, Reference, Table

_TITLE: Final = re.compile(r"(?P<signs>={1,6}|#{1,6})[ \t]+(?P<title>\S.*?)(?:[ \t]+(?P=signs))?$")
_FENCE: Final = re.compile(r"(?:-{4,}|\.{4,}|\+{4,}|/{4,}|`{3,}[\w-]*)$")
_SOURCE: Final = re.compile(r"\[(?:source)?,[ \t]*(?P<language>[\w+#-]+)[^\]]*\]$")
_ANCHOR: Final = re.compile(r"\[\[(?P<id>[\w:.-]+)[^\]]*\]\]|\[#(?P<short>[\w:.-]+)[^\]]*\]")
_MACRO: Final = re.compile(r"\b(?P<name>link|xref|include|image)::?(?P<target>[^\s\[\]]+)\[")
#: A link to published documentation, whose first part may be an attribute: `{javadoc}/org/shop/Cart.html[Cart]`.
_PUBLISHED: Final = re.compile(r"(?<![\w:}])(?P<target>(?:https?://|\{[\w-]{1,40}\}/)[^\s\[\]]{1,600})\[")
#: A declaration by the macro of Spring, `javadoc:org.shop.Cart#add(int)[]`, or of Jooby: `javadoc:Cart[add, int]`.
_JAVADOC: Final = re.compile(
    r"\bjavadoc:(?P<name>[A-Za-z_][\w.$]{0,300})(?:#(?P<member>\w{1,100})[^\s\[\]]{0,300})?\[(?:(?P<first>\w{1,100})[,\]])?"
)
_CROSS: Final = re.compile(r"<<(?P<target>[^<>,\n]+)(?:,[^<>\n]*)?>>")
_CODE: Final = re.compile(r"(?<![`\w])`\+?(?P<text>[^`\n]+?)\+?`(?![`\w])")
_FIELD: Final = re.compile(r":(?P<name>[\w-]+):[ \t]+(?P<value>.*)")
#: An item of a list, marked with stars, dots, a dash or a number. The number of stars or dots is the depth of the list.
_MARKER: Final = re.compile(r"[ \t]*(?P<signs>\*{1,6}|\.{1,6}|-|(?P<number>\d{1,6})\.)[ \t]+(?=\S)")
_TABLE: Final = re.compile(r"\|={3,}[ \t]*$")
_CELL: Final = re.compile(r"(?<!\\)(?:\d{0,3}(?:\.\d{1,3})?[+*])?(?:[<^>](?:\.[<^>])?)?[adehlmsv]?\|")
_COLUMNS: Final = re.compile(r"\bcols[ \t]*=[ \t]*(?:\"(?P<list>[^\"]*)\"|(?P<count>\d{1,3}))")
#: Maximum number of characters of a cell; further lines are left out.
_MAX_CELL: Final = 2_000
_REPEATED: Final = re.compile(r"(?P<count>\d{1,3})\*")
_NO_ID: Final = re.compile(r"[^\w \t.-]+")
_ID_SPACES: Final = re.compile(r"[ \t.-]+")


def parse(text: str) -> Document:
    """Return the content of a document. Never raises because of the text."""
    document = Document()
    lines = [line.rstrip("\r") for line in text.split("\n")]
    lists = ListReader(_marker, _ends_list)
    place = 0
    language = attributes = ""
    numbers: dict[str, int] = {}
    while place < len(lines):
        line = lines[place].rstrip()
        if _FENCE.match(line) is not None:
            place = _block(document, lines, place, language)
            lists.block(line, min(place, len(lines)))
            language = ""
            continue
        if _TABLE.match(line) is not None:
            place = _table(document, lines, place, attributes)
            lists.block(line, min(place, len(lines)))
            continue
        title = _TITLE.match(line)
        if title is not None:
            lists.end()
            _add_title(document, title, place + 1, numbers)
        elif line == "+":  # the following lines belong to the item
            lists.block(line, place + 1)
        elif not (line.startswith("[") and line.endswith("]")):
            lists.line(place + 1, line)
        attributes = line if line.startswith("[") else "" if not line.startswith(".") else attributes
        source = _SOURCE.match(line)
        language = source["language"] if source is not None else language if not line else ""
        field = _FIELD.match(line)
        if field is not None:
            document.fields.setdefault(field["name"].lower(), field["value"])
        for anchor in _ANCHOR.finditer(line):
            document.anchors.setdefault(anchor["id"] or anchor["short"], place + 1)
        document.references += _references(line, place + 1)
        place += 1
    lists.end()
    document.items += lists.items
    return document


def _marker(line: str) -> Marker | None:
    found = _MARKER.match(line)
    if found is None:
        return None
    number = found["number"]
    is_numbered = number is not None or found["signs"].startswith(".")
    return Marker("1." if number else found["signs"], int(number) if number else -1 if is_numbered else 0, found.end())


def _ends_list(marker: Marker, line: str) -> bool:
    """Return whether an item ends before a line that follows a blank line.

    An item of a nested list does not end the outer item.
    """
    return _MARKER.match(line) is None


def _table(document: Document, lines: list[str], place: int, attributes: str) -> int:
    """Add a table, and return the index of the line after the table. A table without an end contains all later lines."""
    end = place + 1
    while end < len(lines) and _TABLE.match(lines[end].rstrip()) is None:
        end += 1
    for number in range(place + 1, end):
        document.references += _references(lines[number], number + 1)
    cells: list[tuple[int, str]] = []
    first_row = 0
    for number in range(place + 1, end):
        written = lines[number]
        marks = list(_CELL.finditer(written))
        if not marks and cells and written.strip():
            line, text = cells[-1]
            cells[-1] = (line, f"{text} {written.strip()}".strip() if len(text) < _MAX_CELL else text)
        ends = [*(mark.start() for mark in marks[1:]), len(written)]
        cells += [(number + 1, written[mark.end() : stop].strip()) for mark, stop in zip(marks, ends, strict=False)]
        if cells and not first_row:
            first_row = len(cells)
    width = min(_width(attributes) or first_row, len(cells))  # the attributes may specify millions of columns
    has_header = "header" in attributes or (place + 2 < end and bool(lines[place + 1].strip()) and not lines[place + 2].strip())
    rows = [cells[at : at + width] for at in range(0, len(cells), width)] if width else []
    header = [text for _, text in rows.pop(0)] if has_header and rows else []
    document.tables.append(
        Table(place + 1, header or [""] * width, [[text for _, text in row] for row in rows], [row[0][0] for row in rows])
    )
    return end + 1


def _width(attributes: str) -> int:
    """Return the number of columns in the attributes of a table; 0 if there is no number."""
    found = _COLUMNS.search(attributes)
    if found is None:
        return 0
    if found["count"]:
        return int(found["count"])
    return sum(int(many["count"]) if (many := _REPEATED.match(each.strip())) else 1 for each in found["list"].split(","))


def _block(document: Document, lines: list[str], place: int, language: str) -> int:
    """Add a delimited block, and return the index of the line after the block.

    A block without an end contains all later lines.
    """
    fence = lines[place].rstrip()
    closing = "```" if fence.startswith("```") else fence
    end = place + 1
    while end < len(lines) and lines[end].rstrip() != closing:
        end += 1
    named = fence.strip("`") if closing == "```" else language
    document.code.append(CodeBlock(place + 2, named, "\n".join(lines[place + 1 : end])))
    return end + 1


def _add_title(document: Document, title: re.Match[str], line: int, numbers: dict[str, int]) -> None:
    """Add a heading. `numbers` has the last number after each identifier."""
    name = title["title"].replace("`", "")
    identifier = "_" + _ID_SPACES.sub("_", _NO_ID.sub("", name.lower())).strip("_")
    anchor = identifier
    while anchor in document.anchors:
        numbers[identifier] = numbers.get(identifier, 1) + 1
        anchor = f"{identifier}_{numbers[identifier]}"
    document.anchors[anchor] = line
    document.headings.append(Heading(line, line, len(title["signs"]), name, anchor))


def _references(line: str, number: int) -> Iterator[Reference]:
    for found in _MACRO.finditer(line):
        form = "image" if found["name"] == "image" else "link"
        yield Reference(form, found["target"], number, found.start() + 1)
    for found in _PUBLISHED.finditer(line):
        if published_name(found["target"]) is not None:
            yield Reference("link", found["target"], number, found.start() + 1)
    for found in _JAVADOC.finditer(line):
        yield Reference("code", _name_of_javadoc(found), number, found.start("name") + 1)
    for found in _CROSS.finditer(line):
        target = found["target"].strip()
        yield Reference("link", target if "#" in target else f"#{target}", number, found.start() + 1)
    for found in _CODE.finditer(line):
        yield Reference("code", found["text"], number, found.start("text") + 1)


def _name_of_javadoc(found: re.Match[str]) -> str:
    """Return the name of the declaration in a macro. A constructor has the name of its type."""
    name = found["name"].replace("$", ".").rstrip(".")
    member = found["member"] or found["first"]
    return f"{name}.{member}" if member and member != name.rpartition(".")[2] else name
