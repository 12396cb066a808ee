"""Calls, references and constructs of all files: of a large repository, copies of this process take their share of them.

A copy is made by `fork` when all files are read and bound: it has them without a byte being sent, and sends back edges alone.
Types that several processes meet are worked out by each, which costs little. Where `fork` is not safe, and on a single core,
this process does it all; and what a copy leaves undone, for whatever reason, it does as well.
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
from ..languages.typescript.installed_declarations import InstalledDeclarations
from ..languages.typescript.resolve.edges.edges import Edges
from ..languages.typescript.resolve.engine import Engine
from ..languages.typescript.resolve.model.program import Unit
from .parse_process import allowed_processes

#: Length of the syntax tables for which one more process is worth it: about half a second of work.
WORTH_A_COPY = 400_000
#: More processes gain less and less, and each takes memory for what it works out.
_MAX_COPIES = 3
#: Shares of the work for each process: the last ones are small enough for all to end together.
_SHARES = 16
#: Seconds without a word after which a copy is given up.
_PATIENCE = 120.0
_NUMBER = struct.Struct("<I")


class Noticed(msgspec.Struct, frozen=True):
    """What else shows while names are resolved."""

    #: Questions about types that took too many steps.
    exhausted: int = 0
    #: Questions that failed.
    faults: list[str] = []
    #: Installed declaration files that were read, and whether some were left out because so many came before them.
    installed: list[str] = []
    left_out: bool = False


class _FileDone(msgspec.Struct, frozen=True, tag="fileDone"):
    """One more file is done."""


class _Calls(msgspec.Struct, frozen=True, tag="calls"):
    """The edges of calls and references of shares, by their numbers."""

    parts: dict[int, msgspec.Raw]


class _Constructs(msgspec.Struct, frozen=True, tag="constructs"):
    """What is told of constructs in the same shares: the end."""

    parts: dict[int, msgspec.Raw]
    noticed: Noticed


def copies_for(units: Sequence[Unit], workers: int) -> int:
    """How many copies of this process are worth making for these files. `workers` are those of the settings."""
    if sys.platform != "linux":  # elsewhere system libraries do not bear it, or there is no `fork`
        return 0
    wanted = _size(units) // WORTH_A_COPY
    return max(0, min(allowed_processes(workers), wanted, _MAX_COPIES + 1) - 1)


class Work(NamedTuple):
    """What is to be resolved, and with what."""

    edges: Edges
    engine: Engine
    installed: InstalledDeclarations
    #: Files one after the other, in shares of about the same size.
    shares: list[Sequence[Unit]]


class Resolution:
    """Calls of all files of a program, then constructs. Use in a `with` block, which ends the copies that are left."""

    def __init__(
        self, edges: Edges, engine: Engine, installed: InstalledDeclarations, copies: int, progress: Callable[[int], None]
    ) -> None:
        """`progress` is told how many files are done."""
        self._progress = progress
        self._work = Work(edges, engine, installed, _shares(engine.program.units, copies))
        self._line = _Line(self._work.shares)
        #: Shares of this process, and files that it has done.
        self._own: list[int] = []
        self._done = 0
        self._copies: list[_Copy] = []
        with suppress(OSError):  # no process or no memory to be had: those that are there do it
            for _ in range(copies):
                self._copies.append(_Copy(self._work, self._line))

    def calls(self) -> list[GraphPart]:
        """The edges of calls and references, as parts in the order of the files."""
        found: dict[int, GraphPart] = {number: self._calls(number) for number in self._line.taken()}
        for copy in self._copies:
            found |= copy.calls()
        for number in self._missing(found):
            found[number] = self._calls(number)
        self._progress(len(self._work.engine.program.units))
        return [found[number] for number in sorted(found)]

    def constructs(self) -> tuple[list[GraphPart], Noticed]:
        """What is told of constructs, likewise, and what was noticed by all processes together. After the calls."""
        edges, engine, installed = self._work.edges, self._work.engine, self._work.installed
        found: dict[int, GraphPart] = {number: edges.of_constructs(self._work.shares[number]) for number in self._own}
        others = []
        for copy in self._copies:
            if (said := copy.constructs()) is not None:
                found |= said.parts
                others.append(said.noticed)
        for number in self._missing(found):
            self._calls(number)  # checks are told of calls that were seen
            found[number] = edges.of_constructs(self._work.shares[number])
        engine.refuel()
        noticed = [Noticed(engine.exhausted, engine.faults, installed.paths, installed.left_out), *others]
        parts = [edges.of_annotations(engine.program.units), *(found[number] for number in sorted(found))]
        return parts, Noticed(
            exhausted=sum(one.exhausted for one in noticed),
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
        self._progress(min(self._done + sum(copy.done for copy in self._copies), len(self._work.engine.program.units)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._line.close()
        for copy in self._copies:
            copy.end()


def _shares(units: Sequence[Unit], copies: int) -> list[Sequence[Unit]]:
    """Files one after the other, in shares of about the same size: one share where there are no copies."""
    if not copies:
        return [units]
    least = _size(units) // ((copies + 1) * _SHARES)
    shares: list[list[Unit]] = [[]]
    size = 0
    for unit in units:
        if size > least:
            shares.append([])
            size = 0
        shares[-1].append(unit)
        size += len(unit.code)
    return [*shares]


def _size(units: Sequence[Unit]) -> int:
    return sum(len(unit.code) for unit in units)


class _Line:
    """Numbers of shares, the largest first, each of which one process takes: they lie in a pipe."""

    def __init__(self, shares: list[Sequence[Unit]]) -> None:
        self.reading, writing = os.pipe()
        order = sorted(range(len(shares)), key=lambda number: -_size(shares[number]))
        with os.fdopen(writing, "wb") as stream:  # far less than a pipe holds
            stream.write(b"".join(map(_NUMBER.pack, order)))

    def taken(self) -> Iterator[int]:
        """The next share that no other process took, until there are none."""
        while data := os.read(self.reading, _NUMBER.size):
            (number,) = _NUMBER.unpack(data)
            yield number

    def close(self) -> None:
        """Leaves the line."""
        os.close(self.reading)


class _Copy:
    """A copy of this process, which takes shares from the line and sends what it finds. A thread here takes that."""

    def __init__(self, work: Work, line: _Line) -> None:
        """Raises OSError when no process can be made."""
        #: Files that it has done.
        self.done = 0
        #: What it has found: `_Calls`, then `_Constructs`. None stands for what a copy that ended did not say.
        self._found: SimpleQueue[_Calls | _Constructs | None] = SimpleQueue()
        self._worker = fork_worker(lambda caller: _resolve(work, line, caller), line.reading)
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    def calls(self) -> dict[int, msgspec.Raw]:
        """The calls of its shares; of none where it has died. To be asked first, and once."""
        found = self._found.get()
        return found.parts if isinstance(found, _Calls) else {}

    def constructs(self) -> _Constructs | None:
        """What it says last; None where it has died. To be asked once."""
        found = self._found.get()
        return found if isinstance(found, _Constructs) else None

    def end(self) -> None:
        """Ends the process, whatever it is doing."""
        self._worker.kill()
        self._reader.join()
        self._worker.end()

    def _listen(self) -> None:
        decoder = msgspec.msgpack.Decoder(_FileDone | _Calls | _Constructs)
        try:
            while True:
                said = decoder.decode(self._worker.receive(_PATIENCE))
                if isinstance(said, _FileDone):
                    self.done += 1
                else:
                    self._found.put(said)
        except (EOFError, TimeoutError):
            return
        finally:  # whatever became of it, nobody waits for more
            self._found.put(None)
            self._found.put(None)


def _resolve(work: Work, line: _Line, caller: Caller) -> None:
    """The life of a copy."""
    encoder = msgspec.msgpack.Encoder()
    file_done = encoder.encode(_FileDone())
    edges, engine, installed, shares = work
    exhausted, faults, read = engine.exhausted, len(engine.faults), len(installed.paths)

    def encoded(part: GraphContent) -> msgspec.Raw:
        return msgspec.Raw(encoder.encode(part))

    def count(_: int) -> None:
        caller.send(file_done)

    calls = {number: encoded(edges.of_calls(shares[number], count)) for number in line.taken()}
    caller.send(encoder.encode(_Calls(calls)))
    constructs = {number: encoded(edges.of_constructs(shares[number])) for number in calls}
    engine.refuel()
    noticed = Noticed(engine.exhausted - exhausted, engine.faults[faults:], installed.paths[read:], installed.left_out)
    caller.send(encoder.encode(_Constructs(constructs, noticed)))
