"""Score candidates with the learned ranker, from 0 to 1, and sort them.

Features of query and candidate (`ranker/features.py`) are the input of boosted trees and small neural nets. Trees and nets were
trained on open-source code with doc comments, questions, change requests and names (`training/ranker/`). If the query is a name,
the declarations of this name come first.

The score is a probability, calibrated on the same code. Positive examples are the wanted symbols of queries. Negative examples
are the best results for queries about another repository. Their weight is lower, because most queries have an answer in the
searched repository. Further negative examples, with a quarter of the weight, are low-ranked results for queries about the same
repository. The inputs of the gate are the learned sum and the evidence for the whole query. The evidence is the same for all
candidates, so it does not change their order.
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
from ..query.query import NamedPlace, NamePath, Query, same_identifier
from ..text.logit import sigmoid
from ..vectors.candidate_rows import CandidateRow
from .ranker.features import Column, Likeness, feature_table, matrix, path_end
from .ranker.kind_words import KindWords, read_kind_words
from .ranker.learned import LearnedRanker
from .ranker.trees import Model, read_model

#: File of the learned ranker.
MODEL_PATH = Path(__file__).with_name("ranker") / "ranker.json"

# Bonuses and penalties are added to the learned sum. This bonus is for the innermost symbol on a line that the query names.
_NAMED_LINE_BONUS = 2250.0
#: Penalty of a symbol on a named line for each earlier place in the query.
_LATER_PLACE_PENALTY = 100.0
#: Bonus of other symbols in a file that the query names.
_NAMED_FILE_BONUS = 7.5
#: Bonus of a file that imports the best file or is imported by it. Calls between both files add the bonus again. For links to
#: a less likely file, the bonus is lower.
_NEIGHBOR_BONUS = 0.8
#: Number of files at the top that keep their places before files with this bonus.
_FIXED_FILES = 5
#: Results that a bonus would lift above the fixed files are placed just below these files. Their distances are multiplied by
#: this number, so their order stays.
_ORDER_MARGIN = 1e-6
#: Penalty of a symbol nested in a function that represents it.
_NESTED_IN_FUNCTION_PENALTY = 1.0
#: Minimum number of lines of a function that does not represent the symbols nested in it.
_MAX_WHOLE_FUNCTION_LENGTH = 80
#: Bonus of a declaration whose name is the whole query, with the same case and parent. The bonus is higher than any learned
#: sum.
_WANTED_BONUS = 200.0
#: Bonus of a declaration whose name is the whole query, but with another case or another parent.
_WANTED_IN_OTHER_CASE_BONUS = 100.0
#: Bonus of a symbol with a member of the wanted name, such as a property.
_HOLDS_WANTED_BONUS = 150.0
#: Penalty of a declaration of the wanted name for each symbol that encloses it, up to two.
_NESTED_NAMESAKE_PENALTY = 8.0
#: Share of the bonuses for names in tests and examples. They have no bonus if other code declares the exact name, because few
#: users want all uses of the name.
_SECONDARY_SHARE = 0.65
#: Largest bonus of tests if the query wants tests.
_MAX_TEST_BONUS = 8.0
#: Distance of the best test from all other code, if the query wants tests.
_TEST_LEAD = 0.01
#: Name of the contribution of `phrase_match.py` in an explanation.
_WORD_BY_WORD = "word_by_word"
#: Minimum number of lines of a symbol that may not be shown whole. Results inside shorter symbols are redundant.
_SHOWN_WHOLE_LINES = 400
#: Minimum number of lines of a symbol that is redundant around a shown nested symbol.
_LARGE_REST_LINES = 60
#: Penalty of such redundant results.
_REDUNDANT_PENALTY = 250.0


_SIGNALS = ("lexical", "similarity", "blend", "coverage", "file_lexical", "file_coverage")
#: Evidence for a query: the highest value of each of these features among all candidates.
_STRONGEST = (*_SIGNALS, "query_in_name", "name_cosine", "path_says", "name_odds", "name_read", "whole_odds")
#: Evidence for a query: the value of each of these features for the first candidate.
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
#: Rank of the value whose distance to the best value is evidence.
_SPREAD_RANK = 10


class Ranked(NamedTuple):
    """A candidate with its final score."""

    chunk: CandidateRow
    score: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a candidate has its rank: its features, and their contributions to the learned sum."""

    features: Mapping[str, float]
    contributions: Mapping[str, float]


