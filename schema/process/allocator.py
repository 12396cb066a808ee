"""Limit the free memory that the allocator of glibc keeps, and return free memory to the system.

With other allocators, this module does nothing.
"""

from __future__ import annotations

import ctypes
import os
import sys

#: Maximum number of arenas. Fewer arenas keep less free memory, and threads of this process rarely wait for an arena.
MAX_ARENAS = 2
#: Minimum size in bytes of a block, or of free memory at the end of an arena, that is returned to the system at once. With 4
#: MB, a question takes 6 ms longer, because its arrays are allocated each time. The defaults of glibc grow with the freed blocks,
#: up to 32 MB for blocks and 64 MB at the end.
MAX_KEPT = 16 << 20
#: `M_ARENA_MAX`, `M_MMAP_THRESHOLD` and `M_TRIM_THRESHOLD` of glibc's `malloc.h`.
_M_ARENA_MAX, _M_MMAP_THRESHOLD, _M_TRIM_THRESHOLD = -8, -3, -1


def limit_arenas() -> None:
    """Limit the number of arenas of this process, and the free memory in them.

    Call this function before other threads exist and before pyarrow is imported.
    """
    # The allocators of Arrow would keep free memory, too.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    if (library := _glibc()) is not None:
        library.mallopt(_M_ARENA_MAX, MAX_ARENAS)
        library.mallopt(_M_MMAP_THRESHOLD, MAX_KEPT)
        library.mallopt(_M_TRIM_THRESHOLD, MAX_KEPT)


def return_free_memory() -> None:
    """Return the free memory of this process to the system. This takes about 20 ms, during which other threads run."""
    if (library := _glibc()) is not None:
        library.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    """Return the C library if it is glibc, else None."""
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "gnu_get_libc_version") else None
