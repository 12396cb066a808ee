"""The program that the blocks of Go of a document form.

All blocks are in one function, each in the block before it, so a later block may use the variables of an earlier one and declare
them again. Imports come first. Go has no functions inside of functions, so a function becomes a variable:

    func Open(name string) *Cart { ... }        var Open = func(name string) *Cart { ... }

The body of `main` stays open for the blocks after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ...facts.document_facts import BlockFact
from .brackets import Brackets, brackets_in
from .code_pieces import CodePieces, PlacedText
from .nested_blocks import NestedBlock, nested_programs
from .programs import Implied, Program, dedented
from .repairs import repaired

_HEAD: Final = "package page"
_OPENING: Final = "func page_() {"
_CLOSING: Final = "}"
_PACKAGE: Final = re.compile(r"[ \t]*package[ \t]+\w+")
_IMPORT: Final = re.compile(r"[ \t]*import\b[ \t]*(?P<several>\()?")
#: One import: its name in the file, and its path.
_SPEC: Final = re.compile(r"(?:(?<![\w.])(?P<alias>[\w.]{1,100})[ \t]{1,40})?\"(?P<module>[^\"\n]{1,400})\"")
_VERSION: Final = re.compile(r"v\d+")
_FUNCTION: Final = re.compile(r"[ \t]*(?P<word>func)\b[ \t]*(?P<receiver>\()?")
_NAME: Final = re.compile(r"[ \t]*(?P<name>[A-Za-z_]\w*)[ \t]*(?P<parameters>[\[(])")
_MAIN: Final = "main"
#: What is between the parameters of a function and its body, up to the next bracket.
_RESULT: Final = re.compile(r"[^\n({\[]{0,400}(?P<open>[({\[])?")
_TYPE_WITH_BRACES: Final = re.compile(r"\b(?:interface|struct)[ \t]*$")


class _Function(NamedTuple):
    """A function at the root of a block, by the offsets of its parts. `receiver` and `body` are (-1, -1) if there is none."""

    start: int
    receiver: tuple[int, int]
    name: str
    parameters: int
    body: tuple[int, int]
    end: int


def go_programs(blocks: Sequence[BlockFact], implied: Implied, is_valid: Callable[[str], bool]) -> Iterator[Program]:
    """Yield the programs of the blocks of Go of a document; more than one if blocks import other packages under one name."""
    nested: list[NestedBlock] = []
    for block in blocks:
        text, indent = dedented(block.text)
        text = repaired(text, ".go", lambda code: is_valid(_alone(code)))
        if text.strip():
            nested.append(_block(text, block.line, indent, implied.packages))
    yield from nested_programs(nested, implied, _HEAD, _OPENING, _CLOSING, "")


def _alone(text: str) -> str:
    """Return the code of a block as the code of a file."""
    block = _block(text, 1, 0, {})
    imports = [f"import {code}" for _, code, _ in block.imports]
    return "\n".join([_HEAD, *imports, _OPENING, *(code for code, _, _ in block.lines), _CLOSING])


def _block(text: str, line: int, indent: int, packages: Mapping[str, str]) -> NestedBlock:
    brackets = brackets_in(text)
    imports: list[tuple[str, str, int]] = []
    pieces = CodePieces()
    at = 0
    placed = PlacedText(text, line, indent)
    for start in brackets.outer:
        if start < at:
            continue
        if (package := _PACKAGE.match(text, start)) is not None:
            pieces.take(placed, at, start)
            at = package.end()
        elif (found := _IMPORT.match(text, start)) is not None:
            end = brackets.ends.get(found.start("several"), -1) + 1 if found["several"] else _end_of_line(text, found.end())
            if not end:
                continue
            for spec in _SPEC.finditer(text, found.end(), end):
                local = spec["alias"] or packages.get(spec["module"]) or _local_name(spec["module"])
                imports.append((local, spec[0], placed.place(spec.start())[0]))
            pieces.take(placed, at, start)
            at = end
        elif (function := _function(text, start, brackets)) is not None:
            pieces.take(placed, at, function.start)
            _write(pieces, placed, function)
            at = function.end
    pieces.take(placed, at, len(text))
    return NestedBlock(imports, pieces.lines())


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def _function(text: str, start: int, brackets: Brackets) -> _Function | None:
    found = _FUNCTION.match(text, start)
    if found is None:
        return None
    receiver, at = (-1, -1), found.end()
    if found["receiver"]:
        end = brackets.ends.get(found.start("receiver"), -1)
        if end < 0:
            return None
        receiver, at = (found.start("receiver"), end + 1), end + 1
    named = _NAME.match(text, at)
    if named is None:
        return None
    parameters = named.start("parameters")
    if named["parameters"] == "[":
        end = brackets.ends.get(parameters, -1) + 1
        if not end or not text.startswith("(", end):
            return None
        parameters = end
    end = brackets.ends.get(parameters, -1) + 1
    if not end:
        return None
    while (result := _RESULT.match(text, end)) is not None and result["open"] is not None:
        opened = result.start("open")
        closed = brackets.ends.get(opened, -1) + 1
        if not closed:
            return None
        if result["open"] == "{" and _TYPE_WITH_BRACES.search(text, end, opened) is None:
            return _Function(found.start("word"), receiver, named["name"], parameters, (opened, closed), closed)
        end = closed
    return _Function(found.start("word"), receiver, named["name"], parameters, (-1, -1), _end_of_line(text, end))


def _write(pieces: CodePieces, placed: PlacedText, function: _Function) -> None:
    """Write a function as a variable. The function of a method is inside of another one, which has the receiver."""
    if function.name == _MAIN and function.body[0] >= 0:
        pieces.take(placed, function.body[0] + 1, function.body[1] - 1)
        return
    if function.body[0] < 0:
        pieces.add("var _ func")
        pieces.take(placed, function.parameters, function.end)
    elif function.receiver[0] < 0:
        pieces.add(f"var {function.name} = func")
        pieces.take(placed, function.parameters, function.end)
    else:
        pieces.add("var _ = func")
        pieces.take(placed, *function.receiver)
        pieces.add(" { _ = func")
        pieces.take(placed, function.parameters, function.end)
        pieces.add("}")


def _local_name(module: str) -> str:
    """Return the name that a file probably uses for a package without another name."""
    parts = [part for part in module.split("/") if _VERSION.fullmatch(part) is None]
    return (parts[-1] if parts else module).removeprefix("go-").partition(".")[0]
