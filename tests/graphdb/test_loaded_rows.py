"""Rows of files that are kept from one update to the next are those that a graph holds."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.loaded_rows import MOST_ROWS, LoadedRows
from astrolabe.graphdb.stored_part import Extent, StoredPart
from astrolabe.schema.records import GraphContent


class CountingReader:
    """Reads a graph, and counts statements."""

    def __init__(self, graph: GraphDatabase) -> None:
        self._graph = graph
        self.statements = 0

    def __call__(self, statement: str, parameters: dict[str, Any]) -> Any:
        self.statements += 1
        return self._graph.columns(statement, parameters)


def told(part: StoredPart) -> object:
    """A part without the order of its rows, and without tables that have none."""
    nodes = {table: rows for table, rows in part.nodes.items() if rows}
    return nodes, {kind: sorted(rows, key=repr) for kind, rows in part.edges.items() if rows}


@pytest.mark.parametrize("most_rows", [0, MOST_ROWS])
def test_what_is_kept_is_what_would_be_read(graph: GraphDatabase, content: GraphContent, most_rows: int) -> None:
    paths = sorted(file.relative_path for file in content.files)
    extents = [Extent(some, tuple(sorted({*some, *paths[:1]})), False) for some in combinations(paths, 2)]
    known, read = LoadedRows(most_rows), CountingReader(graph)
    known.begin((1,))
    for extent in [*extents, *reversed(extents)]:
        assert told(known.part(read, extent)) == told(LoadedRows().part(read, extent))
    assert any(told(known.part(read, extent)) != told(known.part(read, extents[0])) for extent in extents)


def test_rows_are_read_once_a_graph(graph: GraphDatabase, content: GraphContent) -> None:
    paths = tuple(sorted(file.relative_path for file in content.files))
    known, read = LoadedRows(), CountingReader(graph)
    for identity, reads in (((1,), True), ((1,), False), ((2,), True)):
        known.begin(identity)
        before = read.statements
        _ = known.part(read, Extent(paths, paths, False))
        assert (read.statements > before) is reads


def test_with_homes_a_part_tells_where_files_hang(graph: GraphDatabase, content: GraphContent) -> None:
    paths = tuple(sorted(file.relative_path for file in content.files))
    known, read = LoadedRows(), CountingReader(graph)
    part = known.part(read, Extent(paths, paths, True))
    hanging = [row for kind, rows in part.edges.items() if kind[0] == "CONTAINS" and kind[1][1] == "File" for row in rows]
    assert sorted(row[1] for row in hanging) == list(paths)
    assert set(part.nodes["File"]) == set(paths)
    assert set(part.nodes["Symbol"]) == {symbol.id for symbol in content.symbols}
