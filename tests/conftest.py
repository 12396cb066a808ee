"""Keeps the memory of the test process small, forks the workers of the stores, and keeps what tests write in memory.

The option `--long` runs what takes minutes in full. Without it, tests with the marker `long` do not run, and of the examples of a
test with the marker `sampled` only some do. `--spawn-workers` starts the workers of the stores as for users.

Every module opens stores, and glibc would keep what they freed.
"""

from __future__ import annotations

import gc
import logging
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from astrolabe.ingest.workers.gc_pause import FROZEN
from astrolabe.schema.process.allocator import limit_arenas, return_free_memory
from astrolabe.server.indexing import store_process

# No test may fail because the machine is busy.
hypothesis.settings.register_profile("astrolabe", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("astrolabe")

limit_arenas()

#: A file system in the memory of Linux. Tests write thousands of small indexes, and would wait for the disk after each one.
_MEMORY = Path("/dev/shm")
_FOLDER = "astrolabe-tests-"
#: The folder of the tests that wait for servers.
_SERVER = Path(__file__).parent / "server"
#: The modules that take longest, among them all that wait outside of that folder.
_LONGEST = (
    "test_page",
    "test_incremental_equals_full",
    "test_taking_over",
    "test_interruption",
    "test_packaging",
    "test_incremental_models",
    "test_refresh_process",
)
#: Bytes that must be available there, and in the memory of the machine. A run keeps about 2 GiB there at a time.
_NEEDED_BYTES = 8 * 2**30


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run tests of many random steps in full instead of in part")
    parser.addoption("--spawn-workers", action="store_true", help="do not fork the workers of the stores from a template")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Register the marker of long tests. With `-n`, put the folders of tests into memory, where they last as long as the run."""
    config.addinivalue_line("markers", "long: a test that only runs with --long")
    config.addinivalue_line("markers", "faults: a test in which Astrolabe reports faults of its own")
    config.addinivalue_line("markers", "sampled(every): a test of which every so many examples run without --long")
    if config.option.basetemp is None and getattr(config.option, "numprocesses", None) and _has_memory():
        _remove_leftovers()
        folder = _MEMORY / f"{_FOLDER}{os.getpid()}"
        config.option.basetemp = str(folder)
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


def pytest_xdist_auto_num_workers() -> int:
    """Return the number of processes of `-n auto`: more than processors, because tests wait for servers and browsers."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return 2 * processors


def _has_memory() -> bool:
    if sys.platform != "linux" or not os.access(_MEMORY, os.W_OK):
        return False
    sizes = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
    available = int(sizes["MemAvailable"].removesuffix("kB")) * 1024
    return min(available, shutil.disk_usage(_MEMORY).free) >= _NEEDED_BYTES


def _remove_leftovers() -> None:
    """Remove the folders of runs that were killed."""
    for folder in _MEMORY.glob(f"{_FOLDER}*"):
        if not Path("/proc", folder.name.removeprefix(_FOLDER)).exists():
            shutil.rmtree(folder, ignore_errors=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the long tests, and most examples of sampled ones, out of a short run. With `-n`, order the modules."""
    if not config.getoption("--long"):
        _shorten(config, items)
    if hasattr(config, "workerinput"):  # a process of `-n`
        _order(items)


def _shorten(config: pytest.Config, items: list[pytest.Item]) -> None:
    examples: Counter[str] = Counter()
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        sampled = item.get_closest_marker("sampled")
        test = item.nodeid.split("[")[0]
        runs = item.get_closest_marker("long") is None and (sampled is None or examples[test] % sampled.args[0] == 0)
        examples[test] += 1
        (kept if runs else left_out).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept


def _order(items: list[pytest.Item]) -> None:
    """Alternate modules that wait for servers and browsers with modules that compute.

    The longest modules come first, so that no process ends long after the others. Without this order, the processors idle during
    the second half of a run.
    """
    modules: dict[Path, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(item.path, []).append(item)
    waiting = [path for path in modules if _SERVER in path.parents or path.stem in _LONGEST]
    waiting.sort(key=lambda path: _LONGEST.index(path.stem) if path.stem in _LONGEST else len(_LONGEST))
    computing = sorted(modules.keys() - set(waiting), key=lambda path: (-len(modules[path]), path))
    places = ((place / len(paths), path) for paths in (waiting, computing) for place, path in enumerate(paths))
    items[:] = [item for _, path in sorted(places) for item in modules[path]]


def pytest_collection_finish() -> None:
    """Leave the tests and the imported modules out of later searches for garbage, which would take a third of a second each."""
    gc.collect()
    gc.freeze()
    FROZEN.set()  # otherwise, each index would ask the collector, which counts all these objects to answer


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


class _ReportedFaults(logging.Filter):
    """Keeps the warnings about faults of Astrolabe itself, after which an index lacks edges or an update becomes a full one.

    A filter leaves the logger without handlers, as it is for users.
    """

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        if "Please report this" in text:
            self.texts.append(text)
        return True


_FAULTS = _ReportedFaults()
logging.getLogger("astrolabe").addFilter(_FAULTS)


@pytest.fixture(autouse=True)
def no_faults(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let a test fail if Astrolabe reports a fault of its own, because the index goes on without the edges of a file."""
    _FAULTS.texts.clear()
    logger = logging.getLogger("astrolabe")
    logger.disabled, logger.propagate = False, True  # some libraries disable the loggers that exist when they are configured
    yield
    if request.node.get_closest_marker("faults") is None:
        assert _FAULTS.texts == []
