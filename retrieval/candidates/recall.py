"""The first stage: gather candidates from the lexical index and from the vectors, with the scores of both."""

from __future__ import annotations

from collections import defaultdict
from itertools import starmap
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...schema.settings import Settings
from ..embedding.embedder import Vectors
from ..query.query import Query
from ..vectors.candidate_rows import CandidateRow, CandidateRows, admitted_of
from ..vectors.chunk_table import ChunkTable
from .candidate_features import CandidateFeatures, candidate_features
from .file_features import FileFeatures, FileFit, file_features
from .graph_features import ALONE, GraphFeatures

#: Maximum number of declarations of a wanted name among the candidates. Some names, such as `constructor`, have thousands.
MAX_NAMESAKES = 100
#: Maximum number of candidates from the files that a query names.
MAX_IN_FILES = 300
#: Maximum number of rows, in files that a query names, that are compared with lines that the query names.
MAX_READ_FOR_LINES = 5000
#: Maximum number of candidates from the folders that a query names.
MAX_IN_SCOPE = 50
#: Minimum number of candidates of each search. The ranker can handle more candidates than a re-ranking provider.
MIN_CANDIDATES = 70
#: Maximum number of files whose chunks become candidates because the whole file matches.
MAX_FITTING_FILES = 20
#: Maximum number of chunks of such a file that become candidates.
MAX_PER_FILE = 5


class GraphFit(NamedTuple):
    """Graph features of a candidate: centrality, and the highest blend of its neighbors among the candidates."""

    #: Centrality of the symbol, as in `GraphFeatures`.
    importance: float = 0.0
    #: Centrality of the candidate's file.
    file_importance: float = 0.0
    #: Highest blend of the candidates that this candidate calls; ALONE if there are none.
    called: float = ALONE
    #: Highest blend of the candidates that call this candidate.
    caller: float = ALONE
    #: Highest blend of the candidates in files that the candidate's file imports.
    imported: float = ALONE
    #: Highest blend of the candidates in files that import the candidate's file.
    importer: float = ALONE


_NO_FILE_FIT = FileFit()
_NO_GRAPH_FIT = GraphFit()
_NO_FEATURES = CandidateFeatures()


class Candidate(NamedTuple):
    """A chunk that may answer a query, with its features."""

    chunk: CandidateRow
    #: Lexical score, divided by the highest possible score, 0 to 1.
    lexical: float
    #: Cosine of the vectors of the chunk and the query.
    similarity: float
    #: Weighted mean of `lexical` and `similarity`. The lexical score has the weight of the re-ranker.
    blend: float
    #: Share of the query's terms that the chunk contains, weighted by their rarity, 0 to 1.
    coverage: float = 0.0
    #: Number of the query's terms that the chunk contains.
    matched: int = 0
    #: Number of chunks directly within the chunk.
    parts: int = 0
    #: Number of chunks in the chunk's file.
    file_size: int = 1
    #: How well the chunk's file matches as a whole.
    file: FileFit = _NO_FILE_FIT
    #: The graph features of the chunk.
    graph: GraphFit = _NO_GRAPH_FIT
    #: The number that identifies the chunk's file, as in `CandidateRows`.
    file_number: int = 0
    #: File numbers of other candidates that import the chunk's file or are imported by it.
    files_imported: tuple[int, ...] = ()
    #: File numbers of other candidates that call the chunk or are called by it.
    files_called: tuple[int, ...] = ()
    #: Whether the chunk is in a folder that the query names.
    in_scope: bool = False
    #: Features that are computed only for candidates.
    features: CandidateFeatures = _NO_FEATURES


def gather_candidates(
    table: ChunkTable,
    graph_features: GraphFeatures,
    query: Query,
    vector: Vectors,
    settings: Settings,
    limit: int,
    admitted: NDArray[Any] | None,
) -> list[Candidate]:
    """Return the best `limit` rows of each search, and rows that the query names.

    `admitted` are the rows that a filter admits, in ascending order; None without a filter.
    """
    rows = table.rows
    found = table.lexical.matches(query.terms)
    best_possible = sum(table.lexical.rarity(term) for term in query.terms) or 1.0
    similarity = rows.similarities(vector)
    chosen = set(_best(found.scores, admitted, limit, 0.0))
    chosen.update(_best(similarity, admitted, limit, -1.0))
    if query.wanted is not None:
        chosen.update(admitted_of(rows.named(query.wanted.name), admitted)[:MAX_NAMESAKES].tolist())
        chosen.update(admitted_of(np.array(sorted(query.holders), np.int64), admitted).tolist())
    chosen.update(query.quoted_in)
    if query.places:
        named = admitted_of(rows.in_files(lambda path: any(place.is_in(path) for place in query.places)), admitted)
        chosen.update(_best(similarity, named, MAX_IN_FILES, -1.0))
        if len(named) > MAX_IN_FILES:
            chosen.update(_on_lines(rows, named[:MAX_READ_FOR_LINES], query))
    weights = settings.rerank_weight + settings.vector_weight or 1.0
    files = file_features(rows, table.lexical, query.terms, similarity)
    blends = np.float32(settings.rerank_weight / best_possible / weights) * found.scores
    blends += np.float32(settings.vector_weight / weights) * similarity
    chosen.update(_of_fitting_files(rows, files, blends, query, admitted))
    in_scope = rows.below_folders(query.scopes)
    if in_scope.any():
        within = np.flatnonzero(in_scope[rows.files] & (rows.files >= 0))
        chosen.update(_best(blends, admitted_of(within, admitted), MAX_IN_SCOPE, -1.0))
    chunks = rows.read(_with_parents(chosen, rows.parents))
    numbers = np.array([chunk.row for chunk in chunks], np.int64)
    own = rows.files[numbers]
    file_fits = {file: files.of(file) for file in set(own.tolist())}
    columns = (
        found.scores[numbers] / best_possible,
        similarity[numbers],
        blends[numbers],
        found.rarities[numbers] / best_possible,
        found.counts[numbers].astype(np.int64),
        rows.children[numbers],
        rows.file_lengths[own],
    )
    scores = [column.tolist() for column in columns]
    of_files = [file_fits[file] for file in own.tolist()]
    of_graph = _graph_fits(rows, graph_features, numbers, blends)
    imported, called = _linked(rows, graph_features, numbers)
    of_links = (own.tolist(), [imported[file] for file in own.tolist()], [called[row] for row in numbers.tolist()])
    features = candidate_features(rows, graph_features, numbers, similarity, blends, files)
    columns_of_all = (*scores, of_files, of_graph, *of_links, in_scope[own].tolist(), features)
    return list(starmap(Candidate, zip(chunks, *columns_of_all, strict=True)))


