"""Rows of files that are kept from one update to the next are those that a graph holds."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.writing.base_rows import Extent, StoredPart
from astrolabe.graphdb.writing.row_cache import MAX_ROWS, LoadedRows
from astrolabe.schema.graph_content import GraphContent


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


@pytest.mark.parametrize("most_rows", [0, MAX_ROWS])
def test_what_is_kept_is_what_would_be_read(graph: GraphDatabase, content: GraphContent, most_rows: int) -> None:
    paths = sorted(file.relative_path for file in content.files)
    pairs = combinations(paths, 2)
    extents = [Extent(some, tuple(sorted({*some, *paths[:1]})), homes) for some in pairs for homes in (False, True)]
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


def test_rows_of_files_are_not_read_again_with_homes(graph: GraphDatabase, content: GraphContent) -> None:
    paths = tuple(sorted(file.relative_path for file in content.files))
    known, read, outer = LoadedRows(), CountingReader(graph), CountingReader(graph)
    _ = known.part(read, Extent(paths, paths, False))
    _ = LoadedRows().part(outer, Extent((), (), True))
    before = read.statements
    for _ in range(2):
        known.part(read, Extent(paths, paths, True))
        assert read.statements == before + outer.statements


def test_files_that_are_not_there_are_not_read(graph: GraphDatabase, content: GraphContent) -> None:
    known, read = LoadedRows(), CountingReader(graph)
    known.note_absent(["src/new.ts"])
    known.read_files(read, Extent(("src/new.ts",), ("src/new.ts",), False))
    assert read.statements == 0
    part = known.part(read, Extent(("src/new.ts",), ("src/new.ts",), False))
    assert [*part.nodes["File"], *part.nodes["Symbol"], *part.edges] == []


def test_what_was_read_of_a_file_stays_when_it_is_said_to_be_absent(graph: GraphDatabase, content: GraphContent) -> None:
    paths = tuple(sorted(file.relative_path for file in content.files))
    known, read = LoadedRows(), CountingReader(graph)
    before = told(known.part(read, Extent(paths, paths, False)))
    known.note_absent(paths)
    assert told(known.part(read, Extent(paths, paths, False))) == before


def test_with_homes_a_part_tells_where_files_hang(graph: GraphDatabase, content: GraphContent) -> None:
    paths = tuple(sorted(file.relative_path for file in content.files))
    known, read = LoadedRows(), CountingReader(graph)
    part = known.part(read, Extent(paths, paths, True))
    hanging = [row for kind, rows in part.edges.items() if kind[0] == "CONTAINS" and kind[1][1] == "File" for row in rows]
    assert sorted(row[1] for row in hanging) == list(paths)
    assert set(part.nodes["File"]) == set(paths)
    assert set(part.nodes["Symbol"]) == {symbol.id for symbol in content.symbols}
