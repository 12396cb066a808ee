"""Map a place in built code to a place in its source, with the source map beside the built file.

The format is version 3 of source maps (ECMA-426).
"""

from __future__ import annotations

from pathlib import Path
from posixpath import normpath

import msgspec

#: Maximum size of a source map in bytes.
_MAX_BYTES = 64 << 20
#: Maximum number of components of the path of a built file in the workspace.
_MAX_FOLDERS = 6
_DIGITS = {letter: value for value, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}


class _Map(msgspec.Struct, frozen=True, rename="camel"):
    sources: list[str | None]
    mappings: str
    source_root: str | None = None


def built_file(root: Path, written: str) -> str | None:
    """Return the path of a built file relative to `root`, from its path in a trace; None if no source map is beside the file."""
    parts = components(written)
    for begin in range(max(0, len(parts) - _MAX_FOLDERS), len(parts)):
        end = "/".join(parts[begin:])
        if source_map(root, end).is_file():
            return end
    return None


def source_map(root: Path, built: str) -> Path:
    """Return the place of the source map of a built file."""
    return root / f"{built}.map"


def components(path: str) -> list[str]:
    """Return the names in a path."""
    return [part for part in path.split("/") if part not in ("", ".", "..")]


def source_place(root: Path, built: str, line: int, column: int) -> tuple[str, int] | None:
    """Return path and line in the source for a place in a built file; None if no valid source map contains the place.

    Both `built` and the returned path are relative to `root`.
    """
    file = source_map(root, built)
    if not file.is_file() or file.is_symlink() or file.stat().st_size > _MAX_BYTES:
        return None
    try:
        found = msgspec.json.decode(file.read_bytes(), type=_Map)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    place = _mapped(found.mappings, line, max(column - 1, 0))
    if place is None or not 0 <= place[0] < len(found.sources):
        return None
    source = found.sources[place[0]]
    if source is None:
        return None
    if "://" in source:
        return source.partition("://")[2].lstrip("/"), place[1]
    folder = built.rpartition("/")[0]
    return normpath("/".join(part for part in (folder, found.source_root or "", source) if part)), place[1]


def _mapped(mappings: str, line: int, column: int) -> tuple[int, int] | None:
    """Return the index of the source, and the line from 1, of the last segment at or before a column, which counts from 0."""
    source = source_line = 0
    best: tuple[int, int] | None = None
    for number, text in enumerate(mappings.split(";"), 1):
        built_column = 0
        for segment in text.split(","):
            values = _decoded(segment)
            if not values:
                continue
            built_column += values[0]
            if len(values) >= 4:
                source += values[1]
                source_line += values[2]
                if number == line and (built_column <= column or best is None):
                    best = (source, source_line + 1)
        if number == line:
            return best
    return None


def _decoded(segment: str) -> list[int]:
    """Return the numbers of a segment in base 64 VLQ; an empty list if the segment is invalid."""
    numbers: list[int] = []
    value = shift = 0
    for letter in segment:
        digit = _DIGITS.get(letter)
        if digit is None or shift > 40:
            return []
        value |= (digit & 31) << shift
        if digit & 32:
            shift += 5
        else:
            numbers.append(-(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    return numbers
