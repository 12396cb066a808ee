"""Stage two: the final score of each candidate, from 0 to 1, and the order of the results.

With a re-ranking provider the score is the blend that the settings weigh, `rerank_weight` times the re-ranker's score and
`vector_weight` times the cosine. Without one, the lexical share stands for the re-ranker: like it, it looks at question
and chunk together. The blend is then discounted by what kind of code the chunk is, and turned into a probability.

The probability is calibrated on open packages and repositories (`tests/retrieval/calibrate_ranking.py` makes the three numbers).
Relevant are the symbols that doc comments, commit subjects and paraphrased questions are about; irrelevant is the best
that a repository has to offer for questions about another one. Both weigh the same, so a chunk at 0.5 is as likely the
code that was asked for as the best guess where there is none. The more chunks there are, the better the best guess gets.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..schema.settings import Settings
from .chunk_table import CandidateRow
from .fusion import Candidate
from .question import NamePath, Question, same_identifier
from .structure import CALLABLE_KINDS
from .words import split_text

#: Blend at which the probability is one half, for one chunk and for each tenfold of chunks, and its steepness there.
MIDPOINT, MIDPOINT_PER_DECADE, STEEPNESS = 0.107, 0.051, 18.1

#: Added for the share of the question's terms in the names of the file and its folder.
_PATH_BONUS = 0.05
#: Factors on the blend. A test or an example uses the words of what it shows; what people ask for is the thing itself.
_TEST, _EXAMPLE, _DECLARATION_FILE, _IMPORT = 0.5, 0.7, 0.7, 0.4
_NAMELESS_KINDS = {"import": _IMPORT, "re-export": _IMPORT, "export": _IMPORT, "comment": _IMPORT, "expression": 0.8}
_KIND_FACTORS = {**_NAMELESS_KINDS, "const": 0.9, "variable": 0.9}
#: Among a class and its members, the better one stands for both: factors on the other.
_CLASS_BELOW_MEMBER, _MEMBER_BELOW_CLASS = 0.6, 0.85
#: A function takes over the blend of what is nested in it, which then gets this factor: a callback is no answer without
#: what it is passed to. Only a function with more lines than this lets its parts stand for themselves.
_NESTED_IN_FUNCTION, _LONGEST_WHOLE_FUNCTION = 0.6, 80
#: Added for a declaration whose name is the whole query: with its case and parent, and without. More than any blend has.
_WANTED, _WANTED_IN_OTHER_CASE = 3.0, 1.0

_EXAMPLE_PATH = re.compile(
    r"(?:^|/)_*(?:examples?|docs?|demos?|benchmarks?|bench|scripts|playgrounds?|samples?|legacy|compat|deprecated)_*/"
    r"|\.(?:bench|stories|story|example)\.[cm]?[jt]sx?$",
    re.IGNORECASE,
)
_DECLARATION_PATH = re.compile(r"\.d\.(?:[^./]+\.)?[cm]?ts$")


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its final score."""

    chunk: CandidateRow
    score: float


def rank(candidates: Sequence[Candidate], question: Question, settings: Settings, chunks: int) -> list[Ranked]:
    """Candidates with their scores, best first. `chunks` is the number of chunks in the index."""
    found = {candidate.chunk.row: candidate.chunk for candidate in candidates}
    blends = compete(found, {candidate.chunk.row: blend(candidate, question, settings) for candidate in candidates})
    if question.wanted is not None:
        for row, chunk in found.items():
            blends[row] += _wanted_bonus(chunk, question.wanted) * _kind_factor(chunk, question)
    order = sorted(found.values(), key=lambda chunk: _place(chunk, blends[chunk.row]))
    return [Ranked(chunk, probability(blends[chunk.row], chunks)) for chunk in order]


def _place(chunk: CandidateRow, blended: float) -> tuple[float, bool, str, int]:
    return -blended, not chunk.exported, chunk.relative_path, chunk.start_line


