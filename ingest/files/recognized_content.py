"""Tells which files on disk are sources by their contents, for extensions that other files also have."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache


def has_content(is_wanted: Callable[[bytes], bool], full_path: str, status: os.stat_result, length: int = -1) -> bool:
    """Return whether a test accepts the first `length` bytes of a file (-1: all bytes); False for an unreadable file."""
    return _has_content(is_wanted, full_path, length, status.st_size, max(status.st_mtime_ns, status.st_ctime_ns))


@lru_cache(maxsize=49_152)
def _has_content(is_wanted: Callable[[bytes], bool], path: str, length: int, size: int, changed: int) -> bool:
    """Return the result of `has_content` from a cache. The size and the modification time are parts of the key."""
    try:
        with open(path, "rb") as handle:
            data = handle.read(length)
    except OSError:
        return False  # a missing or unreadable file is not a source, and the walk reports only problems of sources
    return is_wanted(data)
