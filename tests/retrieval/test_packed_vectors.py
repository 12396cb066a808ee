"""Vectors as bytes: near what they were, and the same again when they are stored again."""

from __future__ import annotations

import numpy as np
import pytest
from astrolabe.retrieval.vectors.int8_quantization import PackedVectors, packed


def unpacked(numbers: np.ndarray) -> np.ndarray:
    return PackedVectors(numbers).of(slice(None))


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


@pytest.mark.parametrize("dimensions", [1, 8, 256, 1024, 2048])
def test_cosines_with_a_vector_are_exact_wherever_a_row_stands(dimensions: int) -> None:
    vectors = unit_vectors(2500, dimensions)
    numbers = packed(vectors)
    held, asked = PackedVectors(numbers), np.full(dimensions, dimensions**-0.5, np.float32)
    for vector in (vectors[7], asked, np.sign(vectors[0]) * asked, np.zeros(dimensions, np.float32)):
        found = held.cosines(vector)
        assert np.abs(found - unpacked(numbers) @ vector).max() < 5e-4
        moved = np.roll(np.arange(len(numbers)), 3)[:-5]
        assert (PackedVectors(numbers[moved]).cosines(vector) == found[moved]).all()


def test_the_sum_is_that_of_the_vectors() -> None:
    numbers = packed(unit_vectors(2500, 256))
    assert np.abs(PackedVectors(numbers).total() - unpacked(numbers).sum(axis=0, dtype=np.float64)).max() < 1e-3
    assert not PackedVectors(numbers[:0]).total().any()
    assert PackedVectors(numbers[:0]).cosines(np.zeros(256, np.float32)).shape == (0,)
