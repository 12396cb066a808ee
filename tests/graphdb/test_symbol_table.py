"""The table of symbols against what the graph itself says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.generations.generations import symbols_beside
from astrolabe.graphdb.symbols.symbol_columns import SymbolColumns
from astrolabe.graphdb.symbols.symbol_table import SymbolTable
from astrolabe.schema.graph_content import GraphContent
from astrolabe.schema.records import Symbol, camel_case

from tests.written_graph import write_graph

PROPERTIES = [field for field in Symbol.__struct_fields__ if field != "parent_id"]
DETAILS = ", ".join(f"s.{camel_case(field)}" for field in PROPERTIES)
IN_ORDER = "ORDER BY s.relativePath, s.startLine, s.depth, s.id"


def table_of(graph: GraphDatabase) -> SymbolTable:
    """The table that the file beside the graph stores."""
    return SymbolTable(graph, SymbolColumns.open(symbols_beside(graph.path)))


def details(graph: GraphDatabase, condition: str, **parameters: Any) -> list[Symbol]:
    """Symbols that the engine finds by a condition."""
    around = dict(graph.rows("MATCH (o:Symbol)-[:CONTAINS]->(s:Symbol) RETURN s.id, o.id"))
    found = []
    for row in graph.rows(f"MATCH (s:Symbol) WHERE {condition} RETURN {DETAILS} {IN_ORDER}", parameters):
        values = [tuple(value) if isinstance(value, list) else value for value in row]
        found.append(Symbol(**dict(zip(PROPERTIES, values, strict=True)), parent_id=around.get(row[0])))
    return found


def ids(graph: GraphDatabase, statement: str, **parameters: Any) -> list[str]:
    """The first column of what the engine returns."""
    return [row[0] for row in graph.rows(statement, parameters)]


def test_symbols_are_those_of_the_graph(graph: GraphDatabase, project: Any) -> None:
    table = table_of(graph)
    wanted = [symbol.id for symbol in project.symbols.values()]
    expected = {symbol.id: symbol for symbol in details(graph, "s.id IN $ids", ids=wanted)}
    found = table.symbols([*wanted, "no such id", wanted[0]])
    assert list(found) == wanted
    assert found == expected
    assert table.refs(wanted) == {id: symbol.ref for id, symbol in expected.items()}
    offsets = table.offsets(wanted)
    assert table.ids_at(offsets) == wanted
    assert table.refs_at(offsets) == [expected[id].ref for id in wanted]
    assert table.symbols_at(offsets) == [expected[id] for id in wanted]
    assert table.kinds_at(offsets) == [expected[id].kind for id in wanted]


def test_changed_files_replace_the_rows_of_the_file(graph: GraphDatabase, project: Any) -> None:
    every = list(project.symbols.values())
    wanted = [symbol.id for symbol in every]
    paths = sorted({symbol.relative_path for symbol in every})
    stored = table_of(graph)
    for changed in (paths[:1], paths[1:], ["no/such.ts"]):
        table = stored.renewed(graph, changed)
        assert table.symbols(wanted) == stored.symbols(wanted)
        assert table.nested(wanted) == stored.nested(wanted)
        assert table.enclosing(wanted) == stored.enclosing(wanted)
        assert table.in_files(paths) == stored.in_files(paths)
        for name in {symbol.name for symbol in every}:
            assert table.named([name]) == stored.named([name])
        offsets, ids, importance = table.ranked()
        told = {id: (offset, rank) for offset, id, rank in zip(offsets.tolist(), ids.to_pylist(), importance, strict=True)}
        assert told == {id: (table.offsets([id])[0], *table.importance_at(table.offsets([id]))) for id in wanted}


def test_nesting_is_that_of_the_graph(graph: GraphDatabase, project: Any) -> None:
    table = table_of(graph)
    up = "MATCH (o:Symbol)<-[:CONTAINS]-(s:Symbol) WHERE o.id = $id RETURN s.id"
    down = "MATCH (o:Symbol)-[:CONTAINS*1..30]->(s:Symbol) WHERE o.id = $id RETURN s.id"
    right_below = "MATCH (o:Symbol)-[c:CONTAINS]->(s:Symbol) WHERE o.id = $id RETURN s.id ORDER BY c.position"
    for symbol in project.symbols.values():
        around = ids(graph, up, id=symbol.id)
        for outer in around:
            around += ids(graph, up, id=outer)
        assert [outer.id for outer in table.enclosing([symbol.id]).get(symbol.id, [])] == around[::-1]
        [offset] = table.offsets([symbol.id])
        parents = [at for at in table.parents_at([offset]) if at >= 0]
        assert table.ids_at(parents) == around[:1]
        within = table.ids_at(table.nested_at([offset]))
        assert len(set(within)) == len(within)
        assert set(ids(graph, down, id=symbol.id)) <= set(within)  # a pattern of the engine ends at 30 levels
        assert next(inner.id for inner in table.nested([symbol.id])[symbol.id]) == symbol.id
        assert {inner.id for inner in table.nested([symbol.id])[symbol.id]} == {symbol.id, *within}
        members = ids(graph, right_below, id=symbol.id)
        assert [child.id for child in table.children([symbol.id]).get(symbol.id, [])] == members
        assert table.ids_at(table.children_at(offset)) == members


def test_the_shortest_symbol_around_each_line(graph: GraphDatabase, project: Any) -> None:
    table = table_of(graph)
    for besides in ((), ("class", "interface")):
        lines, expected = [("no such file", 1)], [None]
        for path in {symbol.relative_path for symbol in project.symbols.values()}:
            every = [symbol for symbol in details(graph, "s.relativePath = $path", path=path) if symbol.kind not in besides]
            for line in range(max((symbol.end_line for symbol in every), default=0) + 2):
                holding = [symbol for symbol in every if symbol.start_line <= line <= symbol.end_line]
                lines.append((path, line))
                expected.append(
                    min(holding, key=lambda symbol: (symbol.end_line - symbol.start_line, -symbol.depth), default=None)
                )
        assert table.innermost(lines, besides) == [symbol and symbol.ref for symbol in expected]


def test_what_lies_in_files(graph: GraphDatabase, project: Any) -> None:
    table = table_of(graph)
    paths = {symbol.relative_path for symbol in project.symbols.values()}
    for path in paths:
        every = details(graph, "s.relativePath = $path", path=path)
        assert {symbol.id for symbol in table.in_files([path])} == {symbol.id for symbol in every}
        assert [root.id for root in table.roots([path])] == [symbol.id for symbol in every if symbol.depth == 0]
        for line in {edge for symbol in every for edge in (symbol.start_line, symbol.end_line, symbol.end_line + 1)}:
            holding = {symbol.id for symbol in every if symbol.start_line <= line <= symbol.end_line}
            assert {symbol.id for symbol in table.around(path, line)} == holding
    whole = [(symbol.relative_path, symbol.start_line) for symbol in table.in_files(paths)]
    assert whole == sorted(whole)
    assert table.roots(["no/such.ts"]) == []
    assert table.around("no/such.ts", 1) == []


def test_names(graph: GraphDatabase, project: Any) -> None:
    table = table_of(graph)
    for name in {symbol.name for symbol in project.symbols.values()}:
        assert table.named([name]) == details(graph, "s.name = $name", name=name)
        in_any_case = details(graph, "lower(s.name) = lower($name)", name=name)
        assert table.named_any_case(name.upper()) == in_any_case
    assert table.named([]) == table.named(["no such name"]) == []


def test_a_graph_without_symbols(tmp_path: Path) -> None:
    write_graph(tmp_path / "graph.kuzu", GraphContent())
    with GraphDatabase.open(tmp_path / "graph.kuzu") as empty:
        table = table_of(empty)
        assert table.named(["x"]) == table.in_files(["a.ts"]) == []
        assert table.symbols(["x"]) == {}
        assert table.nested(["x"]) == {}
        assert table.roots(["a.ts"]) == []
