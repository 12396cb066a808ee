"""Train the ranker.

    python -m training.ranker DATA FOLDER...
        [--correct MODEL] [--second-also FOLDER...] [--nets-also FOLDER...] [--held-out FOLDER...]

Each FOLDER is about one repository, whose name follows the first hyphen in the name of the folder. DATA contains a folder of the
same name with the index of the repository, which `astrolabe index --data-dir` writes.

A folder contains `queries.jsonl`, with one line for each query about the repository:

- `{"query", "file", "startLine"}` is a doc comment, which was replaced by blanks in the source. With `"kind": "question"` the
  query paraphrases what a declaration does.
- `{"kind": "change", "query", "files", "symbols"}` is the subject of a commit, with the changed files and symbols.

`tests/benchmarks/repository_questions.py` writes such folders for repositories in any language. For a folder without
`queries.jsonl`, the queries are the rows of `file_questions.tsv` about the repository: plain questions that whole files answer.
Queries by name and by half-remembered name are generated from the index.

The model has two forests, nets and a gate. The first forest is trained on the folders FOLDER. The second forest is also trained
on the folders `--second-also`, so that the forests differ by more than their seeds. Nets and gate are trained on these folders
and on the folders `--nets-also`. Trees are not, because many more queries of the common kinds improve them little, and make them
worse for the rare kinds.

With `--correct`, the program adds trees and nets to an existing model, and these may use features that the model lacks. The
repositories must be different from those that the model was trained on. A corrected model must not be corrected again.

The program writes the model into the package. It prints the mean reciprocal rank for each kind of query, averaged over folders,
of the blend and of the new model. The folders `--held-out` replace the training folders in these figures. Equal folders, indexes
and library versions produce an equal model.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from astrolabe.retrieval.ranking.ranker.learned import LearnedRanker
from astrolabe.retrieval.ranking.ranker.trees import Features, read_model
from astrolabe.retrieval.ranking.ranking import MODEL_PATH, question_evidence
from numpy.typing import NDArray

from .correction import corrected
from .examples import Example, Learner
from .forests import DIGITS, learn
from .gate import gate_inputs, learn_gate
from .questions import OF_FILE


def report(examples: Sequence[Example], score: Callable[[Features], NDArray[Any]]) -> dict[str, float]:
    """Return the mean reciprocal rank among the first ten results for each kind of query, averaged over folders."""
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
    parser.add_argument("--correct", type=Path, metavar="MODEL", help="keep what this file has, and learn what corrects it")
    parser.add_argument("--held-out", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    learner = Learner(options.data)
    own, foreign = learner.examples([*options.folders, *options.second_also, *options.nets_also])
    of_first = {folder.name for folder in options.folders}
    model = (
        corrected(read_model(options.correct), own, learner.names)
        if options.correct is not None
        else learn(own, learner.names, [of_first, of_first | {folder.name for folder in options.second_also}])
    )
    score = LearnedRanker(model).scores
    gate = learn_gate(own, foreign, score)
    evidence = list(question_evidence(own[0].columns, np.zeros(len(own[0].relevance))))
    model = msgspec.structs.replace(model, evidence=evidence, gate=[round(float(weight), DIGITS) for weight in gate])
    MODEL_PATH.write_bytes(msgspec.json.encode(model) + b"\n")
    judged, strange = learner.examples(options.held_out) if options.held_out else (own, foreign)
    blend = learner.names.index("blend")
    before, after = report(judged, lambda features: features[:, blend]), report(judged, score)
    for kind in before:
        print(f"{kind:24} {before[kind]:.3f} -> {after[kind]:.3f}")
    for label, place in (("gate, best of foreign questions", 0), ("gate, second best", 1)):
        passing = [_passes(example, score, gate, place) for example in strange]  # empty if all folders are about one repository
        print(f"{label}: {sum(passing)} of {len(passing)} pass")
    answered = [example for example in judged if example.kind != "name" and example.relevance.max() >= OF_FILE]
    print(f"gate, first results of own questions: {np.mean([_passes(e, score, gate, 0) for e in answered]):.2f} pass")


def _passes(example: Example, score: Callable[[Features], NDArray[Any]], gate: NDArray[np.float64], rank: int) -> bool:
    sums = score(example.features)
    place = int(np.argsort(-sums)[min(rank, len(sums) - 1)])
    return bool(np.dot(gate_inputs(example, sums, place), gate) >= 0)


if __name__ == "__main__":
    main()
