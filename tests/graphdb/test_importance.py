"""Importance of files and symbols: what raises it, and that neither order nor history shows in it."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from astrolabe.graphdb.centrality.pagerank import MEAN, Ranks, read_ranking
from astrolabe.graphdb.centrality.update import RankingRenewal
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.generations.generations import ranking_of
from astrolabe.schema.edges import ImportEdge, ReferenceEdge
from astrolabe.schema.graph_content import GraphContent
from astrolabe.schema.records import FileRecord, Symbol
from astrolabe.schema.symbol_id import symbol_id

from tests.written_graph import write_graph

#: Users by used symbol; every symbol is a file of its own.
USES = {
    "hub": ["a", "b", "c", "d", "tested_by"],
    "behind_hub": ["hub"],
    "for_tests": ["test_1", "test_2", "test_3"],
    "for_code": ["a", "b"],
}
NAMES = sorted({*USES, *(user for users in USES.values() for user in users), "alone", "hub_member"})


def home(name: str) -> str:
    return "hub.ts" if name == "hub_member" else f"{name}.ts"


def made(order: list[str], uses: list[tuple[str, str]]) -> GraphContent:
    """One file and one function a name; `hub_member` lies in the file and the symbol of `hub`."""
    ids = {name: symbol_id(f"{name}.ts", "function", name, 0) for name in order}
    symbols = [
        Symbol(
            ids[name], name, name, "function", home(name), int(home(name) == "hub.ts"),
            1, 1, 1, 1, (), True, 0, "", "", name, True, ids["hub"] if name == "hub_member" else None,
        )
        for name in order
    ]  # fmt: skip
    return GraphContent(
        repository_name="r",
        files=[
            FileRecord(f"{name}.ts", "typescript", "", 0, 1, 1, "ok", (), name.startswith("test_"))
            for name in order
            if name != "hub_member"
        ],
        file_modules=[None for name in order if name != "hub_member"],
        symbols=symbols,
        imports=[ImportEdge(home(user), home(used), "", (), "import", False, 1) for user, used in uses],
        references=[ReferenceEdge(ids[user], ids[used], "call", (1,), (1,), ()) for user, used in uses],
    )


def stored(path: Path) -> dict[str, dict[str, int]]:
    with GraphDatabase.open(path) as database:
        return {
            "files": dict(database.rows("MATCH (f:File) RETURN f.relativePath, f.importance")),
            "symbols": dict(database.rows("MATCH (s:Symbol) RETURN s.name, s.importance")),
        }


EDGES = [(user, used) for used, users in USES.items() for user in users] + [("a", "hub_member")]


@pytest.fixture
def ranks(tmp_path: Path) -> dict[str, dict[str, int]]:
    write_graph(tmp_path / "g.kuzu", made(NAMES, EDGES))
    return stored(tmp_path / "g.kuzu")


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("hub", "for_code"),
        ("behind_hub", "for_code"),
        ("for_code", "for_tests"),
        ("for_tests", "test_1"),
        ("hub", "hub_member"),
        ("alone", "test_1"),
    ],
)
def test_what_is_more_important(ranks: dict[str, dict[str, int]], more: str, less: str) -> None:
    assert ranks["symbols"][more] > ranks["symbols"][less]
    if less != "hub_member":
        assert ranks["files"][f"{more}.ts"] > ranks["files"][f"{less}.ts"]


def test_the_mean_is_the_unit(ranks: dict[str, dict[str, int]]) -> None:
    for values in (ranks["files"].values(), ranks["symbols"].values()):
        assert abs(sum(values) / len(values) - MEAN) < 2


def test_order_does_not_show(ranks: dict[str, dict[str, int]], tmp_path: Path) -> None:
    for seed in range(3):
        shuffle = random.Random(seed)
        names, edges = shuffle.sample(NAMES, len(NAMES)), shuffle.sample(EDGES, len(EDGES))
        path = tmp_path / f"{seed}.kuzu"
        write_graph(path, made(names, edges))
        assert stored(path) == ranks


def test_history_does_not_show(ranks: dict[str, dict[str, int]], tmp_path: Path) -> None:
    """A graph from which files went away, and others came again, has the ranks of one that was made at once."""
    path = tmp_path / "shrunk.kuzu"
    with_more = made(["gone_1", *NAMES, "gone_2"], [*EDGES, ("gone_1", "alone"), ("gone_2", "gone_1"), ("a", "alone")])
    write_graph(path, with_more)
    assert stored(path)["symbols"]["alone"] > ranks["symbols"]["alone"]
    before = read_ranking(ranking_of(path))
    assert before is not None
    again = {"a.ts", "behind_hub.ts"}
    edges = [(user, used) for user, used in EDGES if home(user) in again or home(user) == "for_tests.ts"]
    content = made([name for name in NAMES if home(name) in again], [])
    content = msgspec.structs.replace(content, references=made(NAMES, edges).references, imports=made(NAMES, edges).imports)
    files, symbols = RankingRenewal(before).ranks(content, {*again, "gone_1.ts", "gone_2.ts"}, {*again, "for_tests.ts"})
    names = {symbol.id: symbol.name for symbol in with_more.symbols}
    assert there(files) == ranks["files"]
    assert {names[key]: value for key, value in there(symbols).items()} == ranks["symbols"]


def there(ranked: Ranks) -> dict[str, int]:
    """The importance of the nodes that are not gone."""
    return {key: value for key, value in zip(ranked.keys, ranked.values.tolist(), strict=True) if value}


def test_an_empty_graph_has_nothing_to_rank(tmp_path: Path) -> None:
    write_graph(tmp_path / "empty.kuzu", GraphContent(repository_name="r"))
    assert stored(tmp_path / "empty.kuzu") == {"files": {}, "symbols": {}}


def test_edges_to_imports_do_not_count(tmp_path: Path, change: Callable[..., GraphContent], content: GraphContent) -> None:
    without = [edge for edge in content.references if edge.role != "read"]
    imported = next(symbol for symbol in content.symbols if symbol.kind == "import")
    for name, references in (("with", content.references), ("without", without)):
        write_graph(tmp_path / f"{name}.kuzu", change(references=references))
    assert stored(tmp_path / "with.kuzu")["symbols"][imported.name] <= stored(tmp_path / "without.kuzu")["symbols"][imported.name]
