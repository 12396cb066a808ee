"""What each part of the ranker adds: `python -m tests.benchmarks.ranker_parts --data DATA FOLDER... [NAME=SOURCES...]`

Each folder is one that `repository_questions.py documents` or `changes` made of a repository that the ranker was not
trained on; NAME=SOURCES asks the plain questions of `other_language_questions.tsv` about a repository. DATA keeps the indexes.
Every question is also ranked without each part in turn, by the models as they are. A model that is trained without a part makes
up for some of the loss, so the differences are upper limits.

Prints a row for each part, with its difference from the whole ranker. The columns are MRR@10 of doc comments, NDCG@10 of plain
questions, the shares of changed files and of changed declarations among the first ten results, and MRR@10 of declarations that
are asked for by their names; each is a mean over folders.
"""

from __future__ import annotations

import argparse
import csv
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec
import numpy as np
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.retrieval import search as engine_module
from astrolabe.retrieval.candidates.recall import Candidate
from astrolabe.retrieval.embedding import load_local_embedder
from astrolabe.retrieval.query.query import Query
from astrolabe.retrieval.query.search_request import SearchRequest
from astrolabe.retrieval.ranking import ranking
from astrolabe.retrieval.ranking.ranker.features import Column
from astrolabe.retrieval.ranking.ranker.nets import Nets
from astrolabe.retrieval.ranking.ranker.trees import Trees
from astrolabe.retrieval.ranking.ranking import Ranked, Ranker
from astrolabe.retrieval.search import SearchEngine
from astrolabe.retrieval.vectors.candidate_rows import CandidateRow
from astrolabe.retrieval.vectors.chunk_table import ChunkTable
from astrolabe.schema.settings import Settings
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.project.source_syntax import SourceSyntax
from astrolabe.server.stores.stored_vectors import vectors_folder
from numpy.typing import NDArray

from tests.benchmarks.file_quality import ndcg
from training.ranker.questions import Line

_PLAIN_QUESTIONS = Path(__file__).with_name("other_language_questions.tsv")
#: Questions of each kind that are asked of a folder, by default.
MAX_QUESTIONS = 60
_KINDS_OF_NAMES = frozenset(("function", "method", "class", "interface", "type", "enum"))
_COLUMNS = ("doc comments", "plain questions", "files of changes", "declarations of changes", "names")
#: Features of each part of the ranker's input, by the beginnings of their names.
_FEATURES = {
    "the query reader": ("name_read", "name_odds", "name_unasked", "name_untold", "whole_read", "whole_odds"),
    "words of names": (
        "name_says",
        "name_asked",
        "name_early",
        "name_first",
        "name_second",
        "name_rarest",
        "name_two_best",
        "name_opening",
        "name_ending",
        "name_least_asked",
        "name_place",
        "name_cosine",
        "together_",
    ),
    "whole files": ("file_",),
    "the graph": ("importance", "called", "caller", "imported", "importer", "any_call", "linked", "own_tests", "using_tests"),
    "centred similarity": ("centred", "deviations", "agreed"),
}


def _keep(ranked: Sequence[Ranked], *_: object) -> list[Ranked]:
    return list(ranked)