def _linked(
    rows: CandidateRows, graph_features: GraphFeatures, chosen: NDArray[np.int64]
) -> tuple[defaultdict[int, tuple[int, ...]], defaultdict[int, tuple[int, ...]]]:
    """Return the files that imports link to each file, and the files that calls link to each row, in both directions. Only chosen
    rows and their files count.
    """
    imported: defaultdict[int, tuple[int, ...]] = defaultdict(tuple)
    called: defaultdict[int, tuple[int, ...]] = defaultdict(tuple)
    for start, end in zip(
        *(side.tolist() for side in graph_features.imports.among(rows.files[chosen], len(rows.paths))), strict=True
    ):
        imported[start] += (end,)
        imported[end] += (start,)
    for start, end in zip(*(side.tolist() for side in graph_features.calls_across.among(chosen, rows.limit)), strict=True):
        called[start] += (int(rows.files[end]),)
        called[end] += (int(rows.files[start]),)
    return imported, called


def _graph_fits(
    rows: CandidateRows, graph_features: GraphFeatures, chosen: NDArray[np.int64], blends: NDArray[np.float32]
) -> list[GraphFit]:
    values = np.full(rows.limit, ALONE, np.float32)
    values[chosen] = blends[chosen]
    file_values = np.full(len(rows.paths), ALONE, np.float32)
    files = rows.files[chosen]
    np.maximum.at(file_values, files, blends[chosen])
    called, caller = graph_features.calls.best_neighbors(values)
    imported, importer = graph_features.imports.best_neighbors(file_values)
    columns = (
        graph_features.importance[chosen],
        graph_features.file_importance[files],
        called[chosen],
        caller[chosen],
        imported[files],
        importer[files],
    )
    return [GraphFit(*fit) for fit in zip(*(column.tolist() for column in columns), strict=True)]


def _of_fitting_files(
    rows: CandidateRows, files: FileFeatures, blends: NDArray[np.float32], query: Query, admitted: NDArray[Any] | None
) -> list[int]:
    """Return the best rows of the files that match best. Tests are left out unless the query is about tests."""
    fit = files.fit
    if not query.asks_for_tests:
        fit = np.where(rows.test_files, -1, fit)
    if admitted is not None:
        has_admitted = np.zeros(len(fit), np.bool_)
        has_admitted[rows.files[admitted]] = True
        fit = np.where(has_admitted, fit, -1)
    starts, lengths = rows.file_starts, rows.file_lengths
    fitting = _best(fit, None, MAX_FITTING_FILES, 0.0)
    own = np.concatenate([rows.by_file[:0], *(rows.by_file[starts[file] : starts[file] + lengths[file]] for file in fitting)])
    own = admitted_of(own, admitted)
    best_first = own[np.lexsort((-blends[own], rows.files[own]))]
    files_of_rows = rows.files[best_first]
    is_chosen = np.ones(len(own), np.bool_)
    is_chosen[MAX_PER_FILE:] = files_of_rows[MAX_PER_FILE:] != files_of_rows[:-MAX_PER_FILE]
    chosen: list[int] = best_first[is_chosen].tolist()
    return chosen


def _with_parents(rows: set[int], parent_rows: NDArray[np.int64]) -> set[int]:
    """Return the rows and their enclosing rows.

    A filter that admits a row admits the enclosing rows, which are in the same file.
    """
    found = set(rows)
    for row in rows:
        parent = int(parent_rows[row])
        while parent >= 0 and parent not in found:
            found.add(parent)
            parent = int(parent_rows[parent])
    return found


def _on_lines(rows: CandidateRows, named: NDArray[np.int64], query: Query) -> list[int]:
    """Return the rows that contain a line that the query names.

    MAX_IN_FILES alone would exclude such rows of long files.
    """
    return [
        chunk.row
        for chunk in rows.read(set(named.tolist()))
        if any(
            place.line and chunk.start_line <= place.line <= chunk.end_line and place.is_in(chunk.relative_path)
            for place in query.places
        )
    ]


def _best(values: NDArray[np.float32], admitted: NDArray[Any] | None, limit: int, floor: float) -> list[int]:
    """Return up to `limit` rows with the highest values above the floor; among equal values, the first rows are chosen."""
    among = values if admitted is None else values[admitted]
    places = np.flatnonzero(among > floor)
    if len(places) > limit:
        values = among[places]
        least = np.partition(values, len(values) - limit)[len(values) - limit]
        above, equal = places[values > least], places[values == least]
        places = np.concatenate([above, equal[: limit - len(above)]])
    best: list[int] = (places if admitted is None else admitted[places]).tolist()
    return best
