"""The indexer's side of the store workers. Each store has a separate process.

Vectors are written on another core while names are still resolved. The memory of both engines is freed when their processes end.
An engine that crashes does not end the server.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from typing import Generic, TypeVar, cast

import msgspec

from ...schema.errors import AstrolabeError, StoreError
from ...schema.graph_content import GraphPart
from ...schema.process.worker import Worker, fork_worker, start_worker
from ...schema.records import FileContent
from ..environment.disk_space import cut_short
from ..environment.progress import ProgressListener
from .store_messages import Announced, Answer, Embedded, GraphWritten, Order, Renewal, VectorsWritten

Written = TypeVar("Written", VectorsWritten, GraphWritten)


class StoreProcess(Generic[Written]):
    """A worker that writes a store. The caller's thread sends the content, and a second thread receives the messages."""

    def __init__(self, order: Order, worker: Worker | None = None) -> None:
        """`worker` is one of `copied_workers`; None starts a worker."""
        self._order = order
        self._outcome: Written | AstrolabeError | None = None
        self._progress: ProgressListener | None = None
        self._embedded: Embedded | None = None
        #: Held during a report, so that reports from both threads are in order.
        self._reporting = threading.Lock()
        self._worker = worker or start_worker(f"{__package__}.store_worker")
        self._reader = threading.Thread(target=self._read, name="store-answers", daemon=True)
        self._reader.start()
        self._encoder = msgspec.msgpack.Encoder()
        self.send(order)

    def send(self, value: Sequence[FileContent] | Sequence[GraphPart] | Renewal | Order | None) -> None:
        """Send content as `store_messages` describes. If the worker has failed, `written` raises its error."""
        self._worker.send(self._encoder.encode(value))

    def written(self, progress: ProgressListener | None = None) -> Written:
        """Wait for the result. Raises the worker's error, or StoreError if the worker ended without an error."""
        self._progress = progress
        self._report()  # the worker may have embedded everything before this call
        self._reader.join()
        code = self._worker.end()
        if self._outcome is None:
            raise StoreError(
                f"The process that writes the {self._order.store} ended unexpectedly (exit code {code}); run the index again."
            ) from cut_short(self._order.written_folder)
        if isinstance(self._outcome, AstrolabeError):
            raise self._outcome
        return self._outcome

    def stop(self) -> None:
        """Stop the worker, from any thread. The thread that waits in `written` gets an error."""
        self._worker.kill()

    def abandon(self) -> None:
        """Stop the worker, wait for its end, and ignore its files.

        Only the thread that would otherwise call `written` may call this method.
        """
        self.stop()
        self._reader.join()
        self._worker.end()

    def _read(self) -> None:
        decoder = msgspec.msgpack.Decoder(Answer)
        try:
            while self._outcome is None:
                answer = decoder.decode(self._worker.receive())
                if isinstance(answer, Announced):
                    logging.getLogger("astrolabe").warning(answer.sentence)
                elif isinstance(answer, Embedded):
                    self._embedded = answer
                    self._report()
                else:
                    self._outcome = cast(Written, answer)  # a worker answers with the result of its own order
        except AstrolabeError as error:
            self._outcome = error
        except EOFError:
            return  # `written` reports the failure

    def _report(self) -> None:
        with self._reporting:
            if self._progress is not None and self._embedded is not None:
                self._progress("embed", self._embedded.done, self._embedded.total)


def copied_workers(count: int) -> list[Worker]:
    """Return workers that are copies of this process. They must exist before a `StoreProcess` starts a thread. Raises OSError."""
    from .store_worker import write_store  # an update needs no worker

    workers: list[Worker] = []
    try:
        while len(workers) < count:
            workers.append(fork_worker(write_store))
    except BaseException:
        for worker in workers:
            worker.end()
        raise
    return workers
