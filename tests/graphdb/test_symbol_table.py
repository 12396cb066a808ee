"""The table of symbols against the queries that it stands for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from astrolabe.graphdb.bulk_load import write_graph
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.symbol_queries import ancestors, children, descendants, symbols_by_id, symbols_in_files
from astrolabe.graphdb.symbol_table import PlacedSymbol, SymbolTable
from astrolabe.schema.records import GraphContent


def test_symbols_are_those_of_the_graph(graph: GraphDatabase, project: Any) -> None:
    table = SymbolTable(graph)
    ids = [symbol.id for symbol in project.symbols.values()]
    expected = symbols_by_id(graph, ids)
    found = table.symbols([*ids, "no such id", ids[0]])
    assert list(found) == ids
    for id, symbol in found.items():
        for field in PlacedSymbol.__struct_fields__:
            assert getattr(symbol, field) == getattr(expected[id], field)
    assert table.ids_at(table.offsets(ids)) == ids
    assert [place.id for place in table.places_at(table.offsets(ids))] == ids


def test_nesting_is_that_of_the_graph(graph: GraphDatabase, project: Any) -> None:
    table = SymbolTable(graph)
    for symbol in project.symbols.values():
        around = [entry.ancestor.id for entry in ancestors(graph, [symbol.id])]
        assert [outer.id for outer in table.enclosing([symbol.id]).get(symbol.id, [])] == around[::-1]
        within = {entry.descendant.id for entry in descendants(graph, [symbol.id])}
        nested = [inner.id for inner in table.nested([symbol.id])[symbol.id]]
        assert nested[0] == symbol.id
        assert set(nested[1:]) == within
        members = [child.symbol.id for child in children(graph, [symbol.id])]
        assert [child.id for child in table.children([symbol.id]).get(symbol.id, [])] == members


def test_roots_of_files(graph: GraphDatabase, project: Any) -> None:
    paths = {symbol.relative_path for symbol in project.symbols.values()}
    for path in paths:
        roots = [symbol.id for symbol in symbols_in_files(graph, [path]) if symbol.depth == 0]
        assert [root.id for root in SymbolTable(graph).roots([path])] == roots
    assert SymbolTable(graph).roots(["no/such.ts"]) == []


def test_a_graph_without_symbols(tmp_path: Path) -> None:
    write_graph(tmp_path / "graph.kuzu", GraphContent())
    with GraphDatabase.open(tmp_path / "graph.kuzu") as empty:
        table = SymbolTable(empty)
        assert table.symbols(["x"]) == {}
        assert table.nested(["x"]) == {}
        assert table.roots(["a.ts"]) == []
