"""Boosted regression trees as arrays: small enough to read, and fast: some hundred candidates take about a millisecond."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from .nets import NetModel

Features = NDArray[np.float32]

#: Leaves are the bits of a number of 16; the number of the leaf that stands alone in such a one.
_MAX_LEAVES, _ALL = 16, 0xFFFF
_NUMBERS = np.zeros(1 << _MAX_LEAVES, np.uint8)
_NUMBERS[1 << np.arange(_MAX_LEAVES)] = np.arange(_MAX_LEAVES)


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
    #: Nets over the same features, or over some of them, whose scores are added to the sum of the trees.
    nets: list[NetModel] = []


class Trees:
    """A sum of trees.

    A row's leaf in a tree is the first that no test excludes: a test that a row does not pass excludes the leaves on its left
    (Lucchese et al.: "QuickScorer", SIGIR 2015). So all tests of all trees are made at once, without walking; one that stands
    in several trees is made once.
    """

    def __init__(self, model: Model) -> None:
        self.features = tuple(model.features)
        self._model = model
        trees = [_tests(model, root) for root in model.roots]
        most_tests = max(1, *(len(tests) for tests, _ in trees))
        leaves = max(len(leaves) for _, leaves in trees)
        if leaves > _MAX_LEAVES:
            raise ValueError(f"a tree has {leaves} leaves")
        # A tree with fewer tests has some that every row passes.
        numbers: dict[tuple[int, float], int] = {(0, np.inf): 0}
        places = np.zeros((most_tests, len(trees)), np.intp)
        kept = np.full((most_tests, len(trees), 1), _ALL, np.uint16)
        self._value = np.zeros((len(trees), leaves), np.float32)
        for tree, (tests, values) in enumerate(trees):
            self._value[tree, : len(values)] = values
            for place, (number, limit, excluded) in enumerate(tests):
                places[place, tree] = numbers.setdefault((number, limit), len(numbers))
                kept[place, tree] = _ALL & ~excluded
        # For each place the numbers of the tests that stand there, one a tree, and the leaves that failing it leaves.
        self._tests = list(zip(places, kept, strict=True))
        self._feature = np.array([feature for feature, _ in numbers], np.intp)
        self._threshold = np.array([[limit] for _, limit in numbers], np.float32)
        self._starts = np.arange(len(trees)).reshape(-1, 1) * leaves

    def scores(self, features: Features) -> NDArray[np.float32]:
        """The sum of the leaves that each row reaches; features of shape (rows, features)."""
        failed = np.ascontiguousarray(features.T).take(self._feature, axis=0) > self._threshold
        # All leaves for a test that is passed, none for one that is not: with those that failing it leaves, what it leaves.
        passed = failed.astype(np.uint16) - np.uint16(1)
        left = np.full((len(self._value), len(features)), _ALL, np.uint16)
        part = np.empty_like(left)
        for places, kept in self._tests:
            passed.take(places, axis=0, out=part, mode="clip")
            part |= kept
            left &= part
        left &= ~left + np.uint16(1)
        return np.asarray(self._value.take(self._starts + _NUMBERS[left]).sum(axis=0), np.float32)

    def contributions(self, features: Features) -> dict[str, float]:
        """What each feature of one row adds to its score: by how much the expected value changes where it is asked for."""
        model, added = self._model, dict.fromkeys(self.features, 0.0)
        for node in model.roots:
            while model.left[node] != node:
                split_features = model.feature[node]
                above = features[split_features] > np.float32(model.threshold[node])
                onward = model.right[node] if above else model.left[node]
                added[self.features[split_features]] += model.value[onward] - model.value[node]
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
