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
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...schema.symbol_kinds import STATEMENTS
from ..lexical.index import LexicalIndex
from ..query.query import Question
from ..text.logit import logit, sigmoid
from ..text.words import humps, split_text
from ..vectors.candidate_rows import NAME_JOINTS, CandidateRow, CandidateRows, admitted_of
from .ranking import Ranked

#: Lines of a question that are looked for, the characters and words of each; quoted parts, and the characters with them.
_MAX_LINES, _LONGEST, _MAX_WORDS, _MAX_QUOTED, _MAX_QUOTING_LENGTH = 4, 300, 40, 4, 2000
#: What is added to the logarithm of the odds for each word in its place, up to so many words.
_FOR_WORD, _MAX_WORDS_COUNTED = 0.8, 5
#: Odds, as a logarithm, that what holds such text has before that counts, at least.
_LEAST = -1.0
#: Taken from tests and the like, unless they are asked for.
_ASIDE = 1.5
#: Rows that are searched for a whole phrase, and the bytes of these; the same for runs, each of which is looked for word by word.
_MAX_WHOLE, _MOST_BYTES, _MAX_PARTLY, _MAX_BYTES_PARTLY = 600, 1_000_000, 40, 60_000
#: Rows that are read at once.
_AT_ONCE = 40
#: Words of a run, and the share of the question's terms that a row holds which is searched for some.
_MIN_RUN_LENGTH, _MIN_SHARE = 3, 0.5
#: Letters of a question that may be a part of a name, the names that may hold it, the share of a name that it is at least, and
#: what the whole of one would gain.
_MIN_PART_LENGTH, _MAX_PART_LENGTH, _MAX_NAMES, _MIN_PART, _FOR_PART = 8, 40, 40, 0.5, 4.0
#: What a runtime or logger writes before a message.
_PREFIX = re.compile(r"^(?:\W{0,3}[\w.$]{0,60}(?:error|exception|warning|panic|fatal)\b\W{0,3}:\s*)+", re.IGNORECASE)
_QUOTES = "\"'`“”«»"
_QUOTED = re.compile(r"\"([^\"\n]{3,300})\"|`([^`\n]{3,300})`|(?<!\w)'([^'\n]{3,300})'(?!\w)|“([^”\n]{3,300})”")


class CodeText(NamedTuple):
    """Where text is looked for."""

    rows: CandidateRows
    lexical: LexicalIndex
    #: The text of chunks in lower case, as UTF-8.
    read: Callable[[Sequence[CandidateRow]], Sequence[bytes]]
    #: The rows that a filter admits, rising; None where there is none.
    admitted: NDArray[Any] | None


def quoted_rows(code: CodeText, question: Question) -> dict[int, float]:
    """The innermost rows that hold text of the question word by word; what that adds to the logarithm of their odds."""
    if question.places:
        return {}
    added = _with_name_part(code, question)
    if question.wanted is None:
        _add(added, _with_text(code, question))
    if not added or question.asks_for_tests:
        return added
    aside = {row.row: _ASIDE for row in code.rows.read(added) if row.is_test}
    return {row: more - aside.get(row, 0.0) for row, more in added.items() if more > aside.get(row, 0.0)}


def lifted(ranked: Sequence[Ranked], question: Question) -> list[Ranked]:
    """The results in their new order, with new scores."""
    if not question.quoted_in:
        return list(ranked)
    return sorted((_with_quoted(result, question) for result in ranked), key=lambda result: -result.score)


def _with_quoted(result: Ranked, question: Question) -> Ranked:
    added = question.quoted_in.get(result.chunk.row)
    if added is None:
        return result
    return Ranked(result.chunk, sigmoid(max(logit(result.score), _LEAST) + added))


def _with_name_part(code: CodeText, question: Question) -> dict[int, float]:
    """What rows gain whose name the question is a long part of, by its letters alone; nothing where a row has the whole name."""
    part = re.sub(NAME_JOINTS, "", question.text[:_LONGEST].strip(_QUOTES + " ").lower())
    if not _MIN_PART_LENGTH <= len(part) <= _MAX_PART_LENGTH:
        return {}
    if question.wanted is not None and (len(code.rows.named(question.wanted.name)) or question.holders):
        return {}
    chunks = code.rows.read(admitted_of(code.rows.with_name_part(part), code.admitted).tolist())
    if len(chunks) > _MAX_NAMES:
        return {}
    # One of its words says what a name is about, as it does of many others.
    named = [chunk for chunk in chunks if chunk.node_kind not in STATEMENTS and part not in humps(chunk.name)]
    shares = {chunk.row: len(part) / len(re.sub(NAME_JOINTS, "", chunk.name)) for chunk in named}
    holding = [row for row, share in shares.items() if share >= _MIN_PART]
    return {row: _FOR_PART * shares[row] - math.log(_alike(code.rows, row, holding)) for row in holding}


