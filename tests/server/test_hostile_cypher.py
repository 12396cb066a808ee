"""Statements that try to write, read files, install, exhaust or crash: none gets through, and the server goes on."""

from __future__ import annotations

import hashlib
import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from astrolabe.schema.errors import QueryFailed, QueryRejected, UsageError
from astrolabe.schema.settings import Settings
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.stores.query_process import QueryProcess

#: What must be refused, in each of these places.
CLAUSES = (
    "CREATE (:Package {name: 'x'})",
    "MERGE (:Package {name: 'x'})",
    "SET s.name = 'x'",
    "DELETE s",
    "DETACH DELETE s",
    "REMOVE s.name",
    "DROP TABLE Symbol",
    "ALTER TABLE Symbol ADD x STRING",
    "COPY Symbol TO '{out}'",
    "COPY (MATCH (n:Symbol) RETURN n.name) TO '{out}'",
    "COPY Symbol FROM '/etc/passwd'",
    "LOAD FROM '/etc/passwd' RETURN *",
    "EXPORT DATABASE '{out}'",
    "IMPORT DATABASE '/tmp'",
    "ATTACH '{out}' AS x (dbtype kuzu)",
    "INSTALL httpfs",
    "LOAD EXTENSION httpfs",
    "CALL threads=64",
    "CALL timeout=0",
    "CALL read_csv_serial('/etc/passwd') RETURN *",
    "CREATE MACRO f(x) AS x",
    "CHECKPOINT",
    "BEGIN TRANSACTION",
    "USE other",
)
PLACES = (
    "{0}",
    "MATCH (s:Symbol) {0}",
    "MATCH (s:Symbol) WITH s {0}",
    "MATCH (s:Symbol) RETURN s; {0}",
    "/* quiet */ {0} // end",
    "MATCH (s:Symbol) RETURN s.name UNION {0}",
    "UNWIND [1] AS one\n{0}",
    "EXPLAIN {0}",
    "PROFILE {0}",
)
FORBIDDEN = [place.format(clause) for place, clause in product(PLACES, CLAUSES)]

#: Admitted or not, each of these must end soon and return little.
EXHAUSTING = (
    "UNWIND range(1, 1000000000) AS x RETURN count(x)",
    "RETURN range(1, 1000000000)",
    "RETURN repeat('x', 1000000000)",
    "RETURN lpad('x', 2000000000, 'y')",
    "MATCH (a:Symbol), (b:Symbol), (c:Symbol), (d:Symbol), (e:Symbol), (f:Symbol), (g:Symbol) RETURN count(*)",
    "MATCH (a), (b), (c), (d), (e), (f), (g), (h) RETURN a, b, c, d, e, f, g, h",
    "MATCH p = (a:Symbol)-[*1..30]-(b:Symbol) RETURN p",
    "MATCH p = (a)-[*1..30]-(b) RETURN count(p)",
    "MATCH p = (a:Symbol)-[* TRAIL 1..30]-(b:Symbol) RETURN count(*)",
    "MATCH (a:Symbol), (b:Symbol), (c:Symbol) RETURN collect(a.doc + b.doc + c.doc)",
    "UNWIND [1,2,3,4,5,6,7,8,9,10] AS a UNWIND [1,2,3,4,5,6,7,8,9,10] AS b UNWIND [1,2,3,4,5,6,7,8,9,10] AS c "
    "UNWIND [1,2,3,4,5,6,7,8,9,10] AS d UNWIND [1,2,3,4,5,6,7,8,9,10] AS e UNWIND [1,2,3,4,5,6,7,8,9,10] AS f "
    "UNWIND [1,2,3,4,5,6,7,8,9,10] AS g UNWIND [1,2,3,4,5,6,7,8,9,10] AS h RETURN collect(a+b+c+d+e+f+g+h)",
    "RETURN " + "(" * 500 + "1" + ")" * 500,
    "RETURN " + "[" * 60 + "]" * 60,
    "RETURN " + " + ".join(["1"] * 3000),
    "RETURN " + "CASE WHEN true THEN " * 20 + "1" + " END" * 20,
    "RETURN '" + "x" * 50_000 + "'",
    "MATCH (s:Symbol) WHERE regexp_matches(s.doc, '(a+)+$') RETURN s.name",
    "RETURN regexp_matches('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', '(a|aa)+$')",
    "RETURN pow(10, 308) * pow(10, 308)",
    "RETURN list_sort([3, 2, 1])[99999999]",
    "RETURN substring('abc', -5, 99999999)",
    "RETURN CAST('99999999999999999999' AS INT64)",
    "RETURN 1 / 0",
)

