"""Look up, by hash, the words that have a row in the model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..lexical.word_arrays import Hashes
from .words import SEPARATOR, split_words

_SLOT_BITS = 18
_SLOT_SHIFT = np.uint64(64 - _SLOT_BITS)


class Vocabulary:
    """Maps words to their positions in a list. Words are as `split_words` returns them: lower case, letters or digits."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = list(words)
        hashes = split_words(SEPARATOR.join(self.words)).hashes
        if len(hashes) != len(self.words) or len(np.unique(hashes)) != len(hashes):
            raise ValueError("a vocabulary must contain each word once, and no word that can be split")
        self._by_hash = np.argsort(hashes)
        self._sorted = hashes[self._by_hash]
        self._hashes = hashes
        # Most words have a separate slot. A shared slot contains the first word, which is the most frequent word; bisection
        # finds the other words.
        self._slots = np.zeros(1 << _SLOT_BITS, np.int32)
        self._slots[hashes[::-1] >> _SLOT_SHIFT] = np.arange(len(hashes))[::-1]

    def __len__(self) -> int:
        return len(self.words)

    def lookup(self, hashes: Hashes) -> NDArray[np.int32]:
        """Return the position of each word, by its hash; -1 for an unknown word."""
        if not len(self.words):
            return np.full(len(hashes), -1, np.int32)
        places: NDArray[np.int32] = self._slots.take((hashes >> _SLOT_SHIFT).view(np.intp))
        missed = np.flatnonzero(self._hashes.take(places) != hashes)
        nearest = np.minimum(np.searchsorted(self._sorted, hashes[missed]), len(self.words) - 1)
        found = self._sorted[nearest] == hashes[missed]
        places[missed] = np.where(found, self._by_hash[nearest], -1)
        return places

    def known_words(self, texts: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
        """Return the positions of the known words of all texts, in order, and for each of these words the index of its text."""
        words = split_words(SEPARATOR.join(text.replace(SEPARATOR, " ") for text in texts))
        places = self.lookup(words.hashes)
        owners = np.searchsorted(np.flatnonzero(words.lowered == 0), words.starts)
        return places[places >= 0], owners[places >= 0]
