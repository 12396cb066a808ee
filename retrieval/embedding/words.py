"""Split text into lower-case words with array operations over its bytes.

A word is a run of letters or of digits. Identifiers are split as in camelCase and snake_case: `parseURLSpec2` has the words
parse, url, spec and 2. Bytes beyond ASCII count as lower-case letters, so words of other scripts are not split.

A 64-bit hash of its bytes identifies a word, so no Python strings are created.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..lexical.word_arrays import PADDING, Hashes, Positions, hash_words, mixed

Bytes = NDArray[np.uint8]

#: Separates texts that are split together, and is not part of any word.
SEPARATOR = "\0"

# Classes of bytes.
_OTHER, _LOWER, _UPPER, _DIGIT = 0, 1, 2, 3
#: Lengths of n-grams in bytes.
_GRAM_LENGTHS = (3, 4, 5)
#: Number of bytes at the start of a word from which n-grams are computed. Longer runs are rarely words.
_GRAM_BYTES = 16


#: Powers of the multiplier of the polynomial that hashes n-grams, modulo 2**64.
_GRAM_POWERS = [np.uint64(pow(0x9E3779B97F4A7C15, exponent, 1 << 64)) for exponent in range(max(_GRAM_LENGTHS))]


def _character_classes() -> bytes:
    classes = np.full(256, _LOWER, np.uint8)
    classes[:128] = _OTHER
    classes[ord("a") : ord("z") + 1] = _LOWER
    classes[ord("A") : ord("Z") + 1] = _UPPER
    classes[ord("0") : ord("9") + 1] = _DIGIT
    return classes.tobytes()


def _cuts() -> bytes:
    """Return a lookup table that says whether a word starts or ends before a byte.

    The index has three digits in base 4: the classes of the previous byte, the byte and the next byte.
    """
    cuts = np.zeros((4, 4, 4), np.uint8)
    cuts[_OTHER, 1:, :] = 1
    cuts[1:, _OTHER, :] = 1
    cuts[_LOWER, _UPPER, :] = 1
    # The last capital letter of a run belongs to the next word: URL|Spec.
    cuts[_UPPER, _UPPER, _LOWER] = 1
    cuts[1:_DIGIT, _DIGIT, :] = 1
    cuts[_DIGIT, 1:_DIGIT, :] = 1
    return cuts.tobytes() + bytes(192)


_CLASSES = _character_classes()
_CUTS = _cuts()


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text, in order. All arrays but `lowered` are parallel."""

    #: Offset of the first byte.
    starts: Positions
    #: Offset after the last byte.
    ends: Positions
    hashes: Hashes
    #: Whether the word is a number.
    numeric: NDArray[np.bool_]
    #: The bytes of the text in lower case, then PADDING.
    lowered: Bytes

    def text(self, index: int) -> str:
        """Return a word as text. Bytes that are not UTF-8 are replaced."""
        return self.lowered[self.starts[index] : self.ends[index]].tobytes().decode("utf-8", "replace")


def split_words(text: str) -> Words:
    """Split the text into words. SEPARATOR divides words, like all characters other than letters and digits."""
    encoded = text.encode("utf-8", "replace")
    # A blank before the text and two blanks after it complete the first and the last word.
    classes = np.frombuffer(b"".join((b" ", encoded, b"  ")).translate(_CLASSES), np.uint8)
    contexts = (classes[:-2] << 4) | (classes[1:-1] << 2) | classes[2:]
    cuts = np.flatnonzero(np.frombuffer(contexts.tobytes().translate(_CUTS), np.bool_))
    kinds = classes.take(cuts + 1)
    begins = np.flatnonzero(kinds != _OTHER)
    starts, ends = cuts.take(begins), cuts.take(begins + 1)
    lowered = encoded.lower() + PADDING
    return Words(starts, ends, hash_words(lowered, starts, ends), kinds.take(begins) == _DIGIT, np.frombuffer(lowered, np.uint8))


def gram_hashes(words: Words, chosen: Positions) -> tuple[Hashes, Positions]:
    """Return the hashes of the n-grams of the chosen words, and for each n-gram the position of its word in `chosen`, ascending.

    N-grams of the same letters have different hashes at the start, inside and at the end of a word. A word that is shorter than
    all n-grams is its only n-gram.
    """
    hashes, owners = [], []
    starts = words.starts[chosen]
    ends = np.minimum(words.ends[chosen], starts + _GRAM_BYTES)
    for length in _GRAM_LENGTHS:
        counts = np.maximum(ends - starts - length + 1, length == _GRAM_LENGTHS[0])
        owner = np.repeat(np.arange(len(chosen)), counts)
        offsets = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        first = starts[owner] + offsets
        last = np.minimum(first + length, ends[owner])
        marks = (offsets == 0) * np.uint64(0x1000193) + (last == ends[owner]) * np.uint64(0x811C9DC5)
        hashes.append(mixed(_polynomials(words.lowered, first, last, length) + marks))
        owners.append(owner)
    order = np.argsort(np.concatenate(owners), kind="stable")
    return np.concatenate(hashes)[order], np.concatenate(owners)[order]


def _polynomials(data: Bytes, starts: Positions, ends: Positions, length: int) -> Hashes:
    """Return a polynomial hash of the bytes of each span; a span has at most `length` bytes."""
    sums = np.zeros(len(starts), np.uint64)
    for offset, power in enumerate(_GRAM_POWERS[:length]):
        sums += np.where(starts + offset < ends, data[starts + offset], 0).astype(np.uint64) * power
    return sums
