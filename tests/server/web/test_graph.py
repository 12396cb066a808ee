"""Graphs and the map of the repository, as the page gets them."""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import networkx
import pytest
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.stores.readers import Readers
from astrolabe.server.web.endpoints import repository_map
from console_server import Console

from tests.git_commands import git


def named(graph: dict[str, object]) -> tuple[set[str], set[tuple[str, str, str]]]:
    """The nodes and edges of a graph by qualified names or paths."""
    nodes: list[dict[str, str]] = graph["nodes"]  # type: ignore[assignment]
    names = {node.get("id", node["path"]): node.get("qualifiedName", node["path"]) for node in nodes}
    edges: list[dict[str, str]] = graph["edges"]  # type: ignore[assignment]
    return set(names.values()), {(names[edge["start"]], edge["label"], names[edge["end"]]) for edge in edges}


def identity(console: Console, name: str) -> str:
    symbol_id = console.ask("symbol", name=name).json["symbol"]["id"]
    assert isinstance(symbol_id, str)
    return symbol_id


def test_a_chain_gives_nodes_and_the_edges_between_them(console: Console) -> None:
    nodes, edges = named(console.ask("graph", chain="files()").json)
    assert nodes == {"src/auth/verify.ts", "src/auth/tokenService.ts", "src/routes/login.ts"}
    assert edges == {
        ("src/routes/login.ts", "IMPORTS", "src/auth/tokenService.ts"),
        ("src/auth/tokenService.ts", "IMPORTS", "src/auth/verify.ts"),
    }


def test_steps_add_nodes_in_both_directions(console: Console) -> None:
    key = identity(console, "TokenService > validateToken")
    steps = [{"step": "callers", "key": key}, {"step": "callees", "key": key}]
    nodes, edges = named(console.ask("graph", chain=f"symbols(id='{key}')", steps=steps).json)
    assert nodes == {"TokenService.validateToken", "handleLogin", "verifySignature"}
    assert {
        ("handleLogin", "CALLS", "TokenService.validateToken"),
        ("TokenService.validateToken", "CALLS", "verifySignature"),
    } <= edges


def test_names_of_symbols_files_and_modules_begin_a_graph(fresh_console: Console) -> None:
    starts = fresh_console.ask("graph-starts", text="SHOP").json
    assert [(start["kind"], start["name"]) for start in starts] == [("module", "shop")]
    starts = fresh_console.ask("graph-starts", text="total").json
    assert [(start["kind"], start["name"]) for start in starts] == [("symbol", "cartTotal"), ("file", "src/cart/total.js")]
    for start in starts:
        (node,) = fresh_console.ask("graph", chain=start["chain"]).json["nodes"]
        assert start["key"] == node.get("id", node["path"])
    assert fresh_console.ask("graph-starts", text=" ").json == []


def test_modules_are_followed_along_their_dependencies(fresh_console: Console) -> None:
    root = fresh_console.workspace.root
    for name, text in {
        "shop": "import { tax } from '@x/tax'\nexport const price = () => tax()\n",
        "tax": "export const tax = () => 1\n",
    }.items():
        folder = root / "packages" / name
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(f'{{"name": "@x/{name}", "main": "index.ts"}}')
        (folder / "index.ts").write_text(text)
    (root / "package.json").write_text('{"name": "root", "workspaces": ["packages/*"]}')
    graph = fresh_console.ask(
        "graph", chain="modules(name='@x/shop')", steps=[{"step": "dependencies", "key": "packages/shop"}]
    ).json
    assert {node["path"] for node in graph["nodes"]} == {"packages/shop", "packages/tax"}
    assert graph["kind"] == "module"


def test_a_path_adds_the_nodes_between_two(console: Console) -> None:
    start, end = identity(console, "handleLogin"), identity(console, "verifySignature")
    steps = [{"step": "path", "key": start, "target": end}]
    nodes, _ = named(console.ask("graph", chain=f"symbols(id__in=['{start}', '{end}'])", steps=steps).json)
    assert nodes == {"handleLogin", "TokenService.validateToken", "verifySignature"}


def test_many_nodes_are_drawn_as_their_folders(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astrolabe.server.web.endpoints.graph.MAX_NODES", 2)
    graph = console.ask("graph", chain="files()").json
    assert (graph["kind"], graph["total"]) == ("folder", 3)
    assert graph["nodes"] == [{"path": "src/auth", "count": 2}, {"path": "src/routes", "count": 1}]
    assert graph["edges"] == [{"start": "src/routes", "end": "src/auth", "label": "", "count": 1}]


def test_a_graph_is_exported_for_other_programs(console: Console) -> None:
    text = console.ask("export", chain="files()", form="graphml").json["text"]
    graph = networkx.parse_graphml(text)
    assert ("src/routes/login.ts", "src/auth/tokenService.ts") in graph.edges
    assert console.ask("export", chain="files()", form="mermaid").json["text"].startswith("flowchart LR\n")


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ({"chain": "files().count()"}, "A graph begins with a chain"),
        ({"chain": "files("}, ""),
        ({"chain": "files()", "steps": [{"step": "callers", "key": "src/auth/verify.ts"}]}, "no step 'callers' from a file"),
        ({"chain": "symbols()", "steps": [{"step": "__class__", "key": ""}]}, "no step '__class__' from a symbol"),
    ],
)
def test_a_wrong_graph_gets_a_sentence(console: Console, request_: dict[str, object], sentence: str) -> None:
    answer = console.ask("graph", **request_)
    assert answer.status == 422
    assert answer.json["error"]
    assert sentence in answer.json["error"]


