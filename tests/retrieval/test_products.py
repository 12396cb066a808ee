"""Products made a few rows at a time are those made at once, with no rows and no columns too."""

from __future__ import annotations

import numpy as np
import pytest
from astrolabe.retrieval.embedding.single_threaded_matmul import MAX_UNTHREADED_SIZE, product


@pytest.mark.parametrize("rows", [0, 1, 7, 1000])
@pytest.mark.parametrize(("depth", "columns"), [(256, 0), (256, 1), (256, 12), (30, 700), (1, MAX_UNTHREADED_SIZE + 1)])
def test_a_product_is_that_of_its_rows(rows: int, depth: int, columns: int) -> None:
    rows = rows if columns <= MAX_UNTHREADED_SIZE else min(rows, 3)
    chance = np.random.default_rng(rows + columns)
    left, right = (chance.integers(-9, 9, shape).astype(np.float32) for shape in ((rows, depth), (depth, columns)))
    found = product(left, right)
    assert found.shape == (rows, columns)
    assert (found == left @ right).all()
