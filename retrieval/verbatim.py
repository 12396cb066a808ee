"""What of a question stands in the code word by word: error messages, log lines, pasted code, quoted strings.

The ranker sees words, not their order. Here the rows that hold all words of a line of the question, or of what it quotes, are
searched for that text; where none has it, those with most of the words are searched for runs of them, for a message was often
put together from parts: `Could not find file a.ts` comes from "Could not find file " and a path. The innermost code around such
a place gains odds: more the longer the text is, less the more places hold it.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .candidate_rows import CandidateRow, CandidateRows
from .lexical_index import LexicalIndex, Matches
from .odds import log_odds, probability
from .question import Question
from .ranking import Ranked
from .words import split_text

#: Lines of a question that are looked for, the characters and words of each; quoted parts, and the characters with them.
_MOST_LINES, _LONGEST, _MOST_WORDS, _MOST_QUOTED, _LONGEST_QUOTING = 4, 300, 40, 4, 2000
#: What is added to the logarithm of the odds for each word in its place, up to so many words.
_FOR_WORD, _MOST_TOLD = 0.8, 5
#: Odds, as a logarithm, that what holds such text has before that counts, at least.
_LEAST = -1.0
#: Taken from tests and the like, unless they are asked for.
_ASIDE = 1.5
#: Rows that are searched for a whole phrase, and the bytes of these; the same for runs, each of which is looked for word by word.
_MOST_WHOLE, _MOST_BYTES, _MOST_PARTLY, _MOST_BYTES_PARTLY = 200, 1_000_000, 40, 60_000
#: Words of a run, and the share of the question's terms that a row holds which is searched for some.
_SHORTEST_RUN, _LEAST_SHARE = 3, 0.5
#: What a runtime or logger writes before a message.
_PREFIX = re.compile(r"^(?:\W{0,3}[\w.$]{0,60}(?:error|exception|warning|panic|fatal)\b\W{0,3}:\s*)+", re.IGNORECASE)
_QUOTES = "\"'`“”«»"
_QUOTED = re.compile(r"\"([^\"\n]{3,300})\"|`([^`\n]{3,300})`|(?<!\w)'([^'\n]{3,300})'(?!\w)|“([^”\n]{3,300})”")


#: The text of chunks in lower case, as UTF-8.
ReadSources = Callable[[Sequence[CandidateRow]], Sequence[bytes]]


def quoted_rows(
    read: ReadSources, rows: CandidateRows, lexical: LexicalIndex, question: Question, found: Matches
) -> dict[int, float]:
    """The innermost rows that hold text of the question word by word; what that adds to the logarithm of their odds.

    `found` is what rows hold of its terms.
    """
    if question.wanted is not None:
        return {}
    lines = _lines(question.text)
    added: dict[int, float] = {}
    for phrase in dict.fromkeys([*_quoted(question.text), *lines]):
        words, text = len(phrase.split()), _lower(phrase)
        likely = _holding_all(lexical, split_text(phrase) if words > 1 else (), found)
        if len(likely):
            sources = _sources(read, rows, likely[:_MOST_WHOLE].tolist(), _MOST_BYTES)
            holding = _innermost(rows, {row: words for row, source in sources.items() if text in source})
            _add(added, {row: _told(words) - math.log(_alike(rows, row, holding)) for row in holding})
    asked = [[_lower(word) for word in line.split()[:_MOST_WORDS]] for line in lines]
    if added or question.is_asked or max(map(len, asked), default=0) < _SHORTEST_RUN:
        return added
    likely = np.flatnonzero(found.counts >= max(_SHORTEST_RUN, _LEAST_SHARE * len(question.terms)))
    if len(likely):
        likely = likely[np.argsort(-found.rarities[likely], kind="stable")][:_MOST_PARTLY]
        _add(added, _with_runs(_sources(read, rows, likely.tolist(), _MOST_BYTES_PARTLY), rows, asked))
    return added


def lifted(ranked: Sequence[Ranked], question: Question) -> list[Ranked]:
    """The results in their new order, with new scores. A name or a place that was asked for stays where it is."""
    if question.names_code or not question.quoted_in:
        return list(ranked)
    return sorted((_with_quoted(result, question) for result in ranked), key=lambda result: -result.score)


def _with_quoted(result: Ranked, question: Question) -> Ranked:
    added = question.quoted_in.get(result.chunk.row)
    if added is None:
        return result
    if result.chunk.is_test and not question.asks_for_tests:
        added -= _ASIDE
    return Ranked(result.chunk, max(result.score, probability(max(log_odds(result.score), _LEAST) + added)))


def _lines(text: str) -> list[str]:
    """The first lines of a question, without what does not belong to a message."""
    lines = (_PREFIX.sub("", line[:_LONGEST].strip()).strip(_QUOTES + " ") for line in text.splitlines()[:_MOST_LINES])
    return [line for line in lines if line]


def _quoted(text: str) -> list[str]:
    found = list(_QUOTED.finditer(text[:_LONGEST_QUOTING]))[:_MOST_QUOTED]
    return [match[match.lastindex or 0].strip() for match in found]


def _told(words: int) -> float:
    return _FOR_WORD * min(words, _MOST_TOLD)


def _lower(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass").lower()


def _add(added: dict[int, float], more: Mapping[int, float]) -> None:
    for row, value in more.items():
        if value > added.get(row, 0.0):
            added[row] = value


def _holding_all(lexical: LexicalIndex, terms: Sequence[str], found: Matches) -> NDArray[np.int64]:
    """The rows that hold all of some terms, those that hold them most prominently first."""
    postings = sorted((lexical.posting(term)[0] for term in set(terms)), key=len)
    rows = postings[0] if postings else np.zeros(0, np.uint32)
    for posting in postings[1:]:
        if not len(rows):
            break
        rows = rows[posting[np.minimum(np.searchsorted(posting, rows), len(posting) - 1)] == rows]
    best_first: NDArray[np.int64] = rows[np.argsort(-found.scores[rows], kind="stable")].astype(np.int64)
    return best_first


def _sources(read: ReadSources, rows: CandidateRows, numbers: Sequence[int], most_bytes: int) -> dict[int, bytes]:
    """The text of some rows, as far as there is room for it; the first ones go before."""
    chunks = rows.read(numbers)
    known = dict(zip((chunk.row for chunk in chunks), read(chunks), strict=True))
    found: dict[int, bytes] = {}
    left = most_bytes
    for row in numbers:
        source = known[row]
        if len(source) <= left:
            found[row] = source
            left -= len(source)
    return found


def _innermost(rows: CandidateRows, held: dict[int, int]) -> dict[int, int]:
    """The rows with the words that each holds, without those around one that holds as many."""
    inner = dict(held)
    for row, words in held.items():
        outer = int(rows.parents[row])
        while outer >= 0:
            if held.get(outer, 0) <= words:
                inner.pop(outer, None)
            outer = int(rows.parents[outer])
    return inner


def _alike(rows: CandidateRows, row: int, holding: Collection[int]) -> int:
    """How many of the rows may be meant as well as this one: tests hold the messages of what they test."""
    return len(holding) if rows.test_files[rows.files[row]] else sum(not rows.test_files[rows.files[other]] for other in holding)


def _with_runs(sources: Mapping[int, bytes], rows: CandidateRows, lines: Sequence[Sequence[bytes]]) -> dict[int, float]:
    """What rows gain that hold parts of a line, in proportion to the longest line."""
    together = b"\n".join(sources.values())
    runs = [run for line in lines for run in _runs(line, together)]
    if not runs:
        return {}
    longest = max(map(len, lines))
    counted = {row: sum(_words_in_runs(run, source) for run in runs) for row, source in sources.items()}
    held = _innermost(rows, {row: words for row, words in counted.items() if words})
    return {
        row: _told(words) * min(words / longest, 1.0)
        - math.log(_alike(rows, row, [other for other, more in held.items() if more >= words]))
        for row, words in held.items()
    }


def _runs(words: Sequence[bytes], source: bytes) -> list[Sequence[bytes]]:
    """The parts of a line of which each so many words stand in the source as they follow each other."""
    runs: list[Sequence[bytes]] = []
    begin = 0
    for place in range(len(words) - _SHORTEST_RUN + 2):
        window = words[place : place + _SHORTEST_RUN]
        if len(window) < _SHORTEST_RUN or b" ".join(window) not in source:
            if place > begin:
                runs.append(words[begin : place + _SHORTEST_RUN - 1])
            begin = place + 1
    return runs


def _words_in_runs(words: Sequence[bytes], source: bytes) -> int:
    """How many of the words stand in the source in runs of at least so many, as they follow each other."""
    total = begin = 0
    while begin + _SHORTEST_RUN <= len(words):
        if b" ".join(words[begin : begin + _SHORTEST_RUN]) not in source:
            begin += 1
            continue
        # How far the run goes is looked for by halves.
        longer = range(begin + _SHORTEST_RUN + 1, len(words) + 1)
        more = bisect_left(longer, True, key=lambda end: b" ".join(words[begin:end]) not in source)
        total += _SHORTEST_RUN + more
        begin += _SHORTEST_RUN + more
    return total
