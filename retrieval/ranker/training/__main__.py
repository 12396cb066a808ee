"""Learn the ranker.

    python -m astrolabe.retrieval.ranker.training DATA FOLDER...
        [--second-also FOLDER...] [--nets-also FOLDER...] [--held-out FOLDER...]

Each folder is of one repository, whose name follows the first hyphen of the folder's. It holds `queries.jsonl`, a line for each
question about the repository: `{"query", "file", "startLine"}` for a doc comment that was blanked out of the source, or (with
`"kind": "question"`) for a paraphrase of what a declaration does, and `{"kind": "change", "query", "files", "symbols"}` for the
subject of a commit with what it touched; `tests/benchmarks/repository_questions.py` makes such folders of a repository in any
language. A folder without that file is asked what `file_questions.tsv` has about its repository: plain questions that whole files
answer. Questions by name, whole and half remembered, are made of the index itself. DATA keeps, by the name of each folder, the
index that `astrolabe index --data-dir` made of its sources. The second forest learns from the folders after `--second-also` too,
so that the two differ by more than their chance; nets and gate from these and from those after `--nets-also`: trees gain less
from many more questions of the common kinds and lose on the rare ones.

Writes the model into the package and prints the mean reciprocal rank of each kind, over folders, before (the blend of both
signals) and after; on the held-out folders where there are any. The same folders, indexes and versions give the same model.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import msgspec
import numpy as np
from numpy.typing import NDArray

from ....graphdb.database import GraphDatabase
from ....graphdb.generations import GRAPH_NAME
from ....schema.settings import Settings
from ...chunk_table import ChunkTable
from ...embedding import load_local_embedder
from ...fusion import FEWEST, gather_candidates
from ...question import read_question
from ...ranking import MODEL_PATH, Ranker, question_evidence
from ...standing import Standing
from ..features import Column
from ..learnt import LearntRanker
from ..nets import NetModel
from ..trees import Features, Model
from .nets import Sample, learn_nets
from .questions import OF_FILE, Asked, folder_questions

#: How much each question of a kind counts: changes are few, and plain questions, which people ask, fewer still.
_WEIGHTS = {"doc": 1.0, "question": 1.0, "change": 2.0, "file": 6.0, "name": 0.5, "half-remembered name": 0.7}
#: Trees of one forest; the mean of the forests is taken. By how much the nets count beside them.
_TREES, _SHARE_OF_NETS = 350, 0.6
_RECIPE: dict[str, Any] = {
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
#: Candidates of each question that are learnt from, besides the wanted ones: the best, which are the hardest to tell apart, and
#: others by chance. The rest takes most of the time.
_BEST, _OTHERS = 45, 12
#: Which candidates are the best, trees say that have not seen the repository, for those that have seen it know the answers: so
#: many trees, learnt at this rate, from all but each of so many parts.
_FIRST_TREES, _FIRST_RATE, _PARTS = 120, 0.1, 2
#: Questions about other folders that each folder is asked, to learn what the best guess looks like where there is no answer.
_FOREIGN = 40
#: How much each group counts when the gate is learnt: the code that was asked for, the best guess where there is none, and what
#: stands at these ranks of an answer.
_GATE_WEIGHTS = {"wanted": 1.0, "strange": 0.55, "below": 0.25}
_FAR_BELOW = (10, 25)
#: Thresholds and values are rounded to so many digits: the file stays small, and the order does not change.
_DIGITS = 5


class Example(NamedTuple):
    """A question with the features of its candidates."""

    folder: str
    kind: str
    features: Features
    relevance: NDArray[np.int8]
    columns: dict[str, Column]

    @property
    def repository(self) -> str:
        """What the folder is of: several may be of one."""
        return self.folder.partition("-")[2]


class Learner:
    """Reads folders."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._embedder = load_local_embedder()
        self._ranker = Ranker(self._embedder)
        self.names: tuple[str, ...] = ()

    def examples(self, folders: Sequence[Path]) -> tuple[list[Example], list[Example]]:
        """The questions of all folders, and questions about other folders asked of each."""
        own, foreign = [], []
        pool: dict[Path, list[str]] = {}
        for folder in folders:
            table, standing = self._open(folder)
            asked = list(folder_questions(folder, table.rows.read(range(table.rows.limit)), crc32(folder.name.encode())))
            own += [example for question in asked if (example := self._example(folder, table, standing, question)) is not None]
            pool[folder] = [question.text for question in asked if question.kind in ("doc", "question", "file")]
        for number, folder in enumerate(folders):
            table, standing = self._open(folder)
            others = [text for other, texts in pool.items() if other != folder for text in texts]
            chosen = np.random.default_rng(number).permutation(len(others))[:_FOREIGN]
            for place in chosen:
                example = self._example(folder, table, standing, Asked("foreign", others[place], {}))
                if example is not None:
                    foreign.append(example)
        return own, foreign

    def _open(self, folder: Path) -> tuple[ChunkTable, Standing]:
        """The folder's vectors and what its graph says, which `astrolabe index --data-dir` has made."""
        data = self._data / folder.name
        (manifest,) = sorted(data.glob("generations/*/manifest.json"))[-1:]
        table = ChunkTable.open(data / "vectors", msgspec.json.decode(manifest.read_bytes())["vectors_version"])
        with GraphDatabase.open(manifest.with_name(GRAPH_NAME)) as graph:
            return table, Standing.read(graph, table.rows)

    def _example(self, folder: Path, table: ChunkTable, standing: Standing, asked: Asked) -> Example | None:
        question = read_question(asked.text)
        vector = self._embedder.embed_query(asked.text)
        candidates = gather_candidates(table, standing, question, vector, Settings(), FEWEST, None)
        if not candidates:
            return None
        columns = self._ranker.table(candidates, question, table.lexical)
        self.names = tuple(columns)
        relevance = np.array([asked.relevance.get(candidate.chunk.row, 0) for candidate in candidates], np.int8)
        return Example(folder.name, asked.kind, np.stack(list(columns.values()), axis=1), relevance, columns)


