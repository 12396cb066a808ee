"""Boosted regression trees as arrays: small enough to read, and fast: some hundred candidates take about a millisecond."""

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
    """A sum of trees.

    A row's leaf in a tree is the first that no test excludes: a test that a row does not pass excludes the leaves on its left
    (Lucchese et al.: "QuickScorer", SIGIR 2015). So all tests of all trees are made at once, without walking.
    """

    def __init__(self, model: Model) -> None:
        self.features = tuple(model.features)
        self._model = model
        trees = [_tests(model, root) for root in model.roots]
        most_tests = max(len(tests) for tests, _ in trees)
        self._leaves = max(len(leaves) for _, leaves in trees)
        masks = np.uint16 if self._leaves <= 16 else np.uint64
        # Of shape (tests, trees), flattened; a tree with fewer tests has some that every row passes.
        shape = (most_tests, len(trees))
        feature, threshold = np.zeros(shape, np.intp), np.full(shape, np.inf, np.float32)
        mask = ~np.zeros(shape, masks)
        self._value = np.zeros((len(trees), self._leaves), np.float32)
        for tree, (tests, leaves) in enumerate(trees):
            self._value[tree, : len(leaves)] = leaves
            for place, (number, limit, excluded) in enumerate(tests):
                feature[place, tree], threshold[place, tree] = number, limit
                mask[place, tree] &= ~masks(excluded)
        self._shape = shape
        self._feature, self._threshold, self._mask = feature.ravel(), threshold.reshape(-1, 1), mask.reshape(-1, 1)
        self._starts = np.arange(len(trees)).reshape(-1, 1) * self._leaves

    def scores(self, features: Features) -> NDArray[np.float32]:
        """The sum of the leaves that each row reaches; features of shape (rows, features)."""
        values = np.ascontiguousarray(features.T).take(self._feature, axis=0)
        left = np.where(values > self._threshold, self._mask, ~self._mask.dtype.type(0))
        left = np.bitwise_and.reduce(left.reshape(*self._shape, -1), axis=0)
        lowest = left & (~left + self._mask.dtype.type(1))
        leaves = np.log2(lowest, dtype=np.float64).astype(np.intp)
        return np.asarray(self._value.take(self._starts + leaves).sum(axis=0), np.float32)

    def contributions(self, features: Features) -> dict[str, float]:
        """What each feature of one row adds to its score: by how much the expected value changes where it is asked for."""
        model, added = self._model, dict.fromkeys(self.features, 0.0)
        for node in model.roots:
            while model.left[node] != node:
                asked = model.feature[node]
                above = features[asked] > np.float32(model.threshold[node])
                onward = model.right[node] if above else model.left[node]
                added[self.features[asked]] += model.value[onward] - model.value[node]
                node = onward
        return added


def _tests(model: Model, root: int) -> tuple[list[tuple[int, float, int]], list[float]]:
    """The tests of a tree, each with feature, threshold and the set of leaves on its left; and the leaves, from the left."""
    tests: list[tuple[int, float, int]] = []
    leaves: list[float] = []

    def walk(node: int) -> None:
        if model.left[node] == node:
            leaves.append(model.value[node])
            return
        first = len(leaves)
        walk(model.left[node])
        tests.append((model.feature[node], model.threshold[node], (1 << len(leaves)) - (1 << first)))
        walk(model.right[node])

    walk(root)
    return tests, leaves


def read_model(path: Path) -> Model:
    """The model of a file that is part of the package."""
    return msgspec.json.decode(path.read_bytes(), type=Model)
