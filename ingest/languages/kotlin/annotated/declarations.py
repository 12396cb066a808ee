"""The classes and interfaces of a file, with their annotations, properties and functions."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from ....facts.uncovered_lines import line_offsets
from ....symbols.code_groups import Groups
from ..exposed.code_names import CodeNames, plain_code

#: A name of an annotation, a declaration, or a brace.
_TOKEN: Final = re.compile(
    r"@(?:(?:field|get|set|param|file|property):)?(?P<annotation>[A-Za-z_][\w.]*)"
    r"|\b(?P<word>class|interface|object)\s+(?P<type>[A-Z]\w*)(?:\s*<[^<>(){}]*>)?"
    r"|\bfun\s+(?:<[^<>(){}]*>\s*)?(?P<function>[a-z_]\w*)\s*(?=\()"
    r"|\b(?:val|var)\s+(?P<property>\w+)\s*:\s*(?P<kind>[\w.]+)(?:\s*<(?P<arguments>[\w.,?<>\s]{0,200}?)>)?(?P<null>\?)?(?=\s*[,)=\n{]|\s*$)"
    r"|[{}]"
)
_CONSTRUCTOR: Final = re.compile(r"\s*(?:(?:private|internal|protected|public)\s+)?(?:constructor\s*)?(?=\()")
_BASES: Final = re.compile(r"\s*:\s*(?P<bases>[\w.<>,?\s()]{1,400}?)\s*(?=\{|\n\s*\n|\n\s*@|\n[^\s]|\Z)")
_BASE: Final = re.compile(r"([A-Za-z_][\w.]*)\s*(?:<([\w.,?<>\s]{0,200}?)>)?\s*(?=[,(]|$|\s)")
_OPEN: Final = re.compile(r"\s*\{")
_TEXT: Final = re.compile(r"\"\"\"(.*?)\"\"\"|\"((?:[^\"\\\n]|\\.)*)\"", re.DOTALL)
#: Maximum number of types of a file.
_MAX_TYPES: Final = 2_000


class Annotation(msgspec.Struct, frozen=True):
    """An annotation: its name without a package, and the range of its arguments in the file."""

    name: str
    start: int = 0
    end: int = 0


class Property(msgspec.Struct, frozen=True):
    """A property of a class, with its type."""

    name: str
    type: str
    argument: str
    is_nullable: bool
    #: Offset of the name.
    start: int
    annotations: Mapping[str, Annotation]


class Function(msgspec.Struct, frozen=True):
    """A function of a class, with the range of its parameters."""

    name: str
    #: Offset of the name.
    start: int
    parameters: tuple[int, int]
    annotations: Mapping[str, Annotation]


class Type(msgspec.Struct):
    """A class, an interface or an object."""

    word: str
    name: str
    #: Offset of the name.
    start: int
    annotations: Mapping[str, Annotation]
    #: Base types with their type arguments.
    bases: list[tuple[str, str]]
    constructor: tuple[int, int]
    #: The text between the braces.
    body: tuple[int, int]
    properties: list[Property] = msgspec.field(default_factory=list)
    functions: list[Function] = msgspec.field(default_factory=list)


class Declarations:
    """The declarations of a file of Kotlin."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.code = plain_code(text)
        self.names = CodeNames(self.code)
        self._groups = Groups(self.code)
        self._starts = line_offsets(self.code)
        self.types = list(self._types())

    def line(self, offset: int) -> int:
        """Return the line of an offset, from 1."""
        return bisect_right(self._starts, offset)

    def texts(self, start: int, end: int) -> list[str]:
        """Return the texts in a range of the file."""
        return [long or short for long, short in _TEXT.findall(self.text, start, end)]

    def argument(self, annotation: Annotation | None, *names: str) -> str:
        """Return the first text that an annotation gives to one of the names; "" if there is none."""
        if annotation is None:
            return ""
        for name in names:
            found = re.compile(rf"\b{name}\s*=\s*(?=\")").search(self.text, annotation.start, annotation.end)
            if found is not None:
                return next(iter(self.texts(found.end(), annotation.end)), "")
        return ""

    def value(self, annotation: Annotation | None, *names: str) -> str:
        """Return the first text that an annotation gives to one of the names, or as its only value; "" if there is none."""
        named = self.argument(annotation, *names)
        if named or annotation is None:
            return named
        first = self.text[annotation.start : annotation.end].lstrip()
        return next(iter(self.texts(annotation.start, annotation.end)), "") if first.startswith('"') else ""

    def _types(self) -> Iterator[Type]:
        code, at, pending = self.code, 0, dict[str, Annotation]()
        blocks: list[int] = []
        around: list[Type] = []
        count = 0
        while (found := _TOKEN.search(code, at)) is not None:
            at = found.end()
            if found["annotation"]:
                opened = code[at : at + 1] == "("
                end = self._groups.end(at, len(code)) if opened else at
                name = found["annotation"].rpartition(".")[2]
                pending[name] = Annotation(name, at + 1, end - 1) if opened else Annotation(name)
                at = end
                continue
            if found[0] == "{":
                blocks.append(found.end())
                continue
            if found[0] == "}":
                if blocks:
                    blocks.pop()
                continue
            while around and around[-1].body[1] < found.start():
                around.pop()
            if found["type"] and count < _MAX_TYPES:
                count += 1
                made = self._type(found, pending)
                around.append(made)
                yield made
            elif around and self._is_direct(around[-1], found.start(), blocks):
                self._add(around[-1], found, pending)
            pending = {}

    def _is_direct(self, around: Type, at: int, blocks: list[int]) -> bool:
        """Return whether a declaration is a member of a type, and no part of one of its functions."""
        is_parameter = around.constructor[0] <= at < around.constructor[1]
        return is_parameter or bool(blocks and blocks[-1] == around.body[0])

    def _type(self, found: re.Match[str], annotations: Mapping[str, Annotation]) -> Type:
        code, at = self.code, found.end()
        constructor = (at, at)
        opened = _CONSTRUCTOR.match(code, at)
        if opened is not None:
            end = self._groups.end(opened.end(), len(code))
            constructor, at = (opened.end() + 1, end - 1), end
        written = _BASES.match(code, at)
        bases = []
        if written is not None:
            bases = [(name.rpartition(".")[2], given) for name, given in _BASE.findall(written["bases"])]
            at = written.end()
        block = _OPEN.match(code, at)
        body = (block.end(), self._groups.end(block.end() - 1, len(code)) - 1) if block is not None else (at, at)
        return Type(found["word"], found["type"], found.start("type"), annotations, bases, constructor, body)

    def _add(self, around: Type, found: re.Match[str], annotations: Mapping[str, Annotation]) -> None:
        if found["function"]:
            end = self._groups.end(found.end(), len(self.code))
            made = Function(found["function"], found.start("function"), (found.end() + 1, end - 1), annotations)
            around.functions.append(made)
        elif found["property"]:
            kind, given = found["kind"].rpartition(".")[2], found["arguments"] or ""
            around.properties.append(
                Property(found["property"], kind, given.strip(), bool(found["null"]), found.start("property"), annotations)
            )
