"""The vector table in a real temporary LanceDB."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import lancedb
import numpy as np
import pyarrow
import pytest
from astrolabe.retrieval.candidates.graph_features import GraphFeatures, Pairs
from astrolabe.retrieval.candidates.recall import gather_candidates
from astrolabe.retrieval.query.query import read_query
from astrolabe.retrieval.query.row_filter import row_filter
from astrolabe.retrieval.vectors.chunk_table import ChunkTable
from astrolabe.retrieval.vectors.stored_rows import files_of_rows
from astrolabe.schema.errors import IndexCorrupt, StoreError, UsageError
from astrolabe.schema.records import Chunk
from astrolabe.schema.settings import Settings

#: Columns of the vector table: those of a chunk, and `row` and `parentRow`.
COLUMNS = {
    *("id", "filePath", "relativePath", "nodeKind", "name", "parentName", "parentChunkId", "childChunkIds", "depth", "signature"),
    *("startLine", "endLine", "jsdoc", "relevantImports", "embeddingText", "breadcrumb", "vector", "contentHash"),
    *("lastModified", "language", "exported", "isTest", "row", "parentRow"),
}


def chunk(place: int, path: str = "src/a.ts", **fields: Any) -> Chunk:
    values: dict[str, Any] = {
        "id": f"{place:016x}",
        "relative_path": path,
        "language": "typescript",
        "node_kind": "function",
        "name": f"name{place}",
        "parent_name": None,
        "parent_chunk_id": None,
        "child_chunk_ids": (),
        "depth": 0,
        "signature": "name()",
        "start_line": place + 1,
        "end_line": place + 2,
        "jsdoc": None,
        "relevant_imports": (),
        "embedding_text": f"function name{place}() {{\n  done();\n}}",
        "collapsed": True,
        "breadcrumb": f"{path} > name{place}",
        "content_hash": "0" * 64,
        "last_modified": 1_700_000_000_000_000_000,
        "exported": False,
        "is_test": False,
    }
    return Chunk(**{**values, **fields})


def unit_vectors(count: int, dimensions: int = 8) -> Any:
    vectors = np.random.default_rng(7).standard_normal((count, dimensions)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def write(directory: Path, chunks: list[Chunk]) -> int:
    return ChunkTable.write(directory, chunks, unit_vectors(len(chunks)), {FULL.relative_path: TEXT})


TEXT = "// Text\n\nline one\r\n\tline two — ünï\r\n".encode()
FULL = chunk(
    0,
    'src/世界/it\'s "a" 🎉.ts',
    parent_name="Outer",
    parent_chunk_id=f"{1:016x}",
    child_chunk_ids=("x", "y"),
    depth=3,
    jsdoc="Says 'hi'; -- and \\ more.",
    relevant_imports=("import a from 'a';", "import b from 'b';"),
    start_line=3,
    end_line=4,
    embedding_text="line one\r\n\tline two — ünï",
    collapsed=False,
    exported=True,
    is_test=True,
)


def test_chunks_read_back_as_they_were_written(tmp_path: Path) -> None:
    chunks = [FULL, chunk(1), chunk(2)]
    table = ChunkTable.open(tmp_path, write(tmp_path, chunks))
    assert table.read_chunks([one.id for one in chunks] + ["unknown"]) == {one.id: one for one in chunks}
    assert table.read_chunks([]) == {}


def test_the_columns_are_those_of_a_chunk(tmp_path: Path) -> None:
    write(tmp_path, [FULL, chunk(1)])
    schema = lancedb.connect(tmp_path).open_table("chunks").schema
    assert set(schema.names) == COLUMNS
    assert schema.field("vector").type == pyarrow.list_(pyarrow.int8(), 8)


def test_candidates_know_their_rows_their_parents_and_their_parts(tmp_path: Path) -> None:
    child = chunk(2, parent_chunk_id=chunk(0).id, parent_name="name0", depth=1)
    table = ChunkTable.open(tmp_path, write(tmp_path, [chunk(0), chunk(1), child]))
    found = table.rows.read([2, 0, 2])
    assert [(row.row, row.name, row.parent_row) for row in found] == [(0, "name0", None), (2, "name2", 0)]
    assert table.rows.parents.tolist() == [-1, -1, 0]
    assert table.rows.children.tolist() == [1, 0, 0]
    assert table.rows.file_lengths.tolist() == [3]
    assert table.rows.by_file.tolist() == [0, 1, 2]


def test_a_file_is_one_of_tests_if_all_that_it_holds_are_tests(tmp_path: Path) -> None:
    chunks = [chunk(0, "a.rs", is_test=False), chunk(1, "a.rs", is_test=True), chunk(2, "b.rs", is_test=True), chunk(3, "c.rs")]
    rows = ChunkTable.open(tmp_path, write(tmp_path, chunks)).rows
    assert dict(zip(rows.paths, rows.test_files.tolist(), strict=True)) == {"a.rs": False, "b.rs": True, "c.rs": False}


def test_a_version_stays_as_it_was_when_another_is_written(tmp_path: Path) -> None:
    first = write(tmp_path, [chunk(0)])
    second = write(tmp_path, [chunk(1), chunk(2)])
    for version, names in ((first, ["name0"]), (second, ["name1", "name2"])):
        table = ChunkTable.open(tmp_path, version)
        assert [row.name for row in table.rows.read(range(len(names)))] == names
        assert table.lexical.documents == len(names)


def test_collecting_removes_what_came_before_the_oldest_version_needed(tmp_path: Path) -> None:
    versions = [write(tmp_path, [chunk(place)]) for place in range(3)]
    ChunkTable.collect(tmp_path, versions[1])
    with pytest.raises(IndexCorrupt):
        ChunkTable.open(tmp_path, versions[0])
    for version in versions[1:]:
        table = ChunkTable.open(tmp_path, version)
        assert table.lexical.documents == len(table.rows) == 1
    assert [len(list(tmp_path.glob(f"{kind}-*"))) for kind in ("lexical", "texts", "rows")] == [2, 2, 2]


def test_an_empty_table_answers_with_nothing(tmp_path: Path) -> None:
    table = ChunkTable.open(tmp_path, ChunkTable.write(tmp_path, [], np.empty((0, 8), np.float32), {}))
    assert table.rows.similarities(unit_vectors(1)[0]).tolist() == []
    assert table.rows.read([]) == []
    assert table.rows.numbers.tolist() == []


def test_each_row_has_its_cosine_with_a_vector(tmp_path: Path) -> None:
    table = ChunkTable.open(tmp_path, write(tmp_path, [chunk(place) for place in range(20)]))
    vectors = unit_vectors(20)
    assert np.allclose(table.rows.similarities(vectors[4]), vectors @ vectors[4], atol=8e-3)  # eight values a vector are few


PATHS = [
    "src/auth/token.ts",
    "src/auth/deep/store.tsx",
    "src/authority.ts",
    "src/config/constants.ts",
    "src/it's 100%_[a].ts",
    "index.ts",
    "test/auth/token.test.js",
]
LANGUAGES = {"ts": "typescript", "tsx": "tsx", "js": "javascript"}

FILTERS = [
    (["src/auth"], [], [0, 1]),
    (["src/auth/"], [], [0, 1]),
    (["./src/auth/token.ts"], [], [0]),
    (["/src/auth"], [], [0, 1]),
    (["src\\auth"], [], [0, 1]),
    (["*.ts"], [], [0, 2, 3, 4, 5]),
    (["*.tsx"], [], [1]),
    (["src/*.ts"], [], [2, 4]),
    (["src/**/*.ts"], [], [0, 2, 3, 4]),
    (["**/auth/**"], [], [0, 1, 6]),
    (["src/{auth,config}/*.ts"], [], [0, 3]),
    (["src/auth/????n.ts"], [], [0]),
    (["[!i]ndex.ts"], [], []),
    (["[hi]ndex.ts"], [], [5]),
    (["auth"], [], []),
    (["src/it's 100%_[a].ts"], [], [4]),
    (["src/it's 100%_[b].ts"], [], []),
    (["src/it's 100%_?a?.ts"], [], [4]),
    (["src/it's"], [], []),
    (["config/constants.ts", "index.ts"], [], [5]),
    (["src/config/constants.ts", "index.ts"], [], [3, 5]),
    (["."], [], list(range(7))),
    ([], ["typescript"], [0, 1, 2, 3, 4, 5]),
    ([], ["TS"], [0, 1, 2, 3, 4, 5]),
    ([], ["tsx"], [1]),
    ([], ["js"], [6]),
    ([], ["python"], []),
    (["*.ts", "*.tsx"], ["tsx"], [1]),
    (["' OR 1=1 --"], [], []),
    (["\x00\ud7ff"], [], []),
]


@pytest.fixture(scope="module")
def filtered(tmp_path_factory: pytest.TempPathFactory) -> ChunkTable:
    directory = tmp_path_factory.mktemp("vectors")
    chunks = [chunk(place, path, language=LANGUAGES[path.rpartition(".")[2]]) for place, path in enumerate(PATHS)]
    return ChunkTable.open(directory, write(directory, chunks))


@pytest.mark.parametrize(("paths", "languages", "rows"), FILTERS)
def test_filters_admit_rows_inside_the_query(
    filtered: ChunkTable, paths: list[str], languages: list[str], rows: list[int]
) -> None:
    wanted = row_filter(paths, languages)
    assert wanted is not None
    admitted = filtered.rows.matching(wanted)
    assert admitted.tolist() == rows
    question, vector = read_query("lines of source"), unit_vectors(1)[0]
    nothing, nowhere = np.zeros(len(PATHS), np.float32), Pairs(np.zeros(0, np.int64), np.zeros(0, np.int64))
    graph_features = GraphFeatures(nothing, nothing, nowhere, nowhere, nowhere, nowhere, nowhere)
    candidates = gather_candidates(filtered, graph_features, question, vector, Settings(), 20, admitted)
    assert [found.chunk.row for found in candidates] == rows


@pytest.mark.parametrize(("paths", "languages"), [([], []), ([""], [" "])])
def test_no_filter_admits_all_rows(paths: list[str], languages: list[str]) -> None:
    assert row_filter(paths, languages) is None


def test_an_unreadable_glob_is_explained() -> None:
    with pytest.raises(UsageError, match="glob"):
        row_filter(["src/{a,b"], [])


def break_nothing(directory: Path) -> None:
    """Leaves the version asked for as the only fault."""


def remove_table(directory: Path) -> None:
    (directory / "chunks.lance").rename(directory / "gone")


@pytest.mark.parametrize("damage", [break_nothing, remove_table])
def test_a_missing_version_or_table_is_a_corrupt_index(tmp_path: Path, damage: Any) -> None:
    version = write(tmp_path, [chunk(0)])
    damage(tmp_path)
    with pytest.raises(IndexCorrupt, match="--full"):
        ChunkTable.open(tmp_path, version + 7 if damage is break_nothing else version)


def test_opening_makes_no_folder(tmp_path: Path) -> None:
    with pytest.raises(IndexCorrupt):
        ChunkTable.open(tmp_path / "none", 1)
    assert not (tmp_path / "none").exists()


def test_damaged_data_is_a_corrupt_index(tmp_path: Path) -> None:
    version = write(tmp_path, [chunk(0)])
    for path in tmp_path.rglob("*.lance"):
        if path.is_file():
            path.write_bytes(b"damage")
    table = ChunkTable.open(tmp_path, version)
    with pytest.raises(IndexCorrupt):
        table.read_chunks([chunk(0).id])


@pytest.mark.parametrize("content", [None, b"", b"damage", b"ARROW1\x00\x00"])
def test_damaged_rows_are_a_corrupt_index(tmp_path: Path, content: bytes | None) -> None:
    version = write(tmp_path, [chunk(0)])
    (path,) = tmp_path.glob("rows-*.arrow")
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(IndexCorrupt, match="--full"):
        ChunkTable.open(tmp_path, version)


def test_ranking_reads_no_vector_engine(tmp_path: Path) -> None:
    version = write(tmp_path, [chunk(place) for place in range(3)])
    program = f"""
