"""The panel of a change: breakage, dependants, and tests to run."""

from __future__ import annotations

import msgspec

from ...api.workspace import Workspace
from .endpoint import Endpoint
from .symbol_ids import add_ids

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
    add_ids(workspace, [row for section in SECTIONS_OF_SYMBOLS for row in answer.get(section, ())])
    return {**answer, "text": found.text}


ENDPOINTS = (Endpoint("change", Compared, _change),)
