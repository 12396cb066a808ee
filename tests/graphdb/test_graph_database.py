"""Opening a graph and asking it: values, limits, failures, threads, and the forms for notebooks."""

from __future__ import annotations

import datetime
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.engine import READ_POOL, open_read_only, read_pool
from astrolabe.schema.errors import IndexCorrupt, QueryFailed, QueryRejected, StoreError, UsageError

ENDLESS = """
MATCH (a:Symbol), (b:Symbol), (c:Symbol), (d:Symbol), (e:Symbol), (f:Symbol), (g:Symbol)
WHERE a.id + b.id + c.id + d.id + e.id + f.id + g.id = 'x' RETURN count(*)
"""


def test_columns_rows_and_parameters(graph: GraphDatabase) -> None:
    result = graph.query(
        "MATCH (s:Symbol) WHERE s.kind = $kind RETURN s.name AS name, s.startLine ORDER BY name LIMIT 2", {"kind": "class"}
    )
    assert result.columns == ("name", "s.startLine")
    assert result.rows == [("AuthMiddleware", 3), ("BaseValidator", 6)]
    assert not result.truncated


def test_a_label_is_a_column_of_its_expression(graph: GraphDatabase) -> None:
    """The engine names the column after all tables of the graph."""
    result = graph.query("MATCH (s:Symbol)-[r]->(t) RETURN label(r), count(label(t)), label(s) AS kind LIMIT 1")
    assert result.columns == ("LABEL(r)", "COUNT(LABEL(t))", "kind")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("'größe'", "größe"),
        ("1", 1),
        ("1.5", 1.5),
        ("true", True),
        ("[1, 2]", [1, 2]),
        ("{a: 1}", {"a": 1}),
        ("sum(s.depth)", 604),
        ("avg(s.startLine) > 1", True),
        ("date('2020-01-02')", datetime.date(2020, 1, 2)),
        ("max(s.ordinal)", 0),
    ],
)
def test_values_are_plain_python(graph: GraphDatabase, expression: str, expected: Any) -> None:
    value = graph.query(f"MATCH (s:Symbol) RETURN {expression}").rows[0][0]
    assert value == expected
    assert type(value) is type(expected)


def test_a_node_has_only_the_properties_of_its_table(graph: GraphDatabase) -> None:
    (node,) = graph.query("MATCH (n) WHERE n.id = 'npm:jsonwebtoken#verify' RETURN n").rows[0]
    assert {name: value for name, value in node.items() if name != "_id"} == {
        "_label": "External",
        "id": "npm:jsonwebtoken#verify",
        "package": "jsonwebtoken",
        "name": "verify",
    }


def test_a_path_holds_nodes_and_relationships(graph: GraphDatabase) -> None:
    (path,) = graph.query("MATCH p = (:Symbol {name: 'verify'})-[:CALLS*2..2]->(:Symbol) RETURN p").rows[0]
    assert [node["name"] for node in path["_nodes"]] == ["verify", "validateToken", "decode"]
    assert [rel["lines"] for rel in path["_rels"]] == [[7, 7, 9], [16]]
    assert "problemLines" not in path["_nodes"][0]


def test_rows_beyond_the_limit_are_counted_but_not_read(graph: GraphDatabase) -> None:
    result = graph.query("MATCH (s:Symbol) RETURN s.id", max_rows=3)
    assert (len(result.rows), result.total_rows, result.truncated) == (3, 51, True)


def test_a_query_that_runs_out_of_time_spoils_no_other(graph: GraphDatabase) -> None:
    with pytest.raises(QueryFailed, match="ran out of time"):
        graph.query(ENDLESS, timeout=0.05)
    assert graph.query("MATCH (f:File) RETURN count(*)", timeout=60).rows == [(6,)]
    # Takes longer than the limit of the first query, which must not hold for it.
    slow = "MATCH (a:Symbol), (b:Symbol), (c:Symbol), (d:Symbol) WHERE a.id + b.id + c.id + d.id = 'x' RETURN count(*)"
    assert graph.query(slow).rows == [(0,)]


def test_a_query_that_needs_too_much_memory_fails_alone(graph: GraphDatabase) -> None:
    with pytest.raises(QueryFailed, match="more memory"):
        graph.query("MATCH (a:Symbol), (b:Symbol), (c:Symbol), (d:Symbol) RETURN size(collect(a.id + b.id + c.id + d.id))")
    assert graph.query("MATCH (f:File) RETURN count(*)").rows == [(6,)]


