"""The panel of a change: breakage, dependants, and tests to run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ....graphdb.symbols.symbol_table import symbols_of
from ...api.workspace import Workspace
from .endpoint import Endpoint

#: Lists of the answer whose rows are symbols.
SECTIONS_OF_SYMBOLS = ("symbols", "affected", "entryPoints")


class Compared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The two compared states, as in the arguments of `Workspace.changes`."""

    range: str = ""
    base: str = ""
    staged: bool = False
    depth: int = 3


def _change(workspace: Workspace, asked: Compared) -> object:
    found = workspace.changes(asked.range.strip(), staged=asked.staged, base=asked.base.strip(), depth=asked.depth)
    answer = found.to_json()
    _add_ids(workspace, [row for section in SECTIONS_OF_SYMBOLS for row in answer.get(section, ())])
    return {**answer, "text": found.text}


def _add_ids(workspace: Workspace, rows: Sequence[dict[str, Any]]) -> None:
    """Add the ids of symbols to their rows. A symbol that the index does not contain has no id.

    The index may be of another state than the compared states.
    """
    paths = sorted({_path_of(row) for row in rows})
    if not paths:
        return
    symbols = workspace.analyse(lambda readers: symbols_of(readers.graph).in_files(paths))
    # Of several declarations of a name, the first one is meant.
    ids = {(each.relative_path, each.qualified_name): each.id for each in reversed(symbols)}
    for row in rows:
        if symbol_id := ids.get((_path_of(row), row["symbol"])):
            row["id"] = symbol_id


def _path_of(row: dict[str, Any]) -> str:
    path: str = row["at"].rpartition(":")[0]
    return path


ENDPOINTS = (Endpoint("change", Compared, _change),)
