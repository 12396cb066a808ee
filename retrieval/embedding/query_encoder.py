"""Weigh each word of a query by its context, to match the query with names and paths of symbols.

"A function that checks if the passed parameter is a number" is about `isNumber`, not about `isFunction`. In the embedding, the
weight of a word does not depend on its context. So a small transformer over the word vectors, trained on doc comments, predicts
weights (`training/embedding/reading.py`).
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...schema.errors import ProviderError
from .single_threaded_matmul import product
from .term_similarity import names_with_words
from .weights import Floats, Weights

QUERY_ENCODER_PATH = Path(__file__).with_name("question-reader.weights")
#: Maximum number of words of a query that are read.
MAX_WORDS = 48
#: Term that is added to the variance in a layer normalization.
EPSILON = 1e-5
#: Minimum of a total weight that is a divisor.
_MIN_TOTAL = 1e-6
#: Type of a parameter in the file.
_PARAMETER_TYPE = np.dtype("<f2")


class QueryEncoderModel(msgspec.Struct, frozen=True):
    """The model file."""

    #: Name and version of the embedding whose vectors are the inputs.
    embedding: str
    width: int
    heads: int
    layers: int
    #: All parameters in the order of `shapes`: little-endian float16.
    parameters: bytes
    #: CRC-32 of the parameters.
    checksum: int


class ReadMatches(NamedTuple):
    """Matches of names with an encoded query; arrays of shape (names,), 0 for a name without words."""

    #: Share of the total weight of the query's words (`for_name`) that the name explains, 0 to 1.
    name_read: Floats
    #: Log-odds of the name: the weight that the name explains, less `name_unasked`.
    name_odds: Floats
    #: Weight of the words of the name that the query does not explain.
    name_unasked: Floats
    #: Share of the heaviest word of the query in the total weight, times the share of this word that the name does not
    #: explain.
    name_untold: Floats
    #: Share of the total weight of the query's words (`for_whole`) that path, parent and name together explain, 0 to 1.
    whole_read: Floats
    #: The weight that path, parent and name explain together.
    whole_odds: Floats


class Reading(NamedTuple):
    """Weights of the content words of a query, which are not fillers; arrays of shape (words,)."""

    #: Weight of the word for a name.
    for_name: Floats
    #: Weight of the word for path, parent and name together.
    for_whole: Floats
    #: How much of a name the word can explain, 0 to 1.
    explains: Floats


def shapes(dimensions: int, width: int, layers: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield name and shape of each parameter, in the order of the file. Matrices have shape (inputs, outputs)."""
    yield from (("rows", (dimensions, width)), ("weight", (width,)), ("entry", (width,)), ("positions", (MAX_WORDS, width)))
    for layer in range(layers):
        of_layer = {
            "attention_scale": (width,), "attention_shift": (width,),
            "attend": (width, 3 * width), "attend_added": (3 * width,), "attended": (width, width), "attended_added": (width,),
            "inner_scale": (width,), "inner_shift": (width,),
            "inner": (width, 2 * width), "inner_added": (2 * width,), "outer": (2 * width, width), "outer_added": (width,),
        }  # fmt: skip
        yield from ((f"{layer}.{name}", shape) for name, shape in of_layer.items())
    yield from (("last_scale", (width,)), ("last_shift", (width,)), ("heads", (width, 3)), ("heads_added", (3,)))
    # Weights of an unexplained word of a name: factors for its vector, a constant, and a factor for the logarithm of its
    # weight in a chunk.
    yield from (("unasked_rows", (dimensions,)), ("unasked", (2,)))
    # Slope and midpoint of the sigmoid from similarity to explained share: for words of the query, then for words of names.
    yield ("explained", (4,))


