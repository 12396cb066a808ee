"""The types of a C# file, with their bases and properties."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from ....facts.uncovered_lines import line_offsets
from ....symbols.code_groups import Groups
from .plain_code import plain_code

_TYPE: Final = re.compile(
    r"\b(?P<word>class|record|interface|enum)\s+(?:class\s+|struct\s+)?(?P<name>[A-Z_]\w*)\s*(?:<(?P<parameters>[\w\s,]*+)>)?\s*"
)
_BASES: Final = re.compile(r"\s*:(?P<bases>[^{};()]{1,600})")
_WHERE: Final = re.compile(r"\bwhere\b")
#: A sign of a type with type arguments, or the name of a type behind its namespace.
_TYPE_PART: Final = re.compile(r"[<>,]|(?:\w+\s*\.\s*)*+(?P<name>\w+)")
_BODY: Final = re.compile(r"[^{};]{0,800}\{")
_PROPERTY: Final = re.compile(
    r"(?P<public>\bpublic\s+)?(?:\b(?:virtual|override|required|new|sealed|abstract)\s+){0,4}"
    r"\b(?P<type>[A-Za-z_][\w.]*)(?:\s*<(?P<arguments>[\w\s.,?<>\[\]]{0,200}?)>)?(?P<array>\[\])?(?P<null>\?)?"
    r"\s+(?P<name>[A-Z_]\w*)\s*(?=\{\s*(?:\[[^\[\]]*\]\s*)?get\b|=>)"
)
_SETTER: Final = re.compile(r"\b(?:set|init)\b")
#: The end of the code before the attributes of a declaration.
_BEFORE: Final = re.compile(r"[;{}]")
#: Words that look like the type of a property: `return Total => …`.
_NO_TYPES: Final = frozenset(
    ("return", "throw", "await", "in", "is", "as", "case", "when", "new", "out", "ref", "else", "operator")
)
#: Maximum number of characters of the attributes of a declaration.
_MAX_ATTRIBUTES: Final = 800


class Property(NamedTuple):
    """A property of a type."""

    name: str
    #: Type without its type arguments.
    type: str
    #: The first type argument, or "".
    argument: str
    is_array: bool
    is_nullable: bool
    is_public: bool
    #: Whether code can set the property.
    is_settable: bool
    #: Offset of the name.
    start: int
    #: Text of the attributes.
    attributes: str


class Type(NamedTuple):
    """A class, a record, an interface or an enum."""

    word: str
    name: str
    #: Names of the type parameters.
    parameters: list[str]
    #: Names of the bases, each with the name of its first type argument.
    bases: list[tuple[str, str]]
    #: Offset of the name.
    start: int
    #: The range of code between the braces.
    body: tuple[int, int]
    attributes: str
    properties: list[Property]


class Declarations:
    """The types of a file."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.code = plain_code(text)
        self.groups = Groups(self.code)
        self._starts = line_offsets(self.code)
        self.types = [self._type(found) for found in _TYPE.finditer(self.code)]
        self._add_properties()

    def line(self, offset: int) -> int:
        """Return the line of an offset, from 1."""
        return bisect_right(self._starts, offset)

    def _attributes(self, at: int) -> str:
        start = max(0, at - _MAX_ATTRIBUTES)
        for found in _BEFORE.finditer(self.code, start, at):
            start = found.end()
        return self.text[start:at]

    def _type(self, found: re.Match[str]) -> Type:
        code, at = self.code, found.end()
        if code[at : at + 1] == "(":
            at = self.groups.end(at, len(code))
        written = _BASES.match(code, at)
        bases = list(_names(_WHERE.split(written["bases"], maxsplit=1)[0])) if written is not None else []
        opened = _BODY.match(code, at)
        body = (opened.end(), self.groups.end(opened.end() - 1, len(code)) - 1) if opened is not None else (at, at)
        parameters = [each.strip() for each in (found["parameters"] or "").split(",")]
        return Type(
            found["word"], found["name"], parameters, bases, found.start("name"), body, self._attributes(found.start()), []
        )

    def _add_properties(self) -> None:
        """Add each property to the innermost type around it."""
        waiting, around = list(reversed(self.types)), list[Type]()
        for found in _PROPERTY.finditer(self.code):
            while waiting and waiting[-1].start < found.start():
                around.append(waiting.pop())
            while around and around[-1].body[1] <= found.start():
                around.pop()
            if around and found["type"] not in _NO_TYPES and around[-1].body[0] <= found.start():
                around[-1].properties.append(self._property(found))

    def _property(self, found: re.Match[str]) -> Property:
        end = self.groups.end(found.end(), len(self.code)) if self.code[found.end()] == "{" else found.end()
        is_settable = _SETTER.search(self.code, found.end(), end) is not None
        argument = next(_names(found["arguments"] or ""), ("", ""))[0]
        return Property(
            found["name"],
            found["type"].rpartition(".")[2],
            argument,
            bool(found["array"]),
            bool(found["null"]),
            bool(found["public"]),
            is_settable,
            found.start("name"),
            self._attributes(found.start()),
        )


def _names(written: str) -> Iterator[tuple[str, str]]:
    """Yield the types of a list, without their namespaces, each with the name of its first type argument."""
    depth, name, argument = 0, "", ""
    for found in _TYPE_PART.finditer(written):
        if found[0] == "<":
            depth += 1
        elif found[0] == ">":
            depth -= 1
        elif found[0] == ",":
            if depth == 0 and name:
                yield name, argument
                name, argument = "", ""
        elif depth == 0:
            name = found["name"]
        elif depth == 1 and not argument:
            argument = found["name"]
    if name:
        yield name, argument
