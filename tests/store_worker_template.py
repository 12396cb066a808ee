"""A template process for the workers that write stores. A worker that is forked from it has the libraries of the stores already.

A worker of a user starts once per index and imports these libraries while files are parsed. The tests build thousands of tiny
indexes, where the imports take most of the time. Tests that start the installed command use workers as users have them.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable
from multiprocessing import forkserver, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess

import pytest
from astrolabe.schema.process.serving import serve
from astrolabe.schema.process.worker import Worker, start_worker
from astrolabe.server.indexing.store_worker import write_store

StartWorker = Callable[[str], Worker]

_STORE_WORKER = "astrolabe.server.indexing.store_worker"
#: With this variable in the environment of the tests, their workers do not sleep between requests to a service.
NO_PAUSES = "ASTROLABE_TESTS_WITHOUT_PAUSES"
_IMPORTED = ["store_worker_libraries", "store_worker_template", "pytest"]


class _Process:
    """A forked worker with the methods of `subprocess.Popen` that `Worker` needs."""

    def __init__(self, process: ForkServerProcess) -> None:
        self._process = process

    def kill(self) -> None:
        self._process.kill()

    def wait(self) -> int:
        self._process.join()
        code = self._process.exitcode
        assert code is not None
        return code


def worker_starter() -> StartWorker:
    """Return a replacement of `start_worker` that forks the workers of the stores from a template process."""
    context = get_context("forkserver")
    context.set_forkserver_preload(_IMPORTED)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", os.pathsep.join(sys.path))  # before Python 3.12, the template has another `sys.path`
        forkserver.ensure_running()
    owner = os.getpid()

    def start(module: str) -> Worker:
        if module != _STORE_WORKER or os.getpid() != owner:  # a forked copy of the test process has no connection to the template
            return start_worker(module)
        main = sys.modules["__main__"]
        if not hasattr(main, "__spec__"):  # IPython's main module has none, and multiprocessing reads it
            main.__spec__ = None
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, dict(os.environ), os.getcwd()), daemon=True)
        process.start()
        theirs.close()
        return Worker(_Process(process), ours)

    return start


def _work(connection: Connection, environment: dict[str, str], folder: str) -> None:
    os.setsid()
    gc.freeze()  # a collection would write to all that is shared with the template
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    if NO_PAUSES in environment:
        time.sleep = lambda seconds: None  # type: ignore[assignment]
    serve(write_store, connection)
