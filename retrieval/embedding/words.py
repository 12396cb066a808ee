"""Splits text into lower-case words, all at once, as arrays over its bytes.

A word is a run of letters or of digits; identifiers are split where camelCase and snake_case are: `parseURLSpec2` holds
parse, url, spec and 2. Bytes beyond ASCII count as lower-case letters, so words of any script survive whole.

Words are never made into Python strings: a word is known by a 64-bit hash of its bytes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..lexical.word_arrays import PADDING, Hashes, Positions, hash_words, mixed

Bytes = NDArray[np.uint8]

#: Byte values of texts that are split together are kept apart by this one, which is in no word.
SEPARATOR = "\0"

_OTHER, _LOWER, _UPPER, _DIGIT = 0, 1, 2, 3
_GRAM_LENGTHS = (3, 4, 5)
#: n-grams are taken of the first bytes of a word only: what is longer is rarely a word.
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
    """Whether a word starts or ends before a byte, by the classes of (byte before, byte, byte after), as an index in base 4."""
    cuts = np.zeros((4, 4, 4), np.uint8)
    cuts[_OTHER, 1:, :] = 1
    cuts[1:, _OTHER, :] = 1
    cuts[_LOWER, _UPPER, :] = 1
    # The last capital of a run belongs to the word after it: URL|Spec.
    cuts[_UPPER, _UPPER, _LOWER] = 1
    cuts[1:_DIGIT, _DIGIT, :] = 1
    cuts[_DIGIT, 1:_DIGIT, :] = 1
    return cuts.tobytes() + bytes(192)


_CLASSES = _character_classes()
_CUTS = _cuts()


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text, in order. All arrays are parallel, but for the one that covers the bytes."""

    #: First byte and the byte after the last.
    starts: Positions
    ends: Positions
    hashes: Hashes
    #: Whether the word is a number.
    numeric: NDArray[np.bool_]
    #: The text in lower case, and PADDING.
    lowered: Bytes

    def text(self, index: int) -> str:
        """The word itself. Bytes that are not UTF-8 are replaced."""
        return self.lowered[self.starts[index] : self.ends[index]].tobytes().decode("utf-8", "replace")


def split_words(text: str) -> Words:
    """Every word of the text. Separators divide words like any other character that is no letter and no digit."""
    encoded = text.encode("utf-8", "replace")
    # One other character before the text, and two behind it: the end of the text may end a word.
    classes = np.frombuffer(b"".join((b" ", encoded, b"  ")).translate(_CLASSES), np.uint8)
    contexts = (classes[:-2] << 4) | (classes[1:-1] << 2) | classes[2:]
    cuts = np.flatnonzero(np.frombuffer(contexts.tobytes().translate(_CUTS), np.bool_))
    kinds = classes.take(cuts + 1)
    begins = np.flatnonzero(kinds != _OTHER)
    starts, ends = cuts.take(begins), cuts.take(begins + 1)
    lowered = encoded.lower() + PADDING
    return Words(starts, ends, hash_words(lowered, starts, ends), kinds.take(begins) == _DIGIT, np.frombuffer(lowered, np.uint8))


def gram_hashes(words: Words, chosen: Positions) -> tuple[Hashes, Positions]:
    """Hashes of the n-grams of the chosen words, and for each the place of its word in `chosen`, in rising order.

    An n-gram at the start or the end of a word differs from the same letters inside. A word shorter than any n-gram is
    its own only one.
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
    """A polynomial over the bytes of each span, at most `length` bytes long."""
    sums = np.zeros(len(starts), np.uint64)
    for offset, power in enumerate(_GRAM_POWERS[:length]):
        sums += np.where(starts + offset < ends, data[starts + offset], 0).astype(np.uint64) * power
    return sums