class QueryEncoder:
    """The transformer. Threads may share an encoder."""

    def __init__(self, model: QueryEncoderModel, weights: Weights) -> None:
        """`weights` are the weights of the embedding.

        Raises ProviderError if the model is damaged or belongs to another embedding.
        """
        if model.embedding != weights.model:
            raise ProviderError(f"The query encoder is for {model.embedding}, not {weights.model}. Install Astrolabe again.")
        needed = sum(math.prod(shape) for _, shape in shapes(weights.dimensions, model.width, model.layers))
        is_intact = len(model.parameters) == needed * _PARAMETER_TYPE.itemsize and zlib.crc32(model.parameters) == model.checksum
        if not is_intact or model.heads < 1 or model.width % model.heads:
            raise ProviderError(
                f"The query encoder is damaged: it does not have its {needed} parameters. Install Astrolabe again."
            )
        self._model = model
        self._weights = weights

    @cached_property
    def _parameters(self) -> dict[str, Floats]:
        numbers, start = np.frombuffer(self._model.parameters, _PARAMETER_TYPE).astype(np.float32), 0
        found = {}
        for name, shape in shapes(self._weights.dimensions, self._model.width, self._model.layers):
            end = start + math.prod(shape)
            found[name] = numbers[start:end].reshape(shape)
            start = end
        return found

    def read(self, words: NDArray[np.int32], vectors: Floats, is_content: NDArray[np.bool_]) -> Reading:
        """Return the weights of the content words, which are not fillers.

        `vectors` has unit length and shape (words, dimensions), `is_content` has shape (words,).
        """
        if not len(words):
            return Reading(*np.zeros((3, 0), np.float32))
        name, whole, explains = self._heads(words[:MAX_WORDS], vectors[:MAX_WORDS])[is_content[:MAX_WORDS]].T
        return Reading(_softplus(name), _softplus(whole), _sigmoid(explains))

    def unasked(self, words: NDArray[np.int32], vectors: Floats) -> Floats:
        """Return the weight of each word of a name if no word of the query explains the word. `vectors` is as in `read`."""
        constant, by_weight = self._parameters["unasked"]
        of_vectors = product(vectors, self._parameters["unasked_rows"][:, None])[:, 0]
        return _softplus(of_vectors + constant + by_weight * np.log(self._weights.chunk_weights[words]))

    def match(self, reading: Reading, likeness: Floats, weights: Floats, lengths: NDArray[np.intp]) -> ReadMatches:
        """Return how the query matches names.

        `lengths` has the number of words of each name, and `weights` the weight of each word of the names, as `unasked` returns
        it. `likeness` has shape (words of the query, words of the names), 0 to 1; the words of the reading are first.
        """
        likeness = likeness[: len(reading.for_name)]
        found = nothing_read(len(lengths))
        owners, starts = names_with_words(lengths)
        if not len(reading.for_name) or not len(owners):
            return found
        steepness, middle, name_steepness, name_middle = self._parameters["explained"]
        explained = _sigmoid(steepness * (np.maximum.reduceat(likeness, starts, axis=1) - middle))
        in_query = _sigmoid(name_steepness * ((likeness * reading.explains[:, None]).max(axis=0) - name_middle))
        unasked = np.add.reduceat(weights * (1 - in_query), starts)
        by_name, by_whole = reading.for_name @ explained, reading.for_whole @ explained
        heaviest = int(reading.for_name.argmax())
        of_name, of_whole = max(reading.for_name.sum(), _MIN_TOTAL), max(reading.for_whole.sum(), _MIN_TOTAL)
        values = ReadMatches(
            name_read=by_name / of_name,
            name_odds=by_name - unasked,
            name_unasked=unasked,
            name_untold=(1 - explained[heaviest]) * reading.for_name[heaviest] / of_name,
            whole_read=by_whole / of_whole,
            whole_odds=by_whole,
        )
        for column, value in zip(found, values, strict=True):
            column[owners] = value
        return found

    def _heads(self, words: NDArray[np.int32], vectors: Floats) -> Floats:
        """Return the outputs of the transformer, of shape (words, 3)."""
        of, width = self._parameters, self._model.width
        weights: Floats = np.log(self._weights.query_weights[words])
        state: Floats = product(vectors, of["rows"]) + weights[:, None] * of["weight"]
        state += of["entry"] + of["positions"][: len(words)]
        for layer in range(self._model.layers):
            normal = _normal(state, of[f"{layer}.attention_scale"], of[f"{layer}.attention_shift"])
            parts = product(normal, of[f"{layer}.attend"]) + of[f"{layer}.attend_added"]
            # Each of shape (heads, words, width of a head).
            queries, keys, values = parts.reshape(len(words), 3, self._model.heads, -1).transpose(1, 2, 0, 3)
            scores = queries @ keys.transpose(0, 2, 1) / np.float32(math.sqrt(width / self._model.heads))
            attention = np.exp(scores - scores.max(axis=-1, keepdims=True))
            context = (attention / attention.sum(axis=-1, keepdims=True)) @ values
            context = np.ascontiguousarray(context.transpose(1, 0, 2)).reshape(len(words), width)
            state = state + product(context, of[f"{layer}.attended"]) + of[f"{layer}.attended_added"]
            normal = _normal(state, of[f"{layer}.inner_scale"], of[f"{layer}.inner_shift"])
            inner = np.maximum(product(normal, of[f"{layer}.inner"]) + of[f"{layer}.inner_added"], 0)
            state = state + product(inner, of[f"{layer}.outer"]) + of[f"{layer}.outer_added"]
        return product(_normal(state, of["last_scale"], of["last_shift"]), of["heads"]) + of["heads_added"]


def nothing_read(names: int) -> ReadMatches:
    """Return matches that are all zero, for a query or names without known words."""
    return ReadMatches(*(np.zeros(names, np.float32) for _ in ReadMatches._fields))


def read_model(path: Path) -> QueryEncoderModel:
    """Read the model from a file. Raises ProviderError if the file is missing or damaged."""
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=QueryEncoderModel)
    except (OSError, msgspec.DecodeError) as error:
        raise ProviderError(f"The query encoder cannot be read: {path} ({error}). Install Astrolabe again.") from error


def _normal(values: Floats, scale: Floats, shift: Floats) -> Floats:
    centered = values - values.mean(axis=1, keepdims=True)
    return np.asarray(centered / np.sqrt((centered * centered).mean(axis=1, keepdims=True) + EPSILON) * scale + shift, np.float32)


def _softplus(values: Floats) -> Floats:
    return np.asarray(np.logaddexp(values, 0), np.float32)


def _sigmoid(values: Floats) -> Floats:
    return np.asarray((1 + np.tanh(values / 2)) / 2, np.float32)
