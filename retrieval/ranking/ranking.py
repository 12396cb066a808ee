"""Stage two: the score of each candidate, from 0 to 1, and the order of the results.

Features of question and candidate (`ranker/features.py`) go through boosted trees and small nets that were learnt on open code,
from doc comments, questions, change requests and names (`ranker/training/`). A query that is a name puts the declarations of that
name first, whatever they score.

The score is a probability, calibrated on the same code. Relevant are the symbols that questions are about; irrelevant are
the best that a repository has to offer for questions about another one, somewhat less, for most questions are asked where they
have an answer; and, a quarter as much, what stands far below in the answer to its own. The gate reads, besides the
learnt sum, how strong the evidence for the whole question is, which is the same for all its candidates: so it never changes
their order.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...schema.symbol_kinds import CALLABLE_KINDS, STATEMENTS
from ..candidates.recall import Candidate
from ..embedding.query_encoder import ReadMatches
from ..embedding.static_embedder import NameMatches, StaticEmbedder
from ..embedding.term_similarity import WordMatches
from ..lexical.index import LexicalIndex
from ..query.query import NamedPlace, NamePath, Question, same_identifier
from ..text.logit import sigmoid
from ..vectors.candidate_rows import CandidateRow
from .ranker.features import Column, Likeness, feature_table, matrix, path_end
from .ranker.kind_words import KindWords, read_kind_words
from .ranker.learned import LearntRanker
from .ranker.trees import Model, read_model

#: The learnt ranker.
MODEL_PATH = Path(__file__).with_name("ranker") / "ranker.json"

#: Added for the innermost code on a line that the question names, less for each place named before it, and for other code of
#: a named file.
_ON_NAMED_LINE, _LATER_PLACE, _IN_NAMED_FILE = 2250.0, 100.0, 7.5
#: Added to what lies beside the best file, for imports and for calls alike; and files that keep their places before it.
_BESIDE, _FIRST_FILES = 0.8, 5
#: How far what gains is kept below those, by what it was below them: so it keeps its order.
_KEPT_APART = 1e-6
#: Taken from the sum of what is nested in a function that stands for it.
_NESTED_IN_FUNCTION, _MAX_WHOLE_FUNCTION_LENGTH = 1.0, 80
#: Added for a declaration whose name is the whole query: with its case and parent, and without; and for code that declares
#: the name as a member, such as a property. More than any learnt sum.
_WANTED, _WANTED_IN_OTHER_CASE, _HOLDS_WANTED = 200.0, 100.0, 150.0
#: Taken from a declaration of the name for each that it is nested in, up to two. Tests and examples get this share of what is
#: left, so they stand behind; nothing where other code declares the name as it is written, for few want all that use it.
_NESTED_NAMESAKE, _ASIDE = 8.0, 0.65
#: The most that is added to tests where they are what is asked for, and by how much they then come before all else.
_WANTED_TEST, _TEST_AHEAD = 8.0, 0.01
#: What `verbatim.py` adds, in an explanation.
_WORD_BY_WORD = "word_by_word"
#: What has fewer lines than this is shown whole, so that nothing within it need be shown again; what has at least as many as the
#: second is not shown again for the sake of what is left of it. Taken from the sum of such repeats.
_SHOWN_WHOLE, _MUCH_LEFT, _REPEATED = 400, 60, 250.0


#: Evidence for a question: features of which the best of all candidates counts, and those of the first one.
_SIGNALS = ("lexical", "similarity", "blend", "coverage", "file_lexical", "file_coverage")
_STRONGEST = (*_SIGNALS, "query_in_name", "name_cosine", "path_says", "name_odds", "name_read", "whole_odds")
_OF_FIRST = (
    *_SIGNALS,
    "matched_share",
    "name_says",
    "name_asked",
    "name_cosine",
    "query_in_name",
    "file_similarity",
    "importance",
    "name_odds",
    "name_read",
    "name_untold",
    "name_unasked",
    "whole_read",
)
#: How far below the best the rest is, is seen here.
_SPREAD_RANK = 10


class Ranked(NamedTuple):
    """A candidate with its final score."""

    chunk: CandidateRow
    score: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a candidate has its place: its features, and what each added to the learnt sum."""

    features: Mapping[str, float]
    contributions: Mapping[str, float]


