"""The history of a small project: files, folders, symbols, and places without history."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from astrolabe.retrieval.history import HistoryAnswer
from astrolabe.schema.errors import UsageError
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.mcp.server import CodebaseServer
from astrolabe.server.mcp.tool_sets import chosen_tools
from mcp import Client
from msgspec.structs import fields

from tests.git_commands import git

CART = """\
export class Cart {
  total(): number { return 0 }
  clear(): void {}
}
"""


def commit(root: Path, message: str) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """A package below the top of its repository, with a renamed file and two files that change together."""
    root = tmp_path / "repository" / "shop"
    (root / "src").mkdir(parents=True)
    git(root.parent, "init", "-q", "-b", "main")
    (root / "src" / "basket.ts").write_text(CART)
    (root / "src" / "price.ts").write_text("export const price = 1\n")
    commit(root, "Begin")
    git(root, "mv", "src/basket.ts", "src/cart.ts")
    commit(root, "Call it cart")
    (root / "src" / "cart.ts").write_text(CART.replace("return 0", "return 1"))
    (root / "src" / "price.ts").write_text("export const price = 2\n")
    commit(root, "Count (fixes #12)")
    git(root, "tag", "v1")
    with Workspace.locate(root, tmp_path / "data") as opened:
        yield opened


def test_a_partial_clone_says_what_is_not_known(workspace: Workspace, tmp_path: Path) -> None:
    git(workspace.root.parent, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{workspace.root.parent}", "clone")
    with Workspace.locate(tmp_path / "clone" / "shop", tmp_path / "other data") as clone:
        found = clone.history("src/cart.ts").answer
        assert [each.title for each in found.commits] == ["Count (fixes #12)", "Call it cart", "Begin"]
        assert [each.file for each in found.co_changes] == ["src/price.ts"]
        assert "numbers of changed lines are not known" in found.notes[0]
        assert found.notes[1:] == ("This clone is partial, and git blame needs contents of old files that it has not fetched.",)
        (clone.root / "src" / "cart.ts").write_text(CART)
        change = clone.changes().answer
        assert [each.symbol for each in change.symbols] == ["Cart.total"]
        assert [each.name for each in change.owners] == ["Test"]


def test_a_file_has_its_commits_owners_and_partners(workspace: Workspace) -> None:
    found = workspace.history("src/cart.ts").answer
    assert (found.kind, found.at, found.notes) == ("file", "src/cart.ts", ())
    assert [(each.title, each.added, each.deleted, each.renamed_from) for each in found.commits] == [
        ("Count (fixes #12)", 1, 1, ""),
        ("Call it cart", 0, 0, "src/basket.ts"),
        ("Begin", 4, 0, ""),
    ]
    assert (found.commits[0].issues, set(found.commits[0].refs)) == (("#12",), {"v1", "main"})
    assert [(each.name, each.lines, each.share) for each in found.owners] == [("Test", 4, 1.0)]
    assert [(each.file, each.support) for each in found.co_changes] == [("src/price.ts", 2)]
    assert found.churn is not None
    assert (found.churn.commits, found.churn.added, found.churn.deleted) == (3, 5, 1)


def test_a_symbol_has_the_commits_that_changed_its_lines(workspace: Workspace) -> None:
    path = workspace.root / "src" / "cart.ts"
    path.write_text("// not committed yet\n\n" + path.read_text())
    assert [each.title for each in workspace.history("Cart > total").answer.commits] == ["Count (fixes #12)", "Begin"]
    assert [each.title for each in workspace.history("Cart > clear").answer.commits] == ["Begin"]
    path.write_text(path.read_text() + "export function fresh() { return 3 }\n")
    fresh = workspace.history("fresh").answer
    assert (fresh.kind, fresh.commits, fresh.notes) == ("symbol", (), ("The symbol is not committed yet.",))


def test_the_workspace_has_hotspots(workspace: Workspace) -> None:
    found = workspace.history().answer
    assert (found.kind, len(found.commits)) == ("repository", 3)
    spots = [(each.file, each.commits, each.lines, each.author) for each in found.hotspots]
    assert spots == [("src/cart.ts", 3, 5, "Test"), ("src/price.ts", 2, 2, "Test")]
    assert workspace.history(str(workspace.root / "src")).answer.kind == "folder"


@pytest.mark.parametrize("root", [".", "./", "{root}"])
def test_the_root_is_the_whole_workspace(workspace: Workspace, root: str) -> None:
    named = workspace.history(root.format(root=workspace.root)).answer
    assert (named.kind, named.commits) == ("repository", workspace.history().answer.commits)


def test_numbers_agree_with_their_nouns(workspace: Workspace) -> None:
    (workspace.root / "src" / "once.ts").write_text("export const once = 1\n")
    commit(workspace.root, "Add it once")
    assert "\n1 commit, +1 -0 lines, " in workspace.history("src/once.ts").text


def test_answers_fit_their_budget_and_bad_requests_are_refused(workspace: Workspace) -> None:
    for number in range(30):
        (workspace.root / "src" / "price.ts").write_text(f"export const price = {number + 3}\n")
        commit(workspace.root, f"Raise the price for the {number}th time " + "again " * 10)
    found = workspace.history("src/price.ts", limit=30, budget=400)
    assert len(found.text) / 4 <= 400
    assert found.answer.left_out + len(found.answer.commits) >= 32
    with pytest.raises(UsageError, match="limit"):
        workspace.history(limit=0)
    with pytest.raises(UsageError, match="budget"):
        workspace.history(budget=1)


def test_what_has_no_history_says_why(workspace: Workspace, tmp_path: Path) -> None:
    unknown = workspace.history("Carts").answer
    assert unknown.kind == "nothing"
    assert unknown.notes
    (workspace.root / "new.ts").write_text("export const later = 1\n")
    assert workspace.history("new.ts").answer.notes == ("This path is not committed yet.",)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.ts").write_text("export const a = 1\n")
    with Workspace.locate(outside) as opened:
        (note,) = opened.history("a.ts").answer.notes
    assert note.startswith("There is no Git repository here")


def test_a_submodule_and_a_worktree_have_their_own_history(workspace: Workspace, tmp_path: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    git(library, "init", "-q")
    (library / "lib.ts").write_text("export const lib = 1\n")
    commit(library, "Begin the library")
    git(workspace.root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library), "./lib")
    commit(workspace.root, "Take the library in")
    found = workspace.history("lib/lib.ts").answer
    assert (found.at, [each.title for each in found.commits]) == ("lib/lib.ts", ["Begin the library"])
    tree = tmp_path / "tree"
    git(workspace.root, "worktree", "add", "-q", str(tree), "-b", "other", "HEAD~1")
    with Workspace.locate(tree / "shop") as opened:
        assert [each.title for each in opened.history("src/price.ts").answer.commits] == ["Count (fixes #12)", "Begin"]


def test_variables_of_a_hook_change_nothing(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "GIT_DIR", "/nowhere")
    found = workspace.history("src/price.ts")
    assert json.loads(json.dumps(found.to_json()))["commits"][0]["title"] == "Count (fixes #12)"


def test_agents_that_select_the_tool_get_the_history(workspace: Workspace) -> None:
    async def conversation() -> None:
        async with Client(CodebaseServer(workspace, chosen_tools("history"))) as client:
            (tool,) = (await client.list_tools()).tools
            assert tool.output_schema is not None
            assert {field.encode_name for field in fields(HistoryAnswer)} | {"index"} <= tool.output_schema["properties"].keys()
            answer = await client.call_tool("get_git_history", {"subject": "src/cart.ts", "limit": 1, "budget": 400})
            assert not answer.is_error, answer.content
            assert [each["title"] for each in answer.structured_content["commits"]] == ["Count (fixes #12)"]

    assert "get_git_history" not in chosen_tools(None)
    anyio.run(conversation)
