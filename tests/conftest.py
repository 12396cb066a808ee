"""Keeps the memory of the test process small, and adds `--long`, which runs what takes minutes in full.

Every module opens stores, and glibc would keep what they freed.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from astrolabe.server.environment.idle_memory import limit_arenas, return_free_memory

limit_arenas()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run tests of many random steps in full instead of in part")


@pytest.fixture(scope="session")
def is_long(request: pytest.FixtureRequest) -> bool:
    """Whether the tests run in full."""
    return bool(request.config.getoption("--long"))


@pytest.fixture(scope="module", autouse=True)
def _returned_memory() -> Iterator[None]:
    yield
    gc.collect()
    return_free_memory()