def test_the_map_has_every_file_and_the_imports(console: Console) -> None:
    found = console.ask("map").json
    paths = [f"{found['folders'][folder]}/{name}" for folder, name in zip(found["folder"], found["name"], strict=True)]
    assert {(paths[start], paths[end]) for start, end in zip(found["importers"], found["imported"], strict=True)} == {
        ("src/routes/login.ts", "src/auth/tokenService.ts"),
        ("src/auth/tokenService.ts", "src/auth/verify.ts"),
    }
    assert [found["languages"][language] for language in found["language"]] == ["typescript"] * len(paths)
    assert found["tests"] == []
    rows = {row.path: (row.lines, row.importance) for row in console.workspace.files()}
    assert dict(zip(paths, zip(found["lines"], found["importance"], strict=True), strict=True)) == rows


def test_the_map_is_of_the_last_generation(fresh_console: Console) -> None:
    root = fresh_console.workspace.root
    assert "late.ts" not in fresh_console.ask("map").json["name"]
    (root / "late.ts").write_text("export const late = 1\n")
    assert "late.ts" not in fresh_console.ask("map").json["name"]
    fresh_console.workspace.index()
    assert "late.ts" in fresh_console.ask("map").json["name"]
    shutil.rmtree(fresh_console.workspace.data_dir)
    (root / "late.ts").rename(root / "later.ts")
    names = fresh_console.ask("map").json["name"]
    assert "later.ts" in names
    assert "late.ts" not in names


def test_a_map_that_is_being_read_is_not_read_again(fresh_console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh_console.workspace.index()
    read: list[str] = []
    is_second_on_its_way = threading.Event()

    def slowly(workspace: Workspace, readers: Readers) -> tuple[tuple[int, str], repository_map.RepositoryMap]:
        read.append(threading.current_thread().name)
        is_second_on_its_way.wait(30)
        return named_map(workspace, readers)

    named_map = repository_map._named_map
    monkeypatch.setattr(repository_map, "_named_map", slowly)
    with ThreadPoolExecutor(2) as pool:
        prepared = pool.submit(repository_map.prepare, fresh_console.workspace)
        while not read:
            time.sleep(0.01)
        answered = pool.submit(fresh_console.ask, "map")
        time.sleep(0.1)  # in which a second reader would begin
        is_second_on_its_way.set()
        assert prepared.result()
        assert "verify.ts" in answered.result().json["name"]
    assert len(read) == 1


def test_churn_counts_commits_and_says_why_there_are_none(fresh_console: Console) -> None:
    assert "git" in fresh_console.ask("churn").json["reason"].lower()
    root = fresh_console.workspace.root
    for command in (("init", "-q"), ("add", "."), ("-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "First")):
        subprocess.run(("git", *command), cwd=root, check=True)
    answer = fresh_console.ask("churn").json
    assert answer["commits"]["src/auth/verify.ts"] == 1
    assert answer["authors"]["src/auth/verify.ts"] == "A"


def test_files_that_change_together_are_counted(fresh_console: Console) -> None:
    assert "git" in fresh_console.ask("together").json["reason"].lower()
    root = fresh_console.workspace.root
    git(root, "init", "-q")
    for number in range(3):
        for name in ("src/cart/total.js", "src/auth/verify.ts"):
            (root / name).write_text(f"export const value = {number}\n")
        git(root, "add", ".")
        git(root, "commit", "-qm", f"Change {number}")
    answer = fresh_console.ask("together").json
    pairs = {(pair["one"], pair["other"]): pair["support"] for pair in answer["pairs"]}
    assert pairs == {("src/auth/verify.ts", "src/cart/total.js"): 3, ("src/cart/total.js", "src/auth/verify.ts"): 3}


def test_steps_over_three_edges_add_what_a_change_reaches(console: Console) -> None:
    end = identity(console, "verifySignature")
    found = console.ask("graph", chain=f"symbols(id='{end}')", steps=[{"step": "reached", "key": end}]).json
    assert {"verifySignature", "TokenService.validateToken", "handleLogin"} <= named(found)[0]
    begin = identity(console, "handleLogin")
    found = console.ask("graph", chain=f"symbols(id='{begin}')", steps=[{"step": "flow", "key": begin}]).json
    assert {"verifySignature", "TokenService.validateToken", "handleLogin"} <= named(found)[0]


def test_tables_and_documents_are_beside_the_code(fresh_console: Console) -> None:
    root = fresh_console.workspace.root
    (root / "schema.sql").write_text("CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT NOT NULL);\n")
    source = "export function emails(db: any): unknown {\n  return db.query('SELECT email FROM users')\n}\n"
    (root / "src" / "emails.ts").write_text(source)
    (root / "README.md").write_text("# Shop\n\n## Mail\n\n`emails()` reads the addresses.\n")
    code = fresh_console.ask("symbol", name="emails").json
    sections = {name: [row["qualifiedName"] for row in section["rows"]] for name, section in code["sections"].items()}
    assert (sections["tables"], sections["columns"]) == (["users"], ["users.email"])
    assert [name.rpartition(".")[2] for name in sections["sections"]] == ["Mail"]
    table = fresh_console.ask("symbol", name="users").json
    assert [row["qualifiedName"] for row in table["sections"]["read_by"]["rows"]] == ["emails"]
    assert {row["name"] for row in table["sections"]["columns"]["rows"]} == {"id", "email"}
    steps = [{"step": "read_by", "key": table["symbol"]["id"]}]
    nodes, edges = named(fresh_console.ask("graph", chain="tables()", steps=steps).json)
    assert nodes == {"users", "emails"}
    assert ("emails", "READS", "users") in edges
