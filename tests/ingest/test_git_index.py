"""What Git tracks, read from its index: in each of its versions, in linked worktrees, with submodules, and if it is damaged."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.files.discovery import discover
from astrolabe.ingest.files.git_index import tracked_paths
from astrolabe.schema.settings import Settings
from git_commands import git


def _commit(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x = 1\n")
    git(root, "add", "-f", *paths)
    git(root, "commit", "-q", "-m", "first")


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_versions(tmp_path: Path, version: str) -> None:
    git(tmp_path, "init", "-q")
    _commit(tmp_path, "a.py", "pkg/inner/b.py", "pkg/é.py", "x" * 200 + "/c.py", "x" * 200 + "/d.py")
    (tmp_path / "later.py").write_text("")
    git(tmp_path, "add", "--intent-to-add", "later.py")  # which only versions 3 and 4 can say
    git(tmp_path, "update-index", "--index-version", version)
    tracked = tracked_paths(str(tmp_path))
    names = git(tmp_path, "-c", "core.quotePath=false", "ls-files").split("\n")
    assert len(names) == 6
    assert all(tracked.has_file(name) for name in names)
    assert tracked.has_below("pkg")
    assert tracked.has_below("pkg/inner")
    assert not tracked.has_below("pk")
    assert not tracked.has_below("a.py")
    assert not tracked.has_file("pkg")
    assert not tracked.has_file("b.py")


def test_a_linked_worktree_has_an_index_of_its_own(tmp_path: Path) -> None:
    main = tmp_path / "main"
    main.mkdir()
    git(main, "init", "-q")
    _commit(main, "made_by_hand.py", "a.py")
    (main / ".gitignore").write_text("made_*\n")
    git(main, "add", ".gitignore")
    git(main, "commit", "-q", "-m", "second")
    git(main, "worktree", "add", "-q", "../linked")
    (tmp_path / "linked" / "made_by_tool.py").write_text("")
    assert [file.relative_path for file in discover(tmp_path / "linked", Settings()).files] == ["a.py", "made_by_hand.py"]


def test_a_submodule_in_a_folder_that_is_ignored(tmp_path: Path) -> None:
    library, main = tmp_path / "library", tmp_path / "main"
    for folder in (library, main):
        folder.mkdir()
        git(folder, "init", "-q")
    _commit(library, "lib.py")
    (main / ".gitignore").write_text("vendored/\n")
    git(main, "-c", "protocol.file.allow=always", "submodule", "add", "-f", str(library), "vendored/library")
    (main / "vendored" / "other.py").write_text("")
    found = discover(main, Settings())
    assert [file.relative_path for file in found.files] == ["vendored/library/lib.py"]
    assert {each.path: each.reason for each in found.excluded} == {"vendored/other.py": ".gitignore:1: vendored/"}


def test_our_own_rules_and_the_built_in_ones_concern_tracked_files_too(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / ".gitignore").write_text("*.js\nlogs/\n")
    (tmp_path / ".astrolabeignore").write_text("logs/private/\n")
    _commit(tmp_path, "a.min.js", "a.js", "logs/reader.py", "logs/private/secret.py")
    (tmp_path / "logs" / "today.py").write_text("")
    found = discover(tmp_path, Settings())
    assert [file.relative_path for file in found.files] == ["a.js", "logs/reader.py"]
    assert {each.path: each.reason for each in found.excluded} == {
        "a.min.js": "built-in rule: *.min.js",
        "logs/private": ".astrolabeignore:1: logs/private/",
        "logs/today.py": ".gitignore:2: logs/",
    }


def test_a_folder_that_we_include_again_is_included_whole(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / ".gitignore").write_text("generated/\n")
    (tmp_path / ".astrolabeignore").write_text("!generated/\n")
    _commit(tmp_path, "generated/kept.py")
    (tmp_path / "generated" / "new.py").write_text("")
    assert [file.relative_path for file in discover(tmp_path, Settings()).files] == ["generated/kept.py", "generated/new.py"]


@pytest.mark.parametrize("keep", [0, 3, 12, 40, 75, 100])
def test_a_damaged_index_counts_as_none(tmp_path: Path, keep: int) -> None:
    git(tmp_path, "init", "-q")
    _commit(tmp_path, "a.py", "b.py")
    index = tmp_path / ".git" / "index"
    index.write_bytes(index.read_bytes()[:keep])
    assert not tracked_paths(str(tmp_path)).has_file("a.py")


def test_without_git_nothing_is_tracked(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    assert not tracked_paths(str(tmp_path)).has_file("a.py")
    (tmp_path / ".git").write_text("gitdir: /nowhere/at\0all\n")
    assert not tracked_paths(str(tmp_path)).has_file("a.py")
