"""Where a workspace begins."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.schema.errors import NotAFolder, UsageError, WorkspaceError
from astrolabe.server.environment.data_folder import data_folder
from astrolabe.server.environment.workspace_root import find_root


@pytest.mark.parametrize(
    ("present", "start", "root"),
    [
        (["shop/.git/"], "shop/src/deep", "shop"),
        (["shop/.git"], "shop/src", "shop"),
        (["shop/.git/", "shop/packages/a/.astrolabe/"], "shop/packages/a/src", "shop/packages/a"),
        (["shop/.astrolabe/", "shop/packages/a/.git/"], "shop/packages/a/src", "shop"),
        ([], "shop/src", "shop/src"),
    ],
)
def test_find_root(tmp_path: Path, present: list[str], start: str, root: str) -> None:
    (tmp_path / start).mkdir(parents=True)
    for name in present:
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.mkdir() if name.endswith("/") else place.write_text("gitdir: elsewhere")
    assert find_root(None, start=tmp_path / start) == (tmp_path / root).resolve()


def test_a_worktree_within_a_workspace_is_a_root_of_its_own(tmp_path: Path) -> None:
    (tmp_path / ".git" / "worktrees" / "w1").mkdir(parents=True)
    (tmp_path / ".astrolabe").mkdir()
    worktree = tmp_path / ".claude" / "worktrees" / "w1"
    (worktree / "src").mkdir(parents=True)
    (worktree / ".git").write_text(f"gitdir: {tmp_path}/.git/worktrees/w1\n")
    assert find_root(None, start=worktree / "src") == worktree.resolve()
    (worktree / "src" / ".astrolabe").mkdir()
    assert find_root(None, start=worktree / "src") == (worktree / "src").resolve()


def test_a_submodule_within_a_workspace_belongs_to_it(tmp_path: Path) -> None:
    (tmp_path / ".git" / "modules" / "lib").mkdir(parents=True)
    (tmp_path / ".astrolabe").mkdir()
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / ".git").write_text("gitdir: ../.git/modules/lib\n")
    assert find_root(None, start=tmp_path / "lib") == tmp_path.resolve()


def test_an_explicit_root_goes_before_all(tmp_path: Path) -> None:
    (tmp_path / "a" / ".git").mkdir(parents=True)
    (tmp_path / "a" / "b").mkdir()
    assert find_root(tmp_path / "a" / "b") == (tmp_path / "a" / "b").resolve()


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.ts"
    file.write_text("")
    with pytest.raises(NotAFolder, match="does not exist"):
        find_root(tmp_path / "gone")
    with pytest.raises(NotAFolder, match="is not a folder"):
        find_root(file)


def test_a_home_folder_is_not_taken_by_accident(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(WorkspaceError, match="is not a project"):
        find_root(None, start=tmp_path)
    assert find_root(tmp_path) == tmp_path.resolve()


def test_data_folder(tmp_path: Path) -> None:
    assert data_folder(tmp_path, None) == tmp_path / ".astrolabe"
    assert data_folder(tmp_path, tmp_path / "x" / "y") == tmp_path / "x" / "y"
    (tmp_path / "used" / "generations").mkdir(parents=True)
    (tmp_path / "used" / ".gitignore").write_text("*")
    assert data_folder(tmp_path, tmp_path / "used") == tmp_path / "used"


def test_a_data_folder_with_other_things_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("dist/")
    (tmp_path / "a.ts").write_text("")
    with pytest.raises(UsageError, match=r"holds other files \(a.ts\)"):
        data_folder(tmp_path, tmp_path)


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_data_folder_that_is_a_file_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WorkspaceError, match="is a file"):
        data_folder(tmp_path, tmp_path / place)
    (tmp_path / ".astrolabe").write_text("")
    with pytest.raises(WorkspaceError, match="is a file"):
        data_folder(tmp_path, None)
