"""Resolve calls, references and constructs of all files. Copies of this process take shares of a large repository.

`fork` makes a copy after all files are read and bound. The copy has them without any transfer, and sends back only
edges. Each process resolves shared types again, which costs little. If `fork` is not safe, and on a single core, this
process does everything. It also does what a copy leaves undone for any reason.
"""

from __future__ import annotations

import os
import struct
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from queue import SimpleQueue
from types import TracebackType
from typing import NamedTuple, Self

import msgspec

from ...schema.process.serving import Caller
from ...schema.process.worker import fork_worker
from ...schema.records import GraphContent, GraphPart
from ..languages.installed_files import InstalledFiles
from ..languages.typescript.resolve.model.program import Unit
from ..resolution.repository_edges import RepositoryEdges
from .parse_process import allowed_processes

#: Length of the syntax tables that justifies one more process: about half a second of work.
WORTH_A_COPY = 400_000
#: Maximum number of copies. More processes gain less and less, and each needs memory for its results.
_MAX_COPIES = 3
#: Shares of the work for each process. The last ones are small, so that all processes end together.
_SHARES = 16
#: Seconds without a message after which a copy is given up.
_TIMEOUT = 120.0
_NUMBER = struct.Struct("<I")


class Noticed(msgspec.Struct, frozen=True):
    """What was noticed while names were resolved."""

    #: Type queries that failed.
    faults: list[str] = []
    #: Installed declaration files that were read.
    installed: list[str] = []
    #: Whether installed declaration files were skipped because too many came before them.
    left_out: bool = False


class _FileDone(msgspec.Struct, frozen=True, tag="fileDone"):
    """Says that one more file is done."""


class _Calls(msgspec.Struct, frozen=True, tag="calls"):
    """The edges of calls and references, by number of the share."""

    parts: dict[int, msgspec.Raw]


class _Constructs(msgspec.Struct, frozen=True, tag="constructs"):
    """The constructs of the same shares; the last message."""

    parts: dict[int, msgspec.Raw]
    noticed: Noticed


def copies_for(edges: RepositoryEdges, workers: int) -> int:
    """Return how many copies of this process are worthwhile for a program. `workers` is the setting of that name."""
    if sys.platform != "linux":  # elsewhere system libraries break after `fork`, or `fork` does not exist
        return 0
    wanted = _size(edges, edges.units) // WORTH_A_COPY
    return max(0, min(allowed_processes(workers), wanted, _MAX_COPIES + 1) - 1)


class Work(NamedTuple):
    """What is to be resolved, and with what."""

    edges: RepositoryEdges
    installed: InstalledFiles
    #: All files in order, in shares of about the same size.
    shares: list[Sequence[Unit]]


