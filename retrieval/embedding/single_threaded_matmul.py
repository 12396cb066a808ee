"""Products of matrices that stay on one core.

From some size on, the linear algebra library starts threads, whose start and end cost more than a small product, and which
wait for each other wherever something else runs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

#: Rows * columns * depth of a product up to which the library starts no threads.
LARGEST = 1 << 18


def product(rows: Array, matrix: Array) -> Array:
    """The product of two matrices, shapes (n, depth) and (depth, columns), a few rows at a time."""
    at_once = max(1, min(LARGEST // max(matrix.size, 1), len(rows)))
    missing = -len(rows) % at_once
    padded = np.concatenate([rows, np.zeros((missing, rows.shape[1]), np.float32)]) if missing else rows
    found = padded.reshape(len(padded) // at_once, at_once, rows.shape[1]) @ matrix
    return np.asarray(found.reshape(len(padded), matrix.shape[1])[: len(rows)], np.float32)
