"""Vectors as bytes: near what they were, and the same again when they are stored again."""

from __future__ import annotations

import numpy as np
import pytest
from astrolabe.retrieval.packed_vectors import packed, unpacked


def unit_vectors(count: int, dimensions: int) -> np.ndarray:
    vectors = np.random.default_rng(5).standard_normal((count, dimensions)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.mark.parametrize(("dimensions", "error"), [(8, 2e-2), (256, 5e-3), (1024, 5e-3)])
def test_cosines_stay_near(dimensions: int, error: float) -> None:
    vectors = unit_vectors(200, dimensions)
    found = unpacked(packed(vectors))
    assert np.abs(found @ found.T - vectors @ vectors.T).max() < error
    assert np.abs(np.linalg.norm(found, axis=1) - 1).max() < 1e-6


def test_what_was_stored_is_stored_the_same_again() -> None:
    once = packed(unit_vectors(500, 256))
    assert (packed(unpacked(once)) == once).all()
    assert (np.abs(once).max(axis=1) == 127).all()


def test_vectors_of_zeros_stay_zero() -> None:
    assert not unpacked(packed(np.zeros((3, 16), np.float32))).any()
    assert unpacked(packed(np.zeros((0, 16), np.float32))).shape == (0, 16)
