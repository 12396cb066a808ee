"""The interface of excerpts to a parser outside of this layer: the regions of a text, and the bindings of import statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ...schema.import_clauses import ImportClause
from ...schema.source_regions import SourceTree


class SourceSyntax(Protocol):
    """A parser of source text; the path tells the language. Safe to share between threads."""

    def read(self, path: str, text: str, first_line: int = 1) -> SourceTree:
        """Return the regions of a text that begins on a line of its file. Text with syntax errors has none at the errors."""

    def imports(self, path: str, text: str) -> Sequence[ImportClause]:
        """Return the import statements at the root of a text, and the variables there that `require` fills, in order."""
