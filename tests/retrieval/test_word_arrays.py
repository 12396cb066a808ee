"""Words by the hundred thousand: the same as one at a time."""

from __future__ import annotations

import numpy as np
import pytest
from astrolabe.retrieval.lexical.postings import FIELDS, SATURATION, build_postings
from astrolabe.retrieval.lexical.word_arrays import MAX_BYTES, PADDING, hash_words, stable_order
from astrolabe.retrieval.lexical.word_numbers import WordNumbers
from astrolabe.retrieval.text.words import find_words, split_text
from astrolabe.schema.records import Chunk
from hypothesis import given
from hypothesis import strategies as st

TEXTS = st.lists(st.text() | st.text("aB_9 é\u0301→\n") | st.text("xyz", max_size=60), max_size=8)


@given(st.lists(TEXTS, max_size=3))
def test_numbers_stand_for_the_words_of_each_text(blocks: list[list[str]]) -> None:
    numbering = WordNumbers()
    for texts in blocks:
        numbers, counts = numbering.read(texts)
        words = iter([numbering.words[number] for number in numbers])
        assert [[next(words) for _ in range(count)] for count in counts] == [find_words(text) for text in texts]
    assert len(set(numbering.words)) == len(numbering.words)


@pytest.mark.parametrize("size", [1, 7, 8, 9, 16, 17, 80, 300])
def test_words_that_differ_in_their_last_byte_have_different_numbers(size: int) -> None:
    words = ["a" * (size - 1) + last for last in "abc"] + ["a" * (size + 1)]
    numbers, counts = WordNumbers().read([" ".join(words)])
    assert sorted(numbers.tolist()) == [1, 2, 3, 4]
    assert counts.tolist() == [4]


def test_data_counts_as_the_empty_word() -> None:
    numbering = WordNumbers()
    numbers, _ = numbering.read(["a" * MAX_BYTES, "b" * (MAX_BYTES + 1) + " c"])
    assert [numbering.words[number] for number in numbers] == ["a" * MAX_BYTES, "", "c"]


def test_many_words_keep_their_numbers() -> None:
    """More of them than can be alone in their slots."""
    words = [f"word{number}" for number in range(60_000)]
    numbering = WordNumbers()
    for _ in range(2):
        numbers, _ = numbering.read([" ".join(words)])
        assert [numbering.words[number] for number in numbers] == words


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_a_hash_depends_on_the_bytes_of_its_word_alone(before: bytes, word: bytes) -> None:
    alone = hash_words(word + PADDING, np.array([0]), np.array([len(word)]))
    inside = hash_words(before + word + b"rest" + PADDING, np.array([len(before)]), np.array([len(before) + len(word)]))
    assert alone.tolist() == inside.tolist()


@given(st.lists(st.integers(0, 200_000)))
def test_equal_numbers_stay_in_their_order(numbers: list[int]) -> None:
    order = stable_order(np.array(numbers, np.int32), 200_001)
    assert order.tolist() == sorted(range(len(numbers)), key=numbers.__getitem__)


def _chunk(name: str, text: str, doc: str) -> Chunk:
    fields = dict.fromkeys(Chunk.__struct_fields__, "") | {"name": name, "embedding_text": text, "jsdoc": doc}
    fields |= {"relative_path": "src/userStore.ts", "breadcrumb": f"src/userStore.ts > UserStore > {name}"}
    return Chunk(**fields)  # type: ignore[arg-type]


def _prominence(chunk: Chunk) -> dict[str, int]:
    """BM25F as the books have it."""
    totals: dict[str, float] = {}
    for field in FIELDS:
        terms = split_text(field.text(chunk))
        discount = 1 - field.length_discount + field.length_discount * len(terms) / field.typical_length
        for term in set(terms):
            totals[term] = totals.get(term, 0.0) + field.weight * terms.count(term) / discount
    return {term: max(1, round(255 * total / (total + SATURATION))) for term, total in totals.items()}


TEXT = st.text("abcE_ \n.é", max_size=50) | st.sampled_from(["the users' userStore", "parsing parsed parse", "x" * 90, "is of a"])


@given(st.lists(st.builds(_chunk, TEXT, TEXT, TEXT), max_size=6))
def test_postings_are_those_of_each_chunk_by_itself(chunks: list[Chunk]) -> None:
    terms, offsets, rows, prominence = build_postings(chunks)
    found: list[dict[str, int]] = [{} for _ in chunks]
    for place, term in enumerate(terms):
        span = slice(offsets[place], offsets[place + 1])
        assert rows[span].tolist() == sorted(set(rows[span].tolist()))
        for row, amount in zip(rows[span].tolist(), prominence[span].tolist(), strict=True):
            found[row][term] = amount
    expected = [_prominence(chunk) for chunk in chunks]
    assert [chunk.keys() for chunk in found] == [chunk.keys() for chunk in expected]
    # The order of additions may decide between two neighbours.
    assert all(abs(amount - expected[row][term]) <= 1 for row, chunk in enumerate(found) for term, amount in chunk.items())
    assert terms == sorted(terms)