@pytest.mark.parametrize(
    ("statement", "parameters"),
    [
        ("MATCH (s:Symbol RETURN s", None),
        ("MATCH (s:Nothing) RETURN s", None),
        ("MATCH (s:Symbol) RETURN s.nothing", None),
        ("RETURN 1/0", None),
        ("RETURN $x", {"y": 1}),
        ("MATCH (s:Symbol) WHERE s.id = $x RETURN s", None),
        ("MATCH (s:Symbol) WHERE s.id = $x RETURN s", {"x": object()}),
        ("CREATE (:Package {name: 'x'})", None),
        ("RETURN 1; RETURN 2", None),
    ],
)
def test_failures_are_told_in_our_own_errors(graph: GraphDatabase, statement: str, parameters: dict[str, Any] | None) -> None:
    with pytest.raises(QueryFailed):
        graph.query(statement, parameters)


def test_a_dollar_in_text_is_no_parameter(graph: GraphDatabase) -> None:
    assert graph.query("RETURN '$x' /* $y */ AS price").rows == [("$x",)]
    with pytest.raises(QueryRejected):
        graph.query("RETURN '$x")


def test_a_query_with_a_time_limit_is_stopped_from_another_thread(graph: GraphDatabase) -> None:
    assert graph.stop_queries() == 0
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(graph.query, ENDLESS, timeout=60)
        while not graph.stop_queries():
            time.sleep(0.01)
        with pytest.raises(QueryFailed, match=r"^The query was stopped\.$"):
            running.result(20)
    assert graph.query("MATCH (f:File) RETURN count(*)", timeout=60).rows == [(6,)]
    assert graph.stop_queries() == 0


def test_threads_share_a_graph(graph: GraphDatabase) -> None:
    statement = "MATCH (a:Symbol), (b:Symbol) WHERE a.depth = $depth RETURN count(*)"
    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(lambda depth: graph.query(statement, {"depth": depth}).rows[0][0], [0, 1, 2, 3] * 10))
    assert counts == [counts[0], counts[1], counts[2], counts[3]] * 10


def test_a_graph_closed_during_a_query_finishes_it(graph_path: Path) -> None:
    graph = GraphDatabase.open(graph_path)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(graph.query, ENDLESS, timeout=0.3)
        while not graph._busy and not running.done():
            time.sleep(0.001)
        graph.close()
        with pytest.raises(QueryFailed, match="ran out of time"):
            running.result()
    with pytest.raises(StoreError, match="closed"):
        graph.query("RETURN 1")
    graph.close()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells which files are open")
def test_a_resting_graph_is_closed_until_the_next_query(graph_path: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(graph_path, tmp_path))
    with GraphDatabase.open(path) as graph:
        for _ in range(2):
            assert graph.rows("MATCH (s:Symbol) WHERE s.kind = 'class' RETURN count(*)") == [(3,)]
            assert str(path) in _open_files()
            graph.suspend()
            assert str(path) not in _open_files()
    with pytest.raises(StoreError, match="closed"):
        graph.query("RETURN 1")


def test_a_graph_does_not_rest_during_a_query(graph_path: Path) -> None:
    with GraphDatabase.open(graph_path) as graph, ThreadPoolExecutor() as threads:
        slow = threads.submit(graph.query, "UNWIND range(1, 3000000) AS x RETURN count(DISTINCT x)")
        while not slow.done():
            graph.suspend()
        assert slow.result().rows == [(3_000_000,)]


def _open_files() -> set[str]:
    """The files that this process has open, where the system tells."""
    descriptors = Path("/proc/self/fd")
    return {os.readlink(descriptor) for descriptor in descriptors.iterdir() if descriptor.is_symlink()}


