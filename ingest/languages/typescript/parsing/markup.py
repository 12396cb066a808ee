"""Gaps inside text, which the mask hides: JSX text and attributes, template literal types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from tree_sitter import Node

from .edits import Edit, GapSource

_BARE_AMPERSAND: Final = re.compile(rb"&(?!#[xX][0-9a-fA-F]{1,6};|#[0-9]{1,5};|[A-Za-z]{1,30};)")
_ATTRIBUTE: Final = re.compile(rb"(?<=[\w-])=(?:\"_+\"|'_+')")
_TEXT: Final = re.compile(rb"(?<!=)>[^<>{}]*&[^<>{}]*(?=[<{])")
_TEMPLATE_TEXT: Final = re.compile(rb"(?<=[`}])[_\r\n]+(?=`|\$\{)")
_ESCAPE: Final = re.compile(rb"\\[^\r\n]")


def ampersands_in_markup(data: bytes, errors: Iterable[Node]) -> Iterator[Edit]:
    """Replace ampersands that do not begin a character reference by underscores, at syntax errors.

    Only syntax errors are searched, because only a grammar can distinguish JSX text from code.
    """
    for error in errors:
        if data[error.start_byte : error.start_byte + 1] == b"&":
            for found in _BARE_AMPERSAND.finditer(data, error.start_byte, error.end_byte):
                yield Edit(found.start(), found.end(), b"_", "ampersand in markup")


def ampersands_in_attributes(source: GapSource) -> Iterator[Edit]:
    """Replace ampersands that do not begin a character reference by underscores, in attribute values."""
    for value in _ATTRIBUTE.finditer(source.mask):
        for found in _BARE_AMPERSAND.finditer(source.data, value.start(), value.end()):
            yield Edit(found.start(), found.end(), b"_")


def ampersands_in_text(source: GapSource) -> Iterator[Edit]:
    """Replace the ampersands in possible text between two tags by underscores."""
    for text in _TEXT.finditer(source.data):
        for found in _BARE_AMPERSAND.finditer(source.data, text.start(), text.end()):
            yield Edit(found.start(), found.end(), b"_")


def escapes_in_templates(source: GapSource) -> Iterator[Edit]:
    """Replace the escape sequences of templates by underscores: the grammar accepts none in template literal types."""
    for text in _TEMPLATE_TEXT.finditer(source.mask):
        for found in _ESCAPE.finditer(source.data, text.start(), text.end()):
            yield Edit(found.start(), found.end(), b"__")


def nul_bytes(source: GapSource) -> Iterator[Edit]:
    """Replace NUL bytes by underscores: a string may contain NUL bytes, but the grammar takes them for the end of the file."""
    position = source.data.find(b"\0")
    while position >= 0:
        yield Edit(position, position + 1, b"_")
        position = source.data.find(b"\0", position + 1)
