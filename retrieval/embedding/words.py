"""Splits text into lower-case words, all at once, as arrays over its bytes.

A word is a run of letters or of digits; identifiers are split where camelCase and snake_case are: `parseURLSpec2` holds
parse, url, spec and 2. Bytes beyond ASCII count as lower-case letters, so words of any script survive whole.

Words are never made into Python strings: a word is known by a 64-bit hash of its bytes. The hash is a polynomial modulo
2**64, whose prefix sums give the hash of every substring in one subtraction; that also serves the n-grams of unknown words.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Hashes = NDArray[np.uint64]
Positions = NDArray[np.intp]

#: Byte values of texts that are split together are kept apart by this one, which is in no word.
SEPARATOR = "\0"

_OTHER, _LOWER, _UPPER, _DIGIT = 0, 1, 2, 3
_MULTIPLIER = 0x9E3779B97F4A7C15
_INVERSE = pow(_MULTIPLIER, -1, 1 << 64)
_MIX = np.uint64(0xD6E8FEB86659FD93)
_GRAM_LENGTHS = (3, 4, 5)
#: n-grams are taken of the first bytes of a word only: what is longer is rarely a word.
_GRAM_BYTES = 16


def _character_classes() -> Bytes:
    classes = np.full(256, _LOWER, np.uint8)
    classes[:128] = _OTHER
    classes[ord("a") : ord("z") + 1] = _LOWER
    classes[ord("A") : ord("Z") + 1] = _UPPER
    classes[ord("0") : ord("9") + 1] = _DIGIT
    return classes


def _lower_case() -> Bytes:
    lower = np.arange(256, dtype=np.uint8)
    lower[ord("A") : ord("Z") + 1] += 32
    return lower


def _word_starts() -> NDArray[np.bool_]:
    """Whether a word starts at a byte, by the classes of (byte before, byte, byte after), as an index in base 4."""
    starts = np.zeros((4, 4, 4), np.bool_)
    starts[_OTHER, 1:, :] = True
    starts[_LOWER, _UPPER, :] = True
    # The last capital of a run belongs to the word after it: URL|Spec.
    starts[_UPPER, _UPPER, _LOWER] = True
    starts[1:_DIGIT, _DIGIT, :] = True
    starts[_DIGIT, 1:_DIGIT, :] = True
    return starts.ravel()


_CLASSES = _character_classes()
_LOWERED = _lower_case()
_STARTS = _word_starts()


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text, in order. All arrays are parallel, but for the two that cover the bytes."""

    #: First byte and the byte after the last.
    starts: Positions
    ends: Positions
    hashes: Hashes
    #: Whether the word is a number.
    numeric: NDArray[np.bool_]
    #: The text in lower case.
    lowered: Bytes
    #: Prefix sums of the polynomial, one longer than the text.
    prefix: Hashes

    def text(self, index: int) -> str:
        """The word itself. Bytes that are not UTF-8 are replaced."""
        return self.lowered[self.starts[index] : self.ends[index]].tobytes().decode("utf-8", "replace")


@lru_cache(maxsize=4)
def _powers(size: int) -> tuple[Hashes, Hashes]:
    """Powers of the multiplier and of its inverse modulo 2**64, from the zeroth."""
    tables = []
    for base in (_MULTIPLIER, _INVERSE):
        factors = np.full(size, base, np.uint64)
        factors[0] = 1
        tables.append(np.multiply.accumulate(factors))
    return tables[0], tables[1]


def _mixed(hashes: Hashes) -> Hashes:
    """The low bits of a polynomial modulo a power of two are weak: fold the high ones in."""
    hashes = (hashes ^ (hashes >> np.uint64(32))) * _MIX
    return hashes ^ (hashes >> np.uint64(32))


def split_words(text: str) -> Words:
    """Every word of the text. Separators divide words like any other character that is no letter and no digit."""
    data = np.frombuffer(text.encode("utf-8", "replace"), np.uint8)
    classes = np.zeros(len(data) + 2, np.uint8)
    np.take(_CLASSES, data, out=classes[1:-1])
    contexts = (classes[:-2] << 4) | (classes[1:-1] << 2) | classes[2:]
    starts = np.flatnonzero(_STARTS[contexts])
    # A word ends where the next one starts or where a run of letters and digits does.
    bounds = np.flatnonzero((classes[1:-1] != _OTHER) & (classes[2:] == _OTHER)) + 1
    ends = (
        np.minimum(np.append(starts[1:], len(data)), bounds[np.searchsorted(bounds, starts, side="right")])
        if len(starts)
        else starts
    )
    size = 1 << max(16, (len(data) + 1).bit_length())
    powers, _ = _powers(size)
    lowered = _LOWERED[data]
    prefix = np.zeros(len(data) + 1, np.uint64)
    np.cumsum(lowered * powers[: len(data)], out=prefix[1:])
    hashes = _mixed(_substring_hashes(prefix, starts, ends))
    return Words(starts, ends, hashes, classes[starts + 1] == _DIGIT, lowered, prefix)


def _substring_hashes(prefix: Hashes, starts: Positions, ends: Positions) -> Hashes:
    _, inverses = _powers(1 << max(16, len(prefix).bit_length()))
    return (prefix[ends] - prefix[starts]) * inverses[starts]


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
        hashes.append(_mixed(_substring_hashes(words.prefix, first, last) + marks))
        owners.append(owner)
    order = np.argsort(np.concatenate(owners), kind="stable")
    return np.concatenate(hashes)[order], np.concatenate(owners)[order]
