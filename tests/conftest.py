"""Keeps the memory of the test process small and forks the workers of the stores.

The option `--long` runs what takes minutes in full, and `--spawn-workers` starts the workers of the stores as for users.

Every module opens stores, and glibc would keep what they freed.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import hypothesis
import pytest
from astrolabe.server.environment.idle_memory import limit_arenas, return_free_memory
from astrolabe.server.indexing import store_process

# No test may fail because the machine is busy.
hypothesis.settings.register_profile("astrolabe", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("astrolabe")

limit_arenas()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run tests of many random steps in full instead of in part")
    parser.addoption("--spawn-workers", action="store_true", help="do not fork the workers of the stores from a template")


def pytest_collection_finish() -> None:
    """Leave the tests and the imported modules out of later searches for garbage, which would take a third of a second each."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def is_long(request: pytest.FixtureRequest) -> bool:
    """Whether the tests run in full."""
    return bool(request.config.getoption("--long"))


@pytest.fixture(scope="module", autouse=True)
def _returned_memory() -> Iterator[None]:
    yield
    gc.collect()
    return_free_memory()


@pytest.fixture(scope="session", autouse=True)
def _forked_store_workers(request: pytest.FixtureRequest) -> Iterator[None]:
    """On Linux, fork the workers that write stores from a template, which saves a quarter of the time of all tests."""
    if sys.platform != "linux" or request.config.getoption("--spawn-workers"):
        yield
        return
    from store_worker_template import worker_starter

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(store_process, "start_worker", worker_starter())
        yield
