"""The record of a language of single-file components. The module `file_facts` of the language is loaded with the first file."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..base import Language, SyntaxTree
from ..typescript.commonjs_exports import EXPORTING
from ..typescript.excerpt_syntax import SYNTAX

if TYPE_CHECKING:
    from ...facts.model import FileFacts
    from ...files.source_text import SourceText


def component_language(package: str) -> Language:
    """Return the record of the language in a package. The module `file_facts` has `read_file` and `parse_scripts`."""
    file_facts = f"{package}.file_facts"

    def read(source: SourceText, language: str) -> FileFacts:
        facts: FileFacts = import_module(file_facts).read_file(source)
        return facts

    def parse(data: bytes, language: str) -> SyntaxTree:
        tree: SyntaxTree = import_module(file_facts).parse_scripts(data)
        return tree

    return Language(read=read, parse=parse, excerpts=SYNTAX, imports_like="typescript", add_api=_add_api, exporting=EXPORTING)


def _add_api(facts: FileFacts) -> None:
    from ..typescript.frameworks.api import add_api

    add_api(facts)
