"""Replacing the chunks of some files: the same rows and postings as a table made at once, and hardly any work."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from astrolabe.retrieval.embedding.embedder import Vectors
from astrolabe.retrieval.lexical.index import LexicalIndex
from astrolabe.retrieval.vectors import chunk_table
from astrolabe.retrieval.vectors.chunk_table import ChunkTable
from astrolabe.retrieval.vectors.chunk_update import chunks_in_order, texts_of, update_chunks
from astrolabe.schema.records import Chunk, FileContent
from hypothesis import given, settings
from hypothesis import strategies as st


class CountingEmbedder:
    """Vectors that follow from the text alone; counts what it is given."""

    model = "counting"
    dimensions = 8

    def __init__(self) -> None:
        self.embedded = 0

    def embed_chunks(self, chunks: Sequence[Chunk]) -> Vectors:
        self.embedded += len(chunks)
        return np.array([self.embed_query(chunk.embedding_text) for chunk in chunks], np.float32).reshape(-1, 8)

    def embed_query(self, text: str) -> Vectors:
        return np.random.default_rng(list(text.encode())).standard_normal(8).astype(np.float32)


def chunk(path: str, name: str, text: str, line: int = 1, parent: str | None = None) -> Chunk:
    fields: dict[str, Any] = dict.fromkeys(Chunk.__struct_fields__, "")
    fields |= {
        "id": f"{path}#{name}",
        "relative_path": path,
        "name": name,
        "embedding_text": text,
        "breadcrumb": f"{path} > {name}",
        "parent_chunk_id": f"{path}#{parent}" if parent else None,
        "parent_name": parent,
        "jsdoc": None,
        "start_line": line,
        "end_line": line,
        "depth": 1 if parent else 0,
        "last_modified": 0,
        "exported": False,
        "is_test": False,
        "child_chunk_ids": (),
        "relevant_imports": (),
        "cuts": (),
        "collapsed": False,
    }
    return Chunk(**fields)


Files = dict[str, list[str]]


def contents_of(files: Files) -> list[FileContent]:
    """Files with a line for each chunk, whatever order."""
    return [
        FileContent(
            path,
            "\n".join(texts).encode(),
            tuple(chunk(path, f"n{place}", text, place + 1, "n0" if place else None) for place, text in enumerate(texts)),
        )
        for path, texts in files.items()
    ]


def write(folder: Path, files: Files) -> ChunkTable:
    contents = contents_of(files)
    chunks = chunks_in_order(contents)
    vectors = CountingEmbedder().embed_chunks(chunks)
    return ChunkTable.open(folder, ChunkTable.write(folder, chunks, vectors, texts_of(contents)))


def content(table: ChunkTable) -> dict[str, Any]:
    """Everything a table holds, without its row numbers."""
    rows = table.rows.numbers.tolist()
    candidates = table.rows.read(rows)
    ids = {candidate.row: candidate.id for candidate in candidates}
    assert [candidate.row for candidate in candidates] == sorted(rows)
    assert all(table.rows.parents[row.row] == (-1 if row.parent_row is None else row.parent_row) for row in candidates)
    axes = [table.rows.similarities(axis) for axis in np.eye(CountingEmbedder.dimensions, dtype=np.float32)]
    parents = {row.id: ids.get(row.parent_row) if row.parent_row is not None else None for row in candidates}
    return {
        "chunks": table.read_chunks([candidate.id for candidate in candidates]),
        "vectors": {row.id: [float(axis[row.row]) for axis in axes] for row in candidates},
        "parents": parents,
        "postings": postings(table.lexical, ids),
        "texts": dict(table.texts),
    }


def postings(index: LexicalIndex, ids: dict[int, str]) -> dict[str, dict[str, float]]:
    terms = ["alpha", "beta", "gamma", "delta", "n0", "n1", "a", "b", "ts"]
    scores = {term: index.matches([term]).scores for term in terms}
    assert index.documents == len(ids)
    assert all(not score or row in ids for found in scores.values() for row, score in enumerate(found))
    return {term: {ids[row]: float(found[row]) for row in ids if found[row]} for term, found in scores.items()}


TEXTS = st.lists(st.sampled_from(["alpha", "beta alpha", "gamma", "delta delta beta", ""]), max_size=3)
PROJECTS = st.dictionaries(st.sampled_from(["a.ts", "b.ts", "it's.ts", "世界.ts"]), TEXTS, max_size=4)


@settings(max_examples=12)
@given(first=PROJECTS, steps=st.lists(PROJECTS, max_size=4))
def test_a_table_changed_by_steps_holds_what_one_made_at_once_holds(
    tmp_path_factory: pytest.TempPathFactory, first: Files, steps: list[Files]
) -> None:
    folder = tmp_path_factory.mktemp("steps")
    table, files = write(folder, first), first
    for after in steps:
        changed = [path for path in {*files, *after} if files.get(path) != after.get(path)]
        new = contents_of({path: texts for path, texts in after.items() if path in changed})
        done = update_chunks(table, changed, new, CountingEmbedder())
        before, table, files = content(table), ChunkTable.open(folder, done.version), after
        assert content(table) == content(write(tmp_path_factory.mktemp("whole"), files))
        assert done.written == sum(len(one.chunks) for one in new)
        if done.version != table.version:
            assert before  # an older version stays readable
    assert files == (steps[-1] if steps else first)


def test_only_new_texts_are_embedded(tmp_path: Path) -> None:
    table = write(tmp_path, {"a.ts": ["alpha", "beta"], "b.ts": ["gamma"]})
    embedder = CountingEmbedder()
    done = update_chunks(table, ["a.ts"], contents_of({"a.ts": ["alpha", "delta", "beta"]}), embedder)
    # The name is part of what is read: "beta" has become the third.
    assert (done.embedded, embedder.embedded, done.written) == (2, 2, 3)
    again = update_chunks(
        ChunkTable.open(tmp_path, done.version), ["a.ts"], contents_of({"a.ts": ["alpha", "delta", "beta"]}), embedder
    )
    assert (again.embedded, again.written) == (0, 3)


def test_an_update_goes_on_from_its_version_whatever_an_interrupted_writer_left(tmp_path: Path) -> None:
    table = write(tmp_path, {"a.ts": ["alpha"], "b.ts": ["beta"]})
    update_chunks(table, ["b.ts"], [], CountingEmbedder())
    done = update_chunks(table, ["a.ts"], contents_of({"a.ts": ["gamma"]}), CountingEmbedder())
    found = ChunkTable.open(tmp_path, done.version).read_chunks(["a.ts#n0", "b.ts#n0"])
    assert {one.embedding_text for one in found.values()} == {"gamma", "beta"}


def test_many_small_updates_are_written_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk_table, "_MAX_FILES", 2)
    files: Files = {"a.ts": ["alpha"], "b.ts": ["beta", "gamma"]}
    table = write(tmp_path, files)
    for number in range(5):
        files["a.ts"] = [f"alpha {number}", "delta"]
        table = ChunkTable.open(
            tmp_path, update_chunks(table, ["a.ts"], contents_of({"a.ts": files["a.ts"]}), CountingEmbedder()).version
        )
        ChunkTable.collect(tmp_path, table.version)
        assert content(table) == content(write(tmp_path / f"whole{number}", files))
    assert len(list((tmp_path / "chunks.lance" / "data").iterdir())) <= 3
    assert len(list(tmp_path.glob("lexical-*"))) == 1
