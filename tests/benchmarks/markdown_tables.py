"""Tables as Markdown, printed row by row while they are measured."""

from __future__ import annotations

from collections.abc import Sequence


def print_head(columns: Sequence[str], texts: int = 1) -> None:
    """The head of a table, whose first columns are texts and whose others are numbers."""
    print(f"| {' | '.join(columns)} |\n|{'---|' * texts}{'---:|' * (len(columns) - texts)}", flush=True)


def print_row(cells: Sequence[str]) -> None:
    """A row of a table."""
    print(f"| {' | '.join(cells)} |", flush=True)
