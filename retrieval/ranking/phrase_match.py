"""Find text of a query verbatim in the code: error messages, log lines, pasted code, quoted strings.

The ranker ignores the order of words. This module searches for a line or quotation in the rows that contain all its words. If no
row contains the text, the rows with most of the words are searched for runs of words. Code often composes messages: `Could not
find file a.ts` comes from "Could not find file " and a path. The innermost symbol around a match gains log-odds, more for longer
texts, and less for texts that occur in many places.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...schema.symbol_kinds import STATEMENTS
from ..lexical.index import LexicalIndex
from ..query.query import Query
from ..text.logit import logit, sigmoid
from ..text.words import humps, split_text
from ..vectors.candidate_rows import NAME_JOINTS, CandidateRow, CandidateRows, admitted_of
from .ranking import Ranked

#: Maximum number of lines of a query for which the module searches.
_MAX_LINES = 4
#: Maximum number of characters of a line for which the module searches.
_MAX_LINE_LENGTH = 300
#: Maximum number of words of a line for which the module searches.
_MAX_WORDS = 40
#: Maximum number of quotations for which the module searches.
_MAX_QUOTED = 4
#: Number of characters at the start of a query in which quotations are recognized.
_MAX_QUOTING_LENGTH = 2000
#: Log-odds gained for each matching word.
_WORD_GAIN = 0.8
#: Maximum number of words of a match that add log-odds.
_MAX_GAINING_WORDS = 5
#: Minimum log-odds of a row with a match, before the gain is added.
_MIN_LOG_ODDS = -1.0
#: Log-odds subtracted from the gain of a test, unless the query is about tests.
_TEST_PENALTY = 1.5
#: Maximum number of rows that are searched for a whole phrase.
_MAX_PHRASE_ROWS = 600
#: Maximum number of bytes of the rows that are searched for a whole phrase.
_MAX_PHRASE_BYTES = 1_000_000
#: Maximum number of rows that are searched for runs of words, with many searches in each row.
_MAX_RUN_ROWS = 40
#: Maximum number of bytes of the rows that are searched for runs of words.
_MAX_RUN_BYTES = 60_000
#: Number of rows whose text is read at once.
_BATCH_SIZE = 40
#: Minimum number of words of a run.
_MIN_RUN_LENGTH = 3
#: Minimum share of the query's terms in a row that is searched for runs.
_MIN_SHARE = 0.5
#: Minimum number of letters of a query that is searched for as a part of a name.
_MIN_PART_LENGTH = 8
#: Maximum number of letters of a query that is searched for as a part of a name.
_MAX_PART_LENGTH = 40
#: Maximum number of names that contain the part. With more names, no name gains log-odds.
_MAX_NAMES = 40
#: Minimum share of the name that the part must cover.
_MIN_PART_SHARE = 0.5
#: Log-odds gained if the part is the whole name; otherwise the gain is proportional to the covered share.
_PART_GAIN = 4.0
#: Words of runtimes and loggers before a message.
_PREFIX = re.compile(r"^(?:\W{0,3}[\w.$]{0,60}(?:error|exception|warning|panic|fatal)\b\W{0,3}:\s*)+", re.IGNORECASE)
_QUOTES = "\"'`“”«»"
_QUOTED = re.compile(r"\"([^\"\n]{3,300})\"|`([^`\n]{3,300})`|(?<!\w)'([^'\n]{3,300})'(?!\w)|“([^”\n]{3,300})”")


class CodeText(NamedTuple):
    """The searched code."""

    rows: CandidateRows
    lexical: LexicalIndex
    #: Returns the text of chunks in lower case, as UTF-8.
    read: Callable[[Sequence[CandidateRow]], Sequence[bytes]]
    #: The rows that a filter admits, in ascending order; None if there is no filter.
    admitted: NDArray[Any] | None


def quoted_rows(code: CodeText, query: Query) -> dict[int, float]:
    """Return the log-odds gained by the innermost rows that contain text of the query verbatim."""
    if query.places:
        return {}
    added = _with_name_part(code, query)
    if query.wanted is None:
        _add(added, _with_text(code, query))
    if not added or query.asks_for_tests:
        return added
    penalties = {row.row: _TEST_PENALTY for row in code.rows.read(added) if row.is_test}
    return {row: gain - penalties.get(row, 0.0) for row, gain in added.items() if gain > penalties.get(row, 0.0)}


def lifted(ranked: Sequence[Ranked], query: Query) -> list[Ranked]:
    """Return the results with the gains of verbatim matches, in their new order."""
    if not query.quoted_in:
        return list(ranked)
    return sorted((_with_quoted(result, query) for result in ranked), key=lambda result: -result.score)


def _with_quoted(result: Ranked, query: Query) -> Ranked:
    added = query.quoted_in.get(result.chunk.row)
    if added is None:
        return result
    return Ranked(result.chunk, sigmoid(max(logit(result.score), _MIN_LOG_ODDS) + added))


def _with_name_part(code: CodeText, query: Query) -> dict[int, float]:
    """Return the gains of rows in whose names the letters of the query are a large part.

    There are no gains if the query is the whole name of a row.
    """
    part = re.sub(NAME_JOINTS, "", query.text[:_MAX_LINE_LENGTH].strip(_QUOTES + " ").lower())
    if not _MIN_PART_LENGTH <= len(part) <= _MAX_PART_LENGTH:
        return {}
    if query.wanted is not None and (len(code.rows.named(query.wanted.name)) or query.holders):
        return {}
    chunks = code.rows.read(admitted_of(code.rows.with_name_part(part), code.admitted).tolist())
    if len(chunks) > _MAX_NAMES:
        return {}
    # A single word, such as "validation", is no evidence, because many names contain it.
    named = [chunk for chunk in chunks if chunk.node_kind not in STATEMENTS and part not in humps(chunk.name)]
    shares = {chunk.row: len(part) / len(re.sub(NAME_JOINTS, "", chunk.name)) for chunk in named}
    holding = [row for row, share in shares.items() if share >= _MIN_PART_SHARE]
    return {row: _PART_GAIN * shares[row] - math.log(_competing_count(code.rows, row, holding)) for row in holding}


def _with_text(code: CodeText, query: Query) -> dict[int, float]:
    """Return the gains of rows that contain a line or a quotation of the query, or else runs of its words."""
    lines = _lines(query.text)
    added: dict[int, float] = {}
    for phrase in dict.fromkeys([*_quoted(query.text), *lines]):
        words, text = len(phrase.split()), lower_case(phrase)
        likely = admitted_of(_holding_all(code.lexical, split_text(phrase) if words > 1 else ()), code.admitted)
        if len(likely):
            sources = _sources(code, likely[:_MAX_PHRASE_ROWS].tolist(), _MAX_PHRASE_BYTES)
            holding = _innermost(code.rows, {row: words for row, source in sources.items() if _holds(source, text)})
            _add(added, {row: _log_odds_gain(words) - math.log(_competing_count(code.rows, row, holding)) for row in holding})
    line_words = [[lower_case(word) for word in line.split()[:_MAX_WORDS]] for line in lines]
    if added or query.is_question or max(map(len, line_words), default=0) < _MIN_RUN_LENGTH:
        return added
    terms = split_text(" ".join(lines))
    found = code.lexical.matches(terms)
    fewest = max(_MIN_RUN_LENGTH, _MIN_SHARE * len(set(terms)))
    likely = admitted_of(np.flatnonzero(found.counts >= fewest), code.admitted)
    if len(likely):
        likely = likely[np.argsort(-found.rarities[likely], kind="stable")][:_MAX_RUN_ROWS]
        _add(added, _with_runs(_sources(code, likely.tolist(), _MAX_RUN_BYTES), code.rows, line_words))
    return added


def _lines(text: str) -> list[str]:
    """Return the first lines of a query, without quotes and without prefixes such as "TypeError: "."""
    written = islice((line.strip() for line in text.splitlines() if not line.isspace()), _MAX_LINES)
    lines = (_PREFIX.sub("", line[:_MAX_LINE_LENGTH]).strip(_QUOTES + " ") for line in written)
    return [line for line in lines if line]


def _quoted(text: str) -> list[str]:
    found = list(_QUOTED.finditer(text[:_MAX_QUOTING_LENGTH]))[:_MAX_QUOTED]
    return [match[match.lastindex or 0].strip() for match in found]


def _log_odds_gain(words: int) -> float:
    return _WORD_GAIN * min(words, _MAX_GAINING_WORDS)


def lower_case(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass").lower()


def _add(added: dict[int, float], more: Mapping[int, float]) -> None:
    """Add gains to `added`. A row keeps its largest gain."""
    for row, value in more.items():
        if value > added.get(row, 0.0):
            added[row] = value


def _holding_all(lexical: LexicalIndex, terms: Sequence[str]) -> NDArray[np.int64]:
    """Return the rows that contain all terms, in ascending order."""
    postings = sorted((lexical.posting(term)[0] for term in set(terms)), key=len)
    rows = postings[0] if postings else np.zeros(0, np.uint32)
    for posting in postings[1:]:
        if not len(rows):
            break
        rows = rows[posting[np.minimum(np.searchsorted(posting, rows), len(posting) - 1)] == rows]
    return rows.astype(np.int64)


def _holds(source: bytes, text: bytes) -> bool:
    """Return whether the source contains the text between word boundaries."""
    begin = source.find(text)
    while begin >= 0:
        end = begin + len(text)
        if not (_joined(source[begin - 1 : begin + 1] if begin else b"") or _joined(source[end - 1 : end + 1])):
            return True
        begin = source.find(text, begin + 1)
    return False


def _joined(beside: bytes) -> bool:
    """Return whether two adjacent bytes belong to one word."""
    return len(beside) == 2 and beside.isalnum()


def _sources(code: CodeText, numbers: Sequence[int], max_bytes: int) -> dict[int, bytes]:
    """Return the text of each row, in order, up to a total number of bytes."""
    found: dict[int, bytes] = {}
    left = max_bytes
    for start in range(0, len(numbers), _BATCH_SIZE):
        chunks = code.rows.read(numbers[start : start + _BATCH_SIZE])
        known = dict(zip((chunk.row for chunk in chunks), code.read(chunks), strict=True))
        for row in numbers[start : start + _BATCH_SIZE]:
            if len(known[row]) <= left:
                found[row] = known[row]
                left -= len(known[row])
        if left < max_bytes // _BATCH_SIZE:
            break
    return found


def _innermost(rows: CandidateRows, held: dict[int, int]) -> dict[int, int]:
    """Return the rows of `held`, which maps rows to numbers of words, that enclose no other row with at least as many words."""
    inner = dict(held)
    for row, words in held.items():
        outer = int(rows.parents[row])
        while outer >= 0:
            if held.get(outer, 0) <= words:
                inner.pop(outer, None)
            outer = int(rows.parents[outer])
    return inner


def _competing_count(rows: CandidateRows, row: int, holding: Collection[int]) -> int:
    """Return the number of rows, including this row, to which the query may refer.

    For a row outside of tests, tests do not count, because they repeat messages of the tested code.
    """
    return len(holding) if rows.test_files[rows.files[row]] else sum(not rows.test_files[rows.files[other]] for other in holding)


def _with_runs(sources: Mapping[int, bytes], rows: CandidateRows, lines: Sequence[Sequence[bytes]]) -> dict[int, float]:
    """Return the gains of rows that contain runs of words from a line, in proportion to the longest line."""
    together = b"\n".join(sources.values())
    runs = [run for line in lines for run in _runs(line, together)]
    if not runs:
        return {}
    longest = max(map(len, lines))
    counted = {row: sum(_words_in_runs(run, source) for run in runs) for row, source in sources.items()}
    held = _innermost(rows, {row: words for row, words in counted.items() if words})
    return {
        row: _log_odds_gain(words) * min(words / longest, 1.0)
        - math.log(_competing_count(rows, row, [other for other, more in held.items() if more >= words]))
        for row, words in held.items()
    }


def _runs(words: Sequence[bytes], source: bytes) -> list[Sequence[bytes]]:
    """Return the parts of a line in which each _MIN_RUN_LENGTH consecutive words occur in the source."""
    runs: list[Sequence[bytes]] = []
    begin = 0
    for place in range(len(words) - _MIN_RUN_LENGTH + 2):
        window = words[place : place + _MIN_RUN_LENGTH]
        if len(window) < _MIN_RUN_LENGTH or not _holds(source, b" ".join(window)):
            if place > begin:
                runs.append(words[begin : place + _MIN_RUN_LENGTH - 1])
            begin = place + 1
    return runs


def _words_in_runs(words: Sequence[bytes], source: bytes) -> int:
    """Return the number of words that occur in the source in runs of at least _MIN_RUN_LENGTH consecutive words."""
    total = begin = 0
    while begin + _MIN_RUN_LENGTH <= len(words):
        if not _holds(source, b" ".join(words[begin : begin + _MIN_RUN_LENGTH])):
            begin += 1
            continue
        # Find the end of the run by bisection.
        longer = range(begin + _MIN_RUN_LENGTH + 1, len(words) + 1)
        more = bisect_left(longer, True, key=lambda end: not _holds(source, b" ".join(words[begin:end])))
        total += _MIN_RUN_LENGTH + more
        begin += _MIN_RUN_LENGTH + more
    return total
