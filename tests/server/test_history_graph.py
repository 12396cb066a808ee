"""Statements over the tables of the history: commits, authors, what they changed, and what changes together."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from astrolabe.graphdb.guard.history_names import names_history
from astrolabe.graphdb.guard.statement_guard import check_read_only
from astrolabe.schema.errors import QueryFailed, QueryRejected
from astrolabe.schema.process.git import GitFailed
from astrolabe.server.api.workspace import Workspace

from tests.git_commands import git


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Workspace]:
    git(tmp_path, "init", "-q", "-b", "main", "--template=")
    (tmp_path / "old.py").write_text("def price():\n    return 1\n\n\ndef tax():\n    return 2\n")
    (tmp_path / "test_price.py").write_text("from old import price\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin, for #1")
    git(tmp_path, "mv", "old.py", "shop.py")
    (tmp_path / "test_price.py").write_text("from shop import price\n")
    git(tmp_path, "commit", "-q", "-a", "-m", "Rename")
    (tmp_path / "shop.py").write_text("def price():\n    return 3\n\n\ndef tax():\n    return 2\n")
    git(tmp_path, "commit", "-q", "-a", "-m", "Raise the price")
    with Workspace.locate(tmp_path) as workspace:
        yield workspace


def rows(workspace: Workspace, statement: str) -> list[list[object]]:
    return [list(row) for row in workspace.cypher(statement).rows]


def test_commits_lead_to_files_and_symbols(shop: Workspace) -> None:
    of_symbols = (
        "MATCH (s:Symbol)-[:MODIFIED_IN]->(c:Commit) WHERE s.kind = 'function' "
        "RETURN s.name, c.message ORDER BY c.position, s.name"
    )
    assert rows(shop, of_symbols) == [["price", "Begin, for #1"], ["tax", "Begin, for #1"], ["price", "Raise the price"]]
    of_files = "MATCH (f:File)-[m:MODIFIED_IN]->(c:Commit) WHERE f.relativePath = 'shop.py' RETURN c.message, m.path, m.added"
    assert rows(shop, of_files + " ORDER BY c.position") == [
        ["Begin, for #1", "old.py", 6],
        ["Rename", "shop.py", 0],
        ["Raise the price", "shop.py", 1],
    ]
    assert rows(shop, "MATCH (c:`Commit`) WHERE size(c.issues) > 0 RETURN c.issues, c.files") == [[["#1"], 2]]
    assert rows(shop, "MATCH (a:Author)-[:AUTHORED]->(c:Commit) RETURN count(DISTINCT a), count(c)") == [[1, 3]]
    together = "MATCH (f:File)-[x:CO_CHANGES]->(g:File) RETURN f.relativePath, g.relativePath, x.support ORDER BY f.relativePath"
    assert rows(shop, together) == [["shop.py", "test_price.py", 2], ["test_price.py", "shop.py", 2]]


def test_symbols_change_together(tmp_path: Path) -> None:
    """In whatever files they are; a class changes with its methods in any case, and a commit of many symbols says little."""
    git(tmp_path, "init", "-q", "-b", "main", "--template=")

    def write(price: int, rest: int) -> None:
        lines = f"class Shop:\n    def price(self):\n        return {price}\n\n    def rest(self):\n        return {rest}\n"
        (tmp_path / "shop.py").write_text(lines)
        (tmp_path / "tax.py").write_text(f"def tax():\n    return {price}\n\n\ndef other():\n    return 1\n")
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-q", "-m", "Go on")

    for price, rest in ((1, 1), (2, 1), (3, 1), (3, 2)):
        write(price, rest)
    together = (
        "MATCH (s:Symbol)-[x:CO_CHANGES]->(t:Symbol) WHERE s.name = 'price' "
        "RETURN t.qualifiedName, x.support, x.confidence ORDER BY t.qualifiedName"
    )
    with Workspace.locate(tmp_path) as workspace:
        assert rows(workspace, together) == [["tax", 3, 1000]]
        found = workspace.history("Shop.price").answer
        assert [(each.file, each.symbol, each.support, each.confidence) for each in found.co_changes] == [
            ("tax.py", "tax", 3, 1.0)
        ]
        assert "100% tax in tax.py (3 commits)" in workspace.history("Shop.price").text
        assert workspace.history("other").answer.co_changes == ()


def test_a_new_commit_and_a_changed_file_are_seen_at_once(shop: Workspace) -> None:
    newest = "MATCH (c:Commit) RETURN c.message ORDER BY c.position DESC LIMIT 1"
    assert rows(shop, newest) == [["Raise the price"]]
    git(shop.root, "commit", "-q", "--allow-empty", "-m", "Nothing")
    assert rows(shop, newest) == [["Nothing"]]
    (shop.root / "shop.py").write_text("import sys\n\ndef price():\n    return 3\n\n\ndef tax():\n    return 2\n")
    of_price = "MATCH (s:Symbol {name: 'price'})-[:MODIFIED_IN]->(c:Commit) RETURN s.startLine, count(c)"
    assert rows(shop, of_price) == [[3, 2]]
    assert len(list(shop.history_folder.glob("*.graph"))) == 1


def test_a_commit_of_a_far_future(shop: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git accepts times that no calendar has; they neither fail nor take the weight of all other commits."""
    monkeypatch.setenv("GIT_AUTHOR_DATE", "@999999999999 +0000")
    (shop.root / "later.py").write_text("x = 1\n")
    git(shop.root, "add", "-A")
    git(shop.root, "commit", "-q", "-m", "Far")
    assert rows(shop, "MATCH (c:Commit {message: 'Far'}) RETURN c.time") == [["@999999999999"]]
    together = "MATCH (f:File)-[x:CO_CHANGES]->(g:File) RETURN f.relativePath, x.support ORDER BY f.relativePath"
    assert rows(shop, together) == [["shop.py", 2], ["test_price.py", 2]]


def test_a_workspace_without_a_repository(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    with Workspace.locate(tmp_path) as workspace, pytest.raises(GitFailed, match="no Git repository"):
        workspace.cypher("MATCH (c:Commit) RETURN c")


def test_only_the_label_may_be_spelled_like_the_keyword() -> None:
    check_read_only("MATCH (a:Author|Commit)-[:AUTHORED]->(c:Commit) RETURN a, c")
    for statement in ("COMMIT", "MATCH (c:Commit) RETURN c; COMMIT", "MATCH (c) RETURN c COMMIT", "RETURN 1:COMMIT"):
        with pytest.raises(QueryRejected):
            check_read_only(statement)
    assert names_history("MATCH (c:Commit) RETURN c")
    assert not names_history("MATCH (s:Symbol) WHERE s.name = 'Commit' RETURN s")


def test_a_statement_over_the_history_can_be_stopped(shop: Workspace) -> None:
    rows(shop, "MATCH (c:Commit) RETURN count(c)")  # makes the graph
    many = ", ".join(f"(s{number}:Symbol)" for number in range(14))
    names = " + ".join(f"s{number}.name" for number in range(14))
    endless = f"MATCH (c:Commit), {many} WHERE {names} = c.hash RETURN count(*)"
    failures: list[QueryFailed] = []

    def ask() -> None:
        try:
            shop.cypher(endless)
        except QueryFailed as error:
            failures.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    deadline = time.monotonic() + 30
    while not shop.stop_queries() and time.monotonic() < deadline:
        time.sleep(0.05)
    thread.join(30)
    assert [str(error) for error in failures] == ["The query was stopped."]