class Ranker:
    """Ranks the candidates of a query. Threads may share a ranker."""

    def __init__(self, words: StaticEmbedder) -> None:
        """`words` is the embedder that compares words."""
        self._words = words

    @cached_property
    def _model(self) -> Model:
        return read_model(MODEL_PATH)

    @cached_property
    def _kinds(self) -> KindWords:
        return read_kind_words()

    @cached_property
    def _learned(self) -> LearnedRanker:
        return LearnedRanker(self._model)

    def rank(self, candidates: Sequence[Candidate], query: Query, lexical: LexicalIndex) -> list[Ranked]:
        """Return the candidates with their scores, best first."""
        if not candidates:
            return []
        table = self.table(candidates, query, lexical)
        sums = self._learned.scores(matrix(table, self._learned.features)).astype(np.float64)
        evidence = self._evidence(table, sums)
        chunks = [candidate.chunk for candidate in candidates]
        sums = _with_nested_sums(chunks, sums)
        if not query.names_code:
            sums = _with_neighbor_bonus(candidates, sums)
        if query.wanted is not None:
            is_secondary = (table["test"] > 0) | (table["example"] > 0)
            bonus = np.array([_wanted_bonus(chunk, query.wanted, query.holders) for chunk in chunks])
            is_declared = bool((bonus[~is_secondary] > _WANTED_IN_OTHER_CASE_BONUS).any())
            sums += bonus * np.where(is_secondary, 0.0 if is_declared else _SECONDARY_SHARE, 1.0)
        if query.wants_tests:
            sums = _tests_first(chunks, sums)
        if query.places:
            sums += [_place_bonus(chunk, query.places) for chunk in chunks]
        order = sorted(range(len(candidates)), key=lambda place: _place(chunks[place], float(sums[place])))
        if not query.names_code:
            is_redundant = _redundant([chunks[place] for place in order])
            sums[np.array(order)[is_redundant]] -= _REDUNDANT_PENALTY
            order.sort(key=lambda place: -sums[place])
        steepness = self._model.gate[-2]
        return [Ranked(chunks[place], sigmoid(evidence + steepness * sums[place])) for place in order]

    def explain(self, candidates: Sequence[Candidate], query: Query, lexical: LexicalIndex) -> dict[int, Explanation]:
        """Return the features of each candidate and their contributions, by row."""
        table = self.table(candidates, query, lexical)
        rows = matrix(table, self._learned.features)
        added = self._learned.contributions(rows)
        found = {}
        for candidate, values, adds in zip(candidates, rows, added, strict=True):
            features = dict(zip(self._learned.features, map(float, values), strict=True))
            quoted = query.quoted_in.get(candidate.chunk.row)
            if quoted is not None:
                features[_WORD_BY_WORD] = adds[_WORD_BY_WORD] = quoted
            found[candidate.chunk.row] = Explanation(features, adds)
        return found

    def table(self, candidates: Sequence[Candidate], query: Query, lexical: LexicalIndex) -> dict[str, Column]:
        """Return all features of the candidates by name, each of shape (candidates,)."""
        chunks = [candidate.chunk for candidate in candidates]
        names = [chunk.name for chunk in chunks]
        ends = [path_end(chunk.relative_path) for chunk in chunks]
        wholes = [f"{chunk.parent_name or ''} {end} {chunk.name}" for chunk, end in zip(chunks, ends, strict=True)]
        # All texts are compared in one call, because they share words.
        matches = self._words.match_words(query.text, [*names, *ends, *wholes])
        of_names, of_ends, of_wholes = map(WordMatches._make, _thirds(matches.words))
        names_read, _, wholes_read = map(ReadMatches._make, _thirds(matches.read))
        nearness = self._words.near_names(query.text, names)
        read = names_read._replace(whole_read=wholes_read.whole_read, whole_odds=wholes_read.whole_odds)
        likeness = Likeness(NameMatches(nearness, of_names), of_ends, of_wholes, read, self._kinds.fits(query.text))
        return feature_table(candidates, query, likeness, lexical.rarity, lexical.documents)

    def _evidence(self, table: Mapping[str, Column], sums: NDArray[np.float64]) -> float:
        *weights, _, constant = self._model.gate
        found = question_evidence(table, sums)
        return constant + sum(weight * found[name] for weight, name in zip(weights, self._model.evidence, strict=True))


