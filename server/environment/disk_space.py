"""Full disks: engines say so in many ways, some only by dying. Here it becomes one sentence, before or behind the fact."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...schema.errors import DiskFull, IndexCorrupt, StoreError

#: What systems call a full disk, a used-up quota and a file beyond the limit of its process; and what is left of these words
#: when the graph's engine meets them while it commits, or when the last bytes that fit are part of a page.
_WORDS = (
    *("No space left on device", "Disk quota exceeded", "File too large", "not enough space on the disk"),
    *("could not be written to its end", "Cannot write to file"),
)
#: An engine that fails with less than this left on the disk failed for that, as far as anybody can tell.
_LITTLE = 8 << 20
#: The most that is missing of a file at its limit: the piece that no longer fitted was not written, and the graph's engine
#: lays out several MB at once.
_LAST_PIECE = 4 << 20
#: What a change takes besides a copy of the graph: its log, vectors, links and manifest.
ROOM_FOR_CHANGE = 16 << 20


@contextmanager
def naming_full_disk(folder: Path) -> Iterator[None]:
    """Raises DiskFull in the place of errors that a full disk below `folder` is the cause of."""
    try:
        yield
    except (StoreError, IndexCorrupt, OSError) as error:
        if any(word in str(cause) for cause in _causes(error) for word in _WORDS) or _free(folder) < _LITTLE:
            raise DiskFull(_sentence(folder)) from error
        raise


def cut_short(folder: Path) -> OSError | None:
    """Why a writer below `folder` that ended without a word most likely did: a file has grown to the limit of its process.
    None when none has."""
    try:
        import resource
    except ImportError:  # a system without such limits
        return None
    limit, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if limit == resource.RLIM_INFINITY:
        return None
    for path in folder.rglob("*"):
        if path.is_file() and path.stat().st_size > limit - _LAST_PIECE:
            return OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return None


def check_room(folder: Path, needed: int) -> None:
    """Raises DiskFull unless so many bytes can be written: an engine that meets a full disk in this process ends it."""
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
