"""The record of a language of single-file components. The module `reading` of the language is loaded with the first file."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..base import Language, SyntaxTree
from ..typescript.excerpt_syntax import SYNTAX

if TYPE_CHECKING:
    from ...facts.model import FileFacts
    from ...files.source_text import SourceText


def component_language(package: str) -> Language:
    """Return the record of the language in a package. The module `reading` of the package has `read_file` and `parse_scripts`."""
    reading = f"{package}.reading"

    def read(source: SourceText, language: str) -> FileFacts:
        facts: FileFacts = import_module(reading).read_file(source)
        return facts

    def parse(data: bytes, language: str) -> SyntaxTree:
        tree: SyntaxTree = import_module(reading).parse_scripts(data)
        return tree

    return Language(read=read, parse=parse, excerpts=SYNTAX, imports_like="typescript")