#: Runs for minutes.
SLOW = "MATCH (a:Symbol), (b:Symbol), (c:Symbol), (d:Symbol) WHERE a.name + b.name + c.name = d.name RETURN count(*)"

#: Known to crash the engine, and refused for it. Past the guard they end a process, which is not the server's.
CRASHING = (
    "WITH 1 AS x WHERE 1 = 2 RETURN x",
    "RETURN size(NULL)",
    "RETURN upper(NULL)",
    "MATCH (a)-[r*1..2]->(b) RETURN any(x IN r WHERE true)",
    "MATCH (a)-[r*1..2]->(b) RETURN all(x IN rels(r) WHERE x.line > 0)",
    "RETURN string_split(1, 2)",
    "RETURN regexp_full_match(1, 'x')",
    "RETURN regexp_replace(1, 'x', 'y')",
    "RETURN list_transform(NULL, x -> x)",
    "RETURN struct_extract({a: 1}, NULL)",
)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    root = tmp_path_factory.mktemp("besieged")
    code = "".join(f"/** note */\nexport function f{n}() {{ return f{(n + 1) % 60}() + f{(n * 7) % 60}() }}\n" for n in range(60))
    (root / "a.ts").write_text(code)
    with Workspace(root, root / ".astrolabe", Settings(query_timeout=0.5)) as opened:
        opened.index()
        yield opened


def fingerprint(workspace: Workspace) -> str:
    """Digest of the graph file."""
    return hashlib.sha256(graph_path(workspace).read_bytes()).hexdigest()


def graph_path(workspace: Workspace) -> Path:
    return workspace.data_dir / "generations" / (workspace.data_dir / "CURRENT").read_text().strip() / "graph.kuzu"


def answers(workspace: Workspace) -> bool:
    """Whether the server still does."""
    return workspace.query_tool("MATCH (s:Symbol {kind: 'function'}) RETURN count(*)").answer.rows == ([60],)


def test_there_are_enough() -> None:
    assert len({*FORBIDDEN, *EXHAUSTING, *CRASHING}) >= 150


def test_nothing_that_writes_reads_files_or_installs_gets_through(workspace: Workspace, tmp_path: Path) -> None:
    before = fingerprint(workspace)
    out = tmp_path / "out"
    for statement in FORBIDDEN:
        with pytest.raises(QueryRejected):
            workspace.query_tool(statement.replace("{out}", str(out)))
    assert not out.exists()
    assert fingerprint(workspace) == before
    assert answers(workspace)


@pytest.mark.parametrize("statement", EXHAUSTING, ids=lambda statement: statement[:40])
def test_what_would_exhaust_the_server_ends(workspace: Workspace, statement: str) -> None:
    tokens = 0
    with suppress(QueryRejected, QueryFailed):
        tokens = workspace.query_tool(statement, budget=500).answer.tokens
    assert tokens <= 500
    assert answers(workspace)


def test_a_crash_of_the_engine_is_an_error_and_not_the_end(workspace: Workspace) -> None:
    queries = QueryProcess(graph_path(workspace))
    try:
        for statement in CRASHING:
            with suppress(QueryFailed):
                queries.query(statement, None, timeout=2, max_rows=10)
            assert queries.query("RETURN 1", None, timeout=5, max_rows=1).rows == [(1,)]
    finally:
        queries.close()


