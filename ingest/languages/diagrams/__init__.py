"""Files of diagrams: mermaid, PlantUML and Graphviz dot. The whole file is a document of diagrams."""

from __future__ import annotations

from ...documents.lowering.facts import diagram_file_facts
from ...facts.model import FileFacts
from ...files.source_text import SourceText
from ..base import Language


def _read(source: SourceText, language: str) -> FileFacts:
    return diagram_file_facts(source, language)


LANGUAGE = Language(read=_read)
