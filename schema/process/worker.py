"""Worker processes from the caller's side. The worker's side is in `serving.py`.

A worker receives messages and sends answers, both as bytes, over a connection of `multiprocessing`. A `multiprocessing.Process`
would run the main module of the host program again, so workers are other processes.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from typing import Any

from .fork_between_imports import fork_between_imports
from .import_blocker import is_lean
from .serving import Caller, raise_reported, serve


class Worker:
    """A worker process of the calling process. One thread may send while another thread receives.

    The worker has its own session, so that Ctrl-C stops only the caller. The worker ends as soon as the caller has ended.
    """

    def __init__(self, process: subprocess.Popen[bytes] | _Copy, connection: Connection) -> None:
        self.process = process
        #: The connection to the worker, for `multiprocessing.connection.wait`.
        self.connection = connection

    def send(self, message: bytes) -> None:
        """Send a message. If the worker has ended, the next `receive` raises EOFError."""
        with suppress(OSError):
            self.connection.send_bytes(message)

    def receive(self, timeout: float | None = None) -> bytes:
        """Return the next answer.

        Raises the AstrolabeError that the worker reports, and EOFError if the worker has ended. If no answer begins within
        `timeout` seconds, the worker is killed and TimeoutError is raised.
        """
        if timeout is not None and not self.connection.poll(timeout):
            self.kill()
            raise TimeoutError(f"a worker did not answer within {timeout} seconds")
        answer = self._read()
        if not answer:
            raise_reported(self._read())
        return answer

    def _read(self) -> bytes:
        try:
            return self.connection.recv_bytes()
        except OSError as error:  # the worker ended during or before a message
            raise EOFError("a worker has ended") from error

    def kill(self) -> None:
        """Kill the process. Any thread may call this method; a thread that waits for an answer gets EOFError."""
        self.process.kill()

    def end(self) -> int:
        """Kill the process if it still runs, and close the connection. Returns the exit code."""
        self.kill()
        code = self.process.wait()
        self.connection.close()
        return code


def start_worker(module: str, *arguments: str, stderr: int | None = None) -> Worker:
    """Start `python -m MODULE ARGUMENTS`, which must call `serve`.

    `stderr` is as in `subprocess.Popen`.
    """
    ours, theirs = Pipe()
    handle = theirs.fileno()
    inherited: dict[str, Any] = {"pass_fds": [handle], "start_new_session": True}
    if sys.platform == "win32":
        os.set_handle_inheritable(handle, True)
        inherited = {"startupinfo": subprocess.STARTUPINFO(lpAttributeList={"handle_list": [handle]})}
    process = subprocess.Popen(
        # With -P, Python imports nothing from the working directory, which may contain untrusted code.
        [sys.executable, "-P", "-m", module, *arguments, str(handle)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=stderr,
        **inherited,
    )
    theirs.close()
    return Worker(process, ours)


def can_fork() -> bool:
    """Return whether copies of this process can replace the workers of an index, which saves their start and their imports.

    The process must run only Astrolabe, on Linux, and must have no other threads, not even threads of libraries.
    """
    if sys.platform != "linux" or not is_lean():
        return False
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:  # the system shows no processes
        return False


def fork_worker(work: Callable[[Caller], None], *kept: int) -> Worker:
    """Start a copy of this process that runs `work` and then ends, on Linux. The copy closes all files except standard error and
    the descriptors `kept`. Raises OSError if the process cannot be forked.
    """
    ours, theirs = Pipe()
    with warnings.catch_warnings():
        # Python warns that other threads may hold locks, and LanceDB that its threads may be running. The copy does not need
        # these locks, and the caller kills a copy that does not answer.
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", RuntimeWarning)
        pid = fork_between_imports()
    if pid == 0:
        try:
            os.setsid()
            threading.excepthook = lambda _: None  # library threads that start in every copy fail, because their files are closed
            _close_files(theirs.fileno(), *kept)
            serve(work, theirs)
        finally:
            os._exit(1)
    theirs.close()
    return Worker(_Copy(pid), ours)


class _Copy:
    """A forked process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._code: int | None = None

    def kill(self) -> None:
        if self._code is None:
            os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        if self._code is None:
            self._code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self._code


def _close_files(*kept: int) -> None:
    """Close the inherited files. Locks and pipes must end with the process that opened them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        if descriptor > 2 and descriptor not in kept:
            with suppress(OSError):  # the descriptor of `listdir` is closed already
                os.close(descriptor)