class Ranker:
    """Ranks the candidates of a question. Safe to share between threads."""

    def __init__(self, words: StaticEmbedder) -> None:
        """`words` knows which words mean alike."""
        self._words = words

    @cached_property
    def _model(self) -> Model:
        return read_model(MODEL_PATH)

    @cached_property
    def _kinds(self) -> KindWords:
        return read_kind_words()

    @cached_property
    def _learnt(self) -> LearntRanker:
        return LearntRanker(self._model)

    def rank(self, candidates: Sequence[Candidate], question: Question, lexical: LexicalIndex) -> list[Ranked]:
        """Candidates with their scores, best first."""
        if not candidates:
            return []
        table = self.table(candidates, question, lexical)
        sums = self._learnt.scores(matrix(table, self._learnt.features)).astype(np.float64)
        evidence = self._evidence(table, sums)
        chunks = [candidate.chunk for candidate in candidates]
        sums = _lifted(chunks, sums)
        if not question.names_code:
            sums = _among_neighbours(candidates, sums)
        if question.wanted is not None:
            aside = (table["test"] > 0) | (table["example"] > 0)
            added = np.array([_wanted_bonus(chunk, question.wanted, question.holders) for chunk in chunks])
            is_declared = bool((added[~aside] > _WANTED_IN_OTHER_CASE).any())
            sums += added * np.where(aside, 0.0 if is_declared else _ASIDE, 1.0)
        if question.wants_tests:
            sums = _tests_first(chunks, sums)
        if question.places:
            sums += [_place_bonus(chunk, question.places) for chunk in chunks]
        order = sorted(range(len(candidates)), key=lambda place: _place(chunks[place], float(sums[place])))
        if not question.names_code:
            again = _repeated([chunks[place] for place in order])
            sums[np.array(order)[again]] -= _REPEATED
            order.sort(key=lambda place: -sums[place])
        steepness = self._model.gate[-2]
        return [Ranked(chunks[place], sigmoid(evidence + steepness * sums[place])) for place in order]

    def explain(self, candidates: Sequence[Candidate], question: Question, lexical: LexicalIndex) -> dict[int, Explanation]:
        """The features of each candidate and what they add, by row."""
        table = self.table(candidates, question, lexical)
        rows = matrix(table, self._learnt.features)
        added = self._learnt.contributions(rows)
        found = {}
        for candidate, values, adds in zip(candidates, rows, added, strict=True):
            features = dict(zip(self._learnt.features, map(float, values), strict=True))
            quoted = question.quoted_in.get(candidate.chunk.row)
            if quoted is not None:
                features[_WORD_BY_WORD] = adds[_WORD_BY_WORD] = quoted
            found[candidate.chunk.row] = Explanation(features, adds)
        return found

    def table(self, candidates: Sequence[Candidate], question: Question, lexical: LexicalIndex) -> dict[str, Column]:
        """All features of the candidates, by name."""
        chunks = [candidate.chunk for candidate in candidates]
        names = [chunk.name for chunk in chunks]
        ends = [path_end(chunk.relative_path) for chunk in chunks]
        wholes = [f"{chunk.parent_name or ''} {end} {chunk.name}" for chunk, end in zip(chunks, ends, strict=True)]
        # At once, since they share their words.
        matches = self._words.match_words(question.text, [*names, *ends, *wholes])
        of_names, of_ends, of_wholes = map(WordMatches._make, _thirds(matches.words))
        names_read, _, wholes_read = map(ReadMatches._make, _thirds(matches.read))
        nearness = self._words.near_names(question.text, names)
        read = names_read._replace(whole_read=wholes_read.whole_read, whole_odds=wholes_read.whole_odds)
        likeness = Likeness(NameMatches(nearness, of_names), of_ends, of_wholes, read, self._kinds.fits(question.text))
        return feature_table(candidates, question, likeness, lexical.rarity, lexical.documents)

    def _evidence(self, table: Mapping[str, Column], sums: NDArray[np.float64]) -> float:
        *weights, _, constant = self._model.gate
        found = question_evidence(table, sums)
        return constant + sum(weight * found[name] for weight, name in zip(weights, self._model.evidence, strict=True))


def question_evidence(table: Mapping[str, Column], sums: NDArray[np.float64]) -> dict[str, float]:
    """How strong the evidence for a question is, whichever candidate it is asked of.

    The best that any candidate has of each signal; what the one with the highest sum has, and by how much it is
    ahead; how the question is asked, and of how much code.
    """
    best = int(sums.argmax())
    found = {name: float(table[name].max()) for name in _STRONGEST}
    found |= {f"first_{name}": float(table[name][best]) for name in _OF_FIRST}
    found |= {f"{name}_spread": _spread(table[name], _SPREAD_RANK) for name in ("similarity", "lexical")}
    found |= {name: float(table[name][0]) for name in ("question_decades", "question_terms", "question_words", "question_asks")}
    highest = float(sums[best])
    return {**found, "lead": _spread(sums, 2), "sums_spread": _spread(sums, _SPREAD_RANK), "highest": highest}


def _thirds(columns: Sequence[Column]) -> Iterator[tuple[Column, ...]]:
    """The first third of each of the columns, then the second, and the last."""
    return zip(*(np.split(column, 3) for column in columns), strict=True)


def _spread(values: NDArray[Any], rank: int) -> float:
    """By how much the best value is above that of a rank, or the last one."""
    ordered = np.sort(values)[::-1]
    return float(ordered[0] - ordered[min(rank, len(ordered)) - 1])


