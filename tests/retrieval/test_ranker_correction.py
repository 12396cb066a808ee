"""What corrects a ranker that is there already."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest
from astrolabe.retrieval.ranking.ranker.learned import LearnedRanker
from astrolabe.retrieval.ranking.ranker.nets import Layer, NetModel, packed
from astrolabe.retrieval.ranking.ranker.trees import Features, Model

from training.ranker.correction import joined, over_features
from training.ranker.examples import Example, foreign_to, training_candidates
from training.ranker.forests import as_model

CHANCE = np.random.default_rng(11)
NET = Layer(CHANCE.standard_normal((5, 1)).astype(np.float32), np.ones(1, np.float32))
#: One tree: x above .5 gives 2, else y above 1.5 gives 1, else -1; and a net of two features and three kinds.
BEFORE = Model(
    ["x", "y", "kind"],
    [0],
    [0, 1, 0, 0, 0],
    [0.5, 1.5, 0, 0, 0],
    [1, 2, 2, 3, 4],
    [4, 3, 2, 3, 4],
    [0.3, 0.1, -1.0, 1.0, 2.0],
    ["blend"],
    [1.0, 2.0, 3.0],
    [NetModel(["kind", "x"], [0.0, 0.5], [1.0, 0.5], 3, [5, 1], [packed([NET])])],
)
WIDER = ("new", "kind", "y", "newer", "x")


def table(count: int) -> dict[str, Features]:
    values = CHANCE.random((5, count)).astype(np.float32) * 3
    return {**dict(zip(WIDER, values, strict=True)), "kind": np.floor(values[1])}


def rows(columns: dict[str, Features], names: Any) -> Features:
    return np.stack([columns[name] for name in names], axis=1)


def test_a_model_over_more_features_says_the_same() -> None:
    columns = table(50)
    wider = over_features(BEFORE, WIDER)
    before, after = LearnedRanker(BEFORE), LearnedRanker(wider)
    given, same = rows(columns, BEFORE.features), rows(columns, WIDER)
    np.testing.assert_array_equal(after.scores(same), before.scores(given))
    for old, new in zip(before.contributions(given), after.contributions(same), strict=True):
        assert new == pytest.approx({**old, "new": 0.0, "newer": 0.0})
    assert after.without_evidence == before.without_evidence


def test_features_that_are_gone_are_told() -> None:
    with pytest.raises(ValueError, match="x"):
        over_features(BEFORE, ("new", "kind", "y"))


def test_joined_models_add_up() -> None:
    wider = over_features(BEFORE, WIDER)
    tree = {
        "split_feature": 0,
        "threshold": 1.0,
        "internal_value": 0.5,
        "left_child": {"leaf_value": -2.0},
        "right_child": {"leaf_value": 4.0},
    }
    added = as_model([Booster(tree, tree), Booster(tree, {"leaf_value": 1.0})], WIDER, wider.nets, 0.5)
    columns = table(50)
    given = rows(columns, WIDER)
    leaves = np.where(columns["new"] > 1, 4.0, -2.0)
    assert LearnedRanker(msgspec.structs.replace(added, nets=[])).scores(given) == pytest.approx(0.5 * (3 * leaves + 1) / 2)
    both = joined(wider, added)
    expected = LearnedRanker(wider).scores(given) + LearnedRanker(added).scores(given)
    assert LearnedRanker(both).scores(given) == pytest.approx(expected, abs=1e-5)
    assert (both.gate, both.evidence) == (BEFORE.gate, BEFORE.evidence)


class Booster:
    """What a library of boosted trees gives of what it learnt."""

    def __init__(self, *trees: dict[str, Any]) -> None:
        self._trees = trees

    def dump_model(self) -> dict[str, Any]:
        return {"tree_info": [{"tree_structure": tree} for tree in self._trees]}


def test_telling_are_the_wanted_the_best_and_some_of_the_others() -> None:
    relevance = np.zeros(200, np.int8)
    relevance[[150, 199]] = 3, 1
    scores = -np.arange(200, dtype=np.float32)
    example = Example("dc-one", "doc", np.zeros((200, 1), np.float32), relevance, {})
    telling = training_candidates(example, scores, np.random.default_rng(0))
    assert telling[:45].all()
    assert telling[150]
    assert 45 + 12 <= telling.sum() <= 45 + 12 + 1


def test_a_question_about_another_folder_of_the_same_repository_is_not_foreign() -> None:
    asked_of = {"shop": ["how are orders paid"], "mill": ["where does water enter", "what stops the wheel"]}
    assert sorted(foreign_to("shop", asked_of, 1)) == ["what stops the wheel", "where does water enter"]
    assert foreign_to("shop", {"shop": ["how are orders paid"]}, 1) == []
