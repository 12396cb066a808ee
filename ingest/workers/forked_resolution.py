"""Resolve calls, references and constructs of all files. Copies of this process resolve shares of a large repository.

`fork` creates a copy after all files are read and bound. The copy has the files without any transfer, and sends back only edges.
Each process resolves shared types again, at little cost. If `fork` is not safe or there is only one core, this process does
everything. This process also does the work that a copy does not finish.
"""

from __future__ import annotations

import os
import struct
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from queue import SimpleQueue
from types import TracebackType
from typing import NamedTuple, Self

import msgspec

from ...schema.graph_content import GraphContent, GraphPart
from ...schema.process.serving import Caller
from ...schema.process.worker import fork_worker
from ..facts.data import ModelQuery
from ..facts.given import Given, merged, trimmed
from ..languages.installed_files import InstalledFiles
from ..languages.typescript.resolve.model.unit import Unit
from ..nominal.call_sites.call_site_types import ROUNDS
from ..resolution.repository_edges import RepositoryEdges
from .parse_process import allowed_processes

#: Length of the syntax tables that keep one process busy for about half a second: for each such part, one more process pays off.
WORTH_A_COPY = 400_000
#: Maximum number of copies. More processes gain less and less, and each needs memory for its results.
_MAX_COPIES = 3
#: Number of shares into which the work of a process is divided. The last shares are small, so that all processes end together.
_SHARES = 16
#: Seconds without a message after which a copy counts as dead.
_TIMEOUT = 120.0
_NUMBER = struct.Struct("<I")


class Noticed(msgspec.Struct, frozen=True):
    """Observations during the resolution of names."""

    #: Type queries that failed.
    faults: list[str] = []
    #: Installed declaration files that were read.
    installed: list[str] = []
    #: Whether installed declaration files were skipped because their number is limited.
    left_out: bool = False


class _FileDone(msgspec.Struct, frozen=True, tag="fileDone"):
    """Reports one more finished file."""


class _ShareDone(msgspec.Struct, frozen=True, tag="shareDone"):
    """Reports that the copy is still at work."""


class _Arguments(msgspec.Struct, frozen=True, tag="arguments"):
    """The arguments that call sites pass to parameters in one round, by number of the share and path of the file."""

    parts: dict[int, dict[str, Given]]
    #: The other files from which the inferred types of a file were read, by path of the file.
    sources: dict[str, list[str]]


class _Round(msgspec.Struct, frozen=True):
    """The arguments from the call sites of all files, and whether another round follows."""

    given: Given
    is_last: bool


class _Calls(msgspec.Struct, frozen=True, tag="calls"):
    """The edges of calls and references, by number of the share."""

    parts: dict[int, msgspec.Raw]
    sources: dict[str, list[str]]
    #: Uses of tables by calls of object mappers in each file, by path.
    queries: dict[str, list[ModelQuery]]


class _Constructs(msgspec.Struct, frozen=True, tag="constructs"):
    """The constructs of the shares in `_Calls`. This is the last message of a copy."""

    parts: dict[int, msgspec.Raw]
    noticed: Noticed


#: Message of a copy at the end of each part of its work.
_Result = _Arguments | _Calls | _Constructs


def copies_for(edges: RepositoryEdges, workers: int) -> int:
    """Return how many copies of this process pay off for a program. `workers` is the setting."""
    if sys.platform != "linux":  # on other platforms, system libraries break after `fork`, or `fork` does not exist
        return 0
    wanted = _size(edges, edges.units) // WORTH_A_COPY
    return max(0, min(allowed_processes(workers), wanted, _MAX_COPIES + 1) - 1)


class Work(NamedTuple):
    """The files to be resolved, and the resolvers."""

    edges: RepositoryEdges
    installed: InstalledFiles
    #: All files in order, in shares of about the same size.
    shares: list[Sequence[Unit]]
    #: Whether types of parameters may be inferred from call sites.
    infers: bool

    def sources_of(self, numbers: Iterable[int]) -> dict[str, list[str]]:
        """Return, for each file in some shares, the other files that its inferred types come from, by the path of the file."""
        if not self.infers:
            return {}
        return {path: found for number in numbers for path, found in self.edges.sources_of(self.shares[number]).items()}

    def queries_of(self, numbers: Iterable[int]) -> dict[str, list[ModelQuery]]:
        """Return the uses of tables by calls of object mappers in the files of some shares, by path."""
        return {path: found for number in numbers for path, found in self.edges.queries_of(self.shares[number]).items()}


