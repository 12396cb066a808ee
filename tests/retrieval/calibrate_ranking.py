"""Fits the numbers that turn a blend into a probability: `python tests/retrieval/calibrate_ranking.py FOLDER...`

Each folder holds a repository in `src/` and `queries.jsonl`, a line for each question about it: {"query", "file", "startLine"}
names the declaration that it asks for. Doc comments that were blanked out of the source, commit subjects with the code that
they touched, and paraphrased questions make such lines; use several kinds.

Relevant: the blend of the declaration, where it is among the first ten. Irrelevant: the best blend that three other folders
have for the same question. Both classes weigh the same. Prints the constants of `retrieval/ranking.py`, and for each folder
the shares of both classes that pass a gate of 0.5.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from astrolabe.retrieval.chunk_table import CandidateRow, ChunkTable
from astrolabe.retrieval.embedder import Embedder
from astrolabe.retrieval.embedding import load_embedder
from astrolabe.retrieval.fusion import gather_candidates
from astrolabe.retrieval.question import read_question
from astrolabe.retrieval.ranking import blend, compete
from astrolabe.schema.settings import Settings
from astrolabe.server.generation_writer import vectors_folder
from astrolabe.server.indexer import Indexer
from numpy.typing import NDArray

#: Questions taken from each folder, and folders that each is asked of besides.
QUESTIONS, FOREIGN = 60, 3
FIRST = 10
SETTINGS = Settings()


class Question(NamedTuple):
    query: str
    file: str
    line: int


class Repository(NamedTuple):
    name: str
    root: Path
    table: ChunkTable
    questions: Sequence[Question]


class Example(NamedTuple):
    blend: float
    decades: float
    relevant: bool
    asked_of: str


def index(folder: Path, data_dir: Path) -> Repository:
    generation = Indexer(folder / "src", data_dir, SETTINGS).refresh().generation
    table = ChunkTable.open(vectors_folder(data_dir), generation.manifest.vectors_version)
    lines = map(json.loads, (folder / "queries.jsonl").read_text("utf-8").splitlines())
    questions = [Question(line["query"], line["file"], line["startLine"]) for line in lines]
    chosen = np.random.default_rng(0).permutation(len(questions))[:QUESTIONS]
    return Repository(folder.name, (folder / "src").resolve(), table, [questions[place] for place in sorted(chosen)])


def blends(query: str, repository: Repository, embedder: Embedder) -> list[tuple[float, CandidateRow]]:
    """Candidates of a repository for a question, best first."""
    question = read_question(query)
    vector = embedder.embed_query(query)
    found = gather_candidates(repository.table, question, vector, SETTINGS.max_vector_candidates, None)
    rows = {candidate.chunk.row: candidate.chunk for candidate in found}
    weighed = compete(rows, {candidate.chunk.row: blend(candidate, question, SETTINGS) for candidate in found})
    return sorted(((weighed[row], chunk) for row, chunk in rows.items()), key=lambda item: -item[0])


def examples(repositories: Sequence[Repository], embedder: Embedder) -> Iterable[Example]:
    random = np.random.default_rng(0)
    for repository in repositories:
        others = [other for other in repositories if other.root != repository.root]
        for question in repository.questions:
            for value, chunk in blends(question.query, repository, embedder)[:FIRST]:
                if chunk.relative_path == question.file and chunk.start_line <= question.line <= chunk.start_line + 30:
                    yield Example(value, decades(repository), True, repository.name)
                    break
            for place in random.permutation(len(others))[:FOREIGN]:
                best = blends(question.query, others[place], embedder)[0][0]
                yield Example(best, decades(others[place]), False, repository.name)


def decades(repository: Repository) -> float:
    return float(np.log10(repository.table.lexical.documents))


def fit(inputs: NDArray[np.float64], relevant: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coefficients of a logistic regression by Newton's method; both classes weigh the same."""
    weights = np.where(relevant == 1, 0.5 / relevant.sum(), 0.5 / (1 - relevant).sum())
    coefficients = np.zeros(inputs.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-inputs @ coefficients))
        slope = inputs.T @ (weights * (relevant - likely))
        curve = (inputs * (weights * likely * (1 - likely))[:, None]).T @ inputs
        coefficients += np.linalg.solve(curve + 1e-9 * np.eye(len(curve)), slope)
    return coefficients


def main(folders: Sequence[str]) -> None:
    embedder = load_embedder(SETTINGS)
    with TemporaryDirectory() as directory:
        repositories = [index(Path(folder), Path(directory, str(n))) for n, folder in enumerate(folders)]
        found = list(examples(repositories, embedder))
    inputs = np.array([(example.blend, example.decades, 1.0) for example in found])
    relevant = np.array([float(example.relevant) for example in found])
    steepness, per_decade, constant = fit(inputs, relevant)
    passes = inputs @ np.array((steepness, per_decade, constant)) >= 0
    print(
        f"MIDPOINT, MIDPOINT_PER_DECADE, STEEPNESS = {-constant / steepness:.3f}, {-per_decade / steepness:.3f}, {steepness:.1f}"
    )
    print(f"{'':20} relevant passing  irrelevant passing")
    for name in [repository.name for repository in repositories]:
        own = np.array([example.asked_of == name for example in found])
        shares = [passes[own & (relevant == kind)] for kind in (1, 0)]
        print(f"{name:20} {shares[0].mean():12.2f} ({len(shares[0])}) {shares[1].mean():12.2f} ({len(shares[1])})")


if __name__ == "__main__":
    main(sys.argv[1:])
