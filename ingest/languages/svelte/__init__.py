"""Svelte's components: scripts with their runes and stores, and templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base import Language, SyntaxTree
from ..typescript.excerpt_syntax import SYNTAX

if TYPE_CHECKING:
    from ...facts.model import FileFacts
    from ...files.source_text import SourceText


def _read(source: SourceText, language: str) -> FileFacts:
    from .reading import read_file

    return read_file(source)


def _parse(data: bytes, language: str) -> SyntaxTree:
    from .reading import parse_scripts

    return parse_scripts(data)


LANGUAGE = Language(read=_read, parse=_parse, excerpts=SYNTAX, imports_like="typescript")
