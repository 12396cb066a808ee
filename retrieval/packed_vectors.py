"""Vectors as they are stored: each value as one byte, by the largest of its vector.

A vector has unit length, so its scale need not be kept. Cosines of vectors of 256 values change by a thousandth or two, and what
was stored and read is stored the same again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .embedder import Vectors

_LARGEST = 127


def packed(vectors: Vectors) -> NDArray[np.int8]:
    """Vectors of unit length, or of zeros, as bytes of the same shape."""
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0)
    return np.rint(vectors * (_LARGEST / np.where(largest > 0, largest, 1))).astype(np.int8)


def unpacked(numbers: NDArray[np.int8]) -> Vectors:
    """The vectors, shape (rows, dimensions), that bytes stand for."""
    vectors = numbers.astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    vectors /= np.where(lengths > 0, lengths, 1)[:, None]
    return vectors
