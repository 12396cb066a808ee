"""Train the nets of the ranker: the softmax over the candidates of a question should be highest for the wanted ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from astrolabe.retrieval.embedding.single_threaded_matmul import Array
from astrolabe.retrieval.ranking.ranker.nets import Layer, NetModel, inputs, packed
from numpy.typing import NDArray

#: Widths of the layers between the inputs and the score.
_HIDDEN = (96, 32)
_KINDS = 20
#: Epochs, questions in a batch, the highest learning rate, and the steps in which the rate rises before it decreases to zero.
_ROUNDS, _QUESTIONS, _RATE, _RISING = 15, 48, 2e-3, 100
#: Decay of the running means of gradients and of squared gradients in a step (Adam), and weight decay relative to the rate.
_SLOPE_KEPT, _SQUARE_KEPT, _DECAY = 0.9, 0.999, 1e-3
#: Dropout rates: of the inputs, the same for all candidates of a question, and of the activations, for each candidate.
_INPUTS_OUT, _GIVEN_OUT = 0.1, 0.2


class Lesson(NamedTuple):
    """Training candidates of a question: inputs of shape (candidates, inputs), target shares that sum to 1, and a weight."""

    told: Array
    shares: Array
    weight: float


class Sample(NamedTuple):
    """A question: features of all candidates, a mask of training candidates, gains by relevance, and the question's weight."""

    features: Array
    kept: NDArray[np.bool_]
    gains: Array
    weight: float


def learn_nets(samples: Sequence[Sample], features: Sequence[str], share: float, count: int) -> NetModel:
    """Train `count` nets that differ only in their seeds. The mean of their scores is multiplied by `share`."""
    values = np.concatenate([sample.features for sample in samples])
    deviation = values.std(axis=0, dtype=np.float64) + 1e-6
    model = NetModel(
        list(features),
        [float(np.float32(mean)) for mean in values.mean(axis=0, dtype=np.float64)],
        [float(np.float32(one)) for one in deviation],
        _KINDS,
        [len(features) + _KINDS, *_HIDDEN, 1],
        [],
    )
    lessons = []
    for sample in samples:
        gains = sample.gains[sample.kept]
        if gains.sum() > 0:
            told = inputs(model, sample.features)[sample.kept]
            lessons.append(Lesson(told, gains / gains.sum(), sample.weight))
    for seed in range(count):
        *layers, last = _learn(lessons, model.widths, seed)
        model.nets.append(packed([*layers, Layer(*(part * np.float32(share) for part in last))]))
    return model


def _learn(lessons: Sequence[Lesson], widths: Sequence[int], seed: int) -> list[Layer]:
    """Train one net with AdamW (Loshchilov, Hutter: "Decoupled Weight Decay Regularization", 2019)."""
    chance = np.random.default_rng(seed)
    weights: list[Array] = []
    for before, behind in pairwise(widths):
        weights.append((chance.standard_normal((before, behind)) * np.sqrt(2 / before)).astype(np.float32))
        weights.append(np.zeros(behind, np.float32))
    weights[-2] *= np.float32(0.1)
    means, squares = ([np.zeros_like(part) for part in weights] for _ in range(2))
    steps = _ROUNDS * -(-len(lessons) // _QUESTIONS)
    step = 0
    for _ in range(_ROUNDS):
        order = chance.permutation(len(lessons))
        for start in range(0, len(order), _QUESTIONS):
            slopes = _slopes([lessons[place] for place in order[start : start + _QUESTIONS]], weights, chance)
            step += 1
            rate = _RATE * min(1, step / _RISING) * (1 + np.cos(np.pi * step / steps)) / 2
            for part, slope, mean, square in zip(weights, slopes, means, squares, strict=True):
                mean += (1 - _SLOPE_KEPT) * (slope - mean)
                square += (1 - _SQUARE_KEPT) * (slope * slope - square)
                pace = mean / (1 - _SLOPE_KEPT**step) / (np.sqrt(square / (1 - _SQUARE_KEPT**step)) + 1e-8)
                part -= np.float32(rate) * (pace + np.float32(_DECAY if part.ndim == 2 else 0) * part)
    return [Layer(*weights[place : place + 2]) for place in range(0, len(weights), 2)]


def _slopes(lessons: Sequence[Lesson], weights: Sequence[Array], chance: np.random.Generator) -> list[Array]:
    """Return the gradient of the cross entropy with respect to each weight."""
    counts = [len(lesson.shares) for lesson in lessons]
    starts = np.cumsum([0, *counts[:-1]])
    total = sum(lesson.weight for lesson in lessons)
    counted = np.repeat(np.array([lesson.weight / total for lesson in lessons], np.float32), counts)
    told = np.concatenate([lesson.told for lesson in lessons])
    seen = chance.random((len(lessons), told.shape[1]), np.float32) >= _INPUTS_OUT
    given, masks = [told * np.repeat(seen, counts, axis=0)], list[Array]()
    for place in range(0, len(weights) - 2, 2):
        sums = given[-1] @ weights[place] + weights[place + 1]
        mask = ((sums > 0) & (chance.random(sums.shape, np.float32) >= _GIVEN_OUT)) / np.float32(1 - _GIVEN_OUT)
        masks.append(mask.astype(np.float32))
        given.append(sums * masks[-1])
    scores = (given[-1] @ weights[-2] + weights[-1])[:, 0]
    raised = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), counts))
    shares = raised / np.repeat(np.add.reduceat(raised, starts), counts)
    slope = ((shares - np.concatenate([lesson.shares for lesson in lessons])) * counted).astype(np.float32)[:, None]
    found: list[Array] = []
    for layer in range(len(given) - 1, -1, -1):
        found += [slope.sum(axis=0), given[layer].T @ slope]
        if layer:
            slope = (slope @ weights[2 * layer].T) * masks[layer - 1]
    return found[::-1]