import sys
from pathlib import Path
from astrolabe.retrieval.query.row_filter import row_filter
from astrolabe.retrieval.vectors.chunk_table import ChunkTable
from astrolabe.retrieval.vectors.stored_rows import files_of_rows
table = ChunkTable.open(Path({str(tmp_path)!r}), {version})
print(table.rows.matching(row_filter(["src"], [])).tolist(), table.read_files([]), "lancedb" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-P", "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["[0,", "1,", "2]", "{}", "False"]


def test_rows_written_together_and_added_later_are_the_same(tmp_path: Path) -> None:
    paths = [f"src/{name}.ts" for name in "abcdefghij"]
    files = {path: [chunk(10 * number + place, path) for place in range(5)] for number, path in enumerate(paths)}
    changed = ChunkTable.open(tmp_path, write(tmp_path, [one for chunks in files.values() for one in chunks]))
    counts = set()
    for turn, path in enumerate(["src/b.ts", "src/e.ts", "src/b.ts", "src/a.ts", "src/c.ts"]):
        files[path] = [chunk(100 * (turn + 1) + place, path) for place in range(3)]
        changed = changed.replace([path], files[path], unit_vectors(3), {})
        read = ChunkTable.open(tmp_path, changed.version)
        expected = {one.id for chunks in files.values() for one in chunks}
        for table in (changed, read):
            found = table.rows.read(table.rows.numbers.tolist())
            assert {row.id for row in found} == expected
            assert table.rows.similarities(unit_vectors(3)[0])[[row.row for row in found]].min() > -1
        counts.add(len(files_of_rows(tmp_path, changed.version)))
    assert counts == {1, 2}  # few changes leave the first file in use, many do not


def test_a_folder_that_cannot_be_written_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError):
        write(tmp_path / "file" / "vectors", [chunk(0)])


def test_importing_the_search_loads_no_database_engine() -> None:
    program = (
        "import sys, astrolabe.retrieval.search, astrolabe.retrieval.vectors.chunk_table;"
        "print(sorted({'lancedb', 'pyarrow', 'networkx'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