def learn(examples: Sequence[Example], names: Sequence[str], forests: Sequence[Collection[str]]) -> Model:
    """Forests, each from the folders of these names, and nets, which order candidates; the gate is still to be learnt."""
    useful = [example for example in examples if example.relevance.max() > 0]
    unseen = _unseen_scores(useful, names)
    boosters = [
        _boosted([one for one in useful if one.folder in folders], unseen, names, _TREES, _RECIPE["learning_rate"], seed)
        for seed, folders in enumerate(forests)
    ]
    gains = np.array(_RECIPE["label_gain"], np.float32)
    chance = np.random.default_rng(0)
    samples = [
        Sample(one.features, _telling(one, unseen[id(one)], chance), gains[one.relevance], _WEIGHTS[one.kind]) for one in useful
    ]
    return as_model(boosters, names, learn_nets(samples, names, _SHARE_OF_NETS))


def _unseen_scores(examples: Sequence[Example], names: Sequence[str]) -> dict[int, Column]:
    """Scores of the candidates by trees that have not seen the repository, by the id of the question."""
    repositories = sorted({example.repository for example in examples})
    parts = {repository: number % _PARTS for number, repository in enumerate(repositories)}
    first = {id(example): example.features[:, names.index("blend")] for example in examples}
    unseen: dict[int, Column] = {}
    for part in range(_PARTS):
        others = [example for example in examples if parts[example.repository] != part]
        booster = _boosted(others, first, names, _FIRST_TREES, _FIRST_RATE, 0)
        unseen |= {id(example): booster.predict(example.features) for example in examples if parts[example.repository] == part}
    return unseen


def _boosted(
    examples: Sequence[Example], scores: Mapping[int, Column], names: Sequence[str], trees: int, rate: float, seed: int
) -> Any:
    """Trees learnt from the telling candidates of some questions, given an earlier score of each, by the id of its question."""
    import lightgbm

    chance = np.random.default_rng(seed)
    kept = [_telling(example, scores[id(example)], chance) for example in examples]
    counts = [int(own.sum()) for own in kept]
    data = lightgbm.Dataset(
        np.concatenate([example.features[own] for example, own in zip(examples, kept, strict=True)]),
        np.concatenate([example.relevance[own] for example, own in zip(examples, kept, strict=True)]),
        group=counts,
        weight=np.repeat([_WEIGHTS[example.kind] for example in examples], counts),
        feature_name=list(names),
    )
    return lightgbm.train({**_RECIPE, "learning_rate": rate, "seed": seed}, data, trees)


def _telling(example: Example, scores: Column, chance: np.random.Generator) -> NDArray[np.bool_]:
    """Whether each candidate is one to learn from."""
    order = np.argsort(-scores, kind="stable")
    telling = example.relevance >= OF_FILE
    telling[order[:_BEST]] = True
    telling[chance.permutation(order[_BEST:])[:_OTHERS]] = True
    return np.asarray(telling)


