"""Changes of a small project, one after the other: each is an update, and the index then equals one that is built at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from astrolabe.server.api.workspace import Workspace
from incremental_report.__main__ import check
from written_workspace import write

#: Rows by statement.
Rows = Mapping[str, Sequence[tuple[object, ...]]]


def check_changes(folder: Path, project: str, changes: Sequence[str], before: Rows, after: Rows) -> None:
    """Index a project, change it step by step, and compare the rows before the first and after the last change."""
    root = folder / "project"
    write(root, project)
    with Workspace.locate(root) as workspace:
        workspace.index()
        assert _rows(workspace, before) == before
    for change in changes:
        write(root, change)
        with Workspace.locate(root) as workspace:
            assert workspace.index().rebuilt_because == ""
    with Workspace.locate(root) as workspace:
        assert _rows(workspace, after) == after
    assert check(root, root / ".astrolabe", folder / "fresh") == []


def _rows(workspace: Workspace, wanted: Rows) -> Rows:
    return {statement: [tuple(row) for row in workspace.cypher(statement).rows] for statement in wanted}
