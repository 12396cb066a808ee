"""Boosted regression trees as arrays: small enough to read, fast enough to score some hundred candidates in a millisecond."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

Features = NDArray[np.float32]


class Model(msgspec.Struct, frozen=True):
    """What the file holds. Nodes of all trees stand one after the other; a leaf is its own left and right."""

    #: Names of the features, by number.
    features: list[str]
    #: Number of the first node of each tree.
    roots: list[int]
    #: For each node: the feature it asks for, its threshold, where to go for at most that and for more, and a leaf's value.
    feature: list[int]
    threshold: list[float]
    left: list[int]
    right: list[int]
    value: list[float]
    #: Names of what the gate reads of a whole query, and their weights; last that of the score, and the constant.
    evidence: list[str]
    gate: list[float]


class Trees:
    """A sum of trees."""

    def __init__(self, model: Model) -> None:
        self.features = tuple(model.features)
        self._roots = np.array(model.roots, np.int32)
        self._feature, self._left, self._right = (np.array(part, np.int32) for part in (model.feature, model.left, model.right))
        self._threshold, self._value = np.array(model.threshold, np.float32), np.array(model.value, np.float32)
        self._depth = _depth(model)

    def scores(self, features: Features) -> NDArray[np.float32]:
        """The sum of the leaves that each row reaches; features of shape (rows, features)."""
        rows = np.arange(len(features))[:, None] * features.shape[1]
        flat = np.ascontiguousarray(features).ravel()
        nodes = np.broadcast_to(self._roots, (len(features), len(self._roots)))
        for _ in range(self._depth):
            above = flat.take(rows + self._feature.take(nodes)) > self._threshold.take(nodes)
            nodes = np.where(above, self._right.take(nodes), self._left.take(nodes))
        return np.asarray(self._value.take(nodes).sum(axis=1), np.float32)

    def contributions(self, features: Features) -> dict[str, float]:
        """What each feature of one row adds to its score: by how much the expected value changes where it is asked for."""
        added = dict.fromkeys(self.features, 0.0)
        for root in self._roots.tolist():
            node = root
            while self._left[node] != node:
                name = int(self._feature[node])
                onward = self._right[node] if features[name] > self._threshold[node] else self._left[node]
                added[self.features[name]] += float(self._value[onward] - self._value[node])
                node = int(onward)
        return added


def read_model(path: Path) -> Model:
    """The model of a file that is part of the package."""
    return msgspec.json.decode(path.read_bytes(), type=Model)


def _depth(model: Model) -> int:
    """Steps from a root to the deepest leaf."""
    depth, level = 0, list(model.roots)
    while level := [child for node in level if model.left[node] != node for child in (model.left[node], model.right[node])]:
        depth += 1
    return depth
