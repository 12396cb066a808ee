"""Read the keys in blocks of data, such as YAML, TOML, INI and JSON: documents show with them how a program is configured."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from .code_terms import key_name
from .sections import CodeBlock, Reference

#: Form of a reference that is a key in a block of data. Its text also has the keys around it, such as `cart.size`. The names are
#: the keys beside it, with the key itself.
FIELD: Final = "field"
_LANGUAGES: Final = frozenset(("yaml", "yml", "toml", "ini", "cfg", "conf", "json", "jsonc", "json5"))
_KEY: Final = re.compile(
    r"^(?P<indent>[ \t]*(?:-[ \t]+)?)[\"']?(?P<key>[A-Za-z_][\w-]*)[\"']?[ \t]*(?::(?=[ \t]|$)|=(?!=))", re.MULTILINE
)
#: Languages of blocks that may show the fields of a type, or an object: `size?: number;`, `code: "E1",`.
_SCRIPTS: Final = frozenset(("ts", "typescript", "js", "javascript", ""))
_FIELD_OF_TYPE: Final = re.compile(
    r"^(?P<indent>[ \t]{1,12})(?P<key>[A-Za-z_]\w*)\??:[ \t]+(?:[\w\"'\[][^\n(){}]{0,120}[;,]?|\{)[ \t]*(?://[^\n]*)?$",
    re.MULTILINE,
)
#: The beginning of a block that is a signature or an object.
_SHOWN: Final = re.compile(r"\s*(?:[\w.]+\([^\n()]{0,80}\{|\{)[ \t]*\n")
#: The parts of a line with an object: strings, signs, and words, each with whether it may be a key: `{ group = "Tea" }`.
_PART: Final = re.compile(
    r"(?P<text>(?P<quote>[\"'])(?P<quoted>[^\"'\n]{0,400})(?P=quote)|[A-Za-z_][\w-]*)"
    r"(?P<set>[ \t]*(?::(?=[ \t\"'\[{\d])|=(?!=)))?|(?P<sign>[{},\[\]])"
)
_WORD: Final = re.compile(r"[A-Za-z_][\w-]*")
_SECTION: Final = re.compile(r"^\[[^\]\n]+\][ \t]*$", re.MULTILINE)
#: Minimum and maximum number of keys beside each other that are read. In data, and inside of another key, one key is enough.
_MIN_KEYS: Final = 3
_MAX_KEYS: Final = 100
_MAX_LINE: Final = 400
_MAX_BLOCK: Final = 50_000
#: Maximum number of keys around a key that are read.
_MAX_AROUND: Final = 8


def data_keys(blocks: Iterable[CodeBlock]) -> Iterator[Reference]:
    """Yield the keys in blocks of data, and in signatures and objects of TypeScript, each with the keys beside it."""
    for block in blocks:
        if len(block.text) > _MAX_BLOCK:
            continue
        if block.language.lower() in _LANGUAGES:
            yield from _keys(block, _KEY)
        elif block.language.lower() in _SCRIPTS and _SHOWN.match(block.text) is not None:
            yield from _keys(block, _FIELD_OF_TYPE)


def _of_object(line: str) -> Iterator[tuple[str, int]]:
    """Yield the keys of the objects in a line, without objects inside of them, each with its column."""
    opened = ""
    sign = ""
    for part in _PART.finditer(line):
        if part["sign"] is None:
            key = part["quoted"] if part["quoted"] is not None else part["text"]
            if part["set"] is not None and sign in ("{", ",") and opened == "{" and _WORD.fullmatch(key) is not None:
                yield key, part.start("text") + 1
            sign = ""
            continue
        sign = part["sign"]
        if sign in "{[":
            opened += sign if sign == "{" or opened else ""
        elif sign != ",":
            opened = opened[:-1]


def _inner_keys(block: CodeBlock, groups: Sequence[Sequence[tuple[str, int, int]]]) -> Iterator[list[tuple[str, int, int]]]:
    """Yield the keys of the objects that begin and end on one line, together for all objects of one key."""
    outer = sorted((line, column, key) for group in groups for key, line, column in group)
    found: dict[str, list[tuple[str, int, int]]] = {}
    at, around = 0, ""
    for number, line in enumerate(block.text.split("\n"), block.line):
        while at < len(outer) and outer[at][0] <= number:
            around = outer[at][2]
            at += 1
        if "{" not in line or len(line) > _MAX_LINE:
            continue
        for key, column in _of_object(line):
            found.setdefault(around, []).append((f"{around}.{key_name(key)}", number, column))
    yield from (keys for around, keys in found.items() if around)


def _keys(block: CodeBlock, pattern: re.Pattern[str]) -> Iterator[Reference]:
    """Yield the keys of a block that match a pattern. Keys are beside each other if they have the same indentation, with no outer
    key between.
    """
    groups: list[list[tuple[str, int, int]]] = []
    #: The groups around the current line with their indentations. The first part of an entry is the key with the keys around it.
    open_groups: list[tuple[int, list[tuple[str, int, int]]]] = []
    sections = [found.start() for found in _SECTION.finditer(block.text)]
    at, line = 0, block.line
    for found in pattern.finditer(block.text):
        while sections and sections[0] < found.start():
            sections.pop(0)
            open_groups.clear()
        line += block.text.count("\n", at, found.start())
        at = found.start()
        depth = len(found["indent"])
        while open_groups and open_groups[-1][0] > depth:
            open_groups.pop()
        if not open_groups or open_groups[-1][0] < depth:
            groups.append([])
            open_groups.append((depth, groups[-1]))
        column = found.start("key") - found.start() + 1
        around = f"{open_groups[-2][1][-1][0]}." if 1 < len(open_groups) <= _MAX_AROUND else ""
        open_groups[-1][1].append((f"{around}{key_name(found['key'])}", line, column))
    groups += _inner_keys(block, groups)
    for group in groups:
        names = tuple(dict.fromkeys(key.rpartition(".")[2] for key, _, _ in group))
        for key, number, column in group if len(names) <= _MAX_KEYS else ():
            if pattern is _KEY or len(names) >= _MIN_KEYS or "." in key:
                yield Reference(FIELD, key, number, column, names)
