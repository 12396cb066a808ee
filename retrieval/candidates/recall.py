"""Stage one: candidates from the lexical index and from the vectors, each with both signals."""

from __future__ import annotations

from collections import defaultdict
from itertools import starmap
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...schema.settings import Settings
from ..embedding.embedder import Vectors
from ..query.query import Question
from ..vectors.candidate_rows import CandidateRow, CandidateRows, admitted_of
from ..vectors.chunk_table import ChunkTable
from .candidate_features import CloserLook, look_closer
from .file_features import FileFit, FileSignals, file_signals
from .graph_features import ALONE, GraphFeatures

#: Declarations of a wanted name that become candidates: of some names, such as `constructor`, there are thousands.
MAX_NAMESAKES = 100
#: The same of files that a question names.
MAX_IN_FILES = 300
#: Rows of these files whose lines are looked at.
MAX_READ_FOR_LINES = 5000
#: The same of files in the part of the repository that a question names.
MAX_IN_SCOPE = 50
#: Candidates of each signal, at least: the ranker tells more of them apart than a re-ranking provider can be sent.
FEWEST = 70
#: Files that bring candidates because they fit as a whole, and candidates of each.
FITTING_FILES, MAX_OF_FILE = 20, 5


class GraphFit(NamedTuple):
    """A candidate in the graph: how much rests on it and on its file, and how good the candidates around it are."""

    importance: float = 0.0
    file_importance: float = 0.0
    #: The best blend of what it calls and of what calls it; of the files that its file imports, and that import it.
    called: float = ALONE
    caller: float = ALONE
    imported: float = ALONE
    importer: float = ALONE


_NO_FIT, _NO_STANDING, _NO_LOOK = FileFit(), GraphFit(), CloserLook()


class Candidate(NamedTuple):
    """A chunk that may answer a question."""

    chunk: CandidateRow
    #: What share of the question the chunk holds, 0 to 1: its lexical score by the best that any chunk could have.
    lexical: float
    #: Cosine of its vector with the question's.
    similarity: float
    #: Both, as the settings weigh them: the lexical share stands for the re-ranker, which looks at both texts together too.
    blend: float
    #: Share of the question's terms that it holds anywhere, by their rarity, and their number.
    coverage: float = 0.0
    matched: int = 0
    #: Chunks directly within it, and in its file.
    parts: int = 0
    file_size: int = 1
    #: How well its file fits as a whole.
    file: FileFit = _NO_FIT
    #: What the graph says of it.
    standing: GraphFit = _NO_STANDING
    #: Numbers of its file, of the files of other candidates that this one imports or that import it, and of those that hold what
    #: it calls or what calls it.
    file_number: int = 0
    files_imported: tuple[int, ...] = ()
    files_called: tuple[int, ...] = ()
    #: Whether it lies in the part of the repository that the question names.
    in_scope: bool = False
    #: What is looked at of the chosen alone.
    look: CloserLook = _NO_LOOK


def gather_candidates(
    table: ChunkTable,
    standing: GraphFeatures,
    question: Question,
    vector: Vectors,
    settings: Settings,
    limit: int,
    admitted: NDArray[Any] | None,
) -> list[Candidate]:
    """The best `limit` rows of each signal among those that a filter admits, and the declarations of a wanted name.

    `admitted` rises, and is None where there is no filter.
    """
    rows = table.rows
    found = table.lexical.matches(question.terms)
    best_possible = sum(table.lexical.rarity(term) for term in question.terms) or 1.0
    similarity = rows.similarities(vector)
    chosen = set(_best(found.scores, admitted, limit, 0.0))
    chosen.update(_best(similarity, admitted, limit, -1.0))
    if question.wanted is not None:
        chosen.update(admitted_of(rows.named(question.wanted.name), admitted)[:MAX_NAMESAKES].tolist())
        chosen.update(admitted_of(np.array(sorted(question.holders), np.int64), admitted).tolist())
    chosen.update(question.quoted_in)
    if question.places:
        named = admitted_of(rows.in_files(lambda path: any(place.is_in(path) for place in question.places)), admitted)
        chosen.update(_best(similarity, named, MAX_IN_FILES, -1.0))
        if len(named) > MAX_IN_FILES:
            chosen.update(_on_lines(rows, named[:MAX_READ_FOR_LINES], question))
    weights = settings.rerank_weight + settings.vector_weight or 1.0
    files = file_signals(rows, table.lexical, question.terms, similarity)
    blends = np.float32(settings.rerank_weight / best_possible / weights) * found.scores
    blends += np.float32(settings.vector_weight / weights) * similarity
    chosen.update(_of_fitting_files(rows, files, blends, question, admitted))
    in_scope = rows.below_folders(question.scopes)
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
    signals = [column.tolist() for column in columns]
    of_files = [file_fits[file] for file in own.tolist()]
    of_graph = _graph_fits(rows, standing, numbers, blends)
    imported, called = _linked(rows, standing, numbers)
    of_links = (own.tolist(), [imported[file] for file in own.tolist()], [called[row] for row in numbers.tolist()])
    looks = look_closer(rows, standing, numbers, similarity, blends, files)
    columns_of_all = (*signals, of_files, of_graph, *of_links, in_scope[own].tolist(), looks)
    return list(starmap(Candidate, zip(chunks, *columns_of_all, strict=True)))


