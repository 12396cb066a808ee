"""Places in code at which a compiler judges edges, and the shares of those that are right."""

from __future__ import annotations

from collections.abc import Iterable

from astrolabe.ingest.languages.typescript.resolve.model.unit import Unit

#: File, line and column.
Site = tuple[str, int, int]


def sites_in(unit: Unit, lines: Iterable[int], columns: Iterable[int]) -> list[Site]:
    """Return the sites of an edge in a file."""
    return [(unit.path, line, column) for line, column in zip(lines, columns, strict=True)]


def ratio(part: int, whole: int) -> str:
    """Return a share as a table shows it; "-" where there is nothing to share."""
    return f"{part / whole:.4f}" if whole else "-"
