"""Keeps the memory of a long-lived process small: few arenas, and free memory returned to the system when nobody asks.

An engine frees hundreds of megabytes after each change, but the allocator of glibc keeps what it freed, in an arena for
each thread that ever allocated. On a repository of 300,000 lines a server kept 880 MB after five changes. Other allocators
ignore all of this. Later it drops what the next question or change reads again, and the pages of files that were mapped.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from collections.abc import Callable

from .gc_freeze import collect_all
from .mapped_pages import MappedPages

#: Seconds without a request after which free memory is returned.
QUIET = 0.5
#: Seconds without a request after which data that only speeds up the next change is dropped.
FORGET = 10.0
#: Number of arenas in which threads allocate: fewer waste less, and threads of one process rarely wait for each other.
MAX_ARENAS = 2
#: Bytes of a block, and of free memory at the end of an arena, that are returned to the system at once. With 4 MB, a question
#: takes 6 ms longer, since its arrays are allocated anew each time. The limits of glibc
#: grow with the blocks that are freed, up to 32 MB and twice that.
MAX_KEPT = 16 << 20
#: `M_ARENA_MAX`, `M_MMAP_THRESHOLD` and `M_TRIM_THRESHOLD` of glibc's `malloc.h`.
_M_ARENA_MAX, _M_MMAP_THRESHOLD, _M_TRIM_THRESHOLD = -8, -3, -1


def limit_arenas() -> None:
    """Limit the arenas of this process and the memory that they keep.

    Call it before other threads exist and before pyarrow is imported.
    """
    # An allocator of Arrow's own would keep what it freed as well.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    if (library := _glibc()) is not None:
        library.mallopt(_M_ARENA_MAX, MAX_ARENAS)
        library.mallopt(_M_MMAP_THRESHOLD, MAX_KEPT)
        library.mallopt(_M_TRIM_THRESHOLD, MAX_KEPT)


def return_free_memory() -> None:
    """Return the free memory of this process to the system. It takes some 20 ms, during which other threads run."""
    if (library := _glibc()) is not None:
        library.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    """Return the C library if it is glibc."""
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "gnu_get_libc_version") else None


class IdleMemory:
    """Returns memory in its own thread when no request has come for a while. Thread-safe."""

    def __init__(
        self,
        forget: Callable[[], None],
        release: Callable[[], None] = return_free_memory,
        quiet: float = QUIET,
        forget_after: float = FORGET,
    ) -> None:
        """`forget` drops data that only speeds up the next change, and `release` returns memory. The times are in seconds."""
        self._forget = forget
        self._release = release
        self._mapped = MappedPages()
        #: Steps to take after a time without a request, with that time.
        self._steps = ((quiet, self._release_and_note), (forget_after, self._forget_and_release))
        self._changed = threading.Condition()
        self._last: float | None = None
        self._closed = False
        threading.Thread(target=self._work, name="idle-memory", daemon=True).start()

    def note_request(self) -> None:
        """Note that a request was answered: memory is returned when no other one follows soon."""
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
                self._done(last)

    def _next_request(self) -> float | None:
        """Wait for a request, and return its time; None after `close`."""
        with self._changed:
            while self._last is None and not self._closed:
                self._changed.wait()
            return None if self._closed else self._last

    def _stays_idle(self, last: float, delay: float) -> bool:
        """Wait until the delay has passed since the last request. Returns False if there was another request."""
        with self._changed:
            while not self._closed and self._last == last and (left := last + delay - time.monotonic()) > 0:
                self._changed.wait(left)
            return not self._closed and self._last == last

    def _done(self, last: float) -> None:
        """Wait for another request from now on, unless it has come."""
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
