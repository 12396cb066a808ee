"""Does search find it: `python tests/benchmarks/retrieval_quality.py --judges JUDGES --data DATA documents|changes FOLDER...`

`documents`: each folder is one that `docsearch.py prepare` of the judges made: doc comments are blanked out of the code in
`src/`, and their first sentences are the questions. `changes`: each folder has what `localise_build.py` made of one
repository: the subjects of commits, asked of the code as it was before them. DATA keeps the indexes.

Prints a row for each folder, for the whole search and for its parts alone: the lexical index, the vectors, and their blend before
the ranker orders it; then the means over folders and, of doc comments, over all questions. Times are CPU time of one search in
a warm process.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

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
from numpy.typing import NDArray

#: Questions taken of each folder, unless told.
MAX_QUESTIONS = 150
PARTS: dict[str, Callable[[Candidate], float]] = {
    "lexical": lambda candidate: candidate.lexical,
    "vectors": lambda candidate: candidate.similarity,
    "blend": lambda candidate: candidate.blend,
}
DOCUMENT_COLUMNS = ("MRR@10", "hard MRR@10", "R@1", "R@10")
CHANGE_COLUMNS = ("file R@10", "MRR", "symbol R@10", "edit R@10", "edit @4000")


class Place(NamedTuple):
    """A result as the judges see it."""

    file: str
    start_line: int
    end_line: int

    def record(self) -> dict[str, Any]:
        return {"file": self.file, "startLine": self.start_line, "endLine": self.end_line, "tokens": None}


class Repository:
    """An indexed folder, and the ways to search it."""

    def __init__(self, root: Path, data: Path) -> None:
        self.root = root.resolve()
        self.workspace = Workspace(self.root, data, Settings())
        generation = self.workspace.index().generation
        manifest = generation.manifest
        self._table = ChunkTable.open(vectors_folder(data), manifest.vectors_version)
        graph = GraphDatabase.open(generation.graph_path)
        self._graph_features = GraphFeatures.read(graph, self._table.rows)
        self._embedder = load_local_embedder()
        self._engine = SearchEngine(graph, self._table, self._embedder, Settings(), Ranker(self._embedder), SourceSyntax())
        self._engine.warm_up()
        self.seconds: list[float] = []

    def search(self, query: str, limit: int) -> list[Place]:
        results = self.workspace.search(query, limit=limit)
        return [Place(result.file, result.start_line, result.end_line) for result in results]

    def ranked(self, query: str, limit: int) -> list[Place]:
        """What the search ranks, before anything is composed; the time of this is kept."""
        started = time.process_time()
        ranked = self._engine.rank(SearchRequest(query))
        self.seconds.append(time.process_time() - started)
        return [Place(one.chunk.relative_path, one.chunk.start_line, one.chunk.end_line) for one in ranked[:limit]]

    def part(self, name: str) -> Callable[[str, int], list[Place]]:
        """A search by one part alone."""

        def search(query: str, limit: int) -> list[Place]:
            question, vector = read_query(query), self._embedder.embed_query(query)
            candidates = gather_candidates(self._table, self._graph_features, question, vector, Settings(), MIN_CANDIDATES, None)
            best = sorted(candidates, key=lambda candidate: -PARTS[name](candidate))[:limit]
            return [Place(one.chunk.relative_path, one.chunk.start_line, one.chunk.end_line) for one in best]

        return search

    def ways(self) -> Iterator[tuple[str, Callable[[str, int], list[Place]]]]:
        for name in PARTS:
            yield name, self.part(name)
        yield "ranked", self.ranked
        yield "search", self.search


class Answered(NamedTuple):
    """One divided by the rank of each wanted symbol, 0 for none of the first ten; and which questions are hard."""

    found: NDArray[np.float64]
    hard: NDArray[np.bool_]

    def row(self) -> list[float]:
        """The measures of DOCUMENT_COLUMNS."""
        hard = float(self.found[self.hard].mean()) if self.hard.any() else np.nan
        return [float(self.found.mean()), hard, float((self.found == 1).mean()), float((self.found > 0).mean())]


def documents(folder: Path, judge: Any, search: Callable[[str, int], list[Place]], most: int) -> Answered:
    lines = [json.loads(line) for line in (folder / "queries.jsonl").read_text("utf-8").splitlines()]
    lines = random.Random(1).sample(lines, min(most, len(lines)))
    found, hard = [], []
    for line in lines:
        rank = judge.rank([place.record() for place in search(line["query"], 10)], line)
        found.append(1 / rank if rank else 0.0)
        hard.append(not judge.words(line["name"].rsplit(".", 1)[-1]) & judge.words(line["query"]))
    return Answered(np.array(found), np.array(hard, np.bool_))


def changes(folder: Path, judge: Any, search: Callable[[str, int], list[Place]]) -> list[float]:
    (questions,) = (folder / "localise").glob("*.jsonl")
    (root,) = (path.resolve() for path in (folder / "src").iterdir())
    rows = []
    for line in map(json.loads, questions.read_text("utf-8").splitlines()):
        places = [judge.normal(place.record(), str(root)) for place in search(line["query"], 50)]
        rows.append(judge.one(places, line))
    means = judge.mean(rows)
    return [means[column] for column in CHANGE_COLUMNS]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judges", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--ways", nargs="+", help="only these ways to search")
    parser.add_argument("--most", type=int, default=MAX_QUESTIONS, help="doc comments asked of each folder")
    parser.add_argument("what", choices=["documents", "changes"])
    parser.add_argument("folders", type=Path, nargs="+")
    options = parser.parse_args()
    sys.path.insert(0, str(options.judges))
    is_documents = options.what == "documents"
    judge = importlib.import_module("docsearch" if is_documents else "localise_eval")
    columns = DOCUMENT_COLUMNS if is_documents else CHANGE_COLUMNS
    measured: dict[str, list[list[float]]] = {}
    answered: dict[str, list[Answered]] = {}
    seconds: list[float] = []
    print(f"| folder | way | {' | '.join(columns)} |\n|---|---|{'---:|' * len(columns)}")
    for folder in options.folders:
        root = folder / "src" if is_documents else next((folder / "src").iterdir())
        repository = Repository(root, options.data / folder.name)
        # Composing fifty results of each change takes most of the time and changes no rank.
        ways = [way for way in repository.ways() if is_documents or way[0] != "search"]
        ways = [way for way in ways if options.ways is None or way[0] in options.ways]
        for way, search in ways:
            if is_documents:
                answered.setdefault(way, []).append(documents(folder, judge, search, options.most))
                row = answered[way][-1].row()
            else:
                row = changes(folder, judge, search)
            measured.setdefault(way, []).append(row)
            if way == ways[-1][0]:
                print_row(folder.name, way, row)
        seconds += repository.seconds
        repository.workspace.close()
    for way, rows in measured.items():
        print_row("mean", way, list(np.nanmean(rows, axis=0)))
        if is_documents:
            together = Answered(*(np.concatenate(parts) for parts in zip(*answered[way], strict=True)))
            print_row(f"{len(together.found)} questions", way, together.row())
    if seconds:  # of the way "ranked"
        print(f"\nranking: {np.median(seconds) * 1e3:.1f} ms CPU, 95th percentile {np.percentile(seconds, 95) * 1e3:.1f}")


def print_row(folder: str, way: str, row: Sequence[float]) -> None:
    print(f"| {folder} | {way} | {' | '.join(f'{value:.3f}' for value in row)} |", flush=True)


if __name__ == "__main__":
    main()
