"""Ids of the symbols that the rows of an answer name, so that the page can link them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....graphdb.symbols.symbol_table import symbols_of
from ...api.workspace import Workspace


def add_ids(workspace: Workspace, rows: Sequence[dict[str, Any]]) -> None:
    """Add the ids of symbols to their rows.

    A row has a name in `symbol`, and its place in `at`, or in `file` and `line`. A name without its owner is enough if the line
    is that of its declaration. A symbol that the index does not contain gets no id, because rows may be of another state.
    """
    places = [_place_of(row) for row in rows]
    if not places:
        return
    paths = sorted({path for path, _ in places})
    symbols = workspace.analyse(lambda readers: symbols_of(readers.graph).in_files(paths))
    # Of several declarations of a name, the first one is meant.
    ids = {(each.relative_path, each.qualified_name): each.id for each in reversed(symbols)}
    of_lines = {(each.relative_path, each.name, each.declaration_line): each.id for each in symbols}
    for row, (path, line) in zip(rows, places, strict=True):
        if symbol_id := of_lines.get((path, row["symbol"], line)) or ids.get((path, row["symbol"])):
            row["id"] = symbol_id


def _place_of(row: dict[str, Any]) -> tuple[str, int]:
    if "at" not in row:
        return row["file"], row["line"]
    path, _, line = row["at"].rpartition(":")
    return path, int(line)
