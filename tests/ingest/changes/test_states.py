"""Which states of a repository are compared, and what Git says of them."""

from __future__ import annotations

import os
from pathlib import Path
from subprocess import CalledProcessError

import pytest
from astrolabe.ingest.changes.comparison import ChangeSet, compare_states, files_naming
from astrolabe.ingest.changes.states import Comparison, compared_states
from astrolabe.ingest.history.git import GitRepository
from astrolabe.ingest.incremental.tree_state import TreeState
from astrolabe.schema.errors import UsageError
from astrolabe.schema.process.git import GitFailed

from tests.git_commands import git
from tests.ingest.changes.changed_work_tree import PATIENCE


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository with two commits."""
    git(tmp_path, "init", "-q", "-b", "main")
    write(tmp_path, "src/price.py", "def price(item):\n    return item.cost * 2\n\ndef tax(item):\n    return 1\n")
    write(tmp_path, "src/cart.py", "from .price import price, tax\n\ndef total(items):\n    return sum(map(price, items))\n")
    write(tmp_path, "src/__init__.py", "")
    commit(tmp_path)
    write(tmp_path, "src/cart.py", "from .price import price, tax\n\ndef total(items):\n    return 1 + sum(map(price, items))\n")
    commit(tmp_path)
    return tmp_path


def write(root: Path, path: str, text: str | bytes) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(text.encode() if isinstance(text, str) else text)


def commit(root: Path) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "More")


def compared(root: Path, **what: bool | str) -> ChangeSet:
    comparison = Comparison(**what)  # type: ignore[arg-type]  # the names of its fields
    with compared_states(GitRepository(root), comparison, 1 << 20) as states:
        return compare_states(states, root.as_posix(), PATIENCE)


def told(changes: ChangeSet) -> list[str]:
    return [f"{' '.join(each.changes)} {each.shown.qualified_name}" for each in changes.symbols]


def files(changes: ChangeSet) -> list[str]:
    return [f"{file.status} {file.path}" + (f" < {file.old_path}" if file.old_path else "") for file in changes.files]


def test_a_commit_is_compared_with_its_parent(shop: Path) -> None:
    found = compared(shop, range="HEAD")
    assert (told(found), files(found)) == (["body total"], ["changed src/cart.py"])


def test_a_root_commit_is_compared_with_nothing(shop: Path) -> None:
    found = compared(shop, range="HEAD~1")
    assert told(found) == ["added total", "added price", "added tax"]
    assert found.notes == ["HEAD~1 has no parent here, so all of its files count as added."]


def test_a_merge_is_compared_with_its_first_parent(shop: Path) -> None:
    git(shop, "checkout", "-q", "-b", "side", "HEAD~1")
    write(shop, "src/side.py", "def side(): ...\n")
    commit(shop)
    git(shop, "checkout", "-q", "main")
    git(shop, "merge", "-q", "--no-edit", "side")
    found = compared(shop, range="HEAD")
    assert told(found) == ["added side"]
    assert found.notes == ["HEAD merges 2 commits. It is compared with the first of them."]
    assert told(compared(shop, range="side...main")) == ["body total"]
    assert told(compared(shop, range="side..HEAD~1")) == ["body total", "removed side"]


def test_the_states_of_a_dirty_tree_are_kept_apart(shop: Path) -> None:
    staged = (shop / "src/price.py").read_text().replace("* 2", "* 3")
    write(shop, "src/price.py", staged)
    git(shop, "add", "-A")
    write(shop, "src/price.py", staged.replace("return 1", "return 2"))
    write(shop, "src/new.py", "def fresh(): ...\n")
    write(shop, ".gitignore", "ignored.py\n")
    write(shop, "ignored.py", "def unseen(): ...\n")
    assert told(compared(shop, staged=True)) == ["body price"]
    assert told(compared(shop)) == ["added fresh", "body price", "body tax"]
    assert told(compared(shop, base="HEAD~1")) == ["body total", "added fresh", "body price", "body tax"]
    assert told(compared(shop, range="HEAD")) == ["body total"]


def test_what_lies_on_disk_does_not_change_an_older_comparison(shop: Path) -> None:
    before = compared(shop, range="HEAD~1..HEAD")
    for path in shop.rglob("src/*.py"):
        path.write_text("raise SystemExit\n")
    assert compared(shop, range="HEAD~1..HEAD").symbols == before.symbols


def test_renamed_binary_and_unknown_files_are_listed(shop: Path) -> None:
    git(shop, "mv", "src/price.py", "src/cost.py")
    write(shop, "logo.png", b"\x89PNG\0\0")
    write(shop, "data.py", b"\0\1\2\0" * 50)
    (shop / "link.py").symlink_to("src/cost.py")
    commit(shop)
    found = compared(shop, range="HEAD")
    assert files(found) == ["added data.py", "added logo.png", "renamed src/cost.py < src/price.py"]
    assert {file.path: file.not_compared for file in found.files}["logo.png"] == "no supported language"
    assert told(found) == []
    assert [f"{each.path}:{each.line}" for each in found.broken] == ["data.py:1", "src/cart.py:1"]


def test_a_removed_name_breaks_its_importers(shop: Path) -> None:
    write(shop, "src/price.py", "def price(item):\n    return item.cost * 2\n")
    found = compared(shop)
    assert told(found) == ["removed tax"]
    assert [each.reason for each in found.broken] == ["imports 'tax' from '.price', which src/price.py does not export"]
    assert found.lost_exports == {"src/price.py": frozenset(("tax",))}


def test_a_file_with_conflicts_is_no_removed_file(shop: Path) -> None:
    text = (shop / "src/cart.py").read_text()
    git(shop, "checkout", "-q", "-b", "side")
    write(shop, "src/cart.py", text.replace("1 +", "2 +"))
    commit(shop)
    git(shop, "checkout", "-q", "main")
    write(shop, "src/cart.py", text.replace("1 +", "3 +"))
    commit(shop)
    with pytest.raises(CalledProcessError):
        git(shop, "merge", "-q", "side")
    staged = compared(shop, staged=True)
    assert (told(staged), staged.notes) == ([], ["src/cart.py has conflicts that are not resolved."])
    dirty = compared(shop)
    assert (files(dirty), dirty.notes) == (["changed src/cart.py"], ["src/cart.py has conflicts that are not resolved."])


def test_a_file_that_only_the_index_lacks_is_compared_with_its_commit(shop: Path) -> None:
    git(shop, "rm", "-q", "--cached", "src/cart.py", "src/price.py")
    write(shop, "src/price.py", "def price(item):\n    return item.cost * 3\n\ndef tax(item):\n    return 1\n")
    assert files(compared(shop, staged=True)) == ["removed src/cart.py", "removed src/price.py"]
    dirty = compared(shop)
    assert (files(dirty), told(dirty), dirty.broken) == (["changed src/price.py"], ["body price"], [])


def test_a_head_without_its_commit_is_no_unborn_branch(shop: Path) -> None:
    (shop / ".git/HEAD").write_text("1" * 40 + "\n")
    with pytest.raises(GitFailed, match="HEAD is 1111111111, which is no commit of this repository"):
        compared(shop)


def test_a_folder_below_the_top_is_compared_alone(shop: Path) -> None:
    write(shop, "README.md", "# Shop\n")
    write(shop, "src/price.py", "def price(item):\n    return item.cost * 4\n\ndef tax(item):\n    return 1\n")
    found = compared(shop / "src")
    assert (files(found), told(found)) == (["changed price.py"], ["body price"])


def test_a_submodule_is_told(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    inner = tmp_path_factory.mktemp("inner")
    git(inner, "init", "-q")
    write(inner, "a.py", "A = 1\n")
    commit(inner)
    git(shop, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.as_posix(), "vendor")
    commit(shop)
    found = compared(shop, range="HEAD")
    assert found.notes == ["The submodule vendor was added. Its files belong to another repository and are not compared."]
    assert told(found) == []

    first = git(inner, "rev-parse", "--short=10", "HEAD")
    git(shop / "vendor", "commit", "-q", "--allow-empty", "-m", "Later")
    assert f"`astrolabe changes --root vendor {first}..` compares them." in compared(shop).notes[0]
    git(shop, "add", "-A")
    second = git(shop / "vendor", "rev-parse", "--short=10", "HEAD")
    assert f"`astrolabe changes --root vendor {first}..{second}` compares them." in compared(shop, staged=True).notes[0]
    git(shop, "rm", "-q", "-f", "vendor")
    assert compared(shop, staged=True).notes == ["The submodule vendor was removed."]


def test_links_and_names_that_are_not_utf_8_are_told(shop: Path) -> None:
    (shop / "link.py").symlink_to("nowhere.py")
    strange = os.fsencode(shop) + b"/caf\xe9.py"
    Path(os.fsdecode(strange)).write_text("A = 1\n")
    commit(shop)
    (shop / "link.py").unlink()
    (shop / "link.py").symlink_to("elsewhere.py")
    Path(os.fsdecode(strange)).write_text("A = 2\n")
    found = compared(shop)
    assert found.notes == [
        "Files whose names are not UTF-8 differ and are not compared: caf\\xe9.py.",
        "Links differ and are not compared: link.py.",
    ]
    assert found.files == []


def test_a_worktree_and_an_empty_repository_have_states(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("trees") / "other"
    git(shop, "worktree", "add", "-q", other.as_posix(), "HEAD")
    write(other, "src/price.py", "def price(item):\n    return 0\n\ndef tax(item):\n    return 1\n")
    assert told(compared(other)) == ["body price"]
    assert told(compared(shop)) == []
    empty = tmp_path_factory.mktemp("empty")
    git(empty, "init", "-q")
    write(empty, "a.py", "A = 1\n")
    assert told(compared(empty)) == ["added A"]
    with pytest.raises(GitFailed, match="it left no base"):
        compared(empty, base="main")


@pytest.mark.parametrize("what", [{"range": "nowhere"}, {"base": "nowhere"}, {"range": "a..b"}, {"range": "HEAD:src"}])
def test_states_that_do_not_exist_are_named(shop: Path, what: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="There is no commit"):
        compared(shop, **what)


@pytest.mark.parametrize(
    "what", [{"staged": True, "base": "main"}, {"range": "--output=x"}, {"base": "-p"}, {"base": "a", "range": "b"}]
)
def test_contradictions_and_options_are_refused(shop: Path, what: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        compared(shop, **what)


def test_a_folder_without_git_says_so(tmp_path: Path) -> None:
    with pytest.raises(GitFailed, match="no Git repository"):
        GitRepository(tmp_path)


def test_a_name_that_a_module_only_imported_is_looked_for_where_the_module_is_named(shop: Path) -> None:
    write(
        shop,
        "src/price.py",
        "from math import sqrt\n\ndef price(item):\n    return sqrt(item.cost)\n\ndef tax(item):\n    return 1\n",
    )
    write(
        shop, "src/cart.py", "from .price import price, sqrt, tax\n\ndef total(items):\n    return sqrt(sum(map(price, items)))\n"
    )
    write(shop, "src/other.py", "from math import sqrt\n\ndef side(area):\n    return sqrt(area)\n")
    commit(shop)
    write(shop, "src/price.py", "def price(item):\n    return item.cost\n\ndef tax(item):\n    return 1\n")
    found = compared(shop)
    assert [(each.path, each.reason) for each in found.broken] == [
        ("src/cart.py", "imports 'sqrt' from '.price', which src/price.py does not export")
    ]
    with compared_states(GitRepository(shop), Comparison(), 1 << 20) as states:
        before = TreeState(shop.as_posix(), states.old_paths, states.read_old)
        after = TreeState(shop.as_posix(), states.new_paths, states.read_new, before)
        assert files_naming(found.lost_exports, before, after, states.files_with) == {"src/cart.py"}