def test_a_query_is_stopped_by_another_thread(workspace: Workspace) -> None:
    queries = QueryProcess(graph_path(workspace))
    try:
        assert not queries.stop()
        failures: list[Exception] = []

        def ask() -> None:
            try:
                queries.query(SLOW, None, timeout=30, max_rows=1)
            except QueryFailed as error:
                failures.append(error)

        thread = threading.Thread(target=ask)
        thread.start()
        deadline = time.monotonic() + 20
        while not queries.stop() and time.monotonic() < deadline:
            time.sleep(0.01)
        thread.join(timeout=20)
        assert [str(failure) for failure in failures] == ["The query was stopped."]
        assert queries.query("RETURN 1", None, timeout=5, max_rows=1).rows == [(1,)]
    finally:
        queries.close()


def test_a_worker_that_dies_or_hangs_is_replaced(workspace: Workspace) -> None:
    queries = QueryProcess(graph_path(workspace))
    try:
        assert queries.query("RETURN 1", None, timeout=5, max_rows=1).rows == [(1,)]
        assert queries._worker is not None
        queries._worker.kill()
        with pytest.raises(QueryFailed, match="crashed"):
            queries.query("RETURN 1", None, timeout=5, max_rows=1)
        assert queries.query("RETURN 2", None, timeout=5, max_rows=1).rows == [(2,)]
        if stop := shutil.which("kill"):
            os.spawnv(os.P_WAIT, stop, [stop, "-STOP", str(queries._worker.process.pid)])
            with pytest.raises(QueryFailed, match="ran out of time"):
                queries.query("RETURN 3", None, timeout=0.2, max_rows=1)
        assert queries.query("RETURN 4", None, timeout=5, max_rows=1).rows == [(4,)]
    finally:
        queries.close()


def test_values_keep_their_types(workspace: Workspace) -> None:
    rows = workspace.cypher("MATCH (s:Symbol)-[c:CALLS]->(t:Symbol) RETURN s, c, c.lines, s.exported, 1.5 LIMIT 1")
    symbol, call, lines, exported, number = rows.rows[0]
    assert symbol["_label"] == "Symbol"
    assert call["_label"] == "CALLS"
    assert (type(lines), exported, number) == (list, True, 1.5)
    assert rows.to_networkx().number_of_edges() == 1


def test_rows_and_tokens_are_limited_and_what_is_missing_is_told(workspace: Workspace) -> None:
    found = workspace.query_tool("MATCH (s:Symbol {kind: 'function'}) RETURN s.name, s.breadcrumb", max_rows=10).answer
    assert (len(found.rows), found.total_rows, found.truncated) == (10, 60, True)
    assert found.hint.startswith("50 more rows: ")
    small = workspace.query_tool("MATCH (s:Symbol) RETURN s", budget=200).answer
    assert small.tokens <= 200
    assert small.truncated


def test_the_schema_is_given_on_request(workspace: Workspace) -> None:
    assert "CALLS (Symbol)->(Symbol)" in workspace.query_tool(schema=True).answer.schema
    assert workspace.query_tool("RETURN 1").answer.schema == ""


BAD: list[tuple[dict[str, Any], str]] = [
    ({}, "The query is empty: write Cypher, or ask for the schema."),
    ({"query": "RETURN 1", "max_rows": 0}, "maxRows is a number from 1 to 10,000, not 0."),
    ({"query": "RETURN 1", "budget": 1}, "A query needs a budget of at least 100 tokens, not 1."),
    ({"query": "MATCH (s:Symbol) RETURN s.nme"}, "The query failed: "),
]


@pytest.mark.parametrize(("options", "message"), BAD)
def test_bad_input_is_explained(workspace: Workspace, options: dict[str, Any], message: str) -> None:
    with pytest.raises((UsageError, QueryFailed)) as caught:
        workspace.query_tool(**options)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("statement", ["MATCH (s:Simbol) RETURN s", "MATCH (s:Symbol) RETURN s.nam"])
def test_a_name_that_the_graph_has_not_leads_to_its_schema(workspace: Workspace, statement: str) -> None:
    with pytest.raises(QueryFailed, match=r"`schema: true` lists tables and properties\.$"):
        workspace.query_tool(statement)
