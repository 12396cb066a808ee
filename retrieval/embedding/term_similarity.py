"""How near names are to a query, word by word.

The words of a query do not count alike: what a declaration is called is mostly said early, by its verb and what that does
something to; and a name that says more than the query asks for, `countAncestors` where roots are asked for, is another's.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

#: Words of a query that no name says.
_FILLERS = """
the a an of to in on for and or is are be by with as it its this that from if when which will can has have was were not we you
i at these those any given used
"""
FILLERS = frozenset(_FILLERS.split())
#: What each word of a query counts by the one before it; and words that may be what a name begins with.
_FADING, _BEGINNING = 0.75, 3


class WordMatches(NamedTuple):
    """Likeness of the words of names and those of a query, 0 to 1; arrays of shape (names,), 0 for a name without words."""

    #: How much of the query a name says: for each word of the query the likeness of the nearest one of the name, weighted.
    said: Floats
    #: How much of a name the query asks for: the same the other way round.
    asked: Floats
    #: As `said`, with words that count less the later they come.
    early: Floats
    #: How much it says of the first word of the query, of the second, and of the one that tells most.
    first: Floats
    second: Floats
    rarest: Floats
    #: What the two words of the query that it says best bring to `said`.
    two_best: Floats
    #: How much the beginning of the query asks for the first word of the name, and the query for its last.
    opening: Floats
    ending: Floats
    #: How much the query asks for the word of the name that it asks for least.
    least_asked: Floats
    #: Where in the query the word nearest to the first of the name stands, 0 to 1.
    place: Floats


def names_with_words(lengths: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Of names with so many words each, those that have any, and the column of the first word of each of them."""
    owners = np.flatnonzero(lengths)
    return owners, (np.cumsum(lengths) - lengths)[owners]


def match_words(likeness: Floats, weights: Floats, lengths: NDArray[np.intp], name_weights: Floats) -> WordMatches:
    """The matches of names with `lengths` words each, which are the columns of the likeness to the words of a query.

    `weights` are those of the query's words, `name_weights` those of the columns.
    """
    count = len(lengths)
    found = WordMatches(*(np.zeros(count, np.float32) for _ in WordMatches._fields))
    owners, starts = names_with_words(lengths)
    if not len(weights) or not len(owners):
        return found
    best = np.maximum.reduceat(likeness, starts, axis=1)
    shares = best * (weights / weights.sum())[:, None]
    fading = weights * _FADING ** np.arange(len(weights))
    asked = likeness.max(axis=0)
    values = WordMatches(
        said=shares.sum(axis=0),
        asked=np.asarray(np.add.reduceat(name_weights * asked, starts) / np.add.reduceat(name_weights, starts), np.float32),
        early=(best * (fading / fading.sum())[:, None]).sum(axis=0),
        first=best[0],
        second=best[min(1, len(best) - 1)],
        rarest=best[int(weights.argmax())],
        two_best=np.sort(shares, axis=0)[-2:].sum(axis=0),
        opening=likeness[:_BEGINNING].max(axis=0)[starts],
        ending=asked[starts + lengths[owners] - 1],
        least_asked=np.minimum.reduceat(asked, starts),
        place=likeness.argmax(axis=0)[starts] / max(len(weights) - 1, 1),
    )
    for column, value in zip(found, values, strict=True):
        column[owners] = value
    return found
