"""The record of a markup language for documents. The language's folder has a module `parsing`, loaded with the first file."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from .base import Language

if TYPE_CHECKING:
    from ..documents.sections import Document
    from ..facts.model import FileFacts
    from ..files.source_text import SourceText


def document_language(package: str) -> Language:
    """Return the record of the language in a package, whose `parsing` has `parse`."""

    def read(source: SourceText, language: str) -> FileFacts:
        from ..documents.lowering.facts import document_facts

        document: Document = import_module(f"{package}.parsing").parse(source.data.decode("utf-8", "replace"))
        return document_facts(source, language, document)

    return Language(read=read)
