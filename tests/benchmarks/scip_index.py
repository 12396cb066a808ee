"""Reads an index in the format SCIP, which the compilers' own indexers write: names of a repository and what they mean."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

_DEFINITION = 1


class Occurrence(NamedTuple):
    """A name in a file. Its line and column are counted from 0, the column in units of UTF-16."""

    line: int
    column: int
    symbol: str
    is_definition: bool


class ScipIndex(NamedTuple):
    """Occurrences of names by file, and the symbols that a symbol implements or extends."""

    occurrences: dict[str, list[Occurrence]]
    bases: dict[str, set[str]]


def read_index(path: Path) -> ScipIndex:
    """Read an index. A local symbol gets its file as part of its name."""
    found = ScipIndex({}, defaultdict(set))
    for number, document in _fields(path.read_bytes()):
        if number != 2 or isinstance(document, int):
            continue
        name, occurrences = "", []
        for field, value in _fields(document):
            if isinstance(value, int):
                continue
            if field == 1:
                name = PurePosixPath(value.decode()).as_posix()
            elif field == 2:
                occurrences.append(_occurrence(value))
            elif field == 3:
                symbol, bases = _relations(value)
                found.bases[symbol] |= bases
        named = [
            each._replace(symbol=f"{name} {each.symbol}") if each.symbol.startswith("local ") else each for each in occurrences
        ]
        found.occurrences[name] = [each for each in named if each.symbol]
    return found


def _in_file(occurrence: Occurrence, path: str) -> Occurrence:
    """Return an occurrence with the file as part of the name, if the symbol is local to the file."""
    is_local = occurrence.symbol.startswith("local ")
    return occurrence._replace(symbol=f"{path} {occurrence.symbol}") if is_local else occurrence


def _occurrence(message: bytes) -> Occurrence:
    start: list[int] = []
    symbol, roles = "", 0
    for field, value in _fields(message):
        if field == 1:
            start += [value] if isinstance(value, int) else _integers(value)
        elif field == 2 and not isinstance(value, int):
            symbol = value.decode()
        elif field == 3 and isinstance(value, int):
            roles = value
    return Occurrence(start[0], start[1], symbol, bool(roles & _DEFINITION))


def _relations(message: bytes) -> tuple[str, set[str]]:
    """Return a symbol and the symbols that it implements."""
    symbol, bases = "", set()
    for field, value in _fields(message):
        if isinstance(value, int):
            continue
        if field == 1:
            symbol = value.decode()
        elif field == 4:
            relation = dict(_fields(value))
            base = relation.get(1, b"")
            if relation.get(3) and isinstance(base, bytes):
                bases.add(base.decode())
    return symbol, bases


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the number and the value of each field of a message in the format of protocol buffers."""
    at = 0
    while at < len(message):
        key, at = _integer(message, at)
        if key & 7 == 0:
            value, at = _integer(message, at)
            yield key >> 3, value
        else:
            length, at = _integer(message, at) if key & 7 == 2 else (4 if key & 7 == 5 else 8, at)
            yield key >> 3, message[at : at + length]
            at += length


def _integers(message: bytes) -> list[int]:
    found, at = [], 0
    while at < len(message):
        value, at = _integer(message, at)
        found.append(value)
    return found


def _integer(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
