"""The panel of health: freshness, problems, omissions, gaps, sizes, hooks, and progress of indexing."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from ....schema.process.git import GitFailed
from ...api.workspace import Workspace
from ...hooks.hook_files import hook_states
from .endpoint import Endpoint, Nothing


class Indexing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request to bring the index up to date, or to build it again from all files. This writes the index."""

    full: bool = False


def _health(workspace: Workspace, asked: Nothing) -> object:
    hooks = []
    with suppress(GitFailed):  # outside of a repository, or without Git
        hooks = [
            {"hook": state.hook, "installed": state.is_installed, "reason": state.reason} for state in hook_states(workspace.root)
        ]
    return {**workspace.status().to_json(), "hooks": hooks}


def _index(workspace: Workspace, asked: Indexing) -> object:
    report = workspace.reindex() if asked.full else workspace.index()
    return {"generation": report.generation.number, "outcome": report.outcome, "notices": report.notices}


def _progress(workspace: Workspace, asked: Nothing) -> object:
    """Return the progress of indexing in this process; null between runs."""
    progress = workspace.progress
    return None if progress is None else {"percent": progress.percent, "message": progress.message}


ENDPOINTS = (
    Endpoint("health", Nothing, _health),
    Endpoint("health-index", Indexing, _index),
    Endpoint("health-progress", Nothing, _progress),
)
