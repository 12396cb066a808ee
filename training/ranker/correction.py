"""Train a correction of an existing ranker, on repositories that the ranker was not trained on.

A ranker makes fewer errors on its training repositories than on others. Additional trees that are trained on other repositories
reduce its overconfidence. Additional nets with other seeds make other errors. Both can use features that are newer than the
ranker, without a new training of the whole ranker.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from astrolabe.retrieval.ranking.ranker.learned import LearnedRanker
from astrolabe.retrieval.ranking.ranker.trees import Model

from .examples import Example
from .forests import RECIPE, as_model, boosted, samples
from .nets import learn_nets

#: Number and weight of the added trees; below, their recipe, and number and weight of the added nets.
_TREES, _SHARE_OF_TREES = 100, 0.35
_RECIPE: dict[str, Any] = {**RECIPE, "num_leaves": 8}
_NETS, _SHARE_OF_NETS = 3, 0.5


def corrected(model: Model, examples: Sequence[Example], names: Sequence[str]) -> Model:
    """Return the model with added trees and nets, over the features with these names. The gate must be trained afterwards."""
    known = over_features(model, names)
    score = LearnedRanker(known).scores
    useful = [example for example in examples if example.relevance.max() > 0]
    scores = {id(example): score(example.features) for example in useful}
    trees = boosted(useful, scores, names, _TREES, _RECIPE, correct=True)
    nets = learn_nets(samples(useful, scores), names, _SHARE_OF_NETS, _NETS)
    return joined(known, as_model([trees], names, [nets], _SHARE_OF_TREES))


def over_features(model: Model, names: Sequence[str]) -> Model:
    """Return the same model over a longer list of features. Raises ValueError if the list lacks a feature of the model."""
    places = [names.index(name) for name in model.features]
    return msgspec.structs.replace(model, features=list(names), feature=[places[feature] for feature in model.feature])


def joined(model: Model, added: Model) -> Model:
    """Return the sum of two models over the same features, with the gate of the first model."""
    start = len(model.feature)
    return msgspec.structs.replace(
        model,
        roots=[*model.roots, *(root + start for root in added.roots)],
        feature=[*model.feature, *added.feature],
        threshold=[*model.threshold, *added.threshold],
        left=[*model.left, *(place + start for place in added.left)],
        right=[*model.right, *(place + start for place in added.right)],
        value=[*model.value, *added.value],
        nets=[*model.nets, *added.nets],
    )
