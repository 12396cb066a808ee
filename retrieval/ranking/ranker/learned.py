"""The learned ranker: the sum of its trees and its nets."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .nets import Nets
from .trees import Features, Model, Trees


class LearnedRanker:
    """Scores candidates by their features."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.features = tuple(model.features)

    @cached_property
    def _trees(self) -> Trees:
        return Trees(self._model)

    @cached_property
    def _nets(self) -> list[Nets]:
        return [Nets(nets, self.features) for nets in self._model.nets]

    def scores(self, features: Features) -> NDArray[np.float32]:
        """Return the sum of each candidate, of shape (candidates,); `features` has shape (candidates, features)."""
        sums = self._trees.scores(features)
        for nets in self._nets:
            sums = sums + nets.scores(features)
        return sums

    def contributions(self, features: Features) -> list[dict[str, float]]:
        """Return the contribution of each feature to the sum of each candidate."""
        found = [self._trees.contributions(row) for row in features]
        for nets in self._nets:
            for adds, by_nets in zip(found, nets.contributions(features).tolist(), strict=True):
                for name, added in zip(self.features, by_nets, strict=True):
                    adds[name] += added
        return found

    @property
    def without_evidence(self) -> float:
        """Sum of a candidate without any contributions."""
        return sum(self._model.value[root] for root in self._model.roots) + sum(nets.without_evidence for nets in self._nets)
