"""Multiply matrices on one core.

For large products, the linear algebra library starts threads. Their start and end take longer than a small product, and they wait
for each other if other programs use the cores.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

#: Maximum of rows * columns * depth of a product for which the library stays on one core.
MAX_UNTHREADED_SIZE = 1 << 18


def product(rows: Array, matrix: Array) -> Array:
    """Return the product of matrices of shape (n, depth) and (depth, columns), computed a few rows at a time."""
    at_once = max(1, min(MAX_UNTHREADED_SIZE // max(matrix.size, 1), len(rows)))
    missing = -len(rows) % at_once
    padded = np.concatenate([rows, np.zeros((missing, rows.shape[1]), np.float32)]) if missing else rows
    found = padded.reshape(len(padded) // at_once, at_once, rows.shape[1]) @ matrix
    return np.asarray(found.reshape(len(padded), matrix.shape[1])[: len(rows)], np.float32)
