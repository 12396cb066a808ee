"""Find repeated code at any place: the longest runs of tokens that occur at least twice.

Two runs match if their tokens are equal, or if a consistent renaming makes their names equal (Baker 1992, parameterised
matching); literals of renamed runs may differ. A window of `MIN_TOKENS` tokens is hashed at every token: once with the names, and
once with the distance from each name to its last occurrence. Adjacent windows that repeat at the same distance form a run.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..text.structure_tokens import LITERAL, NAME, located_tokens
from ..text_search.indexed_text import FileText
from .nested_groups import Place, outermost

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
    Hashes = np.ndarray[tuple[int, ...], np.dtype[np.uint64]]

#: Minimum number of tokens of a run. Shorter code is often similar by chance. Semicolons are not counted: tools that count
#: semicolons count about 50 tokens instead of 40.
MIN_TOKENS = 40
#: Minimum number of lines of a run, because shorter code is often similar by chance.
MIN_LINES = 5
#: Maximum number of tokens that are read. The search needs about 60 bytes for each token.
_MAX_TOKENS = 8_000_000
#: Minimum share of equal names and literals in two renamed runs. Unrelated statements often have the same structure.
_MIN_SHARED_NAMES = 0.5
#: Maximum number of places of a run that are compared.
_MAX_PLACES = 200
_FACTOR = 6_364_136_223_846_793_005
#: Kinds of punctuation that may be removed from the ends of a run: opening and closing brackets, and separators.
_OPENS, _CLOSES, _DIVIDES = 1, 2, 3
_MARKS = {**dict.fromkeys("([{", _OPENS), **dict.fromkeys(")]}", _CLOSES), **dict.fromkeys(",:", _DIVIDES)}


@dataclass(frozen=True, slots=True)
class Fragment:
    """A place of repeated code: its file, and its first and last line."""

    path: str
    line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class RepeatedCode:
    """The places of one run of tokens, by file and line."""

    places: tuple[Fragment, ...]
    #: Whether the tokens at all places are equal; False if names or literals differ.
    is_literal: bool
    #: Digest of the structure of the code.
    digest: str


@dataclass(frozen=True, slots=True)
class _Corpus:
    """The tokens of all files in one sequence. A token that no run may contain has a unique number."""

    paths: Sequence[str]
    structures: Numbers
    #: For each token a number for its text; equal texts have equal numbers.
    texts: Numbers
    lines: Numbers
    #: For each token the index of its path.
    files: Numbers
    #: Values of `_MARKS`; 0 for other tokens.
    marks: Numbers


@dataclass(frozen=True, slots=True)
class _Run:
    """A repeated run: indices of the first token of each place, and the number of tokens."""

    starts: tuple[int, ...]
    size: int
    is_literal: bool


def repeated_code(
    texts: Iterable[FileText], skipped: Mapping[str, Sequence[tuple[int, int]]], deadline: float
) -> tuple[list[RepeatedCode], bool]:
    """Return repeated code, and whether the time sufficed for all files. Code that saves the most tokens if merged comes first.

    `skipped` maps paths to ranges of lines that no run may overlap, such as imports, which are similar in many files.
    """
    corpus, complete = _corpus(texts, skipped, deadline)
    if len(corpus.structures) < 2 * MIN_TOKENS:
        return [], complete
    runs = _repeats(_literal_hashes(corpus), True, deadline)
    renamed = _repeats(_renamed_hashes(corpus), False, deadline)
    runs += [kept for run in renamed if (kept := _sharing_names(corpus, run)) is not None]
    runs.sort(key=lambda run: (-run.size * (len(run.starts) - 1), not run.is_literal, run.starts))
    made = [(run, code) for run in runs if (code := _repeated(corpus, run)) is not None]
    places = [[Place(None, start, start + run.size - 1) for start in run.starts] for run, _ in made]
    found = [made[index][1] for index in outermost(places, [1.0] * len(made))]
    return found, complete and time.monotonic() <= deadline


def _corpus(texts: Iterable[FileText], skipped: Mapping[str, Sequence[tuple[int, int]]], deadline: float) -> tuple[_Corpus, bool]:
    import numpy as np

    numbering: dict[str, int] = {}
    paths: list[str] = []
    parts: list[Numbers] = []
    total, complete = 0, True
    for file in texts:
        if time.monotonic() > deadline or total > _MAX_TOKENS:
            complete = False
            break
        source = file.text.decode("utf-8", "replace")
        rows = [
            (token.number, numbering.setdefault(token.text, len(numbering)), token.start)
            for token in located_tokens(source, file.path)
        ]
        # An extra token that no run may contain separates the tokens of two files.
        tokens = np.array([*rows, (0, 0, len(source))], dtype=np.int64).T
        breaks = np.array([place for place, character in enumerate(source) if character == "\n"], dtype=np.int64)
        lines = np.searchsorted(breaks, tokens[2]) + 1
        apart = np.zeros(len(lines), dtype=bool)
        apart[-1] = True
        for begin, end in skipped.get(file.path, ()):
            apart |= (lines >= begin) & (lines <= end)
        numbers = np.where(apart, -(total + np.arange(len(lines)) + 1), tokens[0])
        parts.append(np.stack([numbers, np.where(apart, numbers, tokens[1]), lines, np.full(len(lines), len(paths))]))
        paths.append(file.path)
        total += len(lines)
    rows_of_all = np.concatenate(parts, axis=1) if parts else np.zeros((4, 0), dtype=np.int64)
    marks = np.zeros(rows_of_all.shape[1], dtype=np.int64)
    for text, mark in _MARKS.items():
        marks[rows_of_all[1] == numbering.get(text, -1 << 60)] = mark
    structures, names, lines_of_all, files = rows_of_all
    return _Corpus(paths, structures, names, lines_of_all, files, marks), complete


def _mixed(hashes: Hashes) -> Hashes:
    """Mix the bits. The low bits of a product are weak."""
    import numpy as np

    hashes = hashes ^ (hashes >> np.uint64(29))
    hashes *= np.uint64(0xBF58476D1CE4E5B9)
    return hashes ^ (hashes >> np.uint64(32))


def _literal_hashes(corpus: _Corpus) -> Hashes:
    """Return the hash of the texts of each window, by the index of its first token."""
    return _window_hashes(corpus.texts)


def _window_hashes(numbers: Numbers) -> Hashes:
    import numpy as np

    values = _mixed(numbers.astype(np.uint64) + np.uint64(1))
    size = len(values) - MIN_TOKENS + 1
    hashes = np.zeros(size, np.uint64)
    for offset in range(MIN_TOKENS):
        hashes *= np.uint64(_FACTOR)
        hashes += values[offset : offset + size]
    return _mixed(hashes)


def _renamed_hashes(corpus: _Corpus) -> Hashes:
    """Return for each window a hash of its structure and of the positions of equal names; 0 if the structure occurs only once."""
    import numpy as np

    plain = _window_hashes(corpus.structures)
    _, inverse, counts = np.unique(plain, return_inverse=True, return_counts=True)
    repeated = np.flatnonzero((counts[inverse] > 1) & (counts[inverse] <= _MAX_PLACES))
    distances = _distances(corpus)
    hashes = np.zeros(len(repeated), np.uint64)
    for offset in range(MIN_TOKENS):
        distance = distances[repeated + offset]
        hashes *= np.uint64(_FACTOR)
        hashes += np.where(distance <= offset, distance, 0).astype(np.uint64)
    made = np.zeros(len(plain), np.uint64)
    made[repeated] = _mixed(hashes * np.uint64(_FACTOR) + plain[repeated])
    return made


def _distances(corpus: _Corpus) -> Numbers:
    """Return for each name its distance in tokens from its last occurrence, at most `MIN_TOKENS`; 0 for tokens that are not
    names.
    """
    import numpy as np

    names = np.flatnonzero(corpus.structures == NAME)
    order = names[np.argsort(corpus.texts[names], kind="stable")]
    since = np.full(len(order), MIN_TOKENS, dtype=np.int64)
    same = corpus.texts[order[1:]] == corpus.texts[order[:-1]]
    since[1:] = np.where(same, np.minimum(order[1:] - order[:-1], MIN_TOKENS), MIN_TOKENS)
    distances = np.zeros(len(corpus.structures), dtype=np.int64)
    distances[order] = since
    return distances


def _repeats(hashes: Hashes, is_literal: bool, deadline: float) -> list[_Run]:
    """Return the runs of consecutive repeated windows, with all their places."""
    import numpy as np

    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    same = (ordered[1:] == ordered[:-1]) & (ordered[1:] != 0)
    mates = np.full(len(hashes), -1, dtype=np.int64)
    mates[order[1:][same]] = order[:-1][same]
    holding = np.flatnonzero(mates >= 0)
    if not len(holding):
        return []
    shifts = holding - mates[holding]
    breaks = np.flatnonzero((np.diff(holding) != 1) | (np.diff(shifts) != 0)) + 1
    begins = np.concatenate(([0], breaks))
    ends = np.concatenate((breaks, [len(holding)]))
    found: dict[tuple[int, int, int], _Run] = {}
    for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
        if time.monotonic() > deadline:
            break
        first, windows = _extended(hashes, int(holding[begin]), int(shifts[begin]), end - begin)
        key = int(hashes[first]), int(hashes[first + windows - 1]), windows
        if key not in found:
            low = int(np.searchsorted(ordered, hashes[first], "left"))
            places = order[low : low + _MAX_PLACES]
            starts = _places_of_run(hashes, first, windows, places[ordered[low : low + len(places)] == hashes[first]].tolist())
            found[key] = _Run(tuple(starts), windows + MIN_TOKENS - 1, is_literal)
    return [run for run in found.values() if len(run.starts) > 1]


def _extended(hashes: Hashes, first: int, shift: int, windows: int) -> tuple[int, int]:
    """Return the first window and the number of windows of a run, extended as far as it repeats at this distance.

    Otherwise a third place with a part of the run would divide the run.
    """
    mate = first - shift
    while mate > 0 and hashes[first - 1] and hashes[first - 1] == hashes[mate - 1]:
        first, mate, windows = first - 1, mate - 1, windows + 1
    last = first + windows
    while last < len(hashes) and hashes[last] and hashes[last] == hashes[last - shift]:
        last += 1
    # The two places of a run must not overlap.
    return first, max(1, min(last - first, shift - MIN_TOKENS + 1))


def _places_of_run(hashes: Hashes, first: int, windows: int, places: Sequence[int]) -> list[int]:
    """Return the places at which the whole run occurs, without overlaps."""
    import numpy as np

    kept: list[int] = []
    for place in sorted(places):
        is_apart = not kept or place >= kept[-1] + windows + MIN_TOKENS - 1
        if is_apart and np.array_equal(hashes[place : place + windows], hashes[first : first + windows]):
            kept.append(place)
    return kept


def _sharing_names(corpus: _Corpus, run: _Run) -> _Run | None:
    """Return a renamed run with only the places that share enough names with the first place; None if only the first place
    remains.
    """
    import numpy as np

    first = run.starts[0]
    named = np.flatnonzero(np.isin(corpus.structures[first : first + run.size], (NAME, LITERAL)))
    least = _MIN_SHARED_NAMES * len(named)
    texts = corpus.texts[first + named]
    kept = tuple(start for start in run.starts if int((corpus.texts[start + named] == texts).sum()) >= least)
    return _Run(kept, run.size, False) if len(kept) > 1 else None


def _repeated(corpus: _Corpus, run: _Run) -> RepeatedCode | None:
    """Return the lines of a run, without unbalanced brackets at its ends; None if too few lines remain."""
    import hashlib

    before, size = _balanced(corpus.marks[run.starts[0] : run.starts[0] + run.size])
    first = run.starts[0] + before
    places = []
    for start in run.starts:
        begin, end = int(corpus.lines[start + before]), int(corpus.lines[start + before + size - 1])
        if end - begin + 1 >= MIN_LINES:
            places.append(Fragment(corpus.paths[int(corpus.files[start])], begin, end))
    if len(places) < 2:
        return None
    digest = hashlib.blake2b(corpus.structures[first : first + size].tobytes(), digest_size=6).hexdigest()
    return RepeatedCode(tuple(sorted(places, key=lambda place: (place.path, place.line))), run.is_literal, digest)


def _balanced(marks: Numbers) -> tuple[int, int]:
    """Return the index of the first token and the number of tokens of a run without separators and unbalanced brackets at its
    ends.
    """
    loose: list[int] = []
    for index in marks.nonzero()[0].tolist():
        if loose and marks[index] == _CLOSES and marks[loose[-1]] == _OPENS:
            loose.pop()
        elif marks[index] != _DIVIDES:
            loose.append(index)
    first, last = 0, len(marks) - 1
    ends = set(loose)
    while first < last and (first in ends or marks[first] == _DIVIDES):
        first += 1
    while last > first and last in ends:
        last -= 1
    return first, last - first + 1