def _keep_sums(_: object, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return sums


def _no_sums(_: object, features: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.zeros(len(features), np.float32)


def _nothing_redundant(ordered: Sequence[CandidateRow]) -> NDArray[np.bool_]:
    return np.zeros(len(ordered), np.bool_)


#: What replaces a part: pairs of the name in its owner and the replacement.
_PARTS: dict[str, tuple[tuple[Any, str, Any], ...]] = {
    "trees": ((Trees, "scores", _no_sums),),
    "nets": ((Nets, "scores", _no_sums),),
    "a function has the score of what is nested in it": ((ranking, "_with_nested_sums", _keep_sums),),
    "neighbors in the graph of the best files": ((ranking, "_with_neighbor_bonus", _keep_sums),),
    "redundant chunks last": ((ranking, "_redundant", _nothing_redundant),),
    "later chunks of a file lower": ((engine_module, "spread_over_files", _keep),),
    "texts that occur word by word": ((engine_module, "lifted", _keep),),
    "names asked for": ((ranking, "_wanted_bonus", lambda *_: 0.0),),
    "tests if they are asked for": ((ranking, "_tests_first", _keep_sums),),
    "places in the query": ((ranking, "_place_bonus", lambda *_: 0.0),),
}


class RankerWithout(Ranker):
    """A ranker that reads each question once, and leaves out features on demand."""

    def __init__(self, words: Any) -> None:
        super().__init__(words)
        self.left_out: tuple[str, ...] = ()
        self._known: dict[tuple[str, int, int], dict[str, Column]] = {}

    def table(self, candidates: Sequence[Candidate], query: Query, lexical: Any) -> dict[str, Column]:
        key = (query.text, len(candidates), candidates[0].chunk.row)
        known = self._known.get(key)
        if known is None:
            self._known = {**dict(list(self._known.items())[-1:]), key: super().table(candidates, query, lexical)}
            known = self._known[key]
        if not self.left_out:
            return known
        return {
            name: np.full_like(column, column.mean()) if name.startswith(self.left_out) else column
            for name, column in known.items()
        }


class Searched(NamedTuple):
    """A folder with its questions by kind."""

    engine: SearchEngine
    ranker: RankerWithout
    questions: Mapping[str, Sequence[Line]]
    #: Whether only the whole ranker is measured.
    is_whole: bool


def plain_questions(repository: str) -> list[Line]:
    """Return the plain questions about a repository."""
    with _PLAIN_QUESTIONS.open(encoding="utf-8", newline="") as file:
        lines = [line for line in csv.DictReader(file, delimiter="\t") if line["repository"] == repository]
    return [Line(line["question"], kind="plain", files=line["files"].split(";")) for line in lines]


def opened(folder: Path, data: Path, most: int, is_whole: bool) -> tuple[Workspace, Searched]:
    """Index a folder, and choose its questions."""
    name = folder.name
    if "=" in str(folder):
        name, _, sources = str(folder).partition("=")
        lines, root = plain_questions(name), Path(sources)
    else:
        lines = [msgspec.json.decode(line, type=Line) for line in (folder / "queries.jsonl").read_bytes().splitlines()]
        root = folder / "src"
    kind = lines[0].kind
    workspace = Workspace(root.resolve(), data / name, Settings())
    generation = workspace.index().generation
    table = ChunkTable.open(vectors_folder(data / name), generation.manifest.vectors_version)
    ranker = RankerWithout(load_local_embedder())
    graph = GraphDatabase.open(generation.graph_path)
    engine = SearchEngine(graph, table, load_local_embedder(), Settings(), ranker, SourceSyntax())
    chosen = random.Random(7).sample(lines, min(most, len(lines)))
    kinds = {kind: chosen, "name": _named(table, most)} if kind == "doc" else {kind: chosen}
    return workspace, Searched(engine, ranker, kinds, is_whole)


def _named(table: ChunkTable, most: int) -> list[Line]:
    """Return some declarations that have their name for themselves, asked for by it."""
    rows = table.rows.read(list(range(len(table.rows))))
    by_name = defaultdict(list)
    for row in rows:
        if row.node_kind in _KINDS_OF_NAMES:
            by_name[row.name].append(row)
    alone = sorted(name for name, found in by_name.items() if len(found) == 1)
    chosen = random.Random(7).sample(alone, min(most, len(alone)))
    found = [by_name[name][0] for name in chosen]
    return [Line(row.name, kind="name", file=row.relative_path, start_line=row.start_line) for row in found]


def asked(searched: Searched) -> Iterator[tuple[str, str, float]]:
    """Yield, for each part, the column and the value of each question."""
    for lines in searched.questions.values():
        for line in lines:
            for part, search in ways(searched):
                for column, value in measured(line, search(line.query)):
                    yield part, column, value


def ways(searched: Searched) -> Iterator[tuple[str, Callable[[str], list[CandidateRow]]]]:
    """Yield the name of each part, and the search without it; first the whole ranker, which reads the question."""
    gathered: dict[str, Any] = {}
    gather = searched.engine._gather

    def once(request: SearchRequest) -> Any:
        if request.query not in gathered:
            gathered[request.query] = gather(request)
        return gathered[request.query]

    def search(query: str, part: str) -> list[CandidateRow]:
        searched.ranker.left_out = _FEATURES.get(part, ())
        with ExitStack() as stack:
            stack.enter_context(patch.object(searched.engine, "_gather", once))
            for owner, name, replacement in _PARTS.get(part, ()):
                stack.enter_context(patch.object(owner, name, replacement))
            return [one.chunk for one in searched.engine.rank(SearchRequest(query))]

    for part in ("",) if searched.is_whole else ("", *_FEATURES, *_PARTS):
        yield part, lambda query, part=part: search(query, part)  # type: ignore[misc]


def measured(line: Line, rows: Sequence[CandidateRow]) -> Iterator[tuple[str, float]]:
    """Yield the columns that a question belongs to, with its values."""
    first = rows[:10]
    if line.kind == "plain":
        paths = list(dict.fromkeys(row.relative_path for row in rows))
        wanted = [path for end in line.files for path in paths if path == end or path.endswith("/" + end)]
        yield "plain questions", ndcg(paths, wanted) if wanted else 0.0
        return
    if line.kind == "change":
        files = set(line.files)
        yield "files of changes", len(files & {row.relative_path for row in first}) / len(files)
        wanted = [span for span in line.symbols if not span.container]
        if wanted:
            found = [
                any(
                    row.relative_path == span.file and row.start_line <= span.end_line and row.end_line >= span.start_line
                    for row in first
                )
                for span in wanted
            ]
            yield "declarations of changes", sum(found) / len(found)
        return
    places = (
        place
        for place, row in enumerate(first, 1)
        if row.relative_path == line.file and abs(row.start_line - line.start_line) <= 1
    )
    yield "names" if line.kind == "name" else "doc comments", 1 / next(places, np.inf)


def main() -> None:
    """Entry point of the program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--most", type=int, default=MAX_QUESTIONS, help="questions of each kind asked of each folder")
    parser.add_argument("--whole", action="store_true", help="measure the whole ranker only")
    parser.add_argument("folders", type=Path, nargs="+")
    options = parser.parse_args()
    means: dict[tuple[str, str], list[float]] = defaultdict(list)
    counts: dict[str, int] = defaultdict(int)
    for folder in options.folders:
        workspace, searched = opened(folder, options.data, options.most, options.whole)
        values: dict[tuple[str, str], list[float]] = defaultdict(list)
        for part, column, value in asked(searched):
            values[part, column].append(value)
        for key, found in values.items():
            means[key].append(float(np.mean(found)))
            counts[key[1]] += len(found) if not key[0] else 0
        print(
            f"{folder.name}: " + ", ".join(f"{name} {np.mean(values['', name]):.3f}" for part, name in values if not part),
            flush=True,
        )
        workspace.close()
    columns = [column for column in _COLUMNS if counts[column]]
    whole = [float(np.mean(means["", column])) for column in columns]
    print(f"\n| without | {' | '.join(f'{name} ({counts[name]})' for name in columns)} |\n|---|{'---:|' * len(columns)}")
    print(f"| nothing | {' | '.join(f'{value:.3f}' for value in whole)} |")
    for part in () if options.whole else (*_FEATURES, *_PARTS):
        losses = [float(np.mean(means[part, column])) - value for column, value in zip(columns, whole, strict=True)]
        print(f"| {part} | {' | '.join(f'{loss:+.3f}' for loss in losses)} |")


if __name__ == "__main__":
    main()