def test_processes_share_a_graph(graph: GraphDatabase, graph_path: Path, tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from astrolabe.graphdb.database import GraphDatabase; "
        "print(GraphDatabase.open(Path(sys.argv[1])).rows('MATCH (f:File) RETURN count(*)'))"
    )
    other = subprocess.run(
        [sys.executable, "-P", "-c", program, str(graph_path)], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert other.stdout == "[(6,)]\n"


@pytest.mark.parametrize("size", [0, 10, 4096, -4096 * 8, None])
def test_a_damaged_file_is_told(graph_path: Path, tmp_path: Path, size: int | None) -> None:
    path = tmp_path / "graph.kuzu"
    if size is not None:
        whole = graph_path.read_bytes()
        path.write_bytes(whole[:size])
    with pytest.raises(IndexCorrupt, match="astrolabe index --full"):
        GraphDatabase.open(path)


def test_damage_inside_the_file_is_told_by_the_query_that_meets_it(graph_path: Path, tmp_path: Path) -> None:
    path = shutil.copy(graph_path, tmp_path / "graph.kuzu")
    graph = GraphDatabase.open(path)
    # The file shrinks under the open database, as when a disk fails.
    with path.open("r+b") as file:
        file.truncate(8192)
    with graph, pytest.raises(IndexCorrupt):
        graph.rows("MATCH (s:Symbol) RETURN s.doc, s.signature, s.breadcrumb")


def test_arrow_form(graph: GraphDatabase) -> None:
    table = graph.query(
        "MATCH (s:Symbol {name: 'verify'}) RETURN s.name AS name, s.startLine AS line, s.modifiers AS m, s"
    ).to_arrow()
    assert table.column_names == ["name", "line", "m", "s"]
    assert [str(table.schema.field(name).type) for name in ("name", "line", "m")] == ["string", "int64", "list<item: string>"]
    assert table.column("s").to_pylist()[0]["kind"] == "method"
    empty = graph.query("MATCH (s:Symbol {name: 'none'}) RETURN s.name, s.startLine, s.modifiers, s.exported").to_arrow()
    assert [str(kind) for kind in empty.schema.types] == ["string", "int64", "list<item: string>", "bool"]


def test_a_number_beyond_arrows_is_told(graph: GraphDatabase) -> None:
    result = graph.query("RETURN CAST('170141183460469231731687303715884105727' AS INT128) AS n")
    assert result.rows == [(2**127 - 1,)]
    with pytest.raises(StoreError, match="no Arrow form"):
        result.to_arrow()


def test_pandas_form(graph: GraphDatabase) -> None:
    frame = graph.query("MATCH (s:Symbol) RETURN s.name AS name, s.startLine AS line ORDER BY name LIMIT 2").to_pandas()
    assert list(frame.columns) == ["name", "line"]
    assert frame["line"].sum() == 6 + 3


def test_pandas_missing_is_told(graph: GraphDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match="pip install"):
        graph.query("RETURN 1").to_pandas()


def test_networkx_form(graph: GraphDatabase, project: Any) -> None:
    found = graph.query("MATCH (a:Symbol)-[r:CALLS]->(b:Symbol) RETURN a, r, b").to_networkx()
    assert (found.number_of_nodes(), found.number_of_edges()) == (5, 5)
    verify = f"Symbol:{project.id('src/middleware/auth.ts#AuthMiddleware.verify')}"
    assert found.nodes[verify]["label"] == "Symbol"
    assert found.nodes[verify]["name"] == "verify"
    assert {data["label"] for _, _, data in found.out_edges(verify, data=True)} == {"CALLS"}
    assert {len(data["lines"]) for _, _, data in found.out_edges(verify, data=True)} == {3, 1}


def test_networkx_form_of_paths_and_of_ends_left_out(graph: GraphDatabase) -> None:
    paths = graph.query("MATCH p = (:Symbol {name: 'verify'})-[:CALLS*1..2]->(:Symbol) RETURN p").to_networkx()
    assert (paths.number_of_nodes(), paths.number_of_edges()) == (4, 3)
    bare = graph.query("MATCH (a:Symbol {name: 'verify'})-[r:CALLS]->() RETURN a, r").to_networkx()
    assert (bare.number_of_nodes(), bare.number_of_edges()) == (3, 2)
    assert graph.query("OPTIONAL MATCH (n:File {relativePath: 'none'}) RETURN n").to_networkx().number_of_nodes() == 0


def test_the_memory_of_a_reader_grows_with_the_graph_up_to_a_share_of_the_machine() -> None:
    gigabyte = 1 << 30
    assert read_pool(20 << 20, 16 * gigabyte) == READ_POOL
    assert read_pool(gigabyte // 2, 16 * gigabyte) == 2 * gigabyte
    assert read_pool(8 * gigabyte, 16 * gigabyte) == 4 * gigabyte
    assert read_pool(8 * gigabyte, gigabyte // 2) == READ_POOL
    assert read_pool(8 * gigabyte, 0) == READ_POOL  # the system does not tell its memory


def test_a_join_that_a_small_pool_cannot_hold_runs_in_a_larger_pool(graph: GraphDatabase) -> None:
    join = "UNWIND range(1, 300000) AS x MATCH (r:Repository) WITH DISTINCT x, r.id AS id RETURN count(*)"
    with (
        GraphDatabase(graph.path, open_read_only(graph.path, 16 << 20)) as small,
        pytest.raises(QueryFailed, match="needs more memory than it is given"),
    ):
        small.query(join)
    assert graph.query(join).rows == [(300_000,)]
