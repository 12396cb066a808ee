"""Parses many files, in processes of their own where that pays. A process that dies costs the file it was reading, no more."""

from __future__ import annotations

import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, Queue
from typing import IO, NamedTuple

import msgspec

from ...schema.process.frames import read_frame, write_frame
from ...schema.records import Problem
from ..facts.model import FileFacts
from ..languages.extraction import extract_facts, unread_facts
from .parse_process import ParseProcesses, processes_for, start_process

#: Seconds that one file may take; what takes longer is hostile or a fault of ours.
_PATIENCE = 120.0
#: Seconds between two looks at the clock.
_LOOK = 1.0

#: So few files are left that another process may be free for the next one sooner.
_FEW = 8


@dataclass(frozen=True, slots=True)
class ParseJob:
    """A file to parse."""

    path: str
    language: str
    data: bytes
    #: SHA-256 of the data, for who asked; the parser has no use for it.
    content_hash: str = ""


class Parsed(NamedTuple):
    """A file that was parsed."""

    job: ParseJob
    facts: FileFacts
    #: The facts as MessagePack; None where the parser gave up, which another attempt may not.
    encoded: bytes | None


class _Worker:
    """One parse process, started when first used and again after it died. It holds a second file while it reads the first."""

    def __init__(self, process: subprocess.Popen[bytes] | None = None) -> None:
        self._process = process
        self._decoder = msgspec.msgpack.Decoder(FileFacts)
        self._encoder = msgspec.msgpack.Encoder()
        self._in_hand: deque[ParseJob] = deque()
        self._abandoned = False
        #: When the process is given up; None while nobody waits for it.
        self._deadline: float | None = None

    @property
    def jobs_in_hand(self) -> int:
        """Files that were sent and not answered."""
        return len(self._in_hand)

    def send(self, job: ParseJob) -> None:
        """Give the process one more file. That it has died shows when the answer is asked for."""
        self._in_hand.append(job)
        self._write(self._running(), job)

    def receive(self) -> Parsed:
        """The answer to the file sent first, which says so when the process died over it; those behind it are sent again."""
        process = self._running()
        self._deadline = time.monotonic() + _PATIENCE
        answer = self._read(process)
        self._deadline = None
        job = self._in_hand.popleft()
        if answer is not None:
            return Parsed(job, self._decoder.decode(answer), answer)
        self.stop()
        if self._abandoned:
            self._in_hand.clear()
        for behind in self._in_hand:
            self._write(self._running(), behind)
        gave_up = Problem(1, "the parser gave up on this file: it crashed or took too long")
        return Parsed(job, unread_facts(job.language, [gave_up]), None)

    def _write(self, process: subprocess.Popen[bytes], job: ParseJob) -> None:
        with suppress(BrokenPipeError, ConnectionResetError):
            write_frame(_pipe(process.stdin), self._encoder.encode((job.language, job.data)))

    def _read(self, process: subprocess.Popen[bytes]) -> bytes | None:
        try:
            return read_frame(_pipe(process.stdout))
        except (BrokenPipeError, ConnectionResetError):
            return None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = start_process()
        return self._process

    def kill_when_late(self) -> None:
        """End the process, from another thread, when its file has taken too long."""
        process, deadline = self._process, self._deadline
        if process is not None and deadline is not None and time.monotonic() > deadline:
            process.kill()

    def kill(self) -> None:
        """End the process from another thread, for good; the one that waits for its answer takes note of it."""
        self._abandoned = True
        if (process := self._process) is not None:
            process.kill()

    def stop(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise BrokenPipeError("the parse process has no pipe")
    return stream


def parse_files(
    jobs: Sequence[ParseJob], workers: int, done: Callable[[int], None], started: ParseProcesses | None = None
) -> Iterator[Parsed]:
    """Facts of every job, in whatever order they are ready. `workers` 0 means one for each core; `done` counts files.

    Processes that were `started` already are used first.
    """
    count = processes_for([len(job.data) for job in jobs], workers)
    if not count:
        yield from _parse_here(jobs, done)
        return
    results: Queue[Parsed | BaseException | None] = Queue()
    waiting: Queue[ParseJob] = Queue()
    for job in sorted(jobs, key=lambda job: -len(job.data)):  # the largest first, so that none is left alone at the end
        waiting.put(job)
    pool = [_Worker(started.take() if started is not None else None) for _ in range(count)]
    for worker in pool:
        threading.Thread(target=_serve, args=(worker, waiting, results), daemon=True).start()
    over = threading.Event()
    threading.Thread(target=_watch, args=(pool, over), daemon=True).start()
    finished, running = 0, len(pool)
    try:
        while running:
            result = results.get()
            if result is None:
                running -= 1
            elif isinstance(result, BaseException):
                raise result
            else:
                finished += 1
                done(finished)
                yield result
    finally:
        over.set()
        # A run that was interrupted leaves no work and no process behind.
        with waiting.mutex:
            waiting.queue.clear()
        for worker in pool:
            worker.kill()


def _serve(worker: _Worker, waiting: Queue[ParseJob], results: Queue[Parsed | BaseException | None]) -> None:
    try:
        while True:
            # The second file keeps the process busy while its first answer is taken. The last few are shared out one by one.
            while worker.jobs_in_hand < (2 if waiting.qsize() > _FEW else 1):
                try:
                    worker.send(waiting.get_nowait())
                except Empty:
                    break
            if not worker.jobs_in_hand:
                break
            results.put(worker.receive())
    except BaseException as error:  # noqa: BLE001 - handed to the thread that asked, which raises it
        results.put(error)
    finally:
        worker.stop()
        results.put(None)


def _watch(pool: Sequence[_Worker], over: threading.Event) -> None:
    while not over.wait(_LOOK):
        for worker in pool:
            worker.kill_when_late()


def _parse_here(jobs: Sequence[ParseJob], done: Callable[[int], None]) -> Iterator[Parsed]:
    encoder = msgspec.msgpack.Encoder()
    for finished, job in enumerate(jobs, 1):
        facts = extract_facts(job.data, job.language)
        yield Parsed(job, facts, encoder.encode(facts))
        done(finished)
