"""The nets of the ranker, and how they are learnt."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from astrolabe.retrieval.ranking.ranker.learned import LearnedRanker
from astrolabe.retrieval.ranking.ranker.nets import Array, Layer, NetModel, Nets, inputs, packed
from astrolabe.retrieval.ranking.ranker.trees import Model

from training.ranker.nets import Sample, learn_nets

FEATURES = ("x", "kind")
ONE_LAYER = Layer(np.array([[2.0], [0.0], [0.5], [-0.5]], np.float32), np.array([0.25], np.float32))
#: Of two kinds; x has the mean 1 and the deviation 2.
MODEL = NetModel(list(FEATURES), [1.0, 0.0], [2.0, 1.0], 2, [4, 1], [packed([ONE_LAYER])])


def rows(*values: tuple[float, ...]) -> Array:
    return np.array(values, np.float32)


def test_inputs_are_far_from_the_mean_at_most_four_deviations_and_each_kind_is_one() -> None:
    told = inputs(MODEL, rows((1, 0), (5, 1), (99, 7)))
    assert told.tolist() == [[0, 0, 1, 0], [2, 0, 0, 1], [4, 0, 0, 1]]


def test_nets_give_the_mean_of_their_scores() -> None:
    assert Nets(MODEL, FEATURES).scores(rows((1, 0), (5, 1))).tolist() == [0.75, 3.75]
    nothing = packed([Layer(np.zeros((4, 1), np.float32), np.zeros(1, np.float32))])
    both = msgspec.structs.replace(MODEL, nets=[*MODEL.nets, nothing])
    assert Nets(both, FEATURES).scores(rows((1, 0), (5, 1))).tolist() == [0.375, 1.875]


def test_between_layers_nothing_is_less_than_zero() -> None:
    first = Layer(np.array([[1.0], [0], [0], [0]], np.float32), np.zeros(1, np.float32))
    second = Layer(np.full((1, 1), 3, np.float32), np.ones(1, np.float32))
    net = msgspec.structs.replace(MODEL, widths=[4, 1, 1], nets=[packed([first, second])])
    assert Nets(net, FEATURES).scores(rows((3, 0), (-1, 0))).tolist() == [4, 1]


def test_nets_stand_in_the_file_as_they_are() -> None:
    model = Model(list(FEATURES), [0], [0], [0.0], [0], [0], [1.0], [], [], [MODEL])
    read = msgspec.json.decode(msgspec.json.encode(model), type=Model)
    ranker = LearnedRanker(read)
    assert ranker.scores(rows((1, 0), (5, 1))).tolist() == [1.75, 4.75]
    assert ranker.contributions(rows((1, 0), (5, 1))) == [{"x": 0.0, "kind": 0.5}, {"x": 4.0, "kind": -0.5}]
    assert ranker.without_evidence == 1.25


def test_nets_read_their_own_features_among_others_and_add_up() -> None:
    model = Model(["kind", "other", "x"], [0], [0], [0.0], [0], [0], [1.0], [], [], [MODEL, MODEL])
    ranker = LearnedRanker(model)
    given = rows((0, 7, 1), (1, -7, 5))
    assert ranker.scores(given).tolist() == [1 + 2 * 0.75, 1 + 2 * 3.75]
    assert ranker.contributions(given) == [{"kind": 1.0, "other": 0.0, "x": 0.0}, {"kind": -1.0, "other": 0.0, "x": 8.0}]
    assert ranker.without_evidence == 1.5


def questions(count: int) -> list[Sample]:
    """Of the candidates of each, the one with the largest product of two features is wanted."""
    chance = np.random.default_rng(5)
    samples = []
    for _ in range(count):
        features = chance.random((12, 3)).astype(np.float32)
        features[:, 2] = 0
        wanted = np.zeros(12, np.float32)
        wanted[int((features[:, 0] * features[:, 1]).argmax())] = 7
        samples.append(Sample(features, np.ones(12, np.bool_), wanted, 1.0))
    return samples


@pytest.mark.long
def test_nets_learn_what_no_feature_says_alone() -> None:
    features = ("x", "y", "kind")
    model = learn_nets(questions(300), features, 0.5, 3)
    assert learn_nets(questions(12), features, 0.5, 3) == learn_nets(questions(12), features, 0.5, 3)
    nets = Nets(model, features)
    judged = questions(400)[300:]
    right = [int(nets.scores(one.features).argmax()) == int(one.gains.argmax()) for one in judged]
    assert np.mean(right) > 0.7
    scores = nets.scores(judged[0].features)
    added = nets.contributions(judged[0].features).sum(axis=1) + nets.without_evidence
    assert added == pytest.approx(scores, abs=0.05)
