"""Learns the ranker: its forests, and nets beside them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from astrolabe.retrieval.ranking.ranker.features import Column
from astrolabe.retrieval.ranking.ranker.nets import NetModel
from astrolabe.retrieval.ranking.ranker.trees import Model

from .examples import WEIGHTS, Example, telling_candidates
from .nets import Sample, learn_nets

#: Trees of one forest; the mean of the forests is taken. Nets beside them, and by how much their mean counts.
_TREES, _NETS, _SHARE_OF_NETS = 350, 3, 0.6
RECIPE: dict[str, Any] = {
    "objective": "lambdarank",
    "num_leaves": 12,
    "learning_rate": 0.05,
    "min_data_in_leaf": 60,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.5,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "lambdarank_truncation_level": 15,
    "label_gain": [0, 1, 3, 7],
    "max_bin": 63,
    "num_threads": 1,
    "deterministic": True,
    "seed": 0,
    "verbose": -1,
}
#: Which candidates are the best, trees say that have not seen the repository, for those that have seen it know the answers: so
#: many trees, learnt at this rate, from all but each of so many parts.
_FIRST_TREES, _FIRST_RATE, _PARTS = 120, 0.1, 2
#: Thresholds and values are rounded to so many digits: the file stays small, and the order does not change.
DIGITS = 5


def learn(examples: Sequence[Example], names: Sequence[str], forests: Sequence[Collection[str]]) -> Model:
    """Forests, each from the folders of these names, and nets, which order candidates; the gate is still to be learnt."""
    useful = [example for example in examples if example.relevance.max() > 0]
    unseen = _unseen_scores(useful, names)
    boosters = [
        boosted([one for one in useful if one.folder in folders], unseen, names, _TREES, {**RECIPE, "seed": seed})
        for seed, folders in enumerate(forests)
    ]
    nets = learn_nets(samples(useful, unseen), names, _SHARE_OF_NETS, _NETS)
    return as_model(boosters, names, [nets], 1.0)


def samples(examples: Sequence[Example], scores: Mapping[int, Column]) -> list[Sample]:
    """What nets learn from, given an earlier score of the candidates of each question, by its id."""
    gains = np.array(RECIPE["label_gain"], np.float32)
    chance = np.random.default_rng(0)
    return [
        Sample(one.features, telling_candidates(one, scores[id(one)], chance), gains[one.relevance], WEIGHTS[one.kind])
        for one in examples
    ]


def _unseen_scores(examples: Sequence[Example], names: Sequence[str]) -> dict[int, Column]:
    """Scores of the candidates by trees that have not seen the repository, by the id of the question."""
    repositories = sorted({example.repository for example in examples})
    parts = {repository: number % _PARTS for number, repository in enumerate(repositories)}
    first = {id(example): example.features[:, names.index("blend")] for example in examples}
    unseen: dict[int, Column] = {}
    for part in range(_PARTS):
        others = [example for example in examples if parts[example.repository] != part]
        booster = boosted(others, first, names, _FIRST_TREES, {**RECIPE, "learning_rate": _FIRST_RATE})
        unseen |= {id(example): booster.predict(example.features) for example in examples if parts[example.repository] == part}
    return unseen


def boosted(
    examples: Sequence[Example],
    scores: Mapping[int, Column],
    names: Sequence[str],
    trees: int,
    recipe: Mapping[str, Any],
    *,
    correct: bool = False,
) -> Any:
    """Trees learnt from the telling candidates of some questions, given an earlier score of each, by the id of its question:
    these say which candidates are telling; `correct`, and the trees add to them."""
    import lightgbm

    chance = np.random.default_rng(recipe["seed"])
    kept = [telling_candidates(example, scores[id(example)], chance) for example in examples]
    counts = [int(own.sum()) for own in kept]
    pairs = list(zip(examples, kept, strict=True))
    data = lightgbm.Dataset(
        np.concatenate([example.features[own] for example, own in pairs]),
        np.concatenate([example.relevance[own] for example, own in pairs]),
        group=counts,
        weight=np.repeat([WEIGHTS[example.kind] for example in examples], counts),
        init_score=np.concatenate([scores[id(example)][own] for example, own in pairs]) if correct else None,
        feature_name=list(names),
    )
    return lightgbm.train(dict(recipe), data, trees)


def as_model(boosters: Sequence[Any], names: Sequence[str], nets: list[NetModel], share: float) -> Model:
    """What was learnt, as plain numbers: the mean of the boosters, which counts so much, beside the nets."""
    scale = share / len(boosters)
    nodes: list[tuple[int, float, int, int, float]] = []

    def add(node: dict[str, Any]) -> int:
        place = len(nodes)
        if "leaf_value" in node:
            nodes.append((0, 0.0, place, place, round(node["leaf_value"] * scale, DIGITS)))
            return place
        nodes.append((0, 0.0, 0, 0, 0.0))
        left, right = add(node["left_child"]), add(node["right_child"])
        threshold = float(np.float32(node["threshold"]))
        value = round(node["internal_value"] * scale, DIGITS)
        nodes[place] = (node["split_feature"], threshold, left, right, value)
        return place

    roots = [add(tree["tree_structure"]) for booster in boosters for tree in booster.dump_model()["tree_info"]]
    feature, threshold, left, right, value = map(list, zip(*nodes, strict=True))
    return Model(list(names), roots, feature, threshold, left, right, value, [], [], nets)
