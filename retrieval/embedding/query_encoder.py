"""Reads the words of a question together: what each counts for the name, and for the place, of what is asked for.

"A function that checks if the passed parameter is a number" is about `isNumber`, not about `isFunction`. The weights of the
embedding are the same wherever a word stands; a small transformer over its vectors, learnt from doc comments, says what a word
counts among the words around it (`training/reading.py`).
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

READER_PATH = Path(__file__).with_name("question-reader.weights")
#: Words of a question that are read; those behind them count for nothing.
LONGEST = 48
#: Added to the variance before it is divided by.
EPSILON = 1e-5
_LEAST = 1e-6
#: How the file holds a parameter.
_NUMBER = np.dtype("<f2")


class ReaderModel(msgspec.Struct, frozen=True):
    """What the file holds."""

    #: Name and version of the embedding whose words are read.
    embedding: str
    width: int
    heads: int
    layers: int
    #: All parameters in the order of `shapes`: little-endian float16.
    parameters: bytes
    #: CRC-32 of the parameters.
    checksum: int


class ReadMatches(NamedTuple):
    """How a question that was read fits names; arrays of shape (names,), 0 for a name without words."""

    #: Share of what the question says of a name that the name explains, 0 to 1; and the log-odds of the name, by what it
    #: explains and what of it remains unexplained.
    name_read: Floats
    name_odds: Floats
    #: How much of the name remains unexplained.
    name_unasked: Floats
    #: Share of what the question says of the name that stands in the word which counts most and which the name does not explain.
    name_untold: Floats
    #: The same as the first two of what the question says of path, parent and name together.
    whole_read: Floats
    whole_odds: Floats


class Reading(NamedTuple):
    """What each word counts that is not a filler, among those that are read; arrays of shape (words,)."""

    for_name: Floats
    for_whole: Floats
    #: How much it can explain of a name, 0 to 1.
    explains: Floats


def shapes(dimensions: int, width: int, layers: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Name and shape of each parameter, in the order of the file. Matrices have shape (inputs, outputs)."""
    yield from (("rows", (dimensions, width)), ("weight", (width,)), ("entry", (width,)), ("positions", (LONGEST, width)))
    for layer in range(layers):
        of_layer = {
            "attention_scale": (width,), "attention_shift": (width,),
            "attend": (width, 3 * width), "attend_added": (3 * width,), "attended": (width, width), "attended_added": (width,),
            "inner_scale": (width,), "inner_shift": (width,),
            "inner": (width, 2 * width), "inner_added": (2 * width,), "outer": (2 * width, width), "outer_added": (width,),
        }  # fmt: skip
        yield from ((f"{layer}.{name}", shape) for name, shape in of_layer.items())
    yield from (("last_scale", (width,)), ("last_shift", (width,)), ("heads", (width, 3)), ("heads_added", (3,)))
    # What a word of a name weighs while nothing explains it: by its vector and by the logarithm of its weight in a chunk.
    yield from (("unasked_rows", (dimensions,)), ("unasked", (2,)))
    # Steepness and middle of what a likeness explains: of a word of the question, and of a word of the name.
    yield ("explained", (4,))


