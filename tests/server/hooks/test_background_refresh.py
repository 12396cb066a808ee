"""What the hooks after a commit do to the index."""

from __future__ import annotations

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


def stale_files(root: Path) -> list[str]:
    with Workspace.locate(root) as workspace:
        return list(workspace.status().stale_files)
