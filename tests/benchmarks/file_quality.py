"""Does search find the file: `python tests/benchmarks/file_quality.py --data DATA NAME=FOLDER...`

The questions stand in `file_questions.tsv`: what a newcomer asks about a repository in plain words, and the file, or the few
files, that answer it, by the end of their paths. They were written from knowledge of the repositories, before any search was run
on them. NAME is the repository as the table names it, FOLDER its sources; DATA keeps the indexes.

Prints NDCG@10 over distinct files, for the whole ranking, for the files of its first ten results ("ten results", which may be
fewer), and for its parts alone; and the questions whose first file is wrong.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.retrieval.candidates.graph_features import GraphFeatures
from astrolabe.retrieval.candidates.recall import MIN_CANDIDATES, Candidate, gather_candidates
from astrolabe.retrieval.embedding import load_local_embedder
from astrolabe.retrieval.query.query import read_query
from astrolabe.retrieval.query.search_request import SearchRequest
from astrolabe.retrieval.ranking.ranking import Ranker
from astrolabe.retrieval.search import SearchEngine
from astrolabe.retrieval.vectors.chunk_table import ChunkTable
from astrolabe.schema.settings import Settings
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.project.source_syntax import SourceSyntax
from astrolabe.server.stores.stored_vectors import vectors_folder

QUESTIONS = Path(__file__).with_name("file_questions.tsv")
PARTS: dict[str, Callable[[Candidate], float]] = {
    "lexical": lambda candidate: candidate.lexical,
    "vectors": lambda candidate: candidate.similarity,
    "blend": lambda candidate: candidate.blend,
    "whole files": lambda candidate: candidate.file.lexical + 0.5 * candidate.file.similarity,
}


class Repository:
    """An indexed folder, and the ways to rank its files."""

    def __init__(self, root: Path, data: Path) -> None:
        workspace = Workspace(root.resolve(), data, Settings())
        generation = workspace.index().generation
        self._table = ChunkTable.open(vectors_folder(data), generation.manifest.vectors_version)
        graph = GraphDatabase.open(generation.graph_path)
        self._graph_features = GraphFeatures.read(graph, self._table.rows)
        self._embedder = load_local_embedder()
        self._engine = SearchEngine(graph, self._table, self._embedder, Settings(), Ranker(self._embedder), SourceSyntax())
        self.paths = self._table.rows.paths
        workspace.close()

    def files(self, text: str) -> dict[str, list[str]]:
        """Paths for each way of ranking, best first, each once."""
        question, vector = read_query(text), self._embedder.embed_query(text)
        candidates = gather_candidates(self._table, self._graph_features, question, vector, Settings(), MIN_CANDIDATES, None)
        found = {name: sorted(candidates, key=lambda one: -part(one)) for name, part in PARTS.items()}
        chunks = {name: [one.chunk for one in ordered] for name, ordered in found.items()}
        chunks["ranked"] = [one.chunk for one in self._engine.rank(SearchRequest(text))]
        chunks["ten results"] = chunks["ranked"][:10]
        return {name: list(dict.fromkeys(chunk.relative_path for chunk in ordered)) for name, ordered in chunks.items()}


def ndcg(found: Sequence[str], wanted: Sequence[str]) -> float:
    """Normalised discounted cumulative gain of the first ten files; each wanted one is worth the same."""
    gains = 1 / np.log2(np.arange(2, 12))
    held = np.array([path in wanted for path in found[:10]])
    return float(gains[: len(held)][held].sum() / gains[: len(wanted)].sum())


def whole_paths(ends: Sequence[str], paths: Sequence[str]) -> list[str]:
    """The one path with each end. Raises ValueError where none or several have it."""
    found = [[path for path in paths if path == end or path.endswith("/" + end)] for end in ends]
    return [path for (path,) in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("repositories", nargs="+", metavar="NAME=FOLDER")
    options = parser.parse_args()
    with options.questions.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file, delimiter="\t"))
    means: list[dict[str, float]] = []
    missed: list[str] = []
    for name, folder in (argument.split("=", 1) for argument in options.repositories):
        repository = Repository(Path(folder), options.data / name)
        gains: dict[str, list[float]] = {}
        own = [line for line in lines if line["repository"] == name]
        for line in own:
            wanted = whole_paths(line["files"].split(";"), repository.paths)
            files = repository.files(line["question"])
            for way, found in files.items():
                gains.setdefault(way, []).append(ndcg(found, wanted))
            if files["ranked"][0] not in wanted:
                missed.append(f"{name}: {line['question']} -> {files['ranked'][0]}")
        means.append({way: float(np.mean(values)) for way, values in gains.items()})
        if len(means) == 1:
            print(f"| repository | questions | {' | '.join(means[0])} |\n|---|---:|{'---:|' * len(means[0])}")
        print(f"| {name} | {len(own)} | {' | '.join(f'{value:.3f}' for value in means[-1].values())} |", flush=True)
    print(f"| all, mean | | {' | '.join(f'{np.mean([mean[way] for mean in means]):.3f}' for way in means[0])} |\n")
    print("\n".join(missed))


if __name__ == "__main__":
    main()
