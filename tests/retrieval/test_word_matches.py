"""How near names are to a query: by which of its words, and by which of theirs."""

from __future__ import annotations

import numpy as np
import pytest
from astrolabe.retrieval.embedding import load_local_embedder
from astrolabe.retrieval.embedding.static_embedder import NameMatches
from astrolabe.retrieval.embedding.term_similarity import WordMatches, match_words

EMBEDDER = load_local_embedder()

#: Likeness of three words of a query to the words of two names, `a b` and `c`; a name without words stands between.
LIKENESS = np.array([(0.8, 0.0, 0.5), (0.0, 0.4, 0.0), (0.2, 0.0, 1.0)], np.float32)
WEIGHTS = np.array([1.0, 3.0, 1.0], np.float32)
LENGTHS = np.array([2, 0, 1])
NAME_WEIGHTS = np.array([1.0, 3.0, 1.0], np.float32)

EXPECTED = {
    "query_coverage": (0.2 * 0.8 + 0.6 * 0.4 + 0.2 * 0.2, 0.2 * 0.5 + 0.2 * 1.0),
    "name_coverage": ((0.8 + 3 * 0.4) / 4, 1.0),
    "early": ((0.8 + 2.25 * 0.4 + 0.5625 * 0.2) / 3.8125, (0.5 + 0.5625) / 3.8125),
    "first": (0.8, 0.5),
    "second": (0.4, 0.0),
    "rarest": (0.4, 0.0),
    "two_best": (0.2 * 0.8 + 0.6 * 0.4, 0.2 * 0.5 + 0.2 * 1.0),
    "opening": (0.8, 1.0),
    "ending": (0.4, 1.0),
    "least_asked": (0.4, 1.0),
    "place": (0.0, 1.0),
}


@pytest.mark.parametrize("field", WordMatches._fields)
def test_each_match(field: str) -> None:
    first, second = EXPECTED[field]
    found = getattr(match_words(LIKENESS, WEIGHTS, LENGTHS, NAME_WEIGHTS), field)
    assert found == pytest.approx([first, 0.0, second], abs=1e-6)


def test_names_or_queries_without_words_match_nothing() -> None:
    nothing = match_words(LIKENESS[:0], WEIGHTS[:0], LENGTHS, NAME_WEIGHTS)
    assert all(not column.any() and column.shape == (3,) for column in nothing)
    assert all(not column.any() for column in EMBEDDER.match_words("of the", ["readFile"]).words)
    assert all(not column.any() for column in EMBEDDER.match_words("read a file", ["", "日本"]).words)


def test_a_name_that_says_more_than_is_asked_for_is_told_from_one_that_does_not() -> None:
    matches = EMBEDDER.match_words("roots are the entities without a parent", ["findRoots", "countAncestors"]).words
    assert matches.ending[0] > matches.ending[1]
    matches = EMBEDDER.match_words("read a file", ["readFile", "readFileHeader"]).words
    assert matches.least_asked[0] > matches.least_asked[1]


def name_matches(names: list[str]) -> NameMatches:
    query = "write the header of a file"
    return NameMatches(EMBEDDER.near_names(query, names), EMBEDDER.match_words(query, names).words)


def test_matches_of_a_name_do_not_depend_on_its_company() -> None:
    names = ["readFile", "writeHeader", "x", "tokens"]
    together = name_matches(names)
    for place, name in enumerate(names):
        alone = name_matches([name])
        assert alone.cosine[0] == pytest.approx(together.cosine[place], abs=1e-6)
        for field in WordMatches._fields:
            assert getattr(alone.words, field)[0] == pytest.approx(getattr(together.words, field)[place], abs=1e-6)
