r"""Decode a source file to the form that all readers need: UTF-8 bytes, lines, and problems of the file.

Lines end at "\\n", as in tree-sitter, git and grep; "\\r\\n" needs no change. A single "\\r" ends a line in the TypeScript
compiler and in editors. Such a "\\r" is replaced by "\\n", so that offsets do not change. U+2028 and U+2029 do not end a line.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from dataclasses import dataclass
from typing import Final, NamedTuple

from ...schema.records import Problem
from ...schema.text_lines import line_starts

#: UTF-32 comes first, because its little-endian mark begins with the mark of UTF-16.
_WIDE_ENCODINGS: Final = (
    (BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
_LONE_CARRIAGE_RETURN: Final = re.compile(rb"\r(?!\n)")
_CONTROL_BYTES: Final = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b"))
#: Bytes for each permitted control byte. A file that is not UTF-8 or contains NUL bytes is binary if it has more control bytes.
_BYTES_PER_CONTROL_BYTE: Final = 100


@dataclass(frozen=True, slots=True)
class SourceText:
    """A source file as text."""

    #: Valid UTF-8 without a byte order mark, for the parser. Empty for a binary file.
    data: bytes
    #: Byte offset in `data` where each line begins; a file has at least one line.
    line_starts: list[int]
    problems: list[Problem]
    is_binary: bool
    #: SQL dialect that the settings state for the file; "" if they state none.
    sql_dialect: str = ""


class _Decoded(NamedTuple):
    """A `SourceText` whose lines are not known yet."""

    data: bytes
    problems: list[Problem]
    is_binary: bool


def decode_source(data: bytes) -> SourceText:
    """Decode the bytes of a file. Never raises."""
    text, problems, is_binary = _decoded(data)
    return SourceText(text, line_starts(text)[:-1], problems, is_binary)


def source_bytes(data: bytes) -> bytes:
    """Return the `data` of `decode_source`, for callers that already know the lines."""
    return _decoded(data).data


def _decoded(data: bytes) -> _Decoded:
    for mark, codec, name in _WIDE_ENCODINGS:
        if data.startswith(mark):
            return _from_wide(data[len(mark) :], codec, name)
    if data.startswith(BOM_UTF8):
        data = data[len(BOM_UTF8) :]
    return _from_utf8(data)


def _from_utf8(data: bytes) -> _Decoded:
    has_nul = b"\0" in data
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        if _looks_binary(data):
            return _binary()
        problem = Problem(_line_at(data, error.start), f"invalid UTF-8: byte 0x{data[error.start]:02x}; shown as U+FFFD")
        return _text(data.decode("utf-8", "replace").encode("utf-8"), [problem])
    if has_nul and _looks_binary(data):
        return _binary()
    return _text(data, [])


def _from_wide(data: bytes, codec: str, name: str) -> _Decoded:
    try:
        return _text(data.decode(codec).encode("utf-8"), [])
    except UnicodeDecodeError as error:
        line = data[: error.start].decode(codec, "replace").count("\n") + 1
        text = data.decode(codec, "replace")
        return _text(text.encode("utf-8"), [Problem(line, f"invalid {name}; shown as U+FFFD")])


def _text(data: bytes, problems: list[Problem]) -> _Decoded:
    if b"\r" in data:
        data = _LONE_CARRIAGE_RETURN.sub(b"\n", data)
    nul = data.find(b"\0")
    if nul >= 0:
        problems.append(Problem(_line_at(data, nul), "NUL byte in the text"))
    return _Decoded(data, problems, False)


def _binary() -> _Decoded:
    return _Decoded(b"", [Problem(1, "binary content, not source text")], True)


def _looks_binary(data: bytes) -> bool:
    controls = len(data) - len(data.translate(None, _CONTROL_BYTES))
    return controls * _BYTES_PER_CONTROL_BYTE > len(data)


def _line_at(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1