class Resolution:
    """Infers types of parameters from the call sites of all files of a program, and resolves calls, then constructs.

    Use it in a `with` block, which ends the remaining copies.
    """

    def __init__(self, edges: RepositoryEdges, installed: InstalledFiles, copies: int, progress: Callable[[int], None]) -> None:
        """`progress` receives the number of files done."""
        self._progress = progress
        self._work = Work(edges, installed, _shares(edges, copies), edges.infers(edges.units))
        self._queue = _ShareQueue(self._work)
        #: Numbers of the shares whose call sites this process reads.
        self._claimed: list[int] = []
        #: Numbers of the shares whose calls this process resolves.
        self._own: list[int] = []
        self._sources: dict[str, set[str]] = {}
        self._queries: dict[str, list[ModelQuery]] = {}
        #: Number of files that this process has resolved.
        self._done = 0
        self._copies: list[_Copy] = []
        with suppress(OSError):  # without more processes or memory, the existing processes do the work
            for _ in range(copies):
                self._copies.append(_Copy(self._work, self._queue))

    def arguments(self) -> dict[str, list[Given]]:
        """Infer types of parameters.

        Return the arguments from the call sites of each file, round by round. Call this first, and once.
        """
        work = self._work
        rounds: dict[str, list[Given]] = {}
        received: Given | None = None
        while work.infers:
            found: dict[int, dict[str, Given]] = {}
            for number in self._claimed if received is not None else self._queue.remaining():
                found[number] = work.edges.given_by(work.shares[number], received)
            self._claimed = list(found)
            for copy in self._copies:
                if (message := copy.arguments()) is not None:
                    found |= message.parts
                    self._add_sources(message.sources)
            for number in self._missing(found):
                found[number] = work.edges.given_by(work.shares[number], received)
            parts = {path: given for number in found for path, given in found[number].items()}
            for path, given in parts.items():
                rounds.setdefault(path, []).append(given)
            before, received = received, merged(parts[path] for path in sorted(parts))
            is_last = received == before or all(len(each) == ROUNDS for each in rounds.values())
            for copy in self._copies:
                copy.send(_Round(received, is_last))
            if is_last:
                work.edges.receive(received)
                break
        return {path: trimmed(given) for path, given in rounds.items()}

    def calls(self) -> list[GraphPart]:
        """Return the edges of calls and references, as parts in the order of the files."""
        numbers = self._claimed if self._work.infers else self._queue.remaining()
        found: dict[int, GraphPart] = {number: self._calls(number) for number in numbers}
        for copy in self._copies:
            if (message := copy.calls()) is not None:
                found |= message.parts
                self._add_sources(message.sources)
                self._queries |= message.queries
        for number in self._missing(found):
            found[number] = self._calls(number)
        self._add_sources(self._work.sources_of(self._own))
        self._queries |= self._work.queries_of(self._own)
        self._progress(len(self._work.edges.units))
        return [found[number] for number in sorted(found)]

    def sources(self) -> dict[str, list[str]]:
        """Return, for each file, the other files from which its inferred types were read. Call `calls` first."""
        return {path: sorted(found) for path, found in self._sources.items()}

    def queries(self) -> dict[str, list[ModelQuery]]:
        """Return the uses of tables by calls of object mappers in each file. Call `calls` first."""
        return self._queries

    def _add_sources(self, sources: Mapping[str, list[str]]) -> None:
        for path, found in sources.items():
            self._sources.setdefault(path, set()).update(found)

    def constructs(self) -> tuple[list[GraphPart], Noticed]:
        """Return the constructs, as parts in the order of the files, and the observations of all processes.

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

    def _missing(self, found: Collection[int]) -> list[int]:
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
    """A queue of share numbers, the largest share first, in a pipe. Each number is taken by one process."""

    def __init__(self, work: Work) -> None:
        self.reading, writing = os.pipe()
        order = sorted(range(len(work.shares)), key=lambda number: -_size(work.edges, work.shares[number]))
        with os.fdopen(writing, "wb") as stream:  # the numbers of all shares fit into the buffer of a pipe
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
    """A copy of this process that takes shares from the queue and sends edges.

    A thread of this process receives them.
    """

    def __init__(self, work: Work, queue: _ShareQueue) -> None:
        """Raises `OSError` if no process can be started."""
        #: Number of files that the copy has resolved.
        self.done = 0
        #: The results of the copy: `_Arguments` of each round, `_Calls`, then `_Constructs`. None follows the last message.
        self._found: SimpleQueue[_Result | None] = SimpleQueue()
        self._has_ended = False
        self._worker = fork_worker(lambda caller: _resolve(work, queue, caller), queue.reading)
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    def send(self, message: _Round) -> None:
        """Send the arguments from the call sites of all files."""
        self._worker.send(msgspec.msgpack.encode(message))

    def arguments(self) -> _Arguments | None:
        """Return the arguments from the call sites of the copy's shares, or None if the copy has died.

        Call this once a round.
        """
        found = self._next()
        return found if isinstance(found, _Arguments) else None

    def calls(self) -> _Calls | None:
        """Return the calls of the copy's shares, or None if the copy has died. Call this once, before `constructs`."""
        found = self._next()
        return found if isinstance(found, _Calls) else None

    def constructs(self) -> _Constructs | None:
        """Return the constructs of the copy's shares, or None if the copy has died. Call this once."""
        found = self._next()
        return found if isinstance(found, _Constructs) else None

    def _next(self) -> _Result | None:
        found = self._found.get() if not self._has_ended else None
        self._has_ended = found is None
        return found

    def end(self) -> None:
        """End the process."""
        self._worker.kill()
        self._reader.join()
        self._worker.end()

    def _listen(self) -> None:
        decoder = msgspec.msgpack.Decoder(_FileDone | _ShareDone | _Result)
        try:
            while True:
                message = decoder.decode(self._worker.receive(_TIMEOUT))
                if isinstance(message, _FileDone):
                    self.done += 1
                elif not isinstance(message, _ShareDone):
                    self._found.put(message)
        except (EOFError, TimeoutError):
            return
        finally:  # in every case, the receivers must stop waiting for results
            self._found.put(None)