def question_evidence(table: Mapping[str, Column], sums: NDArray[np.float64]) -> dict[str, float]:
    """Return the evidence about a query that is the same for all candidates.

    The evidence consists of the highest values of some features, the features and the lead of the candidate with the highest sum,
    traits of the query, and the size of the repository.
    """
    best = int(sums.argmax())
    found = {name: float(table[name].max()) for name in _STRONGEST}
    found |= {f"first_{name}": float(table[name][best]) for name in _OF_FIRST}
    found |= {f"{name}_spread": _spread(table[name], _SPREAD_RANK) for name in ("similarity", "lexical")}
    found |= {name: float(table[name][0]) for name in ("question_decades", "question_terms", "question_words", "question_asks")}
    highest = float(sums[best])
    return {**found, "lead": _spread(sums, 2), "sums_spread": _spread(sums, _SPREAD_RANK), "highest": highest}


def _thirds(columns: Sequence[Column]) -> Iterator[tuple[Column, ...]]:
    """Yield the first thirds of the columns, then the second and the last thirds."""
    return zip(*(np.split(column, 3) for column in columns), strict=True)


def _spread(values: NDArray[Any], rank: int) -> float:
    """Return the difference between the best value and the value at a rank, or the last value if there are fewer values."""
    ordered = np.sort(values)[::-1]
    return float(ordered[0] - ordered[min(rank, len(ordered)) - 1])


