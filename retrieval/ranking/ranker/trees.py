"""Evaluate boosted regression trees with arrays. Some hundred candidates take about a millisecond."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from .nets import NetModel

Features = NDArray[np.float32]

#: Maximum number of leaves of a tree. A set of leaves is a 16-bit mask.
_MAX_LEAVES = 16
#: Mask of all leaves.
_ALL = 0xFFFF
#: Number of the leaf for each mask that contains a single leaf.
_NUMBERS = np.zeros(1 << _MAX_LEAVES, np.uint8)
_NUMBERS[1 << np.arange(_MAX_LEAVES)] = np.arange(_MAX_LEAVES)


class Model(msgspec.Struct, frozen=True):
    """The model file. The nodes of all trees are numbered together; a leaf is its own left and right child."""

    #: Names of the features. A feature is identified by its index in this list.
    features: list[str]
    #: For each tree: index of its root among the nodes.
    roots: list[int]
    #: For each node: index of the feature that it tests.
    feature: list[int]
    #: For each node: highest value of the feature for the left child.
    threshold: list[float]
    #: For each node: index of its left child.
    left: list[int]
    #: For each node: index of its right child.
    right: list[int]
    #: For each node: its expected value; for a leaf, the result.
    value: list[float]
    #: Names of the evidence for a query that is the input of the gate.
    evidence: list[str]
    #: Weights of the evidence, then the weight of the score, then the constant.
    gate: list[float]
    #: Nets over all or some of these features, whose scores are added to the sum of the trees.
    nets: list[NetModel] = []


class Trees:
    """A sum of trees.

    A failed test excludes the leaves on its left, and a row reaches the first leaf that is not excluded (Lucchese et al.:
    "QuickScorer", SIGIR 2015). So all tests of all trees are evaluated at once, and a test in several trees is evaluated once.
    """

    def __init__(self, model: Model) -> None:
        self.features = tuple(model.features)
        self._model = model
        trees = [_tests(model, root) for root in model.roots]
        most_tests = max(1, *(len(tests) for tests, _ in trees))
        leaves = max(len(leaves) for _, leaves in trees)
        if leaves > _MAX_LEAVES:
            raise ValueError(f"a tree has {leaves} leaves")
        # A tree with fewer tests is padded with tests that every row passes.
        numbers: dict[tuple[int, float], int] = {(0, np.inf): 0}
        places = np.zeros((most_tests, len(trees)), np.intp)
        kept = np.full((most_tests, len(trees), 1), _ALL, np.uint16)
        self._value = np.zeros((len(trees), leaves), np.float32)
        for tree, (tests, values) in enumerate(trees):
            self._value[tree, : len(values)] = values
            for place, (number, limit, excluded) in enumerate(tests):
                places[place, tree] = numbers.setdefault((number, limit), len(numbers))
                kept[place, tree] = _ALL & ~excluded
        # For each position in the lists of tests: the number of the test at this position in each tree, and the mask of the
        # leaves that remain if the test fails.
        self._tests = list(zip(places, kept, strict=True))
        self._feature = np.array([feature for feature, _ in numbers], np.intp)
        self._threshold = np.array([[limit] for _, limit in numbers], np.float32)
        self._starts = np.arange(len(trees)).reshape(-1, 1) * leaves

    def scores(self, features: Features) -> NDArray[np.float32]:
        """Return the sum of the leaves that each row reaches, of shape (rows,); `features` has shape (rows, features)."""
        failed = np.ascontiguousarray(features.T).take(self._feature, axis=0) > self._threshold
        # 0xFFFF for a passed test and 0 for a failed test. `| kept` adds the leaves that remain after a failed test.
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
        """Return the contribution of each feature to the score of one row: the changes of the expected value at nodes that test
        the feature.
        """
        model, added = self._model, dict.fromkeys(self.features, 0.0)
        for node in model.roots:
            while model.left[node] != node:
                feature = model.feature[node]
                above = features[feature] > np.float32(model.threshold[node])
                child = model.right[node] if above else model.left[node]
                added[self.features[feature]] += model.value[child] - model.value[node]
                node = child
        return added


def _tests(model: Model, root: int) -> tuple[list[tuple[int, float, int]], list[float]]:
    """Return the tests of a tree (feature, threshold, mask of the leaves on the left), and its leaves from the left."""
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
    """Read the model from a file of the package."""
    return msgspec.json.decode(path.read_bytes(), type=Model)
