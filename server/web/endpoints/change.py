"""The panel of a change: breakage, dependants, and tests to run."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ....graphdb.symbols.symbol_table import symbols_of
from ....retrieval.changes.records import SymbolChange
from ...api.workspace import Workspace
from .endpoint import Endpoint


class Compared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The two compared states, as in the arguments of `Workspace.changes`."""

    range: str = ""
    base: str = ""
    staged: bool = False
    depth: int = 3


def _change(workspace: Workspace, asked: Compared) -> object:
    found = workspace.changes(asked.range.strip(), staged=asked.staged, base=asked.base.strip(), depth=asked.depth)
    return {**found.to_json(), "text": found.text, "ids": _indexed_ids(workspace, found.answer.symbols)}


def _indexed_ids(workspace: Workspace, changes: Sequence[SymbolChange]) -> list[str]:
    """Return the ids of the changed symbols that the index contains. The index may be of another state than the compared
    states.
    """
    changed = {(change.at.rpartition(":")[0], change.symbol) for change in changes}
    if not changed:
        return []
    paths = sorted({path for path, _ in changed})
    symbols = workspace.analyse(lambda readers: symbols_of(readers.graph).in_files(paths))
    return [each.id for each in symbols if (each.relative_path, each.qualified_name) in changed]


ENDPOINTS = (Endpoint("change", Compared, _change),)
