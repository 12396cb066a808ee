"""What is remembered of texts is what would be computed, and bounded."""

from __future__ import annotations

from collections.abc import Sequence

from astrolabe.retrieval.embedding.lru_cache import BoundedCache
from hypothesis import given, settings
from hypothesis import strategies as st


@settings(max_examples=50)
@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=4), max_size=6), st.integers(0, 5))
def test_values_are_those_computed_and_none_is_computed_twice_in_a_row(requests: list[list[str]], most: int) -> None:
    computed: list[str] = []

    def compute(texts: Sequence[str]) -> list[str]:
        computed.extend(texts)
        return [text.upper() for text in texts]

    remembered = BoundedCache(compute, most)
    for texts in requests:
        assert remembered.of(texts) == [text.upper() for text in texts]
        before = len(computed)
        assert remembered.of(texts) == [text.upper() for text in texts]
        assert len(computed) == before


def test_it_forgets_when_there_are_too_many() -> None:
    computed: list[str] = []

    def compute(texts: Sequence[str]) -> list[str]:
        computed.extend(texts)
        return list(texts)

    remembered = BoundedCache(compute, 2)
    for text in "abcca":
        remembered.of([text])
    assert computed == ["a", "b", "c", "a"]
