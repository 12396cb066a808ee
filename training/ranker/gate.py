"""Train the gate, which decides whether a result is more likely relevant than not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from astrolabe.retrieval.ranking.ranker.trees import Features
from astrolabe.retrieval.ranking.ranking import question_evidence
from numpy.typing import NDArray

from .examples import Example
from .questions import OF_FILE

#: Weights of the groups of training results: wanted code, the best result for a question about another repository, and results
#: that are not relevant at the ranks `_FAR_BELOW`.
_GATE_WEIGHTS = {"wanted": 1.0, "strange": 0.7, "below": 0.25}
_FAR_BELOW = (10, 25)


def learn_gate(
    own: Iterable[Example], foreign: Iterable[Example], score: Callable[[Features], NDArray[Any]]
) -> NDArray[np.float64]:
    """Return the weights of the evidence, the weight of the score, and the constant, by logistic regression.

    Each kind of question has the same total weight, because plain questions about files are few, and resemble foreign ones.
    """
    kinds: list[str] = []
    groups: dict[str, list[list[float]]] = {"wanted": [], "strange": [], "below": []}
    for example in own:
        if example.kind == "name":
            continue
        sums = score(example.features)
        order = np.argsort(-sums)
        wanted = [place for place in order[:10] if example.relevance[place] >= OF_FILE]
        groups["wanted"] += [gate_inputs(example, sums, place) for place in wanted[:1]]
        kinds += [example.kind for _ in wanted[:1]]
        far = [order[rank] for rank in _FAR_BELOW if rank < len(order)]
        groups["below"] += [gate_inputs(example, sums, place) for place in far if not example.relevance[place]]
    for example in foreign:
        sums = score(example.features)
        groups["strange"].append(gate_inputs(example, sums, int(np.argmax(sums))))
    weights = [np.full(len(groups[group]), weight / max(len(groups[group]), 1)) for group, weight in _GATE_WEIGHTS.items()]
    counts = Counter(kinds)
    weights[0] = np.array([_GATE_WEIGHTS["wanted"] / counts[kind] / len(counts) for kind in kinds])
    relevant = np.concatenate([np.full(len(groups[group]), float(group == "wanted")) for group in _GATE_WEIGHTS])
    return _logistic(np.array([row for group in _GATE_WEIGHTS for row in groups[group]]), relevant, np.concatenate(weights))


def gate_inputs(example: Example, sums: NDArray[Any], place: int) -> list[float]:
    """Return the inputs of the gate for one candidate."""
    return [*question_evidence(example.columns, sums).values(), float(sums[place]), 1.0]


def _logistic(inputs: NDArray[np.float64], relevant: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the coefficients of a logistic regression with light regularization, by Newton's method."""
    coefficients = np.zeros(inputs.shape[1])
    ridge = 1e-4 * np.eye(inputs.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-np.clip(inputs @ coefficients, -30, 30)))
        slope = inputs.T @ (weights * (relevant - likely)) - ridge @ coefficients
        curve = (inputs * (weights * likely * (1 - likely))[:, None]).T @ inputs + ridge
        coefficients += np.linalg.solve(curve, slope)
    return coefficients