def _linked(
    rows: CandidateRows, standing: GraphFeatures, chosen: NDArray[np.int64]
) -> tuple[defaultdict[int, tuple[int, ...]], defaultdict[int, tuple[int, ...]]]:
    """For the file of each chosen row the files that it imports and that import it; for each row those of what it calls and of
    what calls it. Only files and rows that are chosen count."""
    imported: defaultdict[int, tuple[int, ...]] = defaultdict(tuple)
    called: defaultdict[int, tuple[int, ...]] = defaultdict(tuple)
    for start, end in zip(*(side.tolist() for side in standing.imports.among(rows.files[chosen], len(rows.paths))), strict=True):
        imported[start] += (end,)
        imported[end] += (start,)
    for start, end in zip(*(side.tolist() for side in standing.calls_across.among(chosen, rows.limit)), strict=True):
        called[start] += (int(rows.files[end]),)
        called[end] += (int(rows.files[start]),)
    return imported, called


def _graph_fits(
    rows: CandidateRows, standing: GraphFeatures, chosen: NDArray[np.int64], blends: NDArray[np.float32]
) -> list[GraphFit]:
    values = np.full(rows.limit, ALONE, np.float32)
    values[chosen] = blends[chosen]
    file_values = np.full(len(rows.paths), ALONE, np.float32)
    files = rows.files[chosen]
    np.maximum.at(file_values, files, blends[chosen])
    called, caller = standing.calls.best_neighbours(values)
    imported, importer = standing.imports.best_neighbours(file_values)
    columns = (
        standing.importance[chosen],
        standing.file_importance[files],
        called[chosen],
        caller[chosen],
        imported[files],
        importer[files],
    )
    return [GraphFit(*fit) for fit in zip(*(column.tolist() for column in columns), strict=True)]


def _of_fitting_files(
    rows: CandidateRows, files: FileSignals, blends: NDArray[np.float32], question: Question, admitted: NDArray[Any] | None
) -> list[int]:
    """The best rows of the files that fit best; tests only where the question asks for them."""
    fit = files.fit
    if not question.asks_for_tests:
        fit = np.where(rows.test_files, -1, fit)
    if admitted is not None:
        has_admitted = np.zeros(len(fit), np.bool_)
        has_admitted[rows.files[admitted]] = True
        fit = np.where(has_admitted, fit, -1)
    starts, lengths = rows.file_starts, rows.file_lengths
    fitting = _best(fit, None, FITTING_FILES, 0.0)
    own = np.concatenate([rows.by_file[:0], *(rows.by_file[starts[file] : starts[file] + lengths[file]] for file in fitting)])
    if admitted is not None:
        own = np.intersect1d(own, admitted)
    best_first = own[np.lexsort((-blends[own], rows.files[own]))]
    files_of_rows = rows.files[best_first]
    is_chosen = np.ones(len(own), np.bool_)
    is_chosen[MAX_OF_FILE:] = files_of_rows[MAX_OF_FILE:] != files_of_rows[:-MAX_OF_FILE]
    chosen: list[int] = best_first[is_chosen].tolist()
    return chosen


def _with_parents(rows: set[int], parent_rows: NDArray[np.int64]) -> set[int]:
    """The rows, and those of what holds them: that competes, found or not. It lies in the same file, so a filter admits it."""
    found = set(rows)
    for row in rows:
        parent = int(parent_rows[row])
        while parent >= 0 and parent not in found:
            found.add(parent)
            parent = int(parent_rows[parent])
    return found


def _on_lines(rows: CandidateRows, named: NDArray[np.int64], question: Question) -> list[int]:
    """Those of some rows that stand on a line that the question names: a long file has more rows than are taken of it."""
    return [
        chunk.row
        for chunk in rows.read(set(named.tolist()))
        if any(
            place.line and chunk.start_line <= place.line <= chunk.end_line and place.is_in(chunk.relative_path)
            for place in question.places
        )
    ]


def _best(values: NDArray[np.float32], admitted: NDArray[Any] | None, limit: int, floor: float) -> list[int]:
    """The rows with the highest values above the floor; of equal ones the first."""
    among = values if admitted is None else values[admitted]
    places = np.flatnonzero(among > floor)
    if len(places) > limit:
        values = among[places]
        least = np.partition(values, len(values) - limit)[len(values) - limit]
        above, equal = places[values > least], places[values == least]
        places = np.concatenate([above, equal[: limit - len(above)]])
    best: list[int] = (places if admitted is None else admitted[places]).tolist()
    return best
