"""Parse many files, in several processes if that pays off.

A process that dies costs only the file that it was reading.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import NamedTuple

import msgspec

from ...schema.records import Problem
from ..facts.model import FileFacts
from ..languages.extraction import extract_facts, unread_facts
from .parse_process import ParseProcesses, processes_for

#: Maximum time for one file, in seconds; a file that takes longer is hostile, or the parser has a bug.
_TIMEOUT = 120.0
#: Seconds between two checks of the clock.
_LOOK = 1.0

#: Maximum size, in bytes, of a file that is sent to a busy process. The connection buffers that many bytes, so the sender does
#: not wait.
_MAX_SENT_AHEAD = 64 << 10
#: Number of waiting files above which a busy process gets its next file ahead. The last files go to the first free process.
_MIN_WAITING = 8


@dataclass(frozen=True, slots=True)
class ParseJob:
    """A file to parse."""

    path: str
    language: str
    data: bytes
    #: SHA-256 of the data, for the caller; the parser does not use it.
    content_hash: str = ""
    #: SQL dialect that the settings state for the file; "" if they state none.
    sql_dialect: str = ""


class Parsed(NamedTuple):
    """A file that was parsed."""

    job: ParseJob
    facts: FileFacts
    #: The facts as MessagePack; None if the parser gave up on the file. Another attempt may succeed.
    encoded: bytes | None


class _Parser:
    """A parse process, and the files that it has not answered, in order. A process that died is replaced."""

    def __init__(self, processes: ParseProcesses) -> None:
        self._processes = processes
        self._decoder = msgspec.msgpack.Decoder(FileFacts)
        self._encoder = msgspec.msgpack.Encoder()
        self.worker = processes.take()
        self.in_hand: deque[ParseJob] = deque()
        #: Latest time at which the process is known to have begun a file, from `time.monotonic`.
        self._since = 0.0

    def fill(self, waiting: deque[ParseJob]) -> None:
        """Send the next file if the process is idle.

        A small file is sent ahead, to keep the process busy while its answer is read.
        """
        if waiting and not self.in_hand:
            self._since = time.monotonic()
            self._send(waiting.popleft())
        if len(waiting) > _MIN_WAITING and len(waiting[0].data) <= _MAX_SENT_AHEAD and len(self.in_hand) == 1:
            self._send(waiting.popleft())

    def take(self) -> Parsed:
        """Return the answer to the file that was sent first.

        If the process died, the answer has a problem that says so.
        """
        job = self.in_hand.popleft()
        self._since = time.monotonic()
        try:
            answer = self.worker.receive()
        except EOFError:
            self.worker.end()
            self.worker = self._processes.take()
            unanswered, self.in_hand = self.in_hand, deque()
            for other in unanswered:
                self._send(other)
            gave_up = Problem(1, "the parser gave up on this file: it crashed or took too long")
            return Parsed(job, unread_facts(job.language, [gave_up]), None)
        return Parsed(job, self._decoder.decode(answer), answer)

    def kill_if_late(self) -> None:
        """End the process if its file takes too long."""
        if time.monotonic() > self._since + _TIMEOUT:
            self.worker.kill()

    def _send(self, job: ParseJob) -> None:
        self.in_hand.append(job)
        self.worker.send(self._encoder.encode((job.language, job.data, job.sql_dialect)))


def parse_files(
    jobs: Sequence[ParseJob], workers: int, done: Callable[[int], None], started: ParseProcesses | None = None
) -> Iterator[Parsed]:
    """Yield the facts of every job, in the order in which the files are finished.

    `workers` 0 means one for each core, and `done` receives the number of finished files. The processes in `started`
    are used first.
    """
    count = processes_for([len(job.data) for job in jobs], workers)
    if not count:
        yield from _parse_here(jobs, done)
        return
    processes = started or ParseProcesses()
    waiting = deque(sorted(jobs, key=lambda job: -len(job.data)))  # largest first, so that none runs alone at the end
    parsers = [_Parser(processes) for _ in range(count)]
    finished = 0
    try:
        for parser in parsers:
            parser.fill(waiting)
        while busy := {parser.worker.connection: parser for parser in parsers if parser.in_hand}:
            answered = wait(list(busy), _LOOK)
            for connection, parser in busy.items():
                if connection not in answered:
                    parser.kill_if_late()
                    continue
                parsed = parser.take()
                parser.fill(waiting)
                finished += 1
                done(finished)
                yield parsed
    finally:  # an interrupted run leaves no process running
        for parser in parsers:
            parser.worker.end()


def _parse_here(jobs: Sequence[ParseJob], done: Callable[[int], None]) -> Iterator[Parsed]:
    encoder = msgspec.msgpack.Encoder()
    for finished, job in enumerate(jobs, 1):
        facts = extract_facts(job.data, job.language, job.sql_dialect)
        yield Parsed(job, facts, encoder.encode(facts))
        done(finished)
