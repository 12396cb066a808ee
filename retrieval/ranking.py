"""Stage two: the final score of each candidate, from 0 to 1, and the order of the results.

With a re-ranking provider the score is the blend that the settings weigh, `rerank_weight` times the re-ranker's score and
`vector_weight` times the cosine. Without one, the lexical share stands for the re-ranker: like it, it looks at question
and chunk together. The blend is then discounted by what kind of code the chunk is, and turned into a probability.

The probability is calibrated on open packages and repositories (`tests/retrieval/calibration.py` makes the two numbers).
Relevant are the symbols that doc comments, commit subjects and paraphrased questions are about; irrelevant is the best
that a repository has to offer for questions about another one. Both weigh the same, so a chunk at 0.5 is as likely the
code that was asked for as the best guess where there is none. The more chunks there are, the better the best guess gets.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..schema.settings import Settings
from .chunk_table import CandidateRow
from .fusion import Candidate
from .question import NamePath, Question, same_identifier
from .words import split_text

#: Blend at which the probability is one half, for one chunk and for each tenfold of chunks, and its steepness there.
MIDPOINT, MIDPOINT_PER_DECADE, STEEPNESS = 0.17, 0.034, 20.0

#: Added for the share of the question's terms in the names of the file and its folder.
_PATH_BONUS = 0.05
#: Factors on the blend. A test or an example uses the words of what it shows; what people ask for is the thing itself.
_TEST, _EXAMPLE, _DECLARATION_FILE, _IMPORT = 0.5, 0.7, 0.7, 0.5
_KIND_FACTORS = {"import": _IMPORT, "re-export": _IMPORT, "export": _IMPORT, "comment": _IMPORT, "expression": 0.8}
#: A class below one of its methods adds little, and so does a method below its class.
_PARENT_BELOW_CHILD, _CHILD_BELOW_PARENT = 0.6, 0.85
#: Added for a declaration whose name is the whole query: with its case and parent, and without. More than any blend has.
_WANTED, _WANTED_IN_OTHER_CASE = 3.0, 1.0

_EXAMPLE_PATH = re.compile(
    r"(?:^|/)(?:examples?|docs?|demos?|benchmarks?|bench|scripts|playgrounds?|samples?|legacy|compat|deprecated)/", re.IGNORECASE
)
_DECLARATION_PATH = re.compile(r"\.d\.(?:[^./]+\.)?[cm]?ts$")


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its final score."""

    chunk: CandidateRow
    score: float


def rank(candidates: Sequence[Candidate], question: Question, settings: Settings, chunks: int) -> list[Ranked]:
    """Candidates with their scores, best first. `chunks` is the number of chunks in the index."""
    blends = {candidate.chunk.id: blend(candidate, question, settings) for candidate in candidates}
    compared = _compete({candidate.chunk.id: candidate.chunk for candidate in candidates}, blends)
    order = sorted((candidate.chunk for candidate in candidates), key=lambda chunk: _place(chunk, compared[chunk.id]))
    return [Ranked(chunk, probability(compared[chunk.id], chunks)) for chunk in order]


def _place(chunk: CandidateRow, blended: float) -> tuple[float, bool, str, int]:
    return -blended, not chunk.exported, chunk.relative_path, chunk.start_line


def blend(candidate: Candidate, question: Question, settings: Settings) -> float:
    """How well a candidate fits a question, before it is compared with the others."""
    weights = settings.rerank_weight + settings.vector_weight
    joint = settings.rerank_weight * candidate.lexical + settings.vector_weight * candidate.similarity
    blended = joint / weights if weights else 0.0
    chunk = candidate.chunk
    wanted = _wanted_bonus(chunk, question.wanted) if question.wanted else 0.0
    named = _PATH_BONUS * _path_share(chunk.relative_path, question.terms)
    return (blended + wanted) * _kind_factor(chunk, question) + named


def _kind_factor(chunk: CandidateRow, question: Question) -> float:
    factor = 1.0
    if not question.asks_for_imports:
        factor = _KIND_FACTORS.get(chunk.node_kind, 1.0)
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


def _compete(chunks: dict[str, CandidateRow], blends: dict[str, float]) -> dict[str, float]:
    """Blends after parents and children of each other have been discounted against the better one."""
    discounted = dict(blends)
    seen: set[str] = set()
    has_better_child: set[str] = set()
    for id in sorted(blends, key=lambda id: -blends[id]):
        around = _ancestors(chunks, id)
        if id in has_better_child:
            discounted[id] *= _PARENT_BELOW_CHILD
        elif seen.intersection(around):
            discounted[id] *= _CHILD_BELOW_PARENT
        seen.add(id)
        has_better_child.update(around)
    return discounted


def _ancestors(chunks: dict[str, CandidateRow], id: str) -> list[str]:
    """Ids of the parent, its parent, and so on, as far as they are candidates."""
    found = []
    parent = chunks[id].parent_chunk_id
    while parent is not None and parent in chunks:
        found.append(parent)
        parent = chunks[parent].parent_chunk_id
    return found


def probability(blended: float, chunks: int) -> float:
    """The probability of being relevant that belongs to a blend, among so many chunks."""
    midpoint = MIDPOINT + MIDPOINT_PER_DECADE * math.log10(max(chunks, 1))
    return 1.0 / (1.0 + math.exp(-STEEPNESS * (blended - midpoint)))


def _wanted_bonus(chunk: CandidateRow, wanted: NamePath) -> float:
    if chunk.node_kind in _KIND_FACTORS or not same_identifier(chunk.name, wanted.name):
        return 0.0
    is_exact = chunk.name == wanted.name and (wanted.parent is None or chunk.parent_name == wanted.parent)
    return _WANTED if is_exact else _WANTED_IN_OTHER_CASE
