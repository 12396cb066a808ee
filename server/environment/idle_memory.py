"""Keep the memory of a long-lived process small: return free memory to the system between requests.

An engine frees hundreds of megabytes after each change, but the allocator of glibc keeps free memory, in an arena for each
thread. On a repository of 300,000 lines, a server kept 880 MB after five changes. With other allocators, this module does
nothing. After a longer time, cached data and the pages of mapped files are released.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from ...schema.process.allocator import return_free_memory
from .gc_freeze import collect_all
from .mapped_pages import MappedPages

#: Seconds without a request after which free memory is returned.
QUIET = 0.5
#: Seconds without a request after which data that only speeds up the next change is released.
FORGET = 10.0


class IdleMemory:
    """Returns free memory to the system, in a separate thread, after a time without requests. Thread-safe."""

    def __init__(
        self,
        forget: Callable[[], None],
        release: Callable[[], None] = return_free_memory,
        quiet: float = QUIET,
        forget_after: float = FORGET,
    ) -> None:
        """After `quiet` seconds without a request, `release` is called to return free memory.

        After `forget_after` seconds, `forget` is called to release data that only speeds up the next change.
        """
        self._forget = forget
        self._release = release
        self._mapped = MappedPages()
        #: Seconds without a request, and the step to take then.
        self._steps = ((quiet, self._release_and_note), (forget_after, self._forget_and_release))
        self._changed = threading.Condition()
        self._last: float | None = None
        self._closed = False
        threading.Thread(target=self._work, name="idle-memory", daemon=True).start()

    def note_request(self) -> None:
        """Record a request. If no other request follows soon, memory is returned."""
        with self._changed:
            self._last = time.monotonic()
            self._changed.notify()

    def close(self) -> None:
        """End the thread after its current step."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _work(self) -> None:
        while (last := self._next_request()) is not None:
            for delay, step in self._steps:
                if not self._stays_idle(last, delay):
                    break
                step()
            else:
                self._mark_handled(last)

    def _next_request(self) -> float | None:
        """Wait for a request, and return its time; None after `close`."""
        with self._changed:
            while self._last is None and not self._closed:
                self._changed.wait()
            return None if self._closed else self._last

    def _stays_idle(self, last: float, delay: float) -> bool:
        """Wait until the delay after the last request has passed. Returns False if there was another request."""
        with self._changed:
            while not self._closed and self._last == last and (left := last + delay - time.monotonic()) > 0:
                self._changed.wait(left)
            return not self._closed and self._last == last

    def _mark_handled(self, last: float) -> None:
        """Mark a request as handled, unless a later request has arrived."""
        with self._changed:
            if self._last == last:
                self._last = None

    def _release_and_note(self) -> None:
        self._release()
        self._mapped.note()

    def _forget_and_release(self) -> None:
        self._forget()
        collect_all()
        self._release()
        self._mapped.drop()
