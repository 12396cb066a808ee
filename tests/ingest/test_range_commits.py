"""Which commits changed ranges of lines: the same as `git log -L` tells, over random histories with merges and renames."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from astrolabe.ingest.history.git import GitRepository
from astrolabe.ingest.history.lines import changes_of_lines
from astrolabe.ingest.history.range_commits import Hunk, LineRange, carried, commits_of_ranges, commits_of_work_tree

from tests.git_commands import git


@pytest.mark.parametrize(
    ("lines", "hunk", "expected", "is_touched"),
    [
        ((5, 8), Hunk(1, 0, 2, 3), (2, 5), False),  # three lines added above
        ((5, 8), Hunk(9, 2, 8, 0), (5, 10), None),  # the line behind the range follows a removal
        ((5, 8), Hunk(6, 2, 5, 0), (5, 10), True),  # two lines removed inside
        ((5, 8), Hunk(5, 1, 4, 0), (6, 9), False),  # one line removed just above
        ((5, 8), Hunk(6, 1, 6, 2), (5, 7), True),  # a line became two
        ((5, 8), Hunk(4, 0, 5, 4), None, True),  # all lines are new
        ((5, 8), Hunk(7, 3, 7, 5), (5, 9), True),  # the end and what follows were replaced
        ((5, 8), Hunk(20, 1, 20, 1), (5, 8), False),
    ],
)
def test_a_range_before_a_change(
    lines: tuple[int, int], hunk: Hunk, expected: tuple[int, int] | None, is_touched: bool | None
) -> None:
    kept, touched = carried([LineRange("it", *lines)], [hunk])
    if is_touched is None:
        assert not touched
        assert kept == (LineRange("it", *lines),)
        return
    assert kept == ((LineRange("it", *expected),) if expected else ())
    assert bool(touched) is is_touched


def _edit(file: Path, chance: random.Random, turn: int) -> None:
    lines = file.read_text().split("\n")
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(lines))
        kind = chance.choice(("replace", "insert", "remove"))
        if kind == "remove" and len(lines) > 12:
            del lines[at : at + 2]
        elif kind == "insert":
            lines.insert(at, f"added {turn} {chance.random()}")
        else:
            lines[at] = f"changed {turn} {chance.random()}"
    file.write_text("\n".join(lines))


@pytest.mark.parametrize("seed", range(4))
def test_the_commits_of_random_ranges(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    git(tmp_path, "init", "-q", "-b", "main", "--template=")
    names = ["one.txt", 'odd "name".txt']
    for name in names:
        (tmp_path / name).write_text("\n".join(f"{name} line {number}" for number in range(40)))
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    for turn in range(12):
        if turn in (4, 8):  # a branch that changes the end while the main line changes the beginning
            git(tmp_path, "checkout", "-q", "-b", f"side{turn}")
            with (tmp_path / names[1]).open("a") as file:
                file.write(f"\nside {turn}\n")
            git(tmp_path, "commit", "-q", "-a", "-m", f"Side {turn}")
            git(tmp_path, "checkout", "-q", "main")
            text = (tmp_path / names[1]).read_text()
            (tmp_path / names[1]).write_text(f"main {turn}\n{text}")
            git(tmp_path, "commit", "-q", "-a", "-m", f"Main {turn}")
            git(tmp_path, "merge", "-q", "--no-edit", f"side{turn}")
        if turn == 6:
            git(tmp_path, "mv", names[0], "moved.txt")
            names[0] = "moved.txt"
        _edit(tmp_path / chance.choice(names), chance, turn)
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-q", "-m", f"Turn {turn}")
    repository = GitRepository(tmp_path)
    asked: dict[str, list[LineRange]] = {}
    for name in names:
        count = (tmp_path / name).read_text().count("\n")
        for number in range(12):
            first = chance.randint(1, count)
            asked.setdefault(name, []).append(LineRange(f"{name} {number}", first, min(count, first + chance.randint(0, 9))))
    found: dict[str, set[str]] = {}
    for key, commit in commits_of_ranges(repository, repository.head, asked, None):
        found.setdefault(key, set()).add(commit)
    alone = {names[0]: asked[names[0]]}
    keys = {each.key for each in alone[names[0]]}
    assert {*commits_of_ranges(repository, repository.head, alone, None, ["moved.txt", "one.txt"])} == {
        (key, commit) for key in keys for commit in found.get(key, ())
    }
    for name, ranges in asked.items():
        for key, first, last in ranges:
            told = {change.hash for change in changes_of_lines(repository, name, (first, last), None)}
            assert told <= found.get(key, set()), (key, first, last)
            assert len(found.get(key, set()) - told) <= 2, (key, first, last)


def test_changes_of_the_work_tree_are_no_commits(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "--template=")
    (tmp_path / "one.txt").write_text("a\nb\nc\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    (tmp_path / "one.txt").write_text("new\nnewer\na\nb\nc changed\n")
    (tmp_path / "two.txt").write_text("new\n")
    asked = {"one.txt": [LineRange("old", 3, 4), LineRange("new", 1, 2)], "two.txt": [LineRange("file", 1, 1)]}
    (commit,) = commits_of_work_tree(GitRepository(tmp_path), asked, None)
    assert commit == ("old", git(tmp_path, "rev-parse", "HEAD"))
