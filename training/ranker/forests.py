"""Train the forests and the nets of the ranker."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from astrolabe.retrieval.ranking.ranker.features import Column
from astrolabe.retrieval.ranking.ranker.nets import NetModel
from astrolabe.retrieval.ranking.ranker.trees import Model

from .examples import WEIGHTS, Example, training_candidates
from .nets import Sample, learn_nets

#: Number of trees in a forest, number of nets, and weight of the mean of the nets relative to the mean of the forests.
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
#: Number and learning rate of the trees that choose the best candidates, and number of parts of the repositories. The trees for a
#: part are trained on the other parts, because trees that were trained on a repository know its answers.
_FIRST_TREES, _FIRST_RATE, _PARTS = 120, 0.1, 2
#: Decimal digits of thresholds and values: enough to keep the order of results, and few enough for a small file.
DIGITS = 5


def learn(examples: Sequence[Example], names: Sequence[str], forests: Sequence[Collection[str]]) -> Model:
    """Return a model with one forest for each collection of folder names, and nets. The gate must be trained afterwards."""
    useful = [example for example in examples if example.relevance.max() > 0]
    unseen = _unseen_scores(useful, names)
    boosters = [
        boosted([one for one in useful if one.folder in folders], unseen, names, _TREES, {**RECIPE, "seed": seed})
        for seed, folders in enumerate(forests)
    ]
    nets = learn_nets(samples(useful, unseen), names, _SHARE_OF_NETS, _NETS)
    return as_model(boosters, names, [nets], 1.0)


def samples(examples: Sequence[Example], scores: Mapping[int, Column]) -> list[Sample]:
    """Return the training samples of nets; `scores` has earlier scores of the candidates by the `id` of the example."""
    gains = np.array(RECIPE["label_gain"], np.float32)
    chance = np.random.default_rng(0)
    return [
        Sample(one.features, training_candidates(one, scores[id(one)], chance), gains[one.relevance], WEIGHTS[one.kind])
        for one in examples
    ]


def _unseen_scores(examples: Sequence[Example], names: Sequence[str]) -> dict[int, Column]:
    """Return scores by trees that were not trained on the example's repository, by the `id` of the example."""
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
    """Train trees on the candidates that earlier scores select; `scores` has these scores by the `id` of the example.

    With `correct`, the trees are trained to be added to the earlier scores.
    """
    import lightgbm

    chance = np.random.default_rng(recipe["seed"])
    kept = [training_candidates(example, scores[id(example)], chance) for example in examples]
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
    """Return the model that adds `share` times the mean of the boosters to the nets."""
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