class Resolution:
    """Resolves the calls of all files of a program, then constructs.

    Use it in a `with` block, which ends the remaining copies.
    """

    def __init__(self, edges: RepositoryEdges, installed: InstalledFiles, copies: int, progress: Callable[[int], None]) -> None:
        """`progress` receives the number of files done."""
        self._progress = progress
        self._work = Work(edges, installed, _shares(edges, copies))
        self._queue = _ShareQueue(self._work)
        #: Numbers of the shares that this process resolves.
        self._own: list[int] = []
        #: Number of files that this process has resolved.
        self._done = 0
        self._copies: list[_Copy] = []
        with suppress(OSError):  # without more processes or memory, the existing processes do the work
            for _ in range(copies):
                self._copies.append(_Copy(self._work, self._queue))

    def calls(self) -> list[GraphPart]:
        """Return the edges of calls and references, as parts in the order of the files."""
        found: dict[int, GraphPart] = {number: self._calls(number) for number in self._queue.remaining()}
        for copy in self._copies:
            found |= copy.calls()
        for number in self._missing(found):
            found[number] = self._calls(number)
        self._progress(len(self._work.edges.units))
        return [found[number] for number in sorted(found)]

    def constructs(self) -> tuple[list[GraphPart], Noticed]:
        """Return the constructs, as parts in the order of the files, and what all processes noticed.

        Call `calls` first.
        """
        edges, installed = self._work.edges, self._work.installed
        found: dict[int, GraphPart] = {number: edges.of_constructs(self._work.shares[number]) for number in self._own}
        others = []
        for copy in self._copies:
            if (message := copy.constructs()) is not None:
                found |= message.parts
                others.append(message.noticed)
        for number in self._missing(found):
            self._calls(number)  # the checks of constructs use the resolved calls
            found[number] = edges.of_constructs(self._work.shares[number])
        noticed = [Noticed(edges.faults, installed.paths, installed.left_out), *others]
        parts = [edges.of_annotations(edges.units), *(found[number] for number in sorted(found))]
        return parts, Noticed(
            faults=[fault for one in noticed for fault in one.faults],
            installed=list(dict.fromkeys(path for one in noticed for path in one.installed)),
            left_out=any(one.left_out for one in noticed),
        )

    def _missing(self, found: dict[int, GraphPart]) -> list[int]:
        return [number for number in range(len(self._work.shares)) if number not in found]

    def _calls(self, number: int) -> GraphContent:
        self._own.append(number)
        return self._work.edges.of_calls(self._work.shares[number], self._count)

    def _count(self, _: int) -> None:
        self._done += 1
        self._progress(min(self._done + sum(copy.done for copy in self._copies), len(self._work.edges.units)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._queue.close()
        for copy in self._copies:
            copy.end()


def _shares(edges: RepositoryEdges, copies: int) -> list[Sequence[Unit]]:
    """Return the files in order, in shares of about the same size, or as one share if there are no copies."""
    units = edges.units
    if not copies:
        return [units]
    least = _size(edges, units) // ((copies + 1) * _SHARES)
    shares: list[list[Unit]] = [[]]
    size = 0
    for unit in units:
        if size > least:
            shares.append([])
            size = 0
        shares[-1].append(unit)
        size += edges.size_of(unit)
    return [*shares]


def _size(edges: RepositoryEdges, units: Sequence[Unit]) -> int:
    return sum(edges.size_of(unit) for unit in units)


class _ShareQueue:
    """A queue of share numbers, the largest share first, in a pipe. Each number is remaining by one process."""

    def __init__(self, work: Work) -> None:
        self.reading, writing = os.pipe()
        order = sorted(range(len(work.shares)), key=lambda number: -_size(work.edges, work.shares[number]))
        with os.fdopen(writing, "wb") as stream:  # a pipe holds far more than this
            stream.write(b"".join(map(_NUMBER.pack, order)))

    def remaining(self) -> Iterator[int]:
        """Yield the next share that no other process took, until none is left."""
        while data := os.read(self.reading, _NUMBER.size):
            (number,) = _NUMBER.unpack(data)
            yield number

    def close(self) -> None:
        """Close this process's end of the queue."""
        os.close(self.reading)


class _Copy:
    """A copy of this process, which takes shares from the queue and sends edges.

    A thread of this process receives them.
    """

    def __init__(self, work: Work, queue: _ShareQueue) -> None:
        """Raises `OSError` if no process can be started."""
        #: Number of files that the copy has resolved.
        self.done = 0
        #: The results of the copy: `_Calls`, then `_Constructs`. None replaces a result that a dead copy did not send.
        self._found: SimpleQueue[_Calls | _Constructs | None] = SimpleQueue()
        self._worker = fork_worker(lambda caller: _resolve(work, queue, caller), queue.reading)
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    def calls(self) -> dict[int, msgspec.Raw]:
        """Return the calls of the copy's shares, or {} if the copy has died. Call this once, before `constructs`."""
        found = self._found.get()
        return found.parts if isinstance(found, _Calls) else {}

    def constructs(self) -> _Constructs | None:
        """Return the constructs of the copy's shares, or None if the copy has died. Call this once."""
        found = self._found.get()
        return found if isinstance(found, _Constructs) else None

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._worker.kill()
        self._reader.join()
        self._worker.end()

    def _listen(self) -> None:
        decoder = msgspec.msgpack.Decoder(_FileDone | _Calls | _Constructs)
        try:
            while True:
                message = decoder.decode(self._worker.receive(_TIMEOUT))
                if isinstance(message, _FileDone):
                    self.done += 1
                else:
                    self._found.put(message)
        except (EOFError, TimeoutError):
            return
        finally:  # in every case, nobody waits for more results
            self._found.put(None)
            self._found.put(None)


def _resolve(work: Work, queue: _ShareQueue, caller: Caller) -> None:
    """Run a copy: resolve shares until the queue is empty."""
    encoder = msgspec.msgpack.Encoder()
    file_done = encoder.encode(_FileDone())
    edges, installed, shares = work
    faults, read = len(edges.faults), len(installed.paths)

    def encoded(part: GraphContent) -> msgspec.Raw:
        return msgspec.Raw(encoder.encode(part))

    def count(_: int) -> None:
        caller.send(file_done)

    calls = {number: encoded(edges.of_calls(shares[number], count)) for number in queue.remaining()}
    caller.send(encoder.encode(_Calls(calls)))
    constructs = {number: encoded(edges.of_constructs(shares[number])) for number in calls}
    noticed = Noticed(edges.faults[faults:], installed.paths[read:], installed.left_out)
    caller.send(encoder.encode(_Constructs(constructs, noticed)))
