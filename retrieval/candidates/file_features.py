"""What whole files hold of a question: a file may answer it though no chunk of it does, because its parts share the words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..lexical.index import LexicalIndex
from ..vectors.candidate_rows import CandidateRows

#: Prominence, summed over the chunks of a file of mean size, at which a term has half its full effect; and how strongly
#: a file's size discounts it.
_SATURATION, _SIZE_DISCOUNT = 400.0, 0.3

#: What the nearest chunk counts for the fit of a file.
_NEAREST_CHUNK = 0.5

Column = NDArray[np.float32]


class FileFit(NamedTuple):
    """How well one file fits a question."""

    #: BM25 over the file, as a share of the best that any file could have, 0 to 1.
    lexical: float = 0.0
    #: Share of the question's terms that the file holds anywhere, by their rarity.
    coverage: float = 0.0
    #: Cosine of the nearest chunk, and the mean of all.
    similarity: float = 0.0
    mean_similarity: float = 0.0


class FileSignals(NamedTuple):
    """The same of all files; arrays of shape (files,)."""

    lexical: Column
    coverage: Column
    similarity: Column
    mean_similarity: Column

    @property
    def fit(self) -> Column:
        """How well each file fits as a whole."""
        return self.lexical + _NEAREST_CHUNK * self.similarity

    def of(self, file: int) -> FileFit:
        """That of one file, by its number."""
        return FileFit(*(float(signal[file]) for signal in self))


def file_signals(rows: CandidateRows, lexical: LexicalIndex, terms: Iterable[str], similarity: Column) -> FileSignals:
    """What the files hold of some terms; `similarity` is that of each row, shape (rows.limit,)."""
    lengths = rows.file_lengths
    count = len(lengths)
    mean = max(len(rows) / max(count, 1), 1.0)
    saturation = _SATURATION * (1 - _SIZE_DISCOUNT + _SIZE_DISCOUNT * lengths / mean)
    scores, coverage, best = np.zeros(count), np.zeros(count), 0.0
    for term in dict.fromkeys(terms):
        found, prominence = lexical.posting(term)
        rarity = lexical.rarity(term)
        best += rarity
        totals = np.bincount(rows.files[found], prominence, count)
        scores += rarity * (totals / (totals + saturation))
        coverage += rarity * (totals > 0)
    best = best or 1.0
    used = similarity[rows.by_file]
    sums = np.add.reduceat(used, rows.file_starts) if count else np.zeros(0)
    nearest = np.maximum.reduceat(used, rows.file_starts) if count else np.zeros(0)
    return FileSignals(
        *(np.asarray(signal, np.float32) for signal in (scores / best, coverage / best, nearest, sums / np.maximum(lengths, 1)))
    )
