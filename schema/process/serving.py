"""The worker's side of a worker process. The worker receives messages from the caller and sends answers. See `worker.py`."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from multiprocessing import connection as connections
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import NoReturn

import msgspec

from .. import errors
from ..errors import AstrolabeError
from .import_blocker import be_lean

#: An empty message, which announces an error instead of an answer. Answers are never empty.
_ERROR_FOLLOWS = b""


class _Failure(msgspec.Struct, frozen=True):
    """An AstrolabeError as a message to the caller: the name of its class, and its text."""

    error: str
    message: str


class Caller:
    """The process that started a worker."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._messages: SimpleQueue[bytes] = SimpleQueue()
        threading.Thread(target=self._take_messages, daemon=True).start()

    def receive(self) -> bytes:
        """Wait for the next message and return it."""
        return self._messages.get()

    def send(self, answer: bytes) -> None:
        """Send an answer, which must not be empty."""
        self._connection.send_bytes(answer)

    def fail(self, error: AstrolabeError) -> None:
        """Report an error, which `Worker.receive` raises."""
        self.send(_ERROR_FOLLOWS)
        self.send(msgspec.msgpack.encode(_Failure(type(error).__name__, error.message)))

    def _take_messages(self) -> None:
        """Read each message immediately, so that the caller can send without waiting.

        End this process if the caller has ended.
        """
        try:
            while True:
                self._messages.put(self._connection.recv_bytes())
        except (EOFError, OSError):
            os._exit(1)


def raise_reported(failure: bytes) -> NoReturn:
    """Raise the error that a worker reported."""
    reported = msgspec.msgpack.decode(failure, type=_Failure)
    raise getattr(errors, reported.error, AstrolabeError)(reported.message)


def serve(work: Callable[[Caller], None], connection: Connection | None = None) -> NoReturn:
    """Run the work of this process, and then end the process. Without a connection argument, the last command-line argument is
    the handle of the connection.

    An AstrolabeError is sent to the caller. Any other exception is a defect and is printed. The process ends at once: a normal
    exit would free its memory object by object, and wait for threads and engines.
    """
    code = 1
    try:
        be_lean()
        caller = Caller(connection or _inherited(int(sys.argv.pop())))
        try:
            work(caller)
        except AstrolabeError as error:
            caller.fail(error)
        code = 0
    except ConnectionError:
        pass  # the caller has ended
    except BaseException:  # noqa: BLE001 - printed here, since nothing above this would
        import traceback  # this import would delay the start of every worker

        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(code)


def _inherited(handle: int) -> Connection:
    if sys.platform == "win32":
        return connections.PipeConnection(handle)
    return Connection(handle)
