"""The state of the workspace. The page requests the state every few seconds."""

from __future__ import annotations

import msgspec

from ....schema.version import __version__
from ...api.workspace import Workspace
from .endpoint import Endpoint, Nothing


class State(msgspec.Struct, frozen=True, rename="camel"):
    """The state in the header of the page."""

    name: str
    root: str
    version: str
    #: Number of the current generation; None before the first generation.
    generation: int | None
    #: Percentage and stage of the current indexing run; None between runs.
    percent: float | None
    stage: str
    budget: int


def _state(workspace: Workspace, _: Nothing) -> State:
    progress = workspace.progress
    return State(
        name=workspace.root.name,
        root=str(workspace.root),
        version=__version__,
        generation=workspace.current_generation(),
        percent=None if progress is None else round(progress.percent, 1),
        stage="" if progress is None else progress.message,
        budget=workspace.settings.max_token_budget,
    )


ENDPOINTS = (Endpoint("state", Nothing, _state),)
