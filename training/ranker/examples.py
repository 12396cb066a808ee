"""Training examples of the ranker: questions with the features of their candidates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import msgspec
import numpy as np
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.generations.generations import GRAPH_NAME
from astrolabe.retrieval.candidates.graph_features import GraphFeatures
from astrolabe.retrieval.candidates.recall import MIN_CANDIDATES, gather_candidates
from astrolabe.retrieval.embedding import load_local_embedder
from astrolabe.retrieval.query.query import read_query
from astrolabe.retrieval.ranking.ranker.features import Column, matrix
from astrolabe.retrieval.ranking.ranker.trees import Features
from astrolabe.retrieval.ranking.ranking import Ranker
from astrolabe.retrieval.vectors.chunk_table import ChunkTable
from astrolabe.schema.settings import Settings
from numpy.typing import NDArray

from .questions import OF_FILE, Asked, folder_questions, repository_of

#: Weight of a question by its kind. Rare kinds weigh more: there are few changes, and even fewer plain questions ("file").
WEIGHTS = {"doc": 1.0, "question": 1.0, "change": 2.0, "file": 6.0, "name": 0.5, "half-remembered name": 0.7}
#: Numbers of candidates for training, besides the relevant ones: the best ones, which are the hardest to distinguish, and random
#: ones. Training on all candidates would take several times as long.
_BEST, _OTHERS = 45, 12
#: Number of questions about other repositories for each folder. They show the features of the best result without an answer.
_FOREIGN = 40


class Example(NamedTuple):
    """A question with the features of its candidates."""

    folder: str
    kind: str
    features: Features
    relevance: NDArray[np.int8]
    columns: dict[str, Column]

    @property
    def repository(self) -> str:
        """Name of the repository."""
        return repository_of(self.folder)


class Learner:
    """Reads training examples from folders."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._embedder = load_local_embedder()
        self._ranker = Ranker(self._embedder)
        self.names: tuple[str, ...] = ()

    def examples(self, folders: Sequence[Path]) -> tuple[list[Example], list[Example]]:
        """Return the examples of all folders, and examples that ask each folder questions about other repositories."""
        own, foreign = [], []
        asked_of: dict[str, list[str]] = defaultdict(list)
        for folder in folders:
            table, graph_features = self._open(folder)
            asked = list(folder_questions(folder, table.rows.read(range(table.rows.limit)), crc32(folder.name.encode())))
            own += [
                example for question in asked if (example := self._example(folder, table, graph_features, question)) is not None
            ]
            in_words = [question.text for question in asked if question.kind in ("doc", "question", "file")]
            asked_of[repository_of(folder.name)] += in_words
        for number, folder in enumerate(folders):
            table, graph_features = self._open(folder)
            for text in foreign_to(repository_of(folder.name), asked_of, number):
                example = self._example(folder, table, graph_features, Asked("foreign", text, {}))
                if example is not None:
                    foreign.append(example)
        return own, foreign

    def _open(self, folder: Path) -> tuple[ChunkTable, GraphFeatures]:
        """Return the chunk table and the graph features of the folder's index."""
        data = self._data / folder.name
        (manifest,) = sorted(data.glob("generations/*/manifest.json"))[-1:]
        table = ChunkTable.open(data / "vectors", msgspec.json.decode(manifest.read_bytes())["vectors_version"])
        with GraphDatabase.open(manifest.with_name(GRAPH_NAME)) as graph:
            return table, GraphFeatures.read(graph, table.rows)

    def _example(self, folder: Path, table: ChunkTable, graph_features: GraphFeatures, asked: Asked) -> Example | None:
        question = read_query(asked.text)
        vector = self._embedder.embed_query(asked.text)
        candidates = gather_candidates(table, graph_features, question, vector, Settings(), MIN_CANDIDATES, None)
        if not candidates:
            return None
        columns = self._ranker.table(candidates, question, table.lexical)
        self.names = tuple(columns)
        relevance = np.array([asked.relevance.get(candidate.chunk.row, 0) for candidate in candidates], np.int8)
        features = matrix(columns, self.names)
        return Example(folder.name, asked.kind, features, relevance, dict(zip(self.names, features.T, strict=True)))


def foreign_to(repository: str, asked_of: Mapping[str, Sequence[str]], seed: int) -> list[str]:
    """Return random questions about other repositories; `asked_of` has the questions by repository."""
    others = [text for other, texts in asked_of.items() if other != repository for text in texts]
    return [others[place] for place in np.random.default_rng(seed).permutation(len(others))[:_FOREIGN]]


def training_candidates(example: Example, scores: Column, chance: np.random.Generator) -> NDArray[np.bool_]:
    """Return a mask of the candidates for training: the relevant ones, the best `_BEST`, and `_OTHERS` random ones."""
    order = np.argsort(-scores, kind="stable")
    telling = example.relevance >= OF_FILE
    telling[order[:_BEST]] = True
    telling[chance.permutation(order[_BEST:])[:_OTHERS]] = True
    return np.asarray(telling)