def learn_gate(
    own: Iterable[Example], foreign: Iterable[Example], score: Callable[[Features], NDArray[Any]]
) -> NDArray[np.float64]:
    """Weights of the evidence, of the score, and the constant, by logistic regression over wanted code and other.

    Each kind of question counts the same: those that whole files answer are few, and the easiest to take for strange.
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
    weights = [np.full(len(groups[group]), weight / len(groups[group])) for group, weight in _GATE_WEIGHTS.items()]
    counts = Counter(kinds)
    weights[0] = np.array([_GATE_WEIGHTS["wanted"] / counts[kind] / len(counts) for kind in kinds])
    relevant = np.concatenate([np.full(len(groups[group]), float(group == "wanted")) for group in _GATE_WEIGHTS])
    return _logistic(np.array([row for group in _GATE_WEIGHTS for row in groups[group]]), relevant, np.concatenate(weights))


def gate_inputs(example: Example, sums: NDArray[Any], place: int) -> list[float]:
    """What the gate reads of one candidate."""
    return [*question_evidence(example.columns, sums).values(), float(sums[place]), 1.0]


def _logistic(inputs: NDArray[np.float64], relevant: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """By Newton's method, lightly regularised."""
    coefficients = np.zeros(inputs.shape[1])
    ridge = 1e-4 * np.eye(inputs.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-np.clip(inputs @ coefficients, -30, 30)))
        slope = inputs.T @ (weights * (relevant - likely)) - ridge @ coefficients
        curve = (inputs * (weights * likely * (1 - likely))[:, None]).T @ inputs + ridge
        coefficients += np.linalg.solve(curve, slope)
    return coefficients


def as_model(boosters: Sequence[Any], names: Sequence[str], nets: NetModel) -> Model:
    """What was learnt, as plain numbers; the mean of the boosters."""
    nodes: list[tuple[int, float, int, int, float]] = []

    def add(node: dict[str, Any]) -> int:
        place = len(nodes)
        if "leaf_value" in node:
            nodes.append((0, 0.0, place, place, round(node["leaf_value"] / len(boosters), _DIGITS)))
            return place
        nodes.append((0, 0.0, 0, 0, 0.0))
        left, right = add(node["left_child"]), add(node["right_child"])
        threshold = float(np.float32(node["threshold"]))
        value = round(node["internal_value"] / len(boosters), _DIGITS)
        nodes[place] = (node["split_feature"], threshold, left, right, value)
        return place

    roots = [add(tree["tree_structure"]) for booster in boosters for tree in booster.dump_model()["tree_info"]]
    feature, threshold, left, right, value = map(list, zip(*nodes, strict=True))
    return Model(list(names), roots, feature, threshold, left, right, value, [], [], nets)


def report(examples: Sequence[Example], score: Callable[[Features], NDArray[Any]]) -> dict[str, float]:
    """Mean reciprocal rank among the first ten by kind, each a mean over folders."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for example in examples:
        order = np.argsort(-score(example.features), kind="stable")[:10]
        places = np.flatnonzero(example.relevance[order] >= OF_FILE)
        found[example.kind][example.folder].append(1 / (places[0] + 1) if len(places) else 0.0)
    return {kind: float(np.mean([np.mean(ranks) for ranks in folders.values()])) for kind, folders in found.items()}


def main() -> None:
    """Entry point of the training program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--second-also", type=Path, nargs="*", default=[])
    parser.add_argument("--nets-also", type=Path, nargs="*", default=[])
    parser.add_argument("--held-out", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    learner = Learner(options.data)
    own, foreign = learner.examples([*options.folders, *options.second_also, *options.nets_also])
    of_first = {folder.name for folder in options.folders}
    model = learn(own, learner.names, [of_first, of_first | {folder.name for folder in options.second_also}])
    score = LearntRanker(model).scores
    gate = learn_gate(own, foreign, score)
    evidence = list(question_evidence(own[0].columns, np.zeros(len(own[0].relevance))))
    model = msgspec.structs.replace(model, evidence=evidence, gate=[round(float(weight), _DIGITS) for weight in gate])
    MODEL_PATH.write_bytes(msgspec.json.encode(model) + b"\n")
    judged, strange = learner.examples(options.held_out) if options.held_out else (own, foreign)
    blend = learner.names.index("blend")
    before, after = report(judged, lambda features: features[:, blend]), report(judged, score)
    for kind in before:
        print(f"{kind:24} {before[kind]:.3f} -> {after[kind]:.3f}")
    for label, examples, place in (("gate, best of foreign questions", strange, 0), ("gate, second best", strange, 1)):
        passing = [_passes(example, score, gate, place) for example in examples]
        print(f"{label}: {np.mean(passing):.2f} of {len(passing)} pass")
    answered = [example for example in judged if example.kind != "name" and example.relevance.max() >= OF_FILE]
    print(f"gate, first results of own questions: {np.mean([_passes(e, score, gate, 0) for e in answered]):.2f} pass")


def _passes(example: Example, score: Callable[[Features], NDArray[Any]], gate: NDArray[np.float64], rank: int) -> bool:
    sums = score(example.features)
    place = int(np.argsort(-sums)[min(rank, len(sums) - 1)])
    return bool(np.dot(gate_inputs(example, sums, place), gate) >= 0)


if __name__ == "__main__":
    main()