class Reader:
    """The transformer. Safe to share between threads."""

    def __init__(self, model: ReaderModel, weights: Weights) -> None:
        """`weights` are those of the embedding. Raises ProviderError where the model reads another one."""
        if model.embedding != weights.model:
            raise ProviderError(
                f"The reader of questions is for {model.embedding}, not {weights.model}. Install Astrolabe again."
            )
        needed = sum(math.prod(shape) for _, shape in shapes(weights.dimensions, model.width, model.layers))
        whole = len(model.parameters) == needed * _NUMBER.itemsize and zlib.crc32(model.parameters) == model.checksum
        if not whole or model.heads < 1 or model.width % model.heads:
            raise ProviderError(f"The reader of questions is damaged: not its {needed} parameters. Install Astrolabe again.")
        self._model = model
        self._weights = weights

    @cached_property
    def _parameters(self) -> dict[str, Floats]:
        numbers, start = np.frombuffer(self._model.parameters, _NUMBER).astype(np.float32), 0
        found = {}
        for name, shape in shapes(self._weights.dimensions, self._model.width, self._model.layers):
            end = start + math.prod(shape)
            found[name] = numbers[start:end].reshape(shape)
            start = end
        return found

    def read(self, words: NDArray[np.int32], vectors: Floats, is_content: NDArray[np.bool_]) -> Reading:
        """Return what the content words count. `vectors` have unit length and the shape (words, dimensions)."""
        if not len(words):
            return Reading(*np.zeros((3, 0), np.float32))
        name, whole, explains = self._heads(words[:LONGEST], vectors[:LONGEST])[is_content[:LONGEST]].T
        return Reading(_softplus(name), _softplus(whole), _sigmoid(explains))

    def unasked(self, words: NDArray[np.int32], vectors: Floats) -> Floats:
        """What each of these words weighs in a name while nothing explains it; `vectors` as above."""
        constant, by_weight = self._parameters["unasked"]
        of_vectors = product(vectors, self._parameters["unasked_rows"][:, None])[:, 0]
        return _softplus(of_vectors + constant + by_weight * np.log(self._weights.chunk_weights[words]))

    def match(self, reading: Reading, likeness: Floats, weights: Floats, lengths: NDArray[np.intp]) -> ReadMatches:
        """How the question fits names with `lengths` words each, which have `weights` as `unasked` gives them, and a likeness,
        0 to 1, to each word of the question (words of the question, words of the names). Those that are read come first."""
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
        of_name, of_whole = max(reading.for_name.sum(), _LEAST), max(reading.for_whole.sum(), _LEAST)
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
        """Array of shape (words, 3)."""
        of, width = self._parameters, self._model.width
        weights: Floats = np.log(self._weights.query_weights[words])
        state: Floats = product(vectors, of["rows"]) + weights[:, None] * of["weight"]
        state += of["entry"] + of["positions"][: len(words)]
        for layer in range(self._model.layers):
            normal = _normal(state, of[f"{layer}.attention_scale"], of[f"{layer}.attention_shift"])
            parts = product(normal, of[f"{layer}.attend"]) + of[f"{layer}.attend_added"]
            # Each of shape (heads, words, width of a head).
            queries, keys, values = parts.reshape(len(words), 3, self._model.heads, -1).transpose(1, 2, 0, 3)
            likeness = queries @ keys.transpose(0, 2, 1) / np.float32(math.sqrt(width / self._model.heads))
            shares = np.exp(likeness - likeness.max(axis=-1, keepdims=True))
            heard = (shares / shares.sum(axis=-1, keepdims=True)) @ values
            heard = np.ascontiguousarray(heard.transpose(1, 0, 2)).reshape(len(words), width)
            state = state + product(heard, of[f"{layer}.attended"]) + of[f"{layer}.attended_added"]
            normal = _normal(state, of[f"{layer}.inner_scale"], of[f"{layer}.inner_shift"])
            inner = np.maximum(product(normal, of[f"{layer}.inner"]) + of[f"{layer}.inner_added"], 0)
            state = state + product(inner, of[f"{layer}.outer"]) + of[f"{layer}.outer_added"]
        return product(_normal(state, of["last_scale"], of["last_shift"]), of["heads"]) + of["heads_added"]


def nothing_read(names: int) -> ReadMatches:
    """The matches where nothing is known of the question, or of the names."""
    return ReadMatches(*(np.zeros(names, np.float32) for _ in ReadMatches._fields))


def read_model(path: Path) -> ReaderModel:
    """The model of a file. Raises ProviderError where it is missing or damaged."""
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=ReaderModel)
    except (OSError, msgspec.DecodeError) as error:
        raise ProviderError(f"The reader of questions cannot be read: {path} ({error}). Install Astrolabe again.") from error


def _normal(values: Floats, scale: Floats, shift: Floats) -> Floats:
    apart = values - values.mean(axis=1, keepdims=True)
    return np.asarray(apart / np.sqrt((apart * apart).mean(axis=1, keepdims=True) + EPSILON) * scale + shift, np.float32)


def _softplus(values: Floats) -> Floats:
    return np.asarray(np.logaddexp(values, 0), np.float32)


def _sigmoid(values: Floats) -> Floats:
    return np.asarray((1 + np.tanh(values / 2)) / 2, np.float32)
