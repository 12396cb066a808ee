"""AsciiDoc by its lines: titles, spans of code, links, images, includes and blocks of code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...documents.outline import CodeBlock, Document, Heading, Reference

_TITLE: Final = re.compile(r"(?P<signs>={1,6}|#{1,6})[ \t]+(?P<title>\S.*?)(?:[ \t]+(?P=signs))?$")
_FENCE: Final = re.compile(r"(?:-{4,}|\.{4,}|\+{4,}|/{4,}|`{3,}[\w-]*)$")
_SOURCE: Final = re.compile(r"\[(?:source)?,[ \t]*(?P<language>[\w+#-]+)[^\]]*\]$")
_ANCHOR: Final = re.compile(r"\[\[(?P<id>[\w:.-]+)[^\]]*\]\]|\[#(?P<short>[\w:.-]+)[^\]]*\]")
_MACRO: Final = re.compile(r"\b(?P<name>link|xref|include|image)::?(?P<target>[^\s\[\]]+)\[")
_CROSS: Final = re.compile(r"<<(?P<target>[^<>,\n]+)(?:,[^<>\n]*)?>>")
_CODE: Final = re.compile(r"(?<![`\w])`\+?(?P<text>[^`\n]+?)\+?`(?![`\w])")
_FIELD: Final = re.compile(r":(?P<name>[\w-]+):[ \t]+(?P<value>.*)")
_NO_ID: Final = re.compile(r"[^\w \t.-]+")
_ID_SPACES: Final = re.compile(r"[ \t.-]+")


def parse(text: str) -> Document:
    """Return what a document says. Never raises because of the text."""
    document = Document()
    lines = [line.rstrip("\r") for line in text.split("\n")]
    place = 0
    language = ""
    while place < len(lines):
        line = lines[place].rstrip()
        if _FENCE.match(line) is not None:
            place = _block(document, lines, place, language)
            language = ""
            continue
        title = _TITLE.match(line)
        if title is not None:
            _add_title(document, title, place + 1)
        source = _SOURCE.match(line)
        language = source["language"] if source is not None else language if not line else ""
        field = _FIELD.match(line)
        if field is not None:
            document.fields.setdefault(field["name"].lower(), field["value"])
        for anchor in _ANCHOR.finditer(line):
            document.anchors.setdefault(anchor["id"] or anchor["short"], place + 1)
        document.references += _references(line, place + 1)
        place += 1
    return document


def _block(document: Document, lines: list[str], place: int, language: str) -> int:
    """Add a delimited block, and return the place after it; a block that does not end holds the rest."""
    fence = lines[place].rstrip()
    closing = "```" if fence.startswith("```") else fence
    end = place + 1
    while end < len(lines) and lines[end].rstrip() != closing:
        end += 1
    named = fence.strip("`") if closing == "```" else language
    document.code.append(CodeBlock(place + 2, named, "\n".join(lines[place + 1 : end])))
    return end + 1


def _add_title(document: Document, title: re.Match[str], line: int) -> None:
    name = title["title"].replace("`", "")
    identifier = "_" + _ID_SPACES.sub("_", _NO_ID.sub("", name.lower())).strip("_")
    anchor, number = identifier, 2
    while anchor in document.anchors:
        anchor = f"{identifier}_{number}"
        number += 1
    document.anchors[anchor] = line
    document.headings.append(Heading(line, line, len(title["signs"]), name, anchor))


def _references(line: str, number: int) -> Iterator[Reference]:
    for found in _MACRO.finditer(line):
        form = "image" if found["name"] == "image" else "link"
        yield Reference(form, found["target"], number, found.start() + 1)
    for found in _CROSS.finditer(line):
        target = found["target"].strip()
        yield Reference("link", target if "#" in target else f"#{target}", number, found.start() + 1)
    for found in _CODE.finditer(line):
        yield Reference("code", found["text"], number, found.start("text") + 1)
