"""Detect full disks before or after an engine fails. Engines report full disks in many ways or crash."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...schema.errors import DiskFull, IndexCorrupt, StoreError

#: Error messages of operating systems for a full disk, an exceeded quota, and a file above the size limit of the process. The
#: last two messages come from the graph engine, for such an error during a commit or a write of a page.
_WORDS = (
    *("No space left on device", "Disk quota exceeded", "File too large", "not enough space on the disk"),
    *("could not be written to its end", "Cannot write to file"),
)
#: Number of free bytes below which a full disk counts as the cause of a failure.
_LITTLE = 8 << 20
#: Maximum difference in bytes between the size of a file at the size limit and the limit. The graph engine allocates several
#: MB at once, and does not write an allocation that does not fit.
_LAST_PIECE = 4 << 20
#: Bytes that a change needs besides a copy of the graph: its log, vectors, links and manifest.
ROOM_FOR_CHANGE = 16 << 20


@contextmanager
def naming_full_disk(folder: Path) -> Iterator[None]:
    """Raise DiskFull instead of errors that a full disk below `folder` caused."""
    try:
        yield
    except (StoreError, IndexCorrupt, OSError) as error:
        if any(word in str(cause) for cause in _causes(error) for word in _WORDS) or _free(folder) < _LITTLE:
            raise DiskFull(_sentence(folder)) from error
        raise


def cut_short(folder: Path) -> OSError | None:
    """Return the likely cause if a writer below `folder` ended without an error: a file at the size limit; None if there is no
    such file.
    """
    try:
        import resource
    except ImportError:  # this system has no such limits
        return None
    limit, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if limit == resource.RLIM_INFINITY:
        return None
    for path in folder.rglob("*"):
        if path.is_file() and path.stat().st_size > limit - _LAST_PIECE:
            return OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return None


def check_room(folder: Path, needed: int) -> None:
    """Raise DiskFull unless `needed` bytes are free. On a full disk, an engine may end the whole process."""
    if _free(folder) < needed:
        raise DiskFull(_sentence(folder))


def _sentence(folder: Path) -> str:
    return (
        f"The disk that holds {folder} has no room for a new index ({_free(folder) / 1e6:,.1f} MB are free, unless files are "
        f"limited in size): free some space, or name another folder with --data-dir. What was indexed before stays as it was."
    )


def _free(folder: Path) -> int:
    return shutil.disk_usage(next(place for place in (folder, *folder.parents) if place.exists())).free


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__
