"""Changes of a small project, one after the other: each is an update, and the index then equals one that is built at once."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from astrolabe.schema.settings import Settings
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.indexing.indexer import Indexer
from incremental_report.__main__ import check
from incremental_report.dump import dump_index
from written_workspace import write

#: Rows by statement.
Rows = Mapping[str, Sequence[tuple[object, ...]]]


def write_indexed(root: Path, project: str) -> None:
    """Write a project with its index in `.astrolabe`. The index is built once, and copied with the files from then on."""
    shutil.copytree(_indexed(project), root)


@cache
def _indexed(project: str) -> Path:
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    root = folder / "project"
    write(root, project)
    Indexer(root, root / ".astrolabe", Settings()).refresh()
    return root


def check_changes(folder: Path, project: str, changes: Sequence[str], before: Rows, after: Rows) -> None:
    """Index a project, change it step by step, and compare the rows before the first and after the last change."""
    root = folder / "project"
    write_indexed(root, project)
    with Workspace.locate(root) as workspace:
        assert _rows(workspace, before) == before
    for change in changes:
        write(root, change)
        with Workspace.locate(root) as workspace:
            assert workspace.index().rebuilt_because == ""
    with Workspace.locate(root) as workspace:
        assert _rows(workspace, after) == after
    assert check(root, root / ".astrolabe", folder / "fresh") == []


def check_files(folder: Path, project: str, seen: str, changes: Mapping[str, str | None]) -> None:
    """Index a project whose index has a text, change files, and put them back; after each step, the index equals a new one.

    None as the text of a file removes the file.
    """
    root, index, settings = folder / "project", folder / "project/.astrolabe", Settings()
    write_indexed(root, project)
    assert seen in str(dump_index(index))
    before = {path: (root / path).read_text() if (root / path).exists() else None for path in changes}
    for step in (changes, before):
        for path, text in step.items():
            if text is None:
                (root / path).unlink()
            else:
                (root / path).parent.mkdir(exist_ok=True)
                (root / path).write_text(text)
        report = Indexer(root, index, settings).refresh()
        assert not report.rebuilt_because
        assert check(root, index, folder / "fresh") == []


def _rows(workspace: Workspace, wanted: Rows) -> Rows:
    return {statement: [tuple(row) for row in workspace.cypher(statement).rows] for statement in wanted}
