"""What readers of a generation take over from those before them is what they would have read themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.generations.generations import Generation
from astrolabe.graphdb.symbols.symbol_table import SymbolTable, symbols_of
from astrolabe.retrieval.query.search_request import SearchRequest
from astrolabe.retrieval.vectors.chunk_table import ChunkTable
from astrolabe.server.indexing.generation_writer import vectors_folder
from astrolabe.server.indexing.indexer import Indexer
from astrolabe.server.stores.readers import ReaderPool, Readers
from incremental_report.__main__ import SETTINGS
from incremental_report.edits import KINDS, Edit, apply, write_project
from incremental_report.kills import compact

QUESTIONS = ("how is an order priced", "symbol = total", "function that formats a name")


def symbols_told(table: SymbolTable, ids: list[str]) -> object:
    """Everything that a table says of symbols."""
    found = table.symbols(ids)
    paths = sorted({symbol.relative_path for symbol in found.values()})
    nested = {id: [inner.id for inner in places] for id, places in table.nested(ids).items()}
    around = {id: [outer.id for outer in places] for id, places in table.enclosing(ids).items()}
    children = {id: {inner.id for inner in places} for id, places in table.children(ids).items()}
    ranked = table.importance_at(table.offsets(ids))
    return found, nested, around, children, ranked, table.roots(paths), table.ids_at(table.offsets(ids))


def similarities_told(table: ChunkTable, width: int) -> dict[str, float]:
    """How near each chunk is to some vector; sums of the same numbers in other groups differ in their last digits."""
    similar = table.rows.similarities(np.linspace(-1, 1, width, dtype=np.float32))
    ids, numbers = table.rows.ids()
    assert set(similar[table.rows.files < 0].tolist()) <= {-1.0}
    return {id: float(similar[number]) for id, number in zip(ids.to_pylist(), numbers.tolist(), strict=True)}


def means_told(table: ChunkTable) -> dict[str, tuple[float, float]]:
    """How near the mean vector of each file is to that of all rows, and its squared length."""
    return dict(zip(table.rows.paths, zip(*(each.tolist() for each in table.rows.file_means), strict=True), strict=True))


def names_told(table: ChunkTable) -> list[tuple[str, str]]:
    """The rows whose names contain a letter."""
    rows = table.rows
    return sorted((row.relative_path, row.id) for row in rows.read(rows.with_name_part("e").tolist()))


def rows_told(table: ChunkTable) -> object:
    """Everything else that the rows of a version say, by file: files have no fixed numbers."""
    rows = table.rows
    found = {}
    for file, path in enumerate(rows.paths):
        start = int(rows.file_starts[file])
        own = np.sort(rows.by_file[start : start + int(rows.file_lengths[file])]).tolist()
        places = [(row, int(rows.parents[row]), int(rows.children[row])) for row in own]
        found[path] = (places, bool(rows.test_files[file]), rows.read(own))
    ids, numbers = rows.ids()
    some = dict(list(zip(ids.to_pylist(), numbers.tolist(), strict=True))[::3])
    assert sorted(rows.numbers_of([*some, "no such id"]).tolist()) == sorted(some.values())
    return len(rows), rows.limit, found, sorted(zip(ids.to_pylist(), numbers.tolist(), strict=True))


def files_told(table: ChunkTable, paths: list[str]) -> object:
    """The text of files, and the root symbols that hold each of their lines."""
    found = table.read_files(paths)
    return {
        path: (file.text, [file.roots_with(line) for line in range(1, file.text.count(b"\n") + 2)])
        for path, file in found.items()
    }


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kinds", [KINDS[place::3] for place in range(3)], ids=lambda kinds: ", ".join(kinds))
def test_what_is_taken_over_is_what_would_be_read(tmp_path: Path, kinds: tuple[str, ...], is_long: bool) -> None:
    root, data = tmp_path / "project", tmp_path / "kept"
    write_project(root)
    indexer = Indexer(root, data, SETTINGS)
    readers = Readers(indexer.refresh().generation, data, SETTINGS)
    taken = 0
    for number, kind in enumerate(kinds * 2 if is_long else kinds[::2]):
        apply(root, Edit(kind, 7 * number + 3, 5 * number + 1))
        readers.engine.warm_up()
        _ = readers.engine.search(SearchRequest(QUESTIONS[0]))
        if number % 3 != 1:  # and over a generation whose text nobody asked for
            _ = readers.engine.texts
        before, generation = readers, indexer.refresh().generation
        if generation.number == before.generation.number:
            continue
        readers = Readers(generation, data, SETTINGS, earlier=before)
        alone = Readers(generation, data, SETTINGS)
        for question in QUESTIONS:
            assert readers.engine.search(SearchRequest(question)).texts == alone.engine.search(SearchRequest(question)).texts, (
                kind
            )
        if number % 3:
            assert dict(readers.engine.texts) == dict(alone.engine.texts), kind
        taken += _check(before.generation, generation, data)
        before.close()
        alone.graph.close()  # they share the generation
    readers.close()
    assert taken


def test_nothing_is_taken_over_from_another_graph_file(tmp_path: Path) -> None:
    root, data = tmp_path / "project", tmp_path / "kept"
    write_project(root)
    pool = ReaderPool(data, SETTINGS)
    indexer = Indexer(root, data, SETTINGS, pool)
    other = Indexer(root, data, SETTINGS)
    for number, kind in enumerate(kind for kind in KINDS if "function" in kind or "line" in kind):
        generation = indexer.refresh().generation
        with pool.lend(generation) as readers:
            readers.engine.warm_up()
            alone = Readers(generation, data, SETTINGS)
            ids = [id for (id,) in alone.graph.rows("MATCH (s:Symbol) RETURN s.id ORDER BY s.id")]
            assert symbols_told(symbols_of(readers.graph), ids) == symbols_told(symbols_of(alone.graph), ids)
            for question in QUESTIONS:
                assert (
                    readers.engine.search(SearchRequest(question)).texts == alone.engine.search(SearchRequest(question)).texts
                ), kind
            alone.graph.close()
        apply(root, Edit(kind, 7 * number + 3, 5 * number + 1))
        other.refresh()
        compact(other)
        apply(root, Edit(kind, 5 * number + 3, 7 * number + 1))
    pool.close()


def _check(earlier: Generation, later: Generation, data: Path) -> int:
    """Compares tables that took over with such that were read; how many generations could take over."""
    if earlier.graph_identity() != later.graph_identity():
        return 0
    paths = {*earlier.manifest.logged.paths, *later.manifest.logged.paths}
    with GraphDatabase.open(earlier.graph_path) as old, GraphDatabase.open(later.graph_path) as new:
        ids = [id for (id,) in new.rows("MATCH (s:Symbol) RETURN s.id ORDER BY s.id")]
        assert symbols_told(SymbolTable(old).renewed(new, paths), ids) == symbols_told(SymbolTable(new), ids)
    folder = vectors_folder(data)
    tables = [ChunkTable.open(folder, generation.manifest.vectors_version) for generation in (earlier, later, later)]
    assert len(tables[0].rows)
    assert tables[0].read_files(tables[0].texts)
    assert means_told(tables[0])
    assert names_told(tables[0])
    tables[1].take_over(tables[0], paths)
    later_paths = [stamp.relative_path for stamp in later.manifest.stamps]
    width = later.manifest.embedding_dimensions
    assert rows_told(tables[1]) == rows_told(tables[2])
    assert files_told(tables[1], later_paths) == files_told(tables[2], later_paths)
    taken, read = means_told(tables[1]), means_told(tables[2])
    assert taken.keys() == read.keys()
    for path, means in read.items():
        assert taken[path] == pytest.approx(means, abs=1e-5)
    assert names_told(tables[1]) == names_told(tables[2])
    assert similarities_told(tables[1], width) == pytest.approx(similarities_told(tables[2], width), abs=1e-5)
    return 1
