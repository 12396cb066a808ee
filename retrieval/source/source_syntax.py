"""The interface that the parser of another layer implements: regions of a text, and bindings of import statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ...schema.import_clauses import ImportClause
from ...schema.source_regions import SourceTree


class SourceSyntax(Protocol):
    """A parser of source text, which recognizes the language by the path. Threads may share a parser."""

    def read(self, path: str, text: str, first_line: int = 1) -> SourceTree:
        """Return the regions of a text that begins on line `first_line` of its file. Syntax errors have no regions."""

    def imports(self, path: str, text: str) -> Sequence[ImportClause]:
        """Return the import statements, and the statements that assign `require(…)`, at the root of a text, in order."""
