"""Compare names with a query, word by word.

The first words of a query have the highest weights, because names usually consist of the first verb and its object. A name with
words that the query lacks, such as `countAncestors` for a query about roots, probably belongs to another declaration.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

#: Words of queries that do not occur in names.
_FILLERS = """
the a an of to in on for and or is are be by with as it its this that from if when which will can has have was were not we you
i at these those any given used
"""
FILLERS = frozenset(_FILLERS.split())
#: Weight of a word of a query, relative to the word before it.
_DECAY = 0.75
#: Number of words at the start of a query that may be the first word of a name.
_OPENING_WORDS = 3


class WordMatches(NamedTuple):
    """Similarity of the words of names and of a query, 0 to 1; arrays of shape (names,), 0 for a name without words."""

    #: Weighted mean over the words of the query: similarity to the nearest word of the name.
    query_coverage: Floats
    #: Weighted mean over the words of the name: similarity to the nearest word of the query.
    name_coverage: Floats
    #: `query_coverage` with weights that decrease from word to word.
    early: Floats
    #: Similarity of the first word of the query to the nearest word of the name.
    first: Floats
    #: Similarity of the second word of the query to the nearest word of the name.
    second: Floats
    #: Similarity of the word with the highest weight in the query to the nearest word of the name.
    rarest: Floats
    #: Share of `query_coverage` that comes from the two words of the query that contribute most.
    two_best: Floats
    #: Similarity of the first word of the name to the nearest of the first words of the query.
    opening: Floats
    #: Similarity of the last word of the name to the nearest word of the query.
    ending: Floats
    #: Lowest similarity of a word of the name to its nearest word of the query.
    least_asked: Floats
    #: Position in the query, 0 to 1, of the word with the highest similarity to the first word of the name.
    place: Floats


def names_with_words(lengths: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the indices of the names that have words, and the column of the first word of each of these names.

    `lengths` has the number of words of each name.
    """
    owners = np.flatnonzero(lengths)
    return owners, (np.cumsum(lengths) - lengths)[owners]


def match_words(likeness: Floats, weights: Floats, lengths: NDArray[np.intp], name_weights: Floats) -> WordMatches:
    """Return the matches of names.

    `likeness` has shape (words of the query, words of the names), and `lengths` has the number of words of each name. `weights`
    has the weight of each word of the query, and `name_weights` the weight of each word of the names.
    """
    count = len(lengths)
    found = WordMatches(*(np.zeros(count, np.float32) for _ in WordMatches._fields))
    owners, starts = names_with_words(lengths)
    if not len(weights) or not len(owners):
        return found
    best = np.maximum.reduceat(likeness, starts, axis=1)
    shares = best * (weights / weights.sum())[:, None]
    decayed = weights * _DECAY ** np.arange(len(weights))
    nearest = likeness.max(axis=0)
    name_sums = np.add.reduceat(name_weights, starts)
    values = WordMatches(
        query_coverage=shares.sum(axis=0),
        name_coverage=np.asarray(np.add.reduceat(name_weights * nearest, starts) / name_sums, np.float32),
        early=(best * (decayed / decayed.sum())[:, None]).sum(axis=0),
        first=best[0],
        second=best[min(1, len(best) - 1)],
        rarest=best[int(weights.argmax())],
        two_best=np.sort(shares, axis=0)[-2:].sum(axis=0),
        opening=likeness[:_OPENING_WORDS].max(axis=0)[starts],
        ending=nearest[starts + lengths[owners] - 1],
        least_asked=np.minimum.reduceat(nearest, starts),
        place=likeness.argmax(axis=0)[starts] / max(len(weights) - 1, 1),
    )
    for column, value in zip(found, values, strict=True):
        column[owners] = value
    return found
