"""The interface of a parser outside of this layer, which returns the regions of a text and the bindings of import statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ...schema.import_clauses import ImportClause
from ...schema.source_regions import SourceTree


class SourceSyntax(Protocol):
    """A parser of source text, which recognizes the language by the path. Safe to share between threads."""

    def read(self, path: str, text: str, first_line: int = 1) -> SourceTree:
        """Return the regions of a text that begins on line `first_line` of its file. There are no regions at syntax errors."""

    def imports(self, path: str, text: str) -> Sequence[ImportClause]:
        """Return the import statements at the root of a text, and the statements there that assign `require(…)`, in order."""
