"""Bytes of a file to text: encodings, line ends, binary content."""

from __future__ import annotations

import pytest
from astrolabe.ingest.files.source_text import decode_source
from astrolabe.schema.records import Problem
from hypothesis import given
from hypothesis import strategies as st

TEXTS = [
    ("plain", b"const a = 1\n", b"const a = 1\n"),
    ("empty", b"", b""),
    ("UTF-8 mark", b"\xef\xbb\xbfa\nb", b"a\nb"),
    ("UTF-8 beyond ASCII", "const größe = '✓'".encode(), "const größe = '✓'".encode()),
    ("UTF-16 little-endian", "a = 'é'\nb".encode("utf-16"), "a = 'é'\nb".encode()),
    ("UTF-16 big-endian", b"\xfe\xff" + "a\nb".encode("utf-16-be"), b"a\nb"),
    ("UTF-32 little-endian", "a\nb".encode("utf-32"), b"a\nb"),
    ("UTF-32 big-endian", b"\x00\x00\xfe\xff" + "ab".encode("utf-32-be"), b"ab"),
    ("CRLF stays", b"a\r\nb\r\n", b"a\r\nb\r\n"),
    ("lone CR ends a line", b"a\rb\r\nc", b"a\nb\r\nc"),
    ("mark inside the text", b"a\xef\xbb\xbfb", b"a\xef\xbb\xbfb"),
    ("escape characters are text", b"const red = '\x1b[31m'\n", b"const red = '\x1b[31m'\n"),
]


@pytest.mark.parametrize(("data", "expected"), [case[1:] for case in TEXTS], ids=[case[0] for case in TEXTS])
def test_text_is_decoded_without_problems(data: bytes, expected: bytes) -> None:
    source = decode_source(data)
    assert (source.data, source.problems, source.is_binary) == (expected, [], False)


PROBLEMS = [
    (
        "Latin-1",
        b"one\nna\xefve\n",
        "one\nna\ufffdve\n",
        Problem(2, "invalid UTF-8: byte 0xef; shown as U+FFFD"),
    ),
    (
        "only the first bad byte is told",
        b"\xff\n\xff\n",
        "\ufffd\n\ufffd\n",
        Problem(1, "invalid UTF-8: byte 0xff; shown as U+FFFD"),
    ),
    ("cut UTF-16", b"\xff\xfea\x00\n\x00b", "a\n\ufffd", Problem(2, "invalid UTF-16; shown as U+FFFD")),
    ("cut UTF-32", b"\xff\xfe\x00\x00a\x00\x00\x00b", "a\ufffd", Problem(1, "invalid UTF-32; shown as U+FFFD")),
    (
        "NUL in a string",
        b"\n" * 200 + b"const separator = '\0'\n",
        "\n" * 200 + "const separator = '\0'\n",
        Problem(201, "NUL byte in the text"),
    ),
]


@pytest.mark.parametrize(("data", "expected", "problem"), [case[1:] for case in PROBLEMS], ids=[case[0] for case in PROBLEMS])
def test_damaged_text_is_shown_with_a_problem(data: bytes, expected: str, problem: Problem) -> None:
    source = decode_source(data)
    assert (source.data.decode(), source.problems, source.is_binary) == (expected, [problem], False)


BINARIES = [
    ("video with the extension of TypeScript", b"\x47\x40\x00\x10\x00\x00\xb0\x0d" + b"\xff" * 180),
    ("image", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x00"),
    ("NUL bytes between ASCII", b"a\0b\0c\0d\0"),
]


@pytest.mark.parametrize("data", [case[1] for case in BINARIES], ids=[case[0] for case in BINARIES])
def test_binary_content_has_no_text(data: bytes) -> None:
    source = decode_source(data)
    assert (source.data, source.line_starts, source.is_binary) == (b"", [0], True)
    assert source.problems == [Problem(1, "binary content, not source text")]


LINES = [
    ("nothing is one line", b"", [0]),
    ("no line end", b"ab", [0]),
    ("line end at the end", b"ab\n", [0, 3]),
    ("blank lines", b"\n\n", [0, 1, 2]),
    ("CRLF", b"a\r\nb", [0, 3]),
    ("CR, CR LF", b"a\r\r\nb", [0, 2, 4]),
    ("form feed and line separator end no line", b"a\x0cb\xe2\x80\xa8c\n", [0, 8]),
    ("offsets count bytes", "é\né".encode(), [0, 3]),
]


@pytest.mark.parametrize(("data", "starts"), [case[1:] for case in LINES], ids=[case[0] for case in LINES])
def test_line_starts(data: bytes, starts: list[int]) -> None:
    assert decode_source(data).line_starts == starts


@given(st.binary(max_size=60) | st.text("a\r\n\u2028é", max_size=40).map(str.encode))
def test_lines_cover_the_text(data: bytes) -> None:
    source = decode_source(data)
    text = source.data.decode()
    assert (
        b"".join(source.data[a:b] for a, b in zip(source.line_starts, [*source.line_starts[1:], None], strict=True))
        == source.data
    )
    assert len(source.line_starts) == text.count("\n") + 1