def _lifted(chunks: Sequence[CandidateRow], sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums after functions took over those of what is nested in them: a callback is no answer without what it is passed to.

    Only a function with more lines than `_MAX_WHOLE_FUNCTION_LENGTH` lets its parts stand for themselves.
    """
    places = {chunk.row: place for place, chunk in enumerate(chunks)}
    lifted = sums.copy()
    for place in sorted(range(len(chunks)), key=lambda place: -chunks[place].depth):
        outer = chunks[place].parent_row
        if outer is not None and _stands_for_its_parts(chunks[places[outer]]):
            lifted[places[outer]] = max(lifted[places[outer]], lifted[place])
            lifted[place] -= _NESTED_IN_FUNCTION
    return lifted


def _tests_first(chunks: Sequence[CandidateRow], sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums of which the best test has hardly more than the best of all had: what is not there has no tests that pass the gate."""
    tests = np.array([chunk.is_test for chunk in chunks])
    if not tests.any():
        return sums
    missing = sums.max() + _TEST_AHEAD - sums[tests].max()
    return sums + np.where(tests, min(missing, _WANTED_TEST), 0.0)


def _among_neighbours(candidates: Sequence[Candidate], sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums with what the graph adds: what is asked for lies in files that import and call each other.

    The best candidate of a file gains by how likely the best file is that its own imports or is imported by, and that it calls
    or is called by. Those of the first files gain nothing, and no other comes before them: what the words say decides who is
    first, the graph who else is there.
    """
    files = [candidate.file_number for candidate in candidates]
    best: dict[int, float] = {}
    for file, own in zip(files, sums.tolist(), strict=True):
        best[file] = max(own, best.get(file, -math.inf))
    ordered = sorted(best.values(), reverse=True)
    likely = {file: math.exp(own - ordered[0]) for file, own in best.items()}
    imported, called = dict.fromkeys(best, 0.0), dict.fromkeys(best, 0.0)
    one_of_each = dict(zip(files, candidates, strict=True))  # what its file imports is told by any candidate
    for file, candidate in one_of_each.items():
        imported[file] = max((likely[other] for other in candidate.files_imported), default=0.0)
    for candidate in candidates:
        file = candidate.file_number
        called[file] = max([called[file], *(likely[other] for other in candidate.files_called)])
    limit = ordered[min(_FIRST_FILES, len(ordered)) - 1]

    def gained(file: int, own: float) -> float:
        if own < best[file] or own >= limit:
            return own
        return min(own + _BESIDE * (imported[file] + called[file]), limit - _KEPT_APART * (limit - own))

    return np.array([gained(file, own) for file, own in zip(files, sums.tolist(), strict=True)])


def _repeated(ordered: Sequence[CandidateRow]) -> NDArray[np.bool_]:
    """Whether each of the chunks, best first, says little that those before it do not: it lies in one of them, or one in it."""
    by_row = {chunk.row: chunk for chunk in ordered}
    shown: set[int] = set()
    holders: set[int] = set()
    found = []
    for chunk in ordered:
        outer = _around(chunk, by_row)
        is_within = any(row in shown and _lines(by_row[row]) < _SHOWN_WHOLE for row in outer)
        again = is_within or (chunk.row in holders and _lines(chunk) >= _MUCH_LEFT)
        found.append(again)
        if not again:
            shown.add(chunk.row)
            holders.update(outer)
    return np.array(found)


def _around(chunk: CandidateRow, by_row: Mapping[int, CandidateRow]) -> list[int]:
    """The rows of what holds a chunk, from the inside out. All of them are candidates where one within is."""
    rows = []
    while chunk.parent_row is not None:
        rows.append(chunk.parent_row)
        chunk = by_row[chunk.parent_row]
    return rows


def _lines(chunk: CandidateRow) -> int:
    return chunk.end_line - chunk.start_line


def _stands_for_its_parts(chunk: CandidateRow) -> bool:
    return chunk.node_kind in CALLABLE_KINDS and chunk.end_line - chunk.start_line < _MAX_WHOLE_FUNCTION_LENGTH


def _place(chunk: CandidateRow, score: float) -> tuple[float, bool, str, int]:
    return -score, not chunk.exported, chunk.relative_path, chunk.start_line


def _place_bonus(chunk: CandidateRow, places: Sequence[NamedPlace]) -> float:
    for number, place in enumerate(places):
        if not place.is_in(chunk.relative_path):
            continue
        if place.line is None:
            return _IN_NAMED_FILE
        if chunk.start_line <= place.line <= chunk.end_line:
            return _ON_NAMED_LINE - _LATER_PLACE * (number + 1 / (2 + chunk.depth))
    return 0.0


def _wanted_bonus(chunk: CandidateRow, wanted: NamePath, holders: Collection[int]) -> float:
    holds = _HOLDS_WANTED if chunk.row in holders else 0.0
    if chunk.node_kind in STATEMENTS or not same_identifier(chunk.name, wanted.name):
        return holds
    is_exact = chunk.name == wanted.name and (wanted.parent is None or chunk.parent_name == wanted.parent)
    return max(holds, (_WANTED if is_exact else _WANTED_IN_OTHER_CASE) - _NESTED_NAMESAKE * min(chunk.depth, 2))