def blend(candidate: Candidate, question: Question, settings: Settings) -> float:
    """How well a candidate fits a question, before it is compared with the others."""
    weights = settings.rerank_weight + settings.vector_weight
    joint = settings.rerank_weight * candidate.lexical + settings.vector_weight * candidate.similarity
    blended = joint / weights if weights else 0.0
    chunk = candidate.chunk
    return blended * _kind_factor(chunk, question) + _PATH_BONUS * _path_share(chunk.relative_path, question.terms)


def _kind_factor(chunk: CandidateRow, question: Question) -> float:
    factor = _KIND_FACTORS.get(chunk.node_kind, 1.0)
    if question.asks_for_imports and chunk.node_kind in _NAMELESS_KINDS:
        factor = 1.0
    if chunk.is_test and not question.asks_for_tests:
        factor *= _TEST
    if not question.asks_for_examples and _EXAMPLE_PATH.search(chunk.relative_path):
        factor *= _EXAMPLE
    if not question.asks_for_declarations and _DECLARATION_PATH.search(chunk.relative_path):
        factor *= _DECLARATION_FILE
    return factor


def _path_share(path: str, terms: Sequence[str]) -> float:
    """Share of the terms that the file's name and its folder's name hold; for an index file, two folders' names."""
    parts = path.rpartition(".")[0].split("/")
    telling = parts[-3:] if parts[-1] == "index" else parts[-2:]
    named = set(split_text(" ".join(telling)))
    return len(named.intersection(terms)) / len(terms) if terms else 0.0


def compete(chunks: Mapping[int, CandidateRow], blends: Mapping[int, float]) -> dict[int, float]:
    """Blends by row, after chunks that hold each other have been weighed against each other."""
    lifted = dict(blends)
    for row in sorted(blends, key=lambda row: -chunks[row].depth):
        parent = chunks[row].parent_row
        if parent is not None and parent in chunks and _stands_for_its_parts(chunks[parent]):
            lifted[parent] = max(lifted[parent], lifted[row])
    weighed = dict(lifted)
    seen: set[int] = set()
    has_better_part: set[int] = set()
    for row in sorted(lifted, key=lambda row: (-lifted[row], chunks[row].depth)):
        around = _enclosing(chunks, row)
        if row in has_better_part and chunks[row].node_kind not in CALLABLE_KINDS:
            weighed[row] *= _CLASS_BELOW_MEMBER
        elif better := seen.intersection(around):
            in_function = any(chunks[outer].node_kind in CALLABLE_KINDS for outer in better)
            weighed[row] *= _NESTED_IN_FUNCTION if in_function else _MEMBER_BELOW_CLASS
        seen.add(row)
        has_better_part.update(around)
    return weighed


def _stands_for_its_parts(chunk: CandidateRow) -> bool:
    return chunk.node_kind in CALLABLE_KINDS and chunk.end_line - chunk.start_line < _LONGEST_WHOLE_FUNCTION


def _enclosing(chunks: Mapping[int, CandidateRow], row: int) -> list[int]:
    """Rows of the parent, its parent, and so on."""
    found = []
    parent = chunks[row].parent_row
    while parent is not None and parent in chunks:
        found.append(parent)
        parent = chunks[parent].parent_row
    return found


def probability(blended: float, chunks: int) -> float:
    """The probability of being relevant that belongs to a blend, among so many chunks."""
    midpoint = MIDPOINT + MIDPOINT_PER_DECADE * math.log10(max(chunks, 1))
    return 1.0 / (1.0 + math.exp(-STEEPNESS * (blended - midpoint)))


def _wanted_bonus(chunk: CandidateRow, wanted: NamePath) -> float:
    if chunk.node_kind in _NAMELESS_KINDS or not same_identifier(chunk.name, wanted.name):
        return 0.0
    is_exact = chunk.name == wanted.name and (wanted.parent is None or chunk.parent_name == wanted.parent)
    return _WANTED if is_exact else _WANTED_IN_OTHER_CASE
