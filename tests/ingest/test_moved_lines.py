"""The history of lines that a commit moved: within a file, to another file, and with small changes on the way."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.history.git import GitRepository
from astrolabe.ingest.history.lines import changes_of_lines
from astrolabe.ingest.history.range_commits import LineRange, commits_of_ranges

from tests.git_commands import git

TOTAL = """\
def total(prices, discount):
    result = 0
    for price in prices:
        result += price
    return result * (1 - discount)
"""
NAMES = """\
def names(people):
    found = []
    for person in people:
        found.append(person.name)
    return found
"""


def _commit(root: Path, subject: str, **files: str) -> str:
    for name, text in files.items():
        root.joinpath(f"{name}.py").write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", subject)
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main", "--template=")
    return tmp_path


def _told(root: Path, path: str, first: int, last: int) -> tuple[list[str], list[str]]:
    """Return the commits of a range in the order of `git log -L`, and in the order of the walk through all files."""
    repository = GitRepository(root)
    alone = [change.hash for change in changes_of_lines(repository, path, (first, last), None)]
    asked = {path: [LineRange("it", first, last)]}
    return alone, [commit for _, commit in commits_of_ranges(repository, repository.head, asked, None)]


def test_lines_moved_to_another_file(root: Path) -> None:
    begun = _commit(root, "Begin", shop=f"{NAMES}\n\n{TOTAL}", other="LIMIT = 3\n")
    changed = _commit(root, "Discount", shop=f"{NAMES}\n\n{TOTAL}".replace("(1 - discount)", "(1 - discount / 100)"))
    _commit(root, "Names", shop=f"{NAMES}\n\n{TOTAL}".replace("(1 - discount)", "(1 - discount / 100)").replace("people", "all"))
    text = TOTAL.replace("(1 - discount)", "(1 - discount / 100)")
    moved = _commit(root, "Move", shop=NAMES.replace("people", "all"), money=f"import math\n\n\n{text}")
    last = _commit(root, "Round", money=f"import math\n\n\n{text}".replace("result = 0", "result = 0.0"))
    assert _told(root, "money.py", 4, 8) == ([last, moved, changed, begun],) * 2


def test_lines_moved_within_a_file_and_changed_on_the_way(root: Path) -> None:
    begun = _commit(root, "Begin", shop=f"{TOTAL}\n\n{NAMES}\n\nclass Shop:\n    open = True\n")
    indented = "".join(f"    {line}\n" for line in TOTAL.replace("total(", "total(self, ").splitlines())
    moved = _commit(root, "Method", shop=f"{NAMES}\n\nclass Shop:\n    open = True\n\n{indented}")
    assert _told(root, "shop.py", 11, 15) == ([moved, begun],) * 2


def test_new_lines_beside_others_that_went_have_no_origin(root: Path) -> None:
    _commit(root, "Begin", shop=f"{TOTAL}\n\nLIMIT = 3\n")
    made = _commit(root, "Replace", shop="LIMIT = 3\n", people=NAMES)
    assert _told(root, "people.py", 1, 5) == ([made],) * 2


def test_a_single_line_has_no_origin(root: Path) -> None:
    _commit(root, "Begin", shop=f"from collections.abc import Mapping\n\n\n{TOTAL}")
    made = _commit(root, "Move", shop=TOTAL, people=f"from collections.abc import Mapping\n\n\n{NAMES}")
    assert _told(root, "people.py", 1, 1) == ([made],) * 2


def test_copied_lines_have_no_origin(root: Path) -> None:
    _commit(root, "Begin", shop=TOTAL)
    made = _commit(root, "Copy", money=TOTAL)
    assert _told(root, "money.py", 1, 5) == ([made],) * 2


def test_moved_lines_of_a_folder_of_the_repository(root: Path) -> None:
    (root / "lib").mkdir()
    begun = _commit(root, "Begin", **{"lib/shop": f"{NAMES}\n\n{TOTAL}"})
    moved = _commit(root, "Move", **{"lib/shop": NAMES, "lib/money": TOTAL})
    told = changes_of_lines(GitRepository(root / "lib"), "money.py", (1, 5), None)
    assert [change.hash for change in told] == [moved, begun]
    assert [change.hash for change in changes_of_lines(GitRepository(root / "lib"), "money.py", (1, 5), 1)] == [moved]
