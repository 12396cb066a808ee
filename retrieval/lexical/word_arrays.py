"""Hash many words, which are spans of bytes, and sort word numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Positions = NDArray[np.intp]

#: Bytes after the last word, because an eight-byte window may extend beyond its end.
PADDING = b"\0" * 8
#: Maximum number of bytes of a word. Longer runs are data such as hashes, not words.
MAX_BYTES = 320
#: Masks that keep the first 0 to 8 bytes of an eight-byte window.
_FIRST_BYTES = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)
_MIX = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)


def hash_words(data: bytes, starts: Positions, ends: Positions) -> Hashes:
    """Return a 64-bit hash of each span of the data. The data must end with PADDING.

    Different spans of up to eight bytes have different hashes.
    """
    windows = np.ndarray(len(data) - 7, "<u8", data, strides=(1,))
    sizes = ends - starts
    hashes = mixed(windows.take(starts) & _FIRST_BYTES.take(sizes, mode="clip"))
    longer, done = np.flatnonzero(sizes > 8), 8
    while len(longer) and done < MAX_BYTES:
        rest = windows.take(starts[longer] + done) & _FIRST_BYTES.take(sizes[longer] - done, mode="clip")
        hashes[longer] = mixed(hashes[longer] ^ rest)
        done += 8
        longer = longer[sizes[longer] > done]
    return hashes


def mixed(hashes: Hashes) -> Hashes:
    """Mix the bits of each hash by a bijection that maps 0 to 0."""
    hashes = (hashes ^ (hashes >> _HALF)) * _MIX
    hashes ^= hashes >> _HALF
    return hashes


def stable_order(numbers: NDArray[Any], limit: int) -> Positions:
    """Return the permutation that sorts non-negative integers below a limit and keeps the order of equal integers.

    numpy sorts 16-bit integers by counting, several times as fast as by comparison.
    """
    order = np.argsort(numbers.astype(np.uint16), kind="stable")
    for shift in range(16, (limit - 1).bit_length(), 16):
        order = order.take(np.argsort((numbers.take(order) >> shift).astype(np.uint16), kind="stable"))
    return order
