"""The lexical index: what ranks above what, and its file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from astrolabe.retrieval.lexical.index import LexicalIndex
from astrolabe.retrieval.text.words import split_text
from astrolabe.schema.errors import IndexCorrupt
from astrolabe.schema.records import Chunk

EMPTY: dict[str, Any] = dict.fromkeys(Chunk.__struct_fields__, "")


def chunk(name: str, text: str = "", *, path: str = "src/a.ts", scope: str = "", doc: str | None = None) -> Chunk:
    breadcrumb = " > ".join(part for part in (path, scope, name) if part)
    fields = {"name": name, "relative_path": path, "embedding_text": text, "breadcrumb": breadcrumb, "jsdoc": doc}
    return Chunk(**{**EMPTY, **fields})


BODY = "return queue.filter(entry => entry.open).map(entry => entry.value)"


RANKED = [
    # The query, then the chunks from the best to the worst.
    ("token", [chunk("token"), chunk("x", "the token of a session"), chunk("y", BODY)]),
    ("validate", [chunk("validateToken"), chunk("check", "validate(input)"), chunk("y", BODY)]),
    ("retry", [chunk("a", path="src/retry.ts"), chunk("b", f"{BODY} retry()"), chunk("c", BODY)]),
    ("session", [chunk("a", scope="SessionStore"), chunk("b", f"session {BODY * 6}"), chunk("c", BODY)]),
    ("expiry", [chunk("a", BODY, doc="Computes the expiry."), chunk("b", f"{BODY} expiry"), chunk("c", BODY)]),
    # Two rare words beat one, and a short text beats a long one.
    ("cache eviction", [chunk("a", "cache eviction"), chunk("b", "cache"), chunk("c", BODY)]),
    ("needle", [chunk("a", "needle"), chunk("b", "needle " + " ".join(f"hay{n}" for n in range(400))), chunk("c", BODY)]),
]


@pytest.mark.parametrize(("query", "chunks"), RANKED)
def test_chunks_rank_by_where_and_how_often_they_hold_the_words(query: str, chunks: list[Chunk]) -> None:
    scores = LexicalIndex.build(chunks).matches(split_text(query)).scores
    assert list(np.argsort(-scores, kind="stable")) == list(range(len(chunks)))
    assert scores[0] > scores[1]


def test_rare_terms_weigh_more_and_unknown_ones_as_much_as_the_rarest() -> None:
    index = LexicalIndex.build([chunk("common"), chunk("common"), chunk("common rare")])
    assert index.rarity("common") < index.rarity("rare") == index.rarity("unknown")
    assert (index.document_count("common"), index.document_count("unknown")) == (3, 0)


def test_what_a_chunk_scores_does_not_depend_on_the_text_of_others() -> None:
    """So that part of an index can be replaced without touching the rest; only the rarity of terms is shared."""
    one = chunk("alpha", "beta gamma")
    short, long = chunk("other"), chunk("other", "delta " * 500)
    assert (
        LexicalIndex.build([one, short]).matches(["beta"]).scores[0]
        == LexicalIndex.build([one, long]).matches(["beta"]).scores[0]
    )


def test_an_index_reads_back_as_it_was_written(tmp_path: Path) -> None:
    chunks = [chunk("validateToken", BODY), chunk("данные", "世界"), chunk("", "\ud800")]
    built = LexicalIndex.build(chunks)
    built.write(tmp_path / "lexical.bin")
    opened = LexicalIndex.open(tmp_path / "lexical.bin")
    for terms in (["token"], ["validat", "queue"], ["данные"], ["unknown"], []):
        assert np.array_equal(opened.matches(terms).scores, built.matches(terms).scores)
    assert opened.documents == 3


def test_an_index_of_nothing_scores_nothing(tmp_path: Path) -> None:
    LexicalIndex.build([]).write(tmp_path / "lexical.bin")
    assert LexicalIndex.open(tmp_path / "lexical.bin").matches(["any"]).scores.shape == (0,)


DAMAGES = [
    lambda data: b"",
    lambda data: b"another format" + data,
    lambda data: data[:-40],
    lambda data: data.replace(b'"format_version":2', b'"format_version":9'),
    lambda data: data[:25],
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_a_corrupt_index(tmp_path: Path, damage: Any) -> None:
    path = tmp_path / "lexical.bin"
    LexicalIndex.build([chunk("alpha", BODY)]).write(path)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(IndexCorrupt, match="--full"):
        LexicalIndex.open(path)


def test_a_missing_file_is_a_corrupt_index(tmp_path: Path) -> None:
    with pytest.raises(IndexCorrupt):
        LexicalIndex.open(tmp_path / "none.bin")
