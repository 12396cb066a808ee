"""The lock for the single writer of a data folder. The system releases it if the process dies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...schema.errors import IndexLocked, WorkspaceError

#: Seconds of waiting for another process that builds the first index. Without an index, no request can be answered.
PATIENCE = 900.0


@contextmanager
def writer_lock(data_dir: Path, *, patience: float = 0.0) -> Iterator[None]:
    """Hold the writer's lock of `data_dir`, and create the folder if it is missing.

    Waits up to `patience` seconds. Raises IndexLocked if another process or thread still holds the lock, and WorkspaceError
    if the folder cannot be written.
    """
    from filelock import FileLock, Timeout

    try:
        _prepare(data_dir)
        lock = FileLock(data_dir / "lock")
        lock.acquire(timeout=patience, poll_interval=0.1)
    except Timeout as error:
        raise IndexLocked(
            f"Another process is updating the index in {data_dir}; wait until it is done, or stop it, then try again."
        ) from error
    except OSError as error:
        raise WorkspaceError(
            f"The index cannot be written to {data_dir}: {error.strerror or error}; name another folder with --data-dir."
        ) from error
    try:
        yield
    finally:
        lock.release()


def _prepare(data_dir: Path) -> None:
    data_dir.mkdir(parents=True, exist_ok=True)
    ignore = data_dir / ".gitignore"
    if not ignore.exists():
        # The data folder has its own .gitignore, so that the user's .gitignore does not change.
        ignore.write_text("*\n", encoding="utf-8")
