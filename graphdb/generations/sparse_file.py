"""Turn blocks of zeros in a file into holes: they still read as zeros, but use no disk space. The engine rounds text columns up
to the next power of two, so blocks of zeros are more than a quarter of a graph file.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

#: Size in bytes of the examined blocks: a page of the engine, and a block of common file systems.
BLOCK = 4096
#: Number of bytes read at once.
_WINDOW = 1024 * BLOCK
_KEEP_SIZE, _PUNCH_HOLE = 1, 2


def release_zeros(path: Path) -> None:
    """Turn all blocks of zeros into holes if the system and the file system can. Raises OSError if the file cannot be read."""
    punch = _fallocate()
    if punch is None:
        return
    with path.open("r+b", buffering=0) as file:
        for begin, end in _zero_runs(file.fileno()):
            if punch(file.fileno(), _KEEP_SIZE | _PUNCH_HOLE, begin, end - begin):
                return  # This file system has no holes.


def room_of(status: os.stat_result) -> int:
    """Return the disk space of a file in bytes, without rounding to whole blocks."""
    blocks: int | None = getattr(status, "st_blocks", None)  # not known on Windows
    return status.st_size if blocks is None else min(status.st_size, 512 * blocks)


def _zero_runs(descriptor: int) -> Iterator[tuple[int, int]]:
    """Yield the begin and end offsets of runs of zero blocks, window by window."""
    import numpy as np

    offset = 0
    while window := os.pread(descriptor, _WINDOW, offset):
        count = len(window) // BLOCK
        blocks = np.frombuffer(window, np.uint64, count * BLOCK // 8).reshape(count, BLOCK // 8)
        edges = np.flatnonzero(np.diff(~blocks.any(axis=1), prepend=False, append=False))
        for first, last in edges.reshape(-1, 2).tolist():
            yield offset + first * BLOCK, offset + last * BLOCK
        offset += len(window)


@cache
def _fallocate() -> Callable[[int, int, int, int], int] | None:
    """Return the `fallocate` function of Linux; None elsewhere."""
    try:
        library = ctypes.CDLL(None)
        call = getattr(library, "fallocate64", None) or library.fallocate
    except (AttributeError, OSError, TypeError):
        return None
    call.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64]
    made: Callable[[int, int, int, int], int] = call
    return made
