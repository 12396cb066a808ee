"""Commits are read as git tells them, only new ones are read again, and nothing of the repository runs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from astrolabe.ingest.history.git import GitRepository
from astrolabe.ingest.history.lines import changes_of_lines, lines_at_head, owners
from astrolabe.ingest.history.log import read_commits
from astrolabe.ingest.history.store import HistoryStore, opened_history
from astrolabe.schema.process.git import GitFailed

from tests.git_commands import git

LINES = "".join(f"line {number}\n" for number in range(1, 21))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    (root / "old name.txt").write_text(LINES)
    (root / "image.bin").write_bytes(b"\0\1\2")
    commit(root, "Begin (#7)")
    git(root, "mv", "old name.txt", "new\tname.txt")
    (root / "new\tname.txt").write_text(LINES.replace("line 3\n", "line three\n"))
    commit(root, "Rename, see SHOP-12; UTF-8 is no issue")
    return root


def commit(root: Path, message: str, *arguments: str) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message, *arguments)


def test_changes_equal_those_of_numstat(repository: Path) -> None:
    newest, oldest = read_commits(GitRepository(repository), "HEAD", None)
    assert [tuple(change) for change in newest.changes] == [("new\tname.txt", "old name.txt", 1, 1)]
    assert sorted(map(tuple, oldest.changes)) == [("image.bin", None, None, None), ("old name.txt", None, 20, 0)]
    assert (newest.issues, oldest.issues) == (("SHOP-12",), ("#7",))
    assert newest.parents == (oldest.hash,)


def test_names_with_odd_bytes_and_messages_that_look_like_output(repository: Path) -> None:
    name = b"caf\xe9.txt".decode("utf-8", "surrogateescape")
    (repository / name).write_text("x\n")
    commit(repository, "1\t1\tfaked.txt\n\n\x1edeadbeef")
    newest, *_ = read_commits(GitRepository(repository), "HEAD", None)
    assert [change.path for change in newest.changes] == ["caf\\xe9.txt"]
    assert newest.message.startswith("1\t1\tfaked.txt")


def test_a_commit_whose_changed_file_has_no_changed_line(repository: Path) -> None:
    (repository / "notes.txt").write_text("one\n")
    commit(repository, "Add notes")
    (repository / "notes.txt").write_text("two\n")
    commit(repository, "Change notes")
    old, new = git(repository, "rev-parse", "HEAD~1:notes.txt", "HEAD:notes.txt").split()
    git(repository, "replace", new, old)
    newest, *rest = read_commits(GitRepository(repository), "HEAD", None)
    assert (newest.message, newest.changes, len(rest)) == ("Change notes", (), 3)


def test_a_file_is_followed_through_its_renames(repository: Path, tmp_path: Path) -> None:
    with opened_history(tmp_path / "store", GitRepository(repository), None) as store:
        found = [placed.change for placed in store.changes_of_file("new\tname.txt")]
        assert [(change.path, change.added) for change in found] == [("new\tname.txt", 1), ("old name.txt", 20)]
        assert store.later_name("old name.txt", -1) == "new\tname.txt"


def test_only_new_commits_are_read(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = GitRepository(repository)
    with opened_history(tmp_path / "store", source, 1000) as store:
        assert store.commit_count() == 2
    (repository / "more.txt").write_text("more\n")
    commit(repository, "Add more")
    asked: list[str] = []

    def read(git_: GitRepository, commits: str, depth: int | None) -> object:
        asked.append(commits)
        return read_commits(git_, commits, depth)

    monkeypatch.setattr("astrolabe.ingest.history.store.read_commits", read)
    for _ in range(2):
        with opened_history(tmp_path / "store", source, 1000) as store:
            assert store.commit_count() == 3
            assert not store.was_rewritten
    assert len(asked) == 1
    assert asked[0].endswith(f"..{source.head}")


def test_a_rewritten_history_is_noticed(repository: Path, tmp_path: Path) -> None:
    source = GitRepository(repository)
    with opened_history(tmp_path / "store", source, 1000):
        pass
    git(repository, "commit", "-q", "--amend", "-m", "Another message")
    with opened_history(tmp_path / "store", source, 1000) as store:
        assert store.was_rewritten
        assert [found.message for found in store.commits([0, -1])] == ["Another message", "Begin (#7)"]


def test_mailmap_and_depth_are_kept(repository: Path, tmp_path: Path) -> None:
    source = GitRepository(repository)
    with opened_history(tmp_path / "store", source, 1) as store:
        assert (store.commit_count(), store.is_complete) == (1, False)
    (repository / ".mailmap").write_text("Ada Byron <ada@example.org> <test@example.org>\n")
    with opened_history(tmp_path / "store", source, None) as store:
        assert {found.author for found in store.commits([0, -1])} == {"Ada Byron"}
        assert (store.commit_count(), store.is_complete) == (2, True)


def test_a_damaged_database_is_read_again(repository: Path, tmp_path: Path) -> None:
    with opened_history(tmp_path / "store", GitRepository(repository), 1000):
        pass
    (file,) = (tmp_path / "store").iterdir()
    file.write_bytes(b"no database" * 500)
    with opened_history(tmp_path / "store", GitRepository(repository), 1000) as store:
        assert store.commit_count() == 2


def test_a_shallow_clone_has_what_there_is(repository: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repository}", str(clone))
    source = GitRepository(clone)
    with opened_history(tmp_path / "store", source, 1000) as store:
        assert (store.commit_count(), bool(source.shallow_commits)) == (1, True)
        assert [commit.files for commit in store.commits_from_newest()] == [0]  # not known
    git(clone, "fetch", "-q", "--unshallow")
    with opened_history(tmp_path / "store", source, 1000) as store:
        assert (store.commit_count(), store.was_rewritten) == (2, False)


def test_a_partial_clone_has_commits_without_lines(repository: Path, tmp_path: Path) -> None:
    """Nothing is fetched, though the origin could be reached. Commits that are made in the clone have all contents."""
    git(repository, "mv", "image.bin", "picture.bin")
    commit(repository, "Move the image")
    git(repository, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{repository}", str(clone))
    objects = git(clone, "count-objects", "-v")
    source = GitRepository(clone)
    with opened_history(tmp_path / "store", source, 1000) as store:
        assert (source.is_partial, store.commit_count(), store.lacks_lines) == (True, 3, True)
        found = [[tuple(placed.change) for placed in store.changes_of_file(path)] for path in ("picture.bin", "new\tname.txt")]
        assert found == [
            [("picture.bin", "image.bin", None, None), ("image.bin", None, None, None)],
            [("new\tname.txt", None, None, None)],
        ]
    with pytest.raises(GitFailed, match="This clone is partial, and git blame needs contents of old files"):
        owners(source, "new\tname.txt")
    assert git(clone, "count-objects", "-v") == objects
    (clone / "more.txt").write_text("more\n")
    commit(clone, "Add more")
    with opened_history(tmp_path / "store", source, 1000) as store:
        assert (store.commit_count(), store.lacks_lines) == (4, True)


def test_a_damaged_repository_is_reported_in_the_words_of_git(repository: Path) -> None:
    blob = git(repository, "rev-parse", "HEAD~1:old name.txt").strip()
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(GitFailed, match=f"git log failed: unable to read {blob}"):
        list(read_commits(GitRepository(repository), "HEAD", None))


def test_no_repository_and_no_commit(tmp_path: Path) -> None:
    with pytest.raises(GitFailed, match="no Git repository"):
        GitRepository(tmp_path)
    git(tmp_path, "init", "-q")
    store = HistoryStore(tmp_path / "empty.sqlite")
    store.bring_up_to_date(GitRepository(tmp_path), 10)
    assert store.commit_count() == 0
    store.close()


def test_owners_equal_blame(repository: Path) -> None:
    path = repository / "new\tname.txt"
    path.write_text(path.read_text() + "last\n")
    commit(repository, "Extend", "--author", "Grace <grace@example.org>")
    blamed = Counter(
        line.removeprefix("author ")
        for line in git(repository, "blame", "--line-porcelain", "HEAD", "--", path.name).splitlines()
        if line.startswith("author ")
    )
    source = GitRepository(repository)
    assert {name: count for (name, _), count in owners(source, path.name).items()} == blamed == {"Test": 20, "Grace": 1}
    assert owners(source, path.name, (21, 21)) == {("Grace", "grace@example.org"): 1}


def test_changes_of_lines_are_followed_through_a_rename(repository: Path) -> None:
    source = GitRepository(repository)
    begun, renamed = git(repository, "log", "--reverse", "--format=%H").split()
    found = changes_of_lines(source, "new\tname.txt", (2, 4), None)
    assert [tuple(change) for change in found] == [(renamed, 1, 1), (begun, 3, 0)]
    assert [change.hash for change in changes_of_lines(source, "new\tname.txt", (8, 9), None)] == [begun]


@pytest.mark.parametrize(
    ("text", "lines", "committed"),
    [
        (LINES, (5, 6), (5, 6)),
        ("new\nnew\n" + LINES, (7, 8), (5, 6)),
        (LINES.replace("line 2\n", ""), (4, 5), (5, 6)),
        (LINES + "new\nnew\n", (21, 22), None),
        (LINES.replace("line 5\n", "changed\n"), (5, 6), (5, 6)),
    ],
)
def test_lines_of_a_changed_file_are_found_at_head(
    repository: Path, text: str, lines: tuple[int, int], committed: tuple[int, int] | None
) -> None:
    (repository / "kept.txt").write_text(LINES)
    commit(repository, "Keep")
    assert lines_at_head(GitRepository(repository), "kept.txt", text.encode(), lines) == committed


def test_no_program_of_the_repository_runs(repository: Path, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\ncat\n")
    program.chmod(0o755)
    for name in ("core.fsmonitor", "diff.external", "core.pager", "diff.odd.textconv", "filter.odd.clean", "diff.odd.command"):
        git(repository, "config", name, str(program))
    (repository / ".git" / "info" / "attributes").write_text("* diff=odd filter=odd\n")
    source = GitRepository(repository)
    assert len(list(read_commits(source, "HEAD", None))) == 2
    assert owners(source, "new\tname.txt")
    assert changes_of_lines(source, "new\tname.txt", (2, 4), None)
    assert not mark.exists()
