"""The parser for excerpts."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache

from ...schema.import_clauses import ImportClause
from ...schema.languages import language_of
from ...schema.source_regions import SourceTree

#: Number of texts whose import statements are cached. Each result of a file needs the imports of the file.
MAX_REMEMBERED_STATEMENTS = 8_192


class SourceSyntax:
    """Parses text into regions and import clauses. Thread-safe, although parsers are not."""

    def __init__(self) -> None:
        self._parsing = threading.Lock()
        self._imports = lru_cache(MAX_REMEMBERED_STATEMENTS)(self._read_imports)

    def read(self, path: str, text: str, first_line: int = 1) -> SourceTree:
        """Return the regions of a text in the language of a path."""
        from ...ingest.languages.region_reading import read_source

        with self._parsing:
            return read_source(text, _language(path), first_line)

    def imports(self, path: str, text: str) -> Sequence[ImportClause]:
        """Return the import statements, and the variables that `require` initializes, at the root of a text, in order."""
        return self._imports(_language(path), text)

    def _read_imports(self, language: str, text: str) -> Sequence[ImportClause]:
        from ...ingest.languages.region_reading import read_imports

        with self._parsing:
            return read_imports(text, language)


def _language(path: str) -> str:
    return language_of(path.rpartition("/")[2]) or "typescript"
