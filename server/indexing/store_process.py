"""The indexer's side of the store workers: each store is written by a process of its own.

Vectors are written while names are still being resolved, on the other core; the memory of both engines goes when they end;
and an engine that crashes takes no server with it.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import msgspec

from ...schema import errors
from ...schema.errors import StoreError
from ...schema.process.frames import read_frame, write_frame
from ...schema.records import Chunk, GraphPart
from ...schema.settings import Settings
from ..environment.disk_space import cut_short
from ..environment.progress import ProgressListener
from .store_worker import (
    Announced,
    Answer,
    Embedded,
    Failed,
    GraphOrder,
    GraphWritten,
    KnownVectors,
    Order,
    Renewal,
    VectorsBase,
    VectorsOrder,
    VectorsWritten,
)

#: Chunks sent in one frame.
_CHUNKS_PER_FRAME = 512


class _StoreProcess:
    """A worker and the pipes to it. What it is sent is written by the caller's thread, what it says is read by another."""

    def __init__(self, order: Order, what: str, folder: Path) -> None:
        self._what = what
        #: Where it writes.
        self._folder = folder
        self._encoder = msgspec.msgpack.Encoder()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", f"{__package__}.store_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the indexer, which ends its workers.
        )
        self._outcome: Answer | None = None
        self._progress: ProgressListener | None = None
        self._reader = threading.Thread(target=self._read, name=f"{what}-answers", daemon=True)
        self._reader.start()
        self.send(order)

    def send(self, value: object) -> None:
        """Send a frame. What became of a worker that does not read shows in its outcome."""
        try:
            write_frame(_pipe(self._process.stdin), self._encoder.encode(value))
        except (BrokenPipeError, ConnectionResetError):
            self._reader.join()

    def outcome(self, progress: ProgressListener | None) -> Answer:
        """Wait for the end. Raises the worker's error, or StoreError when it ended without a word."""
        self._progress = progress
        self._reader.join()
        code = self._process.wait()
        if isinstance(self._outcome, Failed):
            kind = getattr(errors, self._outcome.error, StoreError)
            raise kind(self._outcome.message)
        if self._outcome is None:
            raise StoreError(
                f"The process that writes the {self._what} ended unexpectedly (exit code {code}); run the index again."
            ) from cut_short(self._folder)
        return self._outcome

    def stop(self) -> None:
        """Stop the worker, whatever it is doing: who waits for its outcome hears that it ended."""
        self._process.kill()

    def abandon(self) -> None:
        """Stop the worker, and give up the pipes to it. For the thread that waits for its outcome."""
        self.stop()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except BrokenPipeError:
                    continue  # bytes that the worker never read

    def _read(self) -> None:
        decoder = msgspec.msgpack.Decoder(Answer)
        stream = _pipe(self._process.stdout)
        while (frame := read_frame(stream)) is not None:
            answer = decoder.decode(frame)
            if isinstance(answer, Announced):
                logging.getLogger("astrolabe").warning(answer.sentence)
            elif isinstance(answer, Embedded):
                if self._progress is not None:
                    self._progress("embed", answer.done, answer.total)
            else:
                self._outcome = answer


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise BrokenPipeError("the store process has no pipe")
    return stream


class VectorsProcess:
    """Embeds chunks and writes the vector table. `add` may be called as soon as chunks are known."""

    def __init__(self, folder: Path, settings: Settings, base: VectorsBase | None, known: KnownVectors | None) -> None:
        self._process = _StoreProcess(VectorsOrder(str(folder), settings, base, known), "vectors", folder)
        self._waiting: list[Chunk] = []

    def add(self, chunks: Sequence[Chunk]) -> None:
        """Take more chunks, in any order of files."""
        self._waiting += chunks
        if len(self._waiting) >= _CHUNKS_PER_FRAME:
            self._process.send(self._waiting)
            self._waiting = []

    def close(self) -> None:
        """There are no more chunks: embedding begins."""
        if self._waiting:
            self._process.send(self._waiting)
        self._waiting = []
        self._process.send([])

    def written(self, progress: ProgressListener) -> VectorsWritten:
        """Wait until the table is written."""
        answer = self._process.outcome(progress)
        if not isinstance(answer, VectorsWritten):
            raise StoreError("The process that writes the vectors gave an answer of another kind; run the index again.")
        return answer

    def abandon(self) -> None:
        """Stop; nothing refers to what was written."""
        self._process.abandon()


class GraphProcess:
    """Loads the graph file, part by part, or takes over all of another one but a part that is replaced."""

    def __init__(self, path: Path, base: Path | None = None) -> None:
        self._process = _StoreProcess(GraphOrder(str(path), str(base) if base is not None else None), "graph", path.parent)

    def add(self, parts: Sequence[GraphPart]) -> None:
        """Take a part of the content, in one piece or several, some of which may be encoded."""
        self._process.send(parts)

    def end(self) -> None:
        """There are no more parts."""
        self._process.send(None)

    def renew(self, renewal: Renewal) -> None:
        """Take what replaces a part of the base: all there is to come."""
        self._process.send(renewal)

    def written(self) -> dict[str, int]:
        """Wait until the file is whole; rows by table."""
        answer = self._process.outcome(None)
        if not isinstance(answer, GraphWritten):
            raise StoreError("The process that writes the graph gave an answer of another kind; run the index again.")
        return answer.counts

    def stop(self) -> None:
        """Stop, from another thread than the one that waits for it, which then abandons it."""
        self._process.stop()

    def abandon(self) -> None:
        """Stop; the file is removed with its staging folder."""
        self._process.abandon()