def _with_nested_sums(chunks: Sequence[CandidateRow], sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sums, with the highest sum of its nested symbols for each function, and a penalty for these symbols.

    A callback does not answer a query without the function around it. A function of `_MAX_WHOLE_FUNCTION_LENGTH` lines or more
    does not represent its nested symbols.
    """
    places = {chunk.row: place for place, chunk in enumerate(chunks)}
    lifted = sums.copy()
    for place in sorted(range(len(chunks)), key=lambda place: -chunks[place].depth):
        outer = chunks[place].parent_row
        if outer is not None and _stands_for_its_parts(chunks[places[outer]]):
            lifted[places[outer]] = max(lifted[places[outer]], lifted[place])
            lifted[place] -= _NESTED_IN_FUNCTION_PENALTY
    return lifted


def _tests_first(chunks: Sequence[CandidateRow], sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sums with a bonus for tests that lifts the best test just above all other code.

    A larger bonus could lift tests above the gate although the tested code does not exist.
    """
    tests = np.array([chunk.is_test for chunk in chunks])
    if not tests.any():
        return sums
    missing = sums.max() + _TEST_LEAD - sums[tests].max()
    return sums + np.where(tests, min(missing, _MAX_TEST_BONUS), 0.0)


def _with_neighbor_bonus(candidates: Sequence[Candidate], sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sums with a bonus from the graph, because the files of an answer import and call each other.

    The best candidate of a file gets the bonus. The bonus increases with the likelihood of the best file that is linked by an
    import, and with the likelihood of the best file that is linked by a call. The first files have no bonus, and no other file
    passes them: words determine the first files, and the graph orders the other files.
    """
    files = [candidate.file_number for candidate in candidates]
    best: dict[int, float] = {}
    for file, own in zip(files, sums.tolist(), strict=True):
        best[file] = max(own, best.get(file, -math.inf))
    ordered = sorted(best.values(), reverse=True)
    likely = {file: math.exp(own - ordered[0]) for file, own in best.items()}
    imported, called = dict.fromkeys(best, 0.0), dict.fromkeys(best, 0.0)
    one_of_each = dict(zip(files, candidates, strict=True))  # each candidate of a file has the same imports
    for file, candidate in one_of_each.items():
        imported[file] = max((likely[other] for other in candidate.files_imported), default=0.0)
    for candidate in candidates:
        file = candidate.file_number
        called[file] = max([called[file], *(likely[other] for other in candidate.files_called)])
    limit = ordered[min(_FIXED_FILES, len(ordered)) - 1]

    def with_bonus(file: int, own: float) -> float:
        if own < best[file] or own >= limit:
            return own
        return min(own + _NEIGHBOR_BONUS * (imported[file] + called[file]), limit - _ORDER_MARGIN * (limit - own))

    return np.array([with_bonus(file, own) for file, own in zip(files, sums.tolist(), strict=True)])


def _redundant(ordered: Sequence[CandidateRow]) -> NDArray[np.bool_]:
    """Return a mask of the redundant chunks. A redundant chunk contains a better-ranked chunk, or is inside of one.

    `ordered` begins with the best chunk.
    """
    by_row = {chunk.row: chunk for chunk in ordered}
    shown: set[int] = set()
    holders: set[int] = set()
    found = []
    for chunk in ordered:
        outer = _enclosing_rows(chunk, by_row)
        is_within = any(row in shown and _lines(by_row[row]) < _SHOWN_WHOLE_LINES for row in outer)
        is_redundant = is_within or (chunk.row in holders and _lines(chunk) >= _LARGE_REST_LINES)
        found.append(is_redundant)
        if not is_redundant:
            shown.add(chunk.row)
            holders.update(outer)
    return np.array(found)


def _enclosing_rows(chunk: CandidateRow, by_row: Mapping[int, CandidateRow]) -> list[int]:
    """Return the rows that enclose a chunk, innermost first. All these rows are candidates."""
    rows = []
    while chunk.parent_row is not None:
        rows.append(chunk.parent_row)
        chunk = by_row[chunk.parent_row]
    return rows


def _lines(chunk: CandidateRow) -> int:
    return chunk.end_line - chunk.start_line


def _stands_for_its_parts(chunk: CandidateRow) -> bool:
    return chunk.node_kind in CALLABLE_KINDS and _lines(chunk) < _MAX_WHOLE_FUNCTION_LENGTH


def _place(chunk: CandidateRow, score: float) -> tuple[float, bool, str, int]:
    return -score, not chunk.exported, chunk.relative_path, chunk.start_line


def _place_bonus(chunk: CandidateRow, places: Sequence[NamedPlace]) -> float:
    for number, place in enumerate(places):
        if not place.is_in(chunk.relative_path):
            continue
        if place.line is None:
            return _NAMED_FILE_BONUS
        if chunk.start_line <= place.line <= chunk.end_line:
            return _NAMED_LINE_BONUS - _LATER_PLACE_PENALTY * (number + 1 / (2 + chunk.depth))
    return 0.0


def _wanted_bonus(chunk: CandidateRow, wanted: NamePath, holders: Collection[int]) -> float:
    holds = _HOLDS_WANTED_BONUS if chunk.row in holders else 0.0
    if chunk.node_kind in STATEMENTS or not same_identifier(chunk.name, wanted.name):
        return holds
    is_exact = chunk.name == wanted.name and (wanted.parent is None or chunk.parent_name == wanted.parent)
    declares = _WANTED_BONUS if is_exact else _WANTED_IN_OTHER_CASE_BONUS
    return max(holds, declares - _NESTED_NAMESAKE_PENALTY * min(chunk.depth, 2))
