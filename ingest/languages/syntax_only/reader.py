"""Read files of a language by its rules. Records of languages without a resolver use these functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base import SyntaxTree
from .rules import SyntaxRules

if TYPE_CHECKING:
    from ...facts.model import FileFacts
    from ...files.source_text import SourceText
    from .file_facts import Declared


class SyntaxOnlyReader:
    """Reads one language, or several with similar syntax. tree-sitter is loaded with the first file."""

    def __init__(self, rules: SyntaxRules) -> None:
        self.rules = rules

    def rules_for(self, data: bytes, language: str) -> SyntaxRules:
        """Return the rules for a text."""
        return self.rules

    def read(self, source: SourceText, language: str) -> FileFacts:
        """Return the facts of a source file: symbols, chunks and imports."""
        from .file_facts import syntax_facts

        return syntax_facts(source, language, self.rules_for(source.data, language))

    def parse(self, data: bytes, language: str) -> SyntaxTree:
        """Return the syntax tree of a text in UTF-8."""
        from .parsing import parse

        root = parse(data, self.rules_for(data, language)).root
        return SyntaxTree(root, not root.has_error)

    def declarations(self, source: SourceText, language: str) -> Declared:
        """Return the declarations of a source file, before the text between them is read."""
        from .file_facts import read_declarations

        return read_declarations(source, language, self.rules_for(source.data, language))
