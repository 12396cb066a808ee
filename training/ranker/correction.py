"""Learns what corrects a ranker: from repositories that it has not seen, and by features that it does not know.

A ranker errs less on the repositories that it has learnt from than on others. Trees that add to it on others take back what it
believes too firmly, and a net of its own chance beside it errs in other places. Both tell what features are worth that are newer
than the ranker, without all of it being learnt anew.
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

#: Trees that are added, what is different about them, and how much they count; nets that are added, and how much they count.
_TREES, _SHARE_OF_TREES = 100, 0.35
_RECIPE: dict[str, Any] = {**RECIPE, "num_leaves": 8}
_NETS, _SHARE_OF_NETS = 3, 0.5


def corrected(model: Model, examples: Sequence[Example], names: Sequence[str]) -> Model:
    """A model over the features of these names, and what corrects it; the gate is still to be learnt."""
    known = over_features(model, names)
    score = LearnedRanker(known).scores
    useful = [example for example in examples if example.relevance.max() > 0]
    scores = {id(example): score(example.features) for example in useful}
    trees = boosted(useful, scores, names, _TREES, _RECIPE, correct=True)
    nets = learn_nets(samples(useful, scores), names, _SHARE_OF_NETS, _NETS)
    return joined(known, as_model([trees], names, [nets], _SHARE_OF_TREES))


def over_features(model: Model, names: Sequence[str]) -> Model:
    """The same model over other features, all of its own among them. Raises ValueError where one of its own is missing."""
    places = [names.index(name) for name in model.features]
    return msgspec.structs.replace(model, features=list(names), feature=[places[feature] for feature in model.feature])


def joined(model: Model, added: Model) -> Model:
    """The sum of two models over the same features, with the gate of the first."""
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
