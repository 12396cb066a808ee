"""What the reader of questions learns from."""

from __future__ import annotations

import numpy as np
from astrolabe.retrieval.embedding.query_encoder import MAX_WORDS
from astrolabe.retrieval.embedding.vocabulary import Vocabulary

from training.embedding.documented_symbols import DocumentedSymbol
from training.embedding.reading_examples import NO_WORD, batches, known_words, reading_examples

WORDS = ["read", "reads", "a", "file", "of", "user", "store", "src", "load", "where"]
VOCABULARY = Vocabulary(WORDS)


def symbol(
    name: str, sentence: str, origin: str = "one", path: str = "src/store.ts", scope: str = "app.User"
) -> DocumentedSymbol:
    return DocumentedSymbol(origin, path, scope, name, "function", "", "", sentence, "")


def said(row: np.ndarray) -> list[str]:
    return [WORDS[place] for place in row if place != NO_WORD]


def test_known_words_stand_in_order_and_end_where_told() -> None:
    found = known_words(VOCABULARY, ["Reads a file, quickly", "nothing known", "", "read a file of user"], 4)
    assert found.shape == (4, 4)
    assert [said(row) for row in found] == [["reads", "a", "file"], [], [], ["read", "a", "file", "of"]]
    assert found[0].tolist()[3] == NO_WORD


def test_known_words_of_more_texts_than_are_split_at_once() -> None:
    texts = ["read a file", "user"] * 15_000
    found = known_words(VOCABULARY, texts, 3)
    assert said(found[-2]) == ["read", "a", "file"]
    assert said(found[-1]) == ["user"]
    assert (found[::2] == found[0]).all()
    assert (found[1::2] == found[1]).all()


def test_examples_are_documented_symbols_with_known_words() -> None:
    symbols = [
        symbol("readFile", "Reads a file of the user"),
        symbol("loadUser", ""),
        symbol("zzz", "Reads a file"),
        symbol("loadAFileOfUserReadAStore", "Load " + "file " * 60, origin="another"),
    ]
    examples = reading_examples(symbols, VOCABULARY, 0)
    assert [said(row) for row in examples.names] == [["read", "file"], ["load", "a", "file", "of", "user", "read"]]
    assert examples.origins.tolist() == [1, 0]
    assert (examples.sentences[1] != NO_WORD).all()
    assert said(examples.sentences[0]) == ["reads", "a", "file", "of", "user"]
    assert said(examples.wholes[0]) == ["user", "src", "store", "read", "file"]
    assert examples.sentences.shape[1] == MAX_WORDS


def test_a_question_is_made_of_each_sentence_the_same_for_the_same_seed() -> None:
    symbols = [symbol(f"readFile{number}", "Reads a file of the user") for number in range(40)]
    first, again, other = (reading_examples(symbols, VOCABULARY, seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first.questions, again.questions)
    assert not np.array_equal(first.questions, other.questions)
    assert (first.sentences == first.sentences[0]).all()
    assert all("file" in said(row) for row in first.questions)


def test_symbols_of_one_name_are_known_by_it_whatever_its_case() -> None:
    examples = reading_examples([symbol("readFile", "Read a file"), symbol("ReadFile", "Load a file")], VOCABULARY, 0)
    assert examples.name_ids[0] == examples.name_ids[1]


def test_batches_hold_groups_of_one_project_and_each_example_once() -> None:
    origins = np.repeat(np.arange(5), [70, 64, 3, 130, 33])
    found = list(batches(origins, 32, 16, np.random.default_rng(0)))
    assert all(len(batch) == 32 for batch in found)
    assert len(found) == len(origins) // 32
    everything = np.concatenate(found)
    assert len(np.unique(everything)) == len(everything)
    # Of one project are most of the neighbours within a batch, and not all of a batch.
    same = np.mean([origins[batch[:-1]] == origins[batch[1:]] for batch in found])
    assert same > 0.8
    assert sum(len(np.unique(origins[batch])) > 1 for batch in found) > len(found) / 2


def test_batches_differ_from_one_time_to_the_next() -> None:
    chance = np.random.default_rng(0)
    first, second = (np.concatenate(list(batches(np.zeros(64, np.int64), 32, 8, chance))) for _ in range(2))
    assert not np.array_equal(first, second)
    assert sorted(first) == sorted(second)
