"""Keeps the memory of the test process small: every module opens stores, and glibc would keep what they freed."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from astrolabe.server.environment.idle_memory import limit_arenas, return_free_memory

limit_arenas()


@pytest.fixture(scope="module", autouse=True)
def _returned_memory() -> Iterator[None]:
    yield
    gc.collect()
    return_free_memory()
