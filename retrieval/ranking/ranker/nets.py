"""Small neural nets over the features of the ranker.

Trees divide each feature into steps, and nets weigh all features smoothly. So their errors differ, and the error of their sum is
lower.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec
import numpy as np

from ...embedding.single_threaded_matmul import Array, product

#: The categorical feature, which has one input for each kind.
KIND = "kind"
#: Number of standard deviations from the mean at which an input is clipped.
_MAX_DEVIATIONS = 4.0
#: Number of points on the path from zero inputs to the actual inputs at which slopes are computed.
_POINTS = 32


class NetModel(msgspec.Struct, frozen=True):
    """The part of the model file with the nets, whose scores are averaged."""

    #: Names of the features. A feature is identified by its index in this list.
    features: list[str]
    #: Mean of each feature over the training candidates.
    mean: list[float]
    #: Standard deviation of each feature over the training candidates.
    deviation: list[float]
    #: Number of inputs for the kind.
    kinds: int
    #: Widths of the layers, from the inputs to the score.
    widths: list[int]
    #: Each net: for each layer the matrix (inputs, outputs) row by row, then the bias. Little-endian float32.
    nets: list[bytes]


class Layer(NamedTuple):
    """One layer of a net: weights of shape (inputs, outputs), and the bias of shape (outputs,)."""

    weights: Array
    added: Array


def inputs(model: NetModel, values: Array) -> Array:
    """Return the inputs of the nets: the standardized features, then a one-hot encoding of the kind.

    `values` has shape (candidates, features).
    """
    scaled = (values - np.array(model.mean, np.float32)) / np.array(model.deviation, np.float32)
    kind = model.features.index(KIND)
    scaled[:, kind] = 0
    kinds = np.zeros((len(values), model.kinds), np.float32)
    kinds[np.arange(len(values)), np.minimum(values[:, kind].astype(np.intp), model.kinds - 1)] = 1
    return np.concatenate([np.clip(scaled, -_MAX_DEVIATIONS, _MAX_DEVIATIONS), kinds], axis=1)


class Nets:
    """An ensemble of nets, whose scores are averaged."""

    def __init__(self, model: NetModel, features: Sequence[str]) -> None:
        """`features` are the names of the columns of the argument of `scores`, and include all features of the model."""
        self._model = model
        self._places = [features.index(name) for name in model.features]
        self._nets = [list(_layers(model.widths, packed)) for packed in model.nets]

    def _inputs(self, values: Array) -> Array:
        return inputs(self._model, values[:, self._places])

    def scores(self, values: Array) -> Array:
        """Return the score of each candidate; `values` has shape (candidates, features)."""
        given = self._inputs(values)
        return np.asarray(sum(_forward(net, given)[-1][:, 0] for net in self._nets) / len(self._nets), np.float32)

    def contributions(self, values: Array) -> Array:
        """Return the contribution of each feature to the score of each candidate, of shape (candidates, features).

        Contributions are integrated gradients on the path from zero inputs to the actual inputs (Sundararajan et al.: "Axiomatic
        Attribution for Deep Networks", 2017).
        """
        given = self._inputs(values)
        slopes = np.zeros_like(given)
        for net in self._nets:
            for point in range(_POINTS):
                slopes += _slopes(net, given * np.float32((point + 0.5) / _POINTS))
        added = given * slopes / np.float32(_POINTS * len(self._nets))
        own = added[:, : len(self._places)]
        own[:, self._model.features.index(KIND)] = added[:, len(self._places) :].sum(axis=1)
        found = np.zeros_like(values)
        found[:, self._places] = own
        return found

    @property
    def without_evidence(self) -> float:
        """Score of a candidate whose inputs are all zero."""
        nothing = np.zeros((1, self._model.widths[0]), np.float32)
        return float(np.mean([_forward(net, nothing)[-1][0, 0] for net in self._nets]))


def _layers(widths: Sequence[int], packed: bytes) -> Iterator[Layer]:
    numbers, start = np.frombuffer(packed, "<f4").astype(np.float32), 0
    for before, after in pairwise(widths):
        end = start + before * after
        yield Layer(numbers[start:end].reshape(before, after), numbers[end : end + after])
        start = end + after


def packed(net: Sequence[Layer]) -> bytes:
    """Return a net in the format of the file."""
    return b"".join(part.astype("<f4").tobytes() for layer in net for part in layer)


def _forward(net: Sequence[Layer], given: Array) -> list[Array]:
    """Return the inputs and the activations of each layer (ReLU, except for the last layer)."""
    activations = [given]
    for number, layer in enumerate(net):
        sums = product(activations[-1], layer.weights) + layer.added
        activations.append(sums if number == len(net) - 1 else np.maximum(sums, 0))
    return activations


def _slopes(net: Sequence[Layer], given: Array) -> Array:
    """Return the gradient of the score with respect to each input."""
    activations = _forward(net, given)
    slopes = np.ones((len(given), 1), np.float32)
    for layer, before in zip(reversed(net), reversed(activations[:-1]), strict=True):
        slopes = product(slopes, np.ascontiguousarray(layer.weights.T))
        if before is not given:
            slopes = slopes * (before > 0)
    return slopes
