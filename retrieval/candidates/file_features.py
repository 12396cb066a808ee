"""Compute how well whole files match a query. A file may match although none of its chunks contains all words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..lexical.index import LexicalIndex
from ..vectors.candidate_rows import CandidateRows

#: Total prominence of a term in a file of mean size for which the term has half of its full effect.
_SATURATION = 400.0
#: Effect of a file's size on the prominence of a term, 0 to 1.
_SIZE_DISCOUNT = 0.3

#: Weight of the nearest chunk in the fit of a file, relative to the lexical score.
_NEAREST_CHUNK_WEIGHT = 0.5

Column = NDArray[np.float32]


class FileFit(NamedTuple):
    """How well one file matches a query."""

    #: BM25 score of the file, divided by the highest possible score, 0 to 1.
    lexical: float = 0.0
    #: Share of the query's terms that the file contains, weighted by their rarity, 0 to 1.
    coverage: float = 0.0
    #: Cosine of the nearest chunk and the query.
    similarity: float = 0.0
    #: Mean cosine of all chunks and the query.
    mean_similarity: float = 0.0


class FileFeatures(NamedTuple):
    """The features of `FileFit` for all files; arrays of shape (files,)."""

    lexical: Column
    coverage: Column
    similarity: Column
    mean_similarity: Column

    @property
    def fit(self) -> Column:
        """The fit of each file as a whole."""
        return self.lexical + _NEAREST_CHUNK_WEIGHT * self.similarity

    def of(self, file: int) -> FileFit:
        """Return the features of one file, by its number."""
        return FileFit(*(float(column[file]) for column in self))


def file_features(rows: CandidateRows, lexical: LexicalIndex, terms: Iterable[str], similarity: Column) -> FileFeatures:
    """Return the features of all files for some terms; `similarity` is the cosine of each row, of shape (rows.limit,)."""
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
    return FileFeatures(
        *(np.asarray(column, np.float32) for column in (scores / best, coverage / best, nearest, sums / np.maximum(lengths, 1)))
    )
