"""Gaps inside text, where the mask shows nothing: JSX text and attributes, template literal types."""

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
    """Underscores for ampersands that the grammar stumbled over: those that begin no character reference.

    They are found by the errors, because only a grammar can tell JSX text from code.
    """
    for error in errors:
        if data[error.start_byte : error.start_byte + 1] == b"&":
            for found in _BARE_AMPERSAND.finditer(data, error.start_byte, error.end_byte):
                yield Edit(found.start(), found.end(), b"_", "ampersand in markup")


def ampersands_in_attributes(source: GapSource) -> Iterator[Edit]:
    """Underscores for the ampersands of attribute values that begin no character reference."""
    for value in _ATTRIBUTE.finditer(source.mask):
        for found in _BARE_AMPERSAND.finditer(source.data, value.start(), value.end()):
            yield Edit(found.start(), found.end(), b"_")


def ampersands_in_text(source: GapSource) -> Iterator[Edit]:
    """Underscores for the ampersands of what may be text between two tags."""
    for text in _TEXT.finditer(source.data):
        for found in _BARE_AMPERSAND.finditer(source.data, text.start(), text.end()):
            yield Edit(found.start(), found.end(), b"_")


def escapes_in_templates(source: GapSource) -> Iterator[Edit]:
    """Underscores for the escape sequences of templates: the grammar has none in template literal types."""
    for text in _TEMPLATE_TEXT.finditer(source.mask):
        for found in _ESCAPE.finditer(source.data, text.start(), text.end()):
            yield Edit(found.start(), found.end(), b"__")


def nul_bytes(source: GapSource) -> Iterator[Edit]:
    """Underscores for NUL bytes, which a string may hold, but which end the file for the grammar."""
    position = source.data.find(b"\0")
    while position >= 0:
        yield Edit(position, position + 1, b"_")
        position = source.data.find(b"\0", position + 1)
