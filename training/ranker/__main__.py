"""Learn the ranker.

    python -m training.ranker DATA FOLDER...
        [--correct MODEL] [--second-also FOLDER...] [--nets-also FOLDER...] [--held-out FOLDER...]

Each folder is of one repository, whose name follows the first hyphen of the folder's. It holds `queries.jsonl`, a line for each
question about the repository: `{"query", "file", "startLine"}` for a doc comment that was blanked out of the source, or (with
`"kind": "question"`) for a paraphrase of what a declaration does, and `{"kind": "change", "query", "files", "symbols"}` for the
subject of a commit with what it touched; `tests/benchmarks/repository_questions.py` makes such folders of a repository in any
language. A folder without that file is asked what `file_questions.tsv` has about its repository: plain questions that whole files
answer. Questions by name, whole and half remembered, are made of the index itself. DATA keeps, by the name of each folder, the
index that `astrolabe index --data-dir` made of its sources. The second forest learns from the folders after `--second-also` too,
so that the two differ by more than their chance; nets and gate from these and from those after `--nets-also`: trees gain less
from many more questions of the common kinds and lose on the rare ones. With `--correct`, trees and nets are added
to a model that was learnt before, which they correct, by features that it does not know too: of folders whose repositories it has
not seen. One that was corrected already is not to be corrected again.

Writes the model into the package and prints the mean reciprocal rank of each kind, over folders, before (the blend of both
signals) and after; on the held-out folders where there are any. The same folders, indexes and versions give the same model.
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
        passing = [_passes(example, score, gate, place) for example in strange]  # none where all folders are of one repository
        print(f"{label}: {sum(passing)} of {len(passing)} pass")
    answered = [example for example in judged if example.kind != "name" and example.relevance.max() >= OF_FILE]
    print(f"gate, first results of own questions: {np.mean([_passes(e, score, gate, 0) for e in answered]):.2f} pass")


def _passes(example: Example, score: Callable[[Features], NDArray[Any]], gate: NDArray[np.float64], rank: int) -> bool:
    sums = score(example.features)
    place = int(np.argsort(-sums)[min(rank, len(sums) - 1)])
    return bool(np.dot(gate_inputs(example, sums, place), gate) >= 0)


if __name__ == "__main__":
    main()
