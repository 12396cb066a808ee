"""Loading: what is written comes back, and faulty content is refused before anything is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pyarrow
import pytest
from astrolabe.graphdb import engine
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.writing.bulk_load import GraphFile
from astrolabe.schema import ddl
from astrolabe.schema.edges import CallEdge, ExportEdge, ExternalCallEdge, HeritageEdge, ImportEdge, OverrideEdge, TypeFlowEdge
from astrolabe.schema.errors import StoreError
from astrolabe.schema.graph_content import GraphContent
from astrolabe.schema.records import ModuleRecord

from tests.written_graph import write_graph


def test_counts_are_those_of_the_graph(content: GraphContent, tmp_path: Path) -> None:
    path = tmp_path / "graph.kuzu"
    counts = write_graph(path, content)
    assert set(counts) == set(ddl.tables())
    with GraphDatabase.open(path) as graph:
        for name, table in ddl.tables().items():
            pattern = f"(n:{name})" if table.kind == "node" else f"()-[n:{name}]->()"
            assert graph.rows(f"MATCH {pattern} RETURN count(*)") == [(counts[name],)]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["graph.kuzu", "graph.ranking", "graph.symbols"]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("MATCH (r:Repository) RETURN r.id, r.name, r.gitHead", [(".", "shop", "0123abc")]),
        ("MATCH (r:Repository)-[c:CONTAINS]->(n) RETURN label(n), c.position ORDER BY label(n)", [("File", 0), ("Module", 0)]),
        ("MATCH (:Module {id: 'src'})-[c:CONTAINS]->(f:File) RETURN c.position ORDER BY c.position", [(0,), (1,), (2,), (3,)]),
        (
            "MATCH (m:Module)-[:CONTAINS]->(n:Module) RETURN m.id, n.id, n.manifestPath",
            [("src", "src/models", "src/models/package.json")],
        ),
        (
            "MATCH (m:Module)-[d:DEPENDS_ON]->(p:Package) RETURN m.id, p.name, d.versionRange, d.section ORDER BY m.id",
            [("src", "jsonwebtoken", "^9", "dependencies"), ("src/models", "vitest", "^3", "devDependencies")],
        ),
        (
            "MATCH (:File)-[e:EXPORTS]->(s:Symbol) WHERE e.name = 'EXPIRY' RETURN s.name, e.via",
            [("TOKEN_EXPIRY", ("src/auth/tokenService.ts",))],
        ),
        ("MATCH ()-[r:CALLS {form: 'method'}]->() RETURN r.lines, r.columns, r.count", [((7, 7, 9), (4, 30, 4), 3)]),
        (
            "MATCH ()-[r:REFERENCES]->(s:Symbol) WHERE size(r.names) > 0 RETURN r.names, s.name",
            [(("jwt",), "import:jsonwebtoken")],
        ),
        ("MATCH ()-[r:PARAM_TYPE]->() RETURN r.name, r.position ORDER BY r.position", [("payload", 0), ("service", 1)]),
        ("MATCH (n:UnresolvedName) RETURN n.name ORDER BY n.name", [("log",), ("validateToken",)]),
        (
            "MATCH (:File)-[e:IMPORTS_UNRESOLVED]->(s:UnresolvedSpecifier) RETURN s.specifier, e.names, e.line, e.reason",
            [("./gone", ("Gone",), 1, "absent")],
        ),
        (
            "MATCH (f:File {parseStatus: 'recovered'}) RETURN f.problemLines, f.isTest, f.mtime",
            [((3, 9), False, 1_700_000_000_000_000_000)],
        ),
    ],
)
def test_what_is_written_comes_back(graph: GraphDatabase, statement: str, expected: list[tuple[Any, ...]]) -> None:
    assert graph.rows(statement) == expected


def test_text_of_every_kind_survives(content: GraphContent, tmp_path: Path) -> None:
    texts = ["", "'", '"', "`", "\\", "line\nbreak\r\n", "größe 名前 🎉", "\x00nul", "x" * 100_000, "$ids", "// no comment"]
    symbols = [msgspec.structs.replace(symbol, doc=text) for symbol, text in zip(content.symbols, texts, strict=False)]
    write_graph(tmp_path / "graph.kuzu", msgspec.structs.replace(content, symbols=[*symbols, *content.symbols[len(symbols) :]]))
    with GraphDatabase.open(tmp_path / "graph.kuzu") as graph:
        stored = dict(graph.rows("MATCH (s:Symbol) RETURN s.id, s.doc"))
    assert [stored[symbol.id] for symbol in symbols] == texts


def test_an_empty_repository_loads(tmp_path: Path) -> None:
    lists: dict[str, list[Any]] = {
        field: [] for field in GraphContent.__struct_fields__ if field not in ("repository_name", "git_head")
    }
    counts = write_graph(tmp_path / "graph.kuzu", GraphContent(repository_name="empty", git_head="", **lists))
    assert {name: count for name, count in counts.items() if count} == {"Repository": 1}


@pytest.mark.parametrize(
    ("field", "extra", "message"),
    [
        ("symbols", None, "2 Symbol nodes with the id"),
        ("files", None, "2 File nodes with the relativePath"),
        ("externals", None, "2 External nodes with the id"),
        ("modules", None, "2 Module nodes with the id"),
        ("modules", ModuleRecord("x", "x", "npm", "x/package.json", "", "nowhere"), "CONTAINS .* 'nowhere' to 'x'"),
        ("calls", CallEdge("ghost", "ghost", (1,), (1,), "new", "scope"), "CALLS edges lead from"),
        ("external_calls", ExternalCallEdge("ghost", "npm:ghost", (1,), (1,), "new"), "CALLS_EXTERNAL"),
        ("overrides", OverrideEdge("ghost", "ghost"), "OVERRIDES"),
        (
            "imports",
            ImportEdge("src/base.ts", "ghost.ts", "./ghost", (), "import", False, 1),
            "1 File nodes that IMPORTS edges lead to",
        ),
        ("exports", ExportEdge("ghost.ts", "ghost", "x", False, ()), "EXPORTS"),
        ("type_flows", TypeFlowEdge("ghost", "ghost", "return", "", 0), "RETURN_TYPE"),
        ("heritage", HeritageEdge("ghost", "ghost", "extends", 1, True), "EXTENDS"),
    ],
)
def test_faulty_content_is_refused_and_nothing_is_written(
    change: Callable[..., GraphContent], content: GraphContent, tmp_path: Path, field: str, extra: Any, message: str
) -> None:
    records = getattr(content, field)
    changed = {field: [*records, records[0] if extra is None else extra]}
    if field == "files":
        changed["file_modules"] = [*content.file_modules, None]
    with pytest.raises(StoreError, match=message):
        write_graph(tmp_path / "graph.kuzu", change(**changed))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("field", "value"), [("depth", 2**70), ("doc", "\ud800"), ("name", 7), ("modifiers", (1,))])
def test_a_value_that_no_column_holds_is_refused_by_name(
    change: Callable[..., GraphContent], content: GraphContent, tmp_path: Path, field: str, value: Any
) -> None:
    broken = msgspec.structs.replace(content.symbols[0], **{field: value})
    with pytest.raises(StoreError, match=f"Symbol.{field}"):
        write_graph(tmp_path / "graph.kuzu", change(symbols=[broken, *content.symbols[1:]]))
    assert list(tmp_path.iterdir()) == []


def test_symbols_may_come_in_parts(content: GraphContent, tmp_path: Path) -> None:
    whole, parted = tmp_path / "whole.kuzu", tmp_path / "parted.kuzu"
    write_graph(whole, content)
    files = {file.relative_path for file in content.files[: len(content.files) // 2]}
    early = [symbol for symbol in content.symbols if symbol.relative_path in files]
    late = [symbol for symbol in content.symbols if symbol.relative_path not in files]
    assert early
    assert late
    nodes = GraphContent(
        repository_name=content.repository_name,
        modules=content.modules,
        files=content.files,
        file_modules=content.file_modules,
        symbols=early,
    )
    edges = msgspec.structs.replace(content, repository_name="", modules=[], files=[], file_modules=[], symbols=[])
    file = GraphFile(parted)
    for part in (nodes, GraphContent(symbols=late), edges):
        file.load(part)
    file.close()
    statements = [
        "MATCH (s:Symbol) RETURN s.id, s.importance ORDER BY s.id",
        "MATCH (a)-[c:CONTAINS]->(s:Symbol) RETURN label(a), s.id, c.position ORDER BY s.id",
        "MATCH (a:Symbol)-[c:CALLS]->(b:Symbol) RETURN a.id, b.id ORDER BY a.id, b.id",
    ]
    with GraphDatabase.open(whole) as first, GraphDatabase.open(parted) as second:
        for statement in statements:
            assert first.rows(statement) == second.rows(statement)


def test_copied_rows_are_released_at_once(tmp_path: Path) -> None:
    database = engine.create(tmp_path / "graph.kuzu", engine.KUZU)
    connection = engine.connect(database)
    engine.execute(connection, "CREATE NODE TABLE Word (key STRING PRIMARY KEY)", {})
    before = pyarrow.total_allocated_bytes()

    def copy() -> int:
        rows = pyarrow.table({"key": [str(number) for number in range(50_000)]})
        engine.execute_with_rows(connection, "COPY Word FROM rows", rows)
        return rows.nbytes

    assert copy() > 400_000
    assert pyarrow.total_allocated_bytes() == before
    assert engine.execute(connection, "MATCH (w:Word) RETURN count(*)", {}).get_next() == [50_000]
    engine.close(database, connection)


def test_an_existing_graph_is_never_written_over(content: GraphContent, tmp_path: Path) -> None:
    path = tmp_path / "graph.kuzu"
    path.write_text("precious")
    with pytest.raises(StoreError, match="exists already"):
        write_graph(path, content)
    assert path.read_text() == "precious"
