"""Brings the index up to date after a commit, a merge or a checkout."""

from __future__ import annotations

import os
import time
from pathlib import Path

from ...ingest.history.git import GitRepository
from ...ingest.history.store import has_history, opened_history
from ...schema.errors import IndexLocked
from ..api.workspace import Workspace
from ..environment.data_folder import data_folder
from ..environment.git_process import git_output

#: Seconds of waiting for another process that writes the index, and seconds between two attempts.
PATIENCE = 120.0
PAUSE = 1.0


def refresh_index(root: Path, hook: str) -> None:
    """Bring an existing index and the database of commits up to date. Without an index, do nothing.

    A rebase makes many commits and checkouts, and only its final `post-rewrite` causes a refresh. Raises the errors of
    `Workspace.index`, GitFailed and StoreError.
    """
    if not (data_folder(root, None) / "CURRENT").exists() or (hook != "post-rewrite" and _is_rebasing()):
        return
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with Workspace.locate(root, None) as workspace:
                workspace.index()
                _refresh_history(workspace)
            return
        except IndexLocked:
            if time.monotonic() > deadline:
                raise
            time.sleep(PAUSE)


def _refresh_history(workspace: Workspace) -> None:
    """Read the new commits, if there is a database of commits."""
    if has_history(workspace.history_folder):
        with opened_history(workspace.history_folder, GitRepository(workspace.root), workspace.settings.history_depth):
            pass


def _is_rebasing() -> bool:
    """Return whether a rebase is in progress in the current folder, in which Git runs its hooks."""
    here = Path.cwd()
    printed = git_output(here, "rev-parse", "--git-path", "rebase-merge", "--git-path", "rebase-apply")
    return any(here.joinpath(line).exists() for line in os.fsdecode(printed).splitlines())
