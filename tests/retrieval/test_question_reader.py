"""The reader of questions: what each word counts among the words around it, and how names fit what was read."""

from __future__ import annotations

import math
import zlib
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from astrolabe.retrieval.embedding import WEIGHTS_PATH, load_local_embedder
from astrolabe.retrieval.embedding.query_encoder import (
    EPSILON,
    MAX_WORDS,
    QUERY_ENCODER_PATH,
    QueryEncoder,
    QueryEncoderModel,
    Reading,
    ReadMatches,
    read_model,
    shapes,
)
from astrolabe.retrieval.embedding.static_embedder import StaticEmbedder
from astrolabe.retrieval.embedding.weights import Weights, quantised, read_weights
from astrolabe.schema.errors import ProviderError

EMBEDDER = load_local_embedder()
WORDS = ["load", "user", "file", "name"]
WIDTH, HEADS, LAYERS, DIMENSIONS = 8, 2, 1, 4


def tiny_weights(model: str = "tiny v1") -> Weights:
    rows, scales = quantised(np.eye(DIMENSIONS, dtype=np.float32))
    ones = np.ones(len(WORDS), np.float32)
    return Weights(model, WORDS, rows, scales, np.array([1, 2, 4, 8], np.float32), ones, ones[:1], ones[:1])


def tiny_model(**given: list[float]) -> QueryEncoderModel:
    """Parameters by chance, but for those given."""
    chance = np.random.default_rng(3)
    parts = []
    for name, shape in shapes(DIMENSIONS, WIDTH, LAYERS):
        values = np.array(given[name]) if name in given else chance.standard_normal(shape) / 2
        parts.append(values.astype("<f2").tobytes())
    packed = b"".join(parts)
    return QueryEncoderModel("tiny v1", WIDTH, HEADS, LAYERS, packed, zlib.crc32(packed))


def sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-value))


#: Two words of a question: what they count, and their likeness to the words of the names `a b` and `c`; between those stands a
#: name without words.
READING = Reading(np.array([3.0, 1.0], np.float32), np.array([1.0, 2.0], np.float32), np.array([1.0, 0.5], np.float32))
LIKENESS = np.array([(0.9, 0.1, 0.2), (0.0, 0.3, 1.0)], np.float32)
UNASKED = np.array([1.0, 2.0, 4.0], np.float32)
LENGTHS = np.array([2, 0, 1])


def expected() -> dict[str, tuple[float, float]]:
    first = [sigmoid(10 * (0.9 - 0.5)), sigmoid(10 * (0.3 - 0.5))]
    second = [sigmoid(10 * (0.2 - 0.5)), sigmoid(10 * (1.0 - 0.5))]
    of_first = 1 - sigmoid(4 * (0.9 - 0.25)) + 2 * (1 - sigmoid(4 * (0.15 - 0.25)))
    of_second = 4 * (1 - sigmoid(4 * (0.5 - 0.25)))
    says = [(3 * one + other) / 4 for one, other in (first, second)]
    places = [one + 2 * other for one, other in (first, second)]
    return {
        "name_read": (says[0], says[1]),
        "name_odds": (4 * says[0] - of_first, 4 * says[1] - of_second),
        "name_unasked": (of_first, of_second),
        "name_untold": ((1 - first[0]) * 0.75, (1 - second[0]) * 0.75),
        "whole_read": (places[0] / 3, places[1] / 3),
        "whole_odds": (places[0], places[1]),
    }


@pytest.mark.parametrize("field", ReadMatches._fields)
def test_each_match(field: str) -> None:
    first, second = expected()[field]
    reader = QueryEncoder(tiny_model(explained=[10.0, 0.5, 4.0, 0.25]), tiny_weights())
    found = getattr(reader.match(READING, LIKENESS, UNASKED, LENGTHS), field)
    assert found == pytest.approx([first, 0.0, second], abs=1e-5)


