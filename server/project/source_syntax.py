"""The syntax of excerpts: whether one is valid source, and what nests in the text it is made of."""

from __future__ import annotations

import threading
from collections.abc import Sequence


class SourceSyntax:
    """Reads text as the parser does. Thread-safe: parsers serve one thread at a time."""

    def __init__(self) -> None:
        self._parsing = threading.Lock()

    def is_valid(self, path: str, text: str) -> bool:
        """Whether a text has no syntax error in the language of a file of that path."""
        from ...ingest.languages.nesting import is_valid

        with self._parsing:
            return is_valid(text, _language(path))

    def brackets(self, path: str, text: str) -> Sequence[tuple[str, int]]:
        """What opens and closes in a text, each with its line from 0."""
        from ...ingest.languages.nesting import nesting_marks

        with self._parsing:
            return nesting_marks(text, _language(path))


def _language(path: str) -> str:
    from ...schema.languages import language_of

    return language_of(path.rpartition("/")[2]) or "typescript"
