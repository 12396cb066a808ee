"""Tells which XML files are MyBatis mappers: their root element is `mapper` and has a namespace."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import Final

from ...schema.languages import BY_NAME, extension_of

_EXTENSIONS: Final = frozenset(BY_NAME["mybatis"].recognized_extensions)
_ROOT: Final = re.compile(rb"<mapper\s[^<>]*?\bnamespace\s*=", re.DOTALL)
#: Number of bytes at the beginning of a file in which the root is searched: a license may come before it.
_HEAD: Final = 4_096


def may_be_mapper(name: str) -> bool:
    """Return whether a file may be a mapper, judged by its name."""
    return extension_of(name) in _EXTENSIONS


def content_is_mapper(data: bytes) -> bool:
    """Return whether a file with this content is a mapper."""
    return _ROOT.search(data, 0, _HEAD) is not None


def is_mapper(full_path: str, status: os.stat_result) -> bool:
    """Return whether a file is a mapper; False for an unreadable file."""
    return _has_root(full_path, status.st_size, max(status.st_mtime_ns, status.st_ctime_ns))


@lru_cache(maxsize=16_384)
def _has_root(path: str, size: int, changed: int) -> bool:
    """Return whether a file has the root of a mapper. A file is read again only if its size or modification time changed."""
    try:
        with open(path, "rb") as handle:
            return content_is_mapper(handle.read(_HEAD))
    except OSError:
        return False  # a missing or unreadable file is not a mapper; the walk reports problems of sources only