def test_a_word_of_a_name_weighs_by_its_vector_and_its_weight_in_chunks() -> None:
    reader = QueryEncoder(tiny_model(unasked_rows=[1.0, 0.0, -2.0, 0.0], unasked=[0.5, 0.25]), tiny_weights())
    words = np.array([2, 0], np.int32)
    found = reader.unasked(words, np.eye(4, dtype=np.float32)[words])
    odds = [-2 + 0.5 + 0.25 * math.log(4), 1 + 0.5]
    assert found == pytest.approx([math.log1p(math.exp(each)) for each in odds], abs=1e-3)


def read(reader: QueryEncoder, words: list[int], told: list[bool] | None = None) -> Reading:
    numbers = np.array(words, np.int32)
    return reader.read(numbers, np.eye(4, dtype=np.float32)[numbers], np.array(told or [True] * len(words)))


def test_a_word_counts_by_the_words_around_it() -> None:
    reader = QueryEncoder(tiny_model(), tiny_weights())
    alone, before, behind = read(reader, [0]), read(reader, [0, 1]), read(reader, [1, 0])
    assert len({round(float(each), 4) for each in (alone.for_name[0], before.for_name[0], behind.for_name[1])}) == 3


def test_fillers_are_read_but_count_nothing() -> None:
    reader = QueryEncoder(tiny_model(), tiny_weights())
    of_all, of_some = read(reader, [0, 2, 1]), read(reader, [0, 2, 1], [True, False, True])
    for whole, part in zip(of_all, of_some, strict=True):
        np.testing.assert_array_equal(whole[[0, 2]], part)
    assert not np.allclose(read(reader, [0, 1]).for_name, of_some.for_name)


