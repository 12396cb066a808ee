"""Read a TypeScript or JavaScript file to its facts."""

from __future__ import annotations

from ...facts.model import FileFacts
from ...files.source_text import SourceText
from ..deep_stack import call_deeply
from .lowering.source_file.program import lower_program
from .parsing.parse import parse_source


def read_file(source: SourceText, language: str) -> FileFacts:
    """Return the facts of a source file.

    Raises `RecursionError` if the source nests too deeply.
    """
    parsed = parse_source(source.data, language)

    def lowered() -> FileFacts:
        problems = [*source.problems, *parsed.problems]
        return lower_program(parsed.tree, parsed.data, source, language, problems, bool(parsed.edits or parsed.problems))

    return call_deeply(lowered)
