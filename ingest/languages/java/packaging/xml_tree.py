"""XML as a tree of elements. The parser rejects declarations of entities, and reads no other files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.parsers import expat

import msgspec

from .....schema.records import Problem

#: Maximum size of a document, in bytes.
_MAX_SIZE: Final = 4_000_000
#: Maximum depth of nested elements.
_MAX_DEPTH: Final = 200


class Element(msgspec.Struct):
    """An element. Namespaces are left out of names."""

    name: str
    line: int
    attributes: dict[str, str]
    #: Text before the first child and between the children.
    text: str
    children: list[Element]

    def child(self, name: str) -> Element | None:
        """Return the first child of a name, or None."""
        return next((each for each in self.children if each.name == name), None)

    def value(self, *names: str) -> str:
        """Return the text of the element at the end of a path of names, without spaces around the text; "" if there is none."""
        found: Element | None = self
        for name in names:
            found = found.child(name) if found is not None else None
        return found.text.strip() if found is not None else ""

    def all(self, *names: str) -> Iterator[Element]:
        """Yield the elements at the end of a path of names."""
        for each in self.children:
            if each.name == names[0]:
                if len(names) > 1:
                    yield from each.all(*names[1:])
                else:
                    yield each


class _Refused(Exception):
    """Raised for a document with an unsupported part."""


def read_xml(content: bytes) -> Element | Problem:
    """Return the root element of a document, or the reason why the document cannot be read."""
    if len(content) > _MAX_SIZE:
        return Problem(1, f"larger than {_MAX_SIZE:,} bytes")
    parser = expat.ParserCreate()
    document = Element("", 1, {}, "", [])
    stack = [document]
    texts: list[list[str]] = [[]]

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(stack) > _MAX_DEPTH:
            raise _Refused(f"more than {_MAX_DEPTH} elements inside one another")
        element = Element(name.rpartition(":")[2], parser.CurrentLineNumber, attributes, "", [])
        stack[-1].children.append(element)
        stack.append(element)
        texts.append([])

    def end(_: str) -> None:
        stack.pop().text = "".join(texts.pop())

    def declared(*_: object) -> None:
        raise _Refused("declares entities, which are not expanded")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = lambda text: texts[-1].append(text)
    parser.EntityDeclHandler = declared
    parser.buffer_text = True
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        return Problem(error.lineno, f"not valid XML: {expat.errors.messages[error.code]}")
    except _Refused as refusal:
        return Problem(parser.CurrentLineNumber, str(refusal))
    except (LookupError, ValueError) as error:  # an unknown encoding
        return Problem(1, f"not valid XML: {error}")
    return document.children[0]