def test_what_is_behind_the_longest_question_counts_nothing() -> None:
    reader = QueryEncoder(tiny_model(), tiny_weights())
    words = [0, 1, 2, 3] * MAX_WORDS
    found = read(reader, words)
    for column, of_first in zip(found, read(reader, words[:MAX_WORDS]), strict=True):
        np.testing.assert_array_equal(column, of_first)
    likeness = np.tile(LIKENESS, (len(words) // 2, 1))
    for one, other in zip(
        reader.match(found, likeness, UNASKED, LENGTHS), reader.match(found, likeness[:MAX_WORDS], UNASKED, LENGTHS), strict=True
    ):
        np.testing.assert_array_equal(one, other)


def test_the_transformer_is_what_the_layers_say() -> None:
    """Word by word, in plain arithmetic."""
    model, weights = tiny_model(), tiny_weights()
    reader, of = QueryEncoder(model, weights), QueryEncoder(model, weights)._parameters
    words = np.array([2, 0, 3, 1, 0], np.int32)

    def normal(value: Any, part: str) -> Any:
        apart = value - value.mean()
        return apart / math.sqrt((apart**2).mean() + EPSILON) * of[f"{part}_scale"] + of[f"{part}_shift"]

    states = [
        of["rows"][word] + math.log(weights.query_weights[word]) * of["weight"] + of["entry"] + of["positions"][place]
        for place, word in enumerate(words)
    ]
    parts = [normal(state, "0.attention") @ of["0.attend"] + of["0.attend_added"] for state in states]
    size = WIDTH // HEADS
    for place, state in enumerate(states):
        heard = []
        for head in range(HEADS):
            asks, asked, says = (slice(start + head * size, start + (head + 1) * size) for start in (0, WIDTH, 2 * WIDTH))
            shares = np.exp([parts[place][asks] @ other[asked] / math.sqrt(size) for other in parts])
            heard.append(sum(share * other[says] for share, other in zip(shares / shares.sum(), parts, strict=True)))
        state = state + np.concatenate(heard) @ of["0.attended"] + of["0.attended_added"]
        inner = np.maximum(normal(state, "0.inner") @ of["0.inner"] + of["0.inner_added"], 0)
        states[place] = state + inner @ of["0.outer"] + of["0.outer_added"]
    name, whole, explains = np.transpose([normal(state, "last") @ of["heads"] + of["heads_added"] for state in states])
    found = read(reader, words.tolist())
    assert found.for_name == pytest.approx(np.log1p(np.exp(name)), rel=1e-4)
    assert found.for_whole == pytest.approx(np.log1p(np.exp(whole)), rel=1e-4)
    assert found.explains == pytest.approx([sigmoid(value) for value in explains], rel=1e-4)


def test_values_far_from_zero_warn_of_nothing() -> None:
    model = tiny_model(heads_added=[60000.0, -60000.0, -60000.0], explained=[60000.0, 0.5, -60000.0, 0.5])
    reader = QueryEncoder(model, tiny_weights())
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        matches = reader.match(read(reader, [0, 1]), LIKENESS, UNASKED, LENGTHS)
    assert all(np.isfinite(column).all() for column in matches)


def test_names_and_questions_without_words_match_nothing() -> None:
    assert all(not column.any() for column in EMBEDDER.match_words("of the", ["readFile"]).read)
    assert all(not column.any() for column in EMBEDDER.match_words("", ["readFile"]).read)
    assert all(not column.any() for column in EMBEDDER.match_words("read a file", ["", "日本"]).read)


def test_without_a_reader_nothing_is_read() -> None:
    silent = StaticEmbedder(read_weights(WEIGHTS_PATH)).match_words("read a file", ["readFile", "x"])
    assert all(column.shape == (2,) and not column.any() for column in silent.read)
    assert silent.words.query_coverage.any()


@pytest.mark.parametrize(
    ("question", "wanted", "other"),
    [
        ("A function that checks if the passed parameter is a number", "isNumber", "isFunction"),
        ("Helper class that represents the state of a connection", "ConnectionState", "ClassHelper"),
        ("Returns whether the given value is a promise", "isPromise", "returnValue"),
        ("Creates a function that waits before it calls another", "debounce", "createFunction"),
    ],
)
def test_words_that_merely_frame_a_question_count_little(question: str, wanted: str, other: str) -> None:
    odds = EMBEDDER.match_words(question, [wanted, other]).read.name_odds
    assert odds[0] > odds[1]


def test_a_model_for_other_weights_is_explained() -> None:
    with pytest.raises(ProviderError, match=r"for tiny v1, not tiny v2\. Install Astrolabe again"):
        QueryEncoder(tiny_model(), tiny_weights("tiny v2"))


def test_a_missing_model_is_explained(tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match=r"cannot be read: .*absent.*Install Astrolabe again"):
        read_model(tmp_path / "absent")


@pytest.mark.parametrize("damage", ["empty", "cut", "other"])
def test_a_damaged_model_is_explained(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "tiny"
    data = msgspec.msgpack.encode(tiny_model())
    path.write_bytes({"empty": b"", "cut": data[:-5], "other": b"PK\x03\x04" + data}[damage])
    with pytest.raises(ProviderError, match="Install Astrolabe again"):
        read_model(path)


@pytest.mark.parametrize(
    "changed",
    [
        {"parameters": tiny_model().parameters[:-2]},
        {"parameters": bytes(len(tiny_model().parameters))},
        {"heads": 0},
        {"heads": 3},
        {"width": WIDTH * 2},
    ],
)
def test_a_changed_model_is_explained(changed: dict[str, Any]) -> None:
    with pytest.raises(ProviderError, match=r"damaged: it does not have its \d+ parameters\. Install Astrolabe again"):
        QueryEncoder(msgspec.structs.replace(tiny_model(), **changed), tiny_weights())


def test_the_packaged_model_reads_the_packaged_embedding() -> None:
    model = read_model(QUERY_ENCODER_PATH)
    assert model.embedding == read_weights(WEIGHTS_PATH).model
    assert QUERY_ENCODER_PATH.stat().st_size + WEIGHTS_PATH.stat().st_size < 12_000_000
