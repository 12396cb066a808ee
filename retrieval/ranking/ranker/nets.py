"""Small neural nets over the features of the ranker.

Trees cut each feature into steps, nets weigh all of them smoothly. So they err in different places, and their sum errs less than
either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec
import numpy as np

from ...embedding.single_threaded_matmul import Array, product

#: The feature that is a number of a kind, not an amount: each kind is an input of its own.
KIND = "kind"
#: Deviations from the mean beyond which a value is as far away as any.
_FARTHEST = 4.0
#: Points between no evidence and all of it at which it is asked what each feature adds.
_POINTS = 32


class NetModel(msgspec.Struct, frozen=True):
    """What the file holds of nets over the same features, whose mean is taken."""

    #: Names of the features, by number.
    features: list[str]
    #: Of each feature, over the candidates of all questions.
    mean: list[float]
    deviation: list[float]
    kinds: int
    #: Widths from the inputs to the score.
    widths: list[int]
    #: For each net, for each layer: the matrix (inputs, outputs) row by row, then what is added. Little-endian float32.
    nets: list[bytes]


class Layer(NamedTuple):
    """One of a net: weights (inputs, outputs), and what is added."""

    weights: Array
    added: Array


def inputs(model: NetModel, values: Array) -> Array:
    """What nets read of candidates whose features have shape (candidates, features): these, and the kinds."""
    standardized = (values - np.array(model.mean, np.float32)) / np.array(model.deviation, np.float32)
    kind = model.features.index(KIND)
    standardized[:, kind] = 0
    kinds = np.zeros((len(values), model.kinds), np.float32)
    kinds[np.arange(len(values)), np.minimum(values[:, kind].astype(np.intp), model.kinds - 1)] = 1
    return np.concatenate([np.clip(standardized, -_FARTHEST, _FARTHEST), kinds], axis=1)


class Nets:
    """The mean of some nets."""

    def __init__(self, model: NetModel, features: Sequence[str]) -> None:
        """`features` are what is known of candidates; those that the nets read are among them."""
        self._model = model
        self._places = [features.index(name) for name in model.features]
        self._nets = [list(_layers(model.widths, packed)) for packed in model.nets]

    def _inputs(self, values: Array) -> Array:
        return inputs(self._model, values[:, self._places])

    def scores(self, values: Array) -> Array:
        """That of each candidate; the features have shape (candidates, features)."""
        standardized = self._inputs(values)
        return np.asarray(sum(_forward(net, standardized)[-1][:, 0] for net in self._nets) / len(self._nets), np.float32)

    def contributions(self, values: Array) -> Array:
        """What each feature adds to the score of each candidate, of the shape of the features.

        On the way from inputs that are all zero to those that are, each input adds its slope times its growth (Sundararajan et
        al.: "Axiomatic Attribution for Deep Networks", 2017).
        """
        standardized = self._inputs(values)
        slopes = np.zeros_like(standardized)
        for net in self._nets:
            for point in range(_POINTS):
                slopes += _slopes(net, standardized * np.float32((point + 0.5) / _POINTS))
        added = standardized * slopes / np.float32(_POINTS * len(self._nets))
        own = added[:, : len(self._places)]
        own[:, self._model.features.index(KIND)] = added[:, len(self._places) :].sum(axis=1)
        found = np.zeros_like(values)
        found[:, self._places] = own
        return found

    @property
    def without_evidence(self) -> float:
        """The score of a candidate whose inputs are all zero."""
        nothing = np.zeros((1, self._model.widths[0]), np.float32)
        return float(np.mean([_forward(net, nothing)[-1][0, 0] for net in self._nets]))


def _layers(widths: Sequence[int], packed: bytes) -> Iterator[Layer]:
    numbers, start = np.frombuffer(packed, "<f4").astype(np.float32), 0
    for before, behind in pairwise(widths):
        end = start + before * behind
        yield Layer(numbers[start:end].reshape(before, behind), numbers[end : end + behind])
        start = end + behind


def packed(net: Sequence[Layer]) -> bytes:
    """A net as the file holds it."""
    return b"".join(part.astype("<f4").tobytes() for layer in net for part in layer)


def _forward(net: Sequence[Layer], standardized: Array) -> list[Array]:
    """What each layer gives to the next, from the inputs on; only the last one gives less than zero."""
    given = [standardized]
    for number, layer in enumerate(net):
        sums = product(given[-1], layer.weights) + layer.added
        given.append(sums if number == len(net) - 1 else np.maximum(sums, 0))
    return given


def _slopes(net: Sequence[Layer], standardized: Array) -> Array:
    """By how much the score grows with each input."""
    given = _forward(net, standardized)
    slopes = np.ones((len(standardized), 1), np.float32)
    for layer, before in zip(reversed(net), reversed(given[:-1]), strict=True):
        slopes = product(slopes, np.ascontiguousarray(layer.weights.T))
        if before is not standardized:
            slopes = slopes * (before > 0)
    return slopes
