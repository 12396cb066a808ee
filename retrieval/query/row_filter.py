"""Decide which rows of the chunk table a request admits, by path, language and kind.

A path filter is a file (`src/a.ts`), a folder (`src/auth`, `src/auth/`) or a glob (`src/**/*.ts`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...schema.languages import names_of
from .path_filter import path_filter


@dataclass(frozen=True, slots=True)
class RowFilter:
    """Admits rows that match one of the paths, one of the languages and one of the kinds. An empty collection admits all rows."""

    paths: tuple[Callable[[str], bool], ...]
    #: Values of `language`.
    languages: frozenset[str]
    #: Values of `nodeKind`.
    kinds: frozenset[str]

    def admits_path(self, path: str) -> bool:
        """Return whether rows of a file may be admitted."""
        return not self.paths or any(admits(path) for admits in self.paths)


def row_filter(paths: Sequence[str], languages: Sequence[str], kinds: Sequence[str] = ()) -> RowFilter | None:
    """Return the filter for the values of a request; None if all rows are admitted.

    Raises UsageError for an invalid glob.
    """
    admitted = tuple(path_filter(path) for path in paths if path.strip())
    spoken = frozenset(stored for language in languages if language.strip() for stored in names_of(language))
    wanted = RowFilter(admitted, spoken, frozenset(kinds))
    return wanted if wanted.paths or wanted.languages or wanted.kinds else None
