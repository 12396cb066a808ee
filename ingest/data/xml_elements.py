"""Reads the elements of an XML file with their offsets, in time linear in the length of the file, even if it is broken."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from typing import Final

#: A comment, a section of plain text, a declaration, a tag, or text.
_PART: Final = re.compile(
    r"<!--(?P<comment>)|<!\[CDATA\[(?P<plain>)|<[?!][^>]*+>|<(?P<close>/)?(?P<name>[A-Za-z_][\w:.-]*+)"
    r"(?P<attributes>(?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+)>|(?P<text>[^<]++|<)"
)
_ATTRIBUTE: Final = re.compile(r"([\w:.-]+)\s*=\s*(?:\"([^\"]*+)\"|'([^']*+)')")
#: Maximum depth of elements. Deeper elements count as children of the deepest element.
_MAX_DEPTH: Final = 60


@dataclass(slots=True)
class Element:
    """An element, with the offsets of its first and last character in the text."""

    name: str
    attributes: dict[str, str]
    start: int
    end: int
    #: Elements, and texts between them.
    children: list[Element | str] = field(default_factory=list)
    is_closed: bool = False

    def get(self, name: str) -> str:
        """Return an attribute; "" if there is none."""
        return self.attributes.get(name, "")

    def elements(self) -> list[Element]:
        """Return the elements directly inside."""
        return [each for each in self.children if isinstance(each, Element)]


def read_elements(text: str) -> Element:
    """Return an element without a name that contains all elements of a text."""
    root = Element("", {}, 0, len(text), is_closed=True)
    open_elements = [root]
    at = 0
    while at < len(text):
        match = _PART.match(text, at)
        if match is None:  # a tag whose quotes are not closed
            at += 1
            continue
        at = match.end()
        if match["comment"] is not None:
            at = _after(text, "-->", at)
        elif match["plain"] is not None:
            end = _after(text, "]]>", at)
            open_elements[-1].children.append(text[at:end].removesuffix("]]>"))
            at = end
        elif match["text"] is not None:
            open_elements[-1].children.append(unescape(match["text"]))
        elif match["close"] is not None:
            _close(open_elements, match["name"], at)
        elif match["name"] is not None:
            written = match["attributes"]
            attributes = {name: unescape(double or single) for name, double, single in _ATTRIBUTE.findall(written)}
            found = Element(match["name"], attributes, match.start(), at)
            open_elements[-1].children.append(found)
            if written.endswith("/"):
                found.is_closed = True
            elif len(open_elements) < _MAX_DEPTH:
                open_elements.append(found)
    for each in open_elements[1:]:
        each.end = len(text)
    return root


def _close(open_elements: list[Element], name: str, end: int) -> None:
    """Close the innermost open element with a name, and the open elements inside it."""
    place = next((place for place in range(len(open_elements) - 1, 0, -1) if open_elements[place].name == name), 0)
    if not place:
        return
    open_elements[place].is_closed = True
    for each in open_elements[place:]:
        each.end = end
    del open_elements[place:]


def _after(text: str, closer: str, at: int) -> int:
    found = text.find(closer, at)
    return len(text) if found < 0 else found + len(closer)
