"""The panel of a change: what it breaks and reaches, and which tests to run."""

from __future__ import annotations

import msgspec

from ...api.workspace import Workspace
from ..endpoint import Endpoint


class Compared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two states, as `Workspace.changes` takes them."""

    range: str = ""
    base: str = ""
    staged: bool = False
    depth: int = 3


def _change(workspace: Workspace, asked: Compared) -> object:
    found = workspace.changes(asked.range.strip(), staged=asked.staged, base=asked.base.strip(), depth=asked.depth)
    return {**found.to_json(), "text": found.text}


ENDPOINTS = (Endpoint("change", Compared, _change),)
