"""Jupyter notebooks: their code cells as one module, read by the language of their kernel."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ...files.source_text import SourceText
from ..base import Language, SyntaxTree
from ..python import LANGUAGE as PYTHON

if TYPE_CHECKING:
    from ...facts.model import FileFacts

_FILE_FACTS = f"{__package__}.file_facts"


def _read(source: SourceText, language: str) -> FileFacts:
    facts: FileFacts = import_module(_FILE_FACTS).read_file(source)
    return facts


def _parse(data: bytes, language: str) -> SyntaxTree:
    tree: SyntaxTree = import_module(_FILE_FACTS).parse_cells(data)
    return tree


def _decode(data: bytes) -> SourceText:
    text: SourceText = import_module(f"{__package__}.module_text").module_text(data)
    return text


LANGUAGE = Language(
    read=_read,
    parse=_parse,
    excerpts=PYTHON.excerpts,
    signature_parts=PYTHON.signature_parts,
    imports_like="python",
    nominal=PYTHON.nominal,
    decode=_decode,
)