def _with_text(code: CodeText, question: Question) -> dict[int, float]:
    """What rows gain that hold a line of the question or what it quotes, or else a part of a line."""
    lines = _lines(question.text)
    added: dict[int, float] = {}
    for phrase in dict.fromkeys([*_quoted(question.text), *lines]):
        words, text = len(phrase.split()), lower_case(phrase)
        likely = admitted_of(_holding_all(code.lexical, split_text(phrase) if words > 1 else ()), code.admitted)
        if len(likely):
            sources = _sources(code, likely[:_MAX_WHOLE].tolist(), _MOST_BYTES)
            holding = _innermost(code.rows, {row: words for row, source in sources.items() if _holds(source, text)})
            _add(added, {row: _gain(words) - math.log(_alike(code.rows, row, holding)) for row in holding})
    line_words = [[lower_case(word) for word in line.split()[:_MAX_WORDS]] for line in lines]
    if added or question.is_question or max(map(len, line_words), default=0) < _MIN_RUN_LENGTH:
        return added
    terms = split_text(" ".join(lines))
    found = code.lexical.matches(terms)
    fewest = max(_MIN_RUN_LENGTH, _MIN_SHARE * len(set(terms)))
    likely = admitted_of(np.flatnonzero(found.counts >= fewest), code.admitted)
    if len(likely):
        likely = likely[np.argsort(-found.rarities[likely], kind="stable")][:_MAX_PARTLY]
        _add(added, _with_runs(_sources(code, likely.tolist(), _MAX_BYTES_PARTLY), code.rows, line_words))
    return added


def _lines(text: str) -> list[str]:
    """The first lines of a question, without what does not belong to a message."""
    written = islice((line.strip() for line in text.splitlines() if not line.isspace()), _MAX_LINES)
    lines = (_PREFIX.sub("", line[:_LONGEST]).strip(_QUOTES + " ") for line in written)
    return [line for line in lines if line]


def _quoted(text: str) -> list[str]:
    found = list(_QUOTED.finditer(text[:_MAX_QUOTING_LENGTH]))[:_MAX_QUOTED]
    return [match[match.lastindex or 0].strip() for match in found]


def _gain(words: int) -> float:
    return _FOR_WORD * min(words, _MAX_WORDS_COUNTED)


def lower_case(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass").lower()


def _add(added: dict[int, float], more: Mapping[int, float]) -> None:
    for row, value in more.items():
        if value > added.get(row, 0.0):
            added[row] = value


def _holding_all(lexical: LexicalIndex, terms: Sequence[str]) -> NDArray[np.int64]:
    """The rows that hold all of some terms, rising."""
    postings = sorted((lexical.posting(term)[0] for term in set(terms)), key=len)
    rows = postings[0] if postings else np.zeros(0, np.uint32)
    for posting in postings[1:]:
        if not len(rows):
            break
        rows = rows[posting[np.minimum(np.searchsorted(posting, rows), len(posting) - 1)] == rows]
    return rows.astype(np.int64)


def _holds(source: bytes, text: bytes) -> bool:
    """Whether the text stands there, and its first and last word are not the end and the beginning of others."""
    begin = source.find(text)
    while begin >= 0:
        end = begin + len(text)
        if not (_joined(source[begin - 1 : begin + 1] if begin else b"") or _joined(source[end - 1 : end + 1])):
            return True
        begin = source.find(text, begin + 1)
    return False


def _joined(beside: bytes) -> bool:
    """Whether two characters are of one word."""
    return len(beside) == 2 and beside.isalnum()


def _sources(code: CodeText, numbers: Sequence[int], most_bytes: int) -> dict[int, bytes]:
    """The text of some rows, as far as there is room for it; the first ones go before."""
    found: dict[int, bytes] = {}
    left = most_bytes
    for start in range(0, len(numbers), _AT_ONCE):
        chunks = code.rows.read(numbers[start : start + _AT_ONCE])
        known = dict(zip((chunk.row for chunk in chunks), code.read(chunks), strict=True))
        for row in numbers[start : start + _AT_ONCE]:
            if len(known[row]) <= left:
                found[row] = known[row]
                left -= len(known[row])
        if left < most_bytes // _AT_ONCE:
            break
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
        row: _gain(words) * min(words / longest, 1.0)
        - math.log(_alike(rows, row, [other for other, more in held.items() if more >= words]))
        for row, words in held.items()
    }


def _runs(words: Sequence[bytes], source: bytes) -> list[Sequence[bytes]]:
    """The parts of a line of which each so many words stand in the source as they follow each other."""
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
    """How many of the words stand in the source in runs of at least so many, as they follow each other."""
    total = begin = 0
    while begin + _MIN_RUN_LENGTH <= len(words):
        if not _holds(source, b" ".join(words[begin : begin + _MIN_RUN_LENGTH])):
            begin += 1
            continue
        # How far the run goes is looked for by halves.
        longer = range(begin + _MIN_RUN_LENGTH + 1, len(words) + 1)
        more = bisect_left(longer, True, key=lambda end: not _holds(source, b" ".join(words[begin:end])))
        total += _MIN_RUN_LENGTH + more
        begin += _MIN_RUN_LENGTH + more
    return total
