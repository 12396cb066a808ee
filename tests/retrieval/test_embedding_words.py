"""How text becomes words, and words numbers."""

from __future__ import annotations

import numpy as np
import pytest
from astrolabe.retrieval.embedding.bag_of_words import blocks, count_words
from astrolabe.retrieval.embedding.vocabulary import Vocabulary
from astrolabe.retrieval.embedding.words import gram_hashes, split_words
from hypothesis import given
from hypothesis import strategies as st


def _words(text: str) -> list[str]:
    words = split_words(text)
    return [words.text(index) for index in range(len(words.starts))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t{}();", []),
        ("validateToken", ["validate", "token"]),
        ("parseURLSpec2", ["parse", "url", "spec", "2"]),
        ("HTTPServer", ["http", "server"]),
        ("HTML", ["html"]),
        ("snake_case_name", ["snake", "case", "name"]),
        ("SCREAMING_CASE", ["screaming", "case"]),
        ("$store.dispatch", ["store", "dispatch"]),
        ("#private", ["private"]),
        ("utf8Decode", ["utf", "8", "decode"]),
        ("i18n", ["i", "18", "n"]),
        ("12ab", ["12", "ab"]),
        ("aB", ["a", "b"]),
        ("kebab-case/and/path.ts", ["kebab", "case", "and", "path", "ts"]),
        ("größe", ["größe"]),
        ("日本語 text", ["日本語", "text"]),
        ("naïveCafé", ["naïve", "café"]),
        ("emoji😀name", ["emoji😀name"]),
        ("a\0b", ["a", "b"]),
        ("lone\ud800surrogate", ["lone", "surrogate"]),
    ],
)
def test_words_of_a_text(text: str, expected: list[str]) -> None:
    assert _words(text) == expected


@given(st.text(), st.text())
def test_a_word_has_the_same_hash_wherever_it_stands(before: str, after: str) -> None:
    alone = split_words("validate").hashes[0]
    words = split_words(f"{before} validate {after}")
    index = [words.text(place) for place in range(len(words.starts))].index("validate")
    assert words.hashes[index] == alone


def test_different_words_have_different_hashes() -> None:
    texts = [f"{left}{right}" for left in "abcdefghijkl" for right in ("", "a", "b", "aa", "ab", "ba", "abc", "cba")]
    assert len(np.unique(split_words(" ".join(texts)).hashes)) == len(set(texts))


@pytest.mark.parametrize(
    ("word", "grams"), [("ab", 1), ("abc", 1), ("abcd", 3), ("abcde", 6), ("abcdefghijklmnopqrstuvwxyz", 14 + 13 + 12)]
)
def test_number_of_grams(word: str, grams: int) -> None:
    hashes, owners = gram_hashes(split_words(word), np.array([0]))
    assert len(hashes) == grams
    assert len(np.unique(hashes)) == grams
    assert set(owners.tolist()) == {0}


def test_words_that_look_alike_share_grams() -> None:
    words = split_words("reconnecting reconnected umbrella")
    hashes, owners = gram_hashes(words, np.array([0, 1, 2]))
    first, second, third = (set(hashes[owners == index].tolist()) for index in range(3))
    assert len(first & second) > 10
    assert not first & third


def test_vocabulary_finds_its_words_and_no_others() -> None:
    texts = sorted({f"{left}{right}" for left in ("get", "set", "user", "token") for right in ("", "s", "er", "ing", "able")})
    vocabulary = Vocabulary(texts)
    assert vocabulary.lookup(split_words(" ".join(texts)).hashes).tolist() == list(range(len(texts)))
    assert vocabulary.lookup(split_words("unheard of words").hashes).tolist() == [-1, -1, -1]


def test_empty_vocabulary_knows_nothing() -> None:
    assert Vocabulary([]).lookup(split_words("some words").hashes).tolist() == [-1, -1]


@pytest.mark.parametrize("words", [["one", "two", "one"], ["camelCase"], ["two words"]])
def test_vocabulary_refuses_what_cannot_be_found_again(words: list[str]) -> None:
    with pytest.raises(ValueError, match="each word once"):
        Vocabulary(words)


def test_counts_by_document_and_field() -> None:
    vocabulary = Vocabulary(["load", "user", "token"])
    bags = count_words(vocabulary, [["load load user", "quux"], ["", "token quux 12345 x"]])
    assert bags.segments.tolist() == [0, 0, 1, 3, 3]
    assert bags.words.tolist() == [0, 1, 3, 2, 3]
    assert bags.counts.tolist() == [2, 1, 1, 1, 1]
    assert len(bags.unknown) == 1


def test_a_separator_inside_a_text_moves_no_word_to_another_field() -> None:
    vocabulary = Vocabulary(["load", "user"])
    assert count_words(vocabulary, [["load\0load", "user"]]).segments.tolist() == [0, 1]


@given(st.lists(st.lists(st.text(max_size=30), min_size=2, max_size=2), max_size=30))
def test_blocks_cover_all_documents_in_order(documents: list[list[str]]) -> None:
    covered = [index for block in blocks(documents) for index in range(block.start, block.stop)]
    assert covered == list(range(len(documents)))