def _resolve(work: Work, queue: _ShareQueue, caller: Caller) -> None:
    """Run a copy: resolve shares until the queue is empty."""
    encoder = msgspec.msgpack.Encoder()
    file_done = encoder.encode(_FileDone())
    edges, installed, shares = work.edges, work.installed, work.shares
    faults, read = len(edges.faults), len(installed.paths)

    def encoded(part: GraphContent) -> msgspec.Raw:
        return msgspec.Raw(encoder.encode(part))

    def count(_: int) -> None:
        caller.send(file_done)

    numbers = _infer(work, queue, caller) if work.infers else queue.remaining()
    calls = {number: encoded(edges.of_calls(shares[number], count)) for number in numbers}
    caller.send(encoder.encode(_Calls(calls, work.sources_of(calls), work.queries_of(calls))))
    constructs = {number: encoded(edges.of_constructs(shares[number])) for number in calls}
    noticed = Noticed(edges.faults[faults:], installed.paths[read:], installed.left_out)
    caller.send(encoder.encode(_Constructs(constructs, noticed)))


def _infer(work: Work, queue: _ShareQueue, caller: Caller) -> list[int]:
    """Read the call sites of shares in all rounds. Return the numbers of the shares."""
    encoder = msgspec.msgpack.Encoder()
    decoder = msgspec.msgpack.Decoder(_Round)
    share_done = encoder.encode(_ShareDone())
    claimed: list[int] = []
    received: Given | None = None
    while True:
        parts = {}
        for number in claimed if received is not None else queue.remaining():
            parts[number] = work.edges.given_by(work.shares[number], received)
            caller.send(share_done)
        claimed = list(parts)
        caller.send(encoder.encode(_Arguments(parts, work.sources_of(parts))))
        message = decoder.decode(caller.receive())
        received = message.given
        if message.is_last:
            work.edges.receive(received)
            return claimed
