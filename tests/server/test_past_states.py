"""Answers for a commit instead of the work tree."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from astrolabe.schema.errors import UsageError
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.cli.app import app
from astrolabe.server.environment.past_tree import past_tree
from typer.testing import CliRunner

from tests.git_commands import git


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main", "--template=")
    (tmp_path / "code").mkdir()
    (tmp_path / "code/shop.py").write_text("def price():\n    return tax()\n\n\ndef tax():\n    return 2\n")
    (tmp_path / "code/link.py").symlink_to("shop.py")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    git(tmp_path, "tag", "v1")
    (tmp_path / "code/shop.py").write_text("def price():\n    return 1\n")
    git(tmp_path, "commit", "-q", "-a", "-m", "Without tax")
    (tmp_path / "code/shop.py").write_text("def cost():\n    return 1\n")
    return tmp_path


def names(workspace: Workspace) -> list[str]:
    return [name for (name,) in workspace.cypher("MATCH (s:Symbol) RETURN s.name ORDER BY s.startLine").rows]


def test_each_state_has_its_graph(shop: Path) -> None:
    with Workspace.locate(shop) as workspace:
        assert names(workspace) == ["cost"]
        for ref, expected in (("v1", ["price", "tax"]), ("HEAD", ["price"]), ("main~1", ["price", "tax"])):
            with workspace.at(ref) as past:
                assert names(past) == expected
        assert names(workspace) == ["cost"]
    assert (shop / "code/shop.py").read_text() == "def cost():\n    return 1\n"
    assert "link.py" not in git(shop, "status", "--porcelain")


def test_the_index_of_a_commit_is_kept_and_its_facts_are_shared(shop: Path) -> None:
    with Workspace.locate(shop) as workspace:
        workspace.index()
        git(shop, "stash", "-q")
        workspace.index()  # parses the file of HEAD
        with workspace.at("HEAD") as past:
            assert past.index().work.parsed == 0
        with workspace.at("HEAD") as past:
            assert past.index().outcome == "unchanged"
        workspace.clean()
        assert not (workspace.data_dir / "past").exists()


def test_a_workspace_in_a_folder_of_the_repository(shop: Path) -> None:
    with Workspace.locate(shop / "code") as workspace, workspace.at("v1") as past:
        assert [path for (path,) in past.cypher("MATCH (f:File) RETURN f.relativePath").rows] == ["shop.py"]


def test_only_some_commits_are_kept(shop: Path) -> None:
    with Workspace.locate(shop) as workspace:
        for number in range(6):
            git(shop, "commit", "-q", "--allow-empty", "-m", f"Number {number}")
            with workspace.at("HEAD") as past:
                assert past.root.is_dir()
        assert len(list((workspace.data_dir / "past").iterdir())) == 4


def test_names_that_are_no_commits(shop: Path) -> None:
    with Workspace.locate(shop) as workspace:
        for name in ("nowhere", "--all", ""):
            with pytest.raises(UsageError):
                workspace.at(name)


def test_a_tree_with_hostile_names_stays_in_its_folder(shop: Path) -> None:
    blob = git(shop, "hash-object", "-w", "code/shop.py")
    inner = git(shop, "mktree", stdin=f"100644 blob {blob}\tescaped.py\n")
    evil = subprocess.run(
        ["git", "hash-object", "-t", "tree", "--literally", "-w", "--stdin"],
        cwd=shop,
        input=b"40000 ..\0" + bytes.fromhex(inner) + b"100644 fine.py\0" + bytes.fromhex(blob),
        capture_output=True,
        check=True,
    )
    commit = git(shop, "commit-tree", "-m", "Evil", evil.stdout.decode().strip())
    found = past_tree(shop, shop / ".astrolabe", commit, 1 << 20)
    assert [path.name for path in found.root.iterdir()] == ["fine.py"]
    assert not (found.root.parent / "escaped.py").exists()


def test_the_option_of_the_commands(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop)
    runner = CliRunner()
    statement = "MATCH (s:Symbol)-[:CALLS]->(t:Symbol) RETURN s.name, t.name"
    assert "price   tax" in runner.invoke(app, ["cypher", "--at", "v1", statement]).stdout
    mapped = runner.invoke(app, ["map", "--at", "v1"]).stdout
    assert "tax" in mapped
    assert mapped.startswith(f"{shop} at {git(shop, 'rev-parse', 'v1')[:12]}: ")
    assert "tax" in runner.invoke(app, ["trace", "tax", "--at", "v1"]).stdout
    assert "tax" in runner.invoke(app, ["query", "symbols()", "--at", "v1"]).stdout
    assert runner.invoke(app, ["search", "symbol = tax", "--at", "v1"]).exit_code == 0
    assert runner.invoke(app, ["map", "--at", "v9"]).exit_code != 0
