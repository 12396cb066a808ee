"""What the hooks after a commit do to the index."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.hooks.background_refresh import refresh_index
from git_commands import git


def test_an_existing_index_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "init", "-q", "--template=")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.ts").write_text("export const a = 1\n")
    refresh_index(tmp_path, "post-commit")
    assert not (tmp_path / ".astrolabe").exists()

    with Workspace.locate(tmp_path) as workspace:
        workspace.index()
    (tmp_path / "b.ts").write_text("export const b = 1\n")
    (tmp_path / ".git" / "rebase-merge").mkdir()
    refresh_index(tmp_path, "post-checkout")
    assert stale_files(tmp_path) == ["b.ts"]

    refresh_index(tmp_path, "post-rewrite")
    assert stale_files(tmp_path) == []


def test_commits_that_were_read_are_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing is read where nobody asked for the history."""
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "-q", "--template=", "-b", "main")
    (tmp_path / "a.ts").write_text("export const a = 1\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    with Workspace.locate(tmp_path) as workspace:
        workspace.index()
        refresh_index(tmp_path, "post-commit")
        folder = workspace.history_folder
        assert not folder.exists()
        workspace.history()
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "Go on")
    refresh_index(tmp_path, "post-commit")
    (database,) = (path for path in folder.iterdir() if path.suffix not in (".lock", ".db-wal", ".db-shm"))
    with sqlite3.connect(database) as read:
        assert read.execute("SELECT count(*) FROM commits").fetchone() == (2,)


def stale_files(root: Path) -> list[str]:
    with Workspace.locate(root) as workspace:
        return list(workspace.status().stale_files)
