"""Words as spans of bytes, by the hundred thousand: their hashes, and an order for numbers of words."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Positions = NDArray[np.intp]

#: Bytes at the end of the data, behind the last word, that a window on that word may reach.
PADDING = b"\0" * 8
#: Bytes of a word that count. What is longer is data.
MAX_BYTES = 320
#: Keep the first 0 to 8 bytes of a window of eight.
_FIRST_BYTES = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)
_MIX = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)


def hash_words(data: bytes, starts: Positions, ends: Positions) -> Hashes:
    """A 64-bit hash of each span of the data, which ends with PADDING. Spans of up to eight bytes never share one."""
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
    """Different numbers for different ones, each bit of which depends on all; 0 for 0."""
    hashes = (hashes ^ (hashes >> _HALF)) * _MIX
    hashes ^= hashes >> _HALF
    return hashes


def stable_order(numbers: NDArray[Any], limit: int) -> Positions:
    """The places of whole numbers below a limit, by rising number; equal ones as they stand.

    numpy sorts 16 bits at a time by counting, several times faster than it compares whole numbers.
    """
    order = np.argsort(numbers.astype(np.uint16), kind="stable")
    for shift in range(16, (limit - 1).bit_length(), 16):
        order = order.take(np.argsort((numbers.take(order) >> shift).astype(np.uint16), kind="stable"))
    return order
