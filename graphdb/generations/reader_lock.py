"""Locks by which readers of a generation announce themselves. The system drops them when the process ends, however it ends."""

from __future__ import annotations

import sys

if sys.platform == "win32":

    def lock_shared(descriptor: int) -> None:
        """Nothing to do: Windows refuses to remove or rename a folder with an open file in it."""

    def try_lock_exclusive(descriptor: int) -> bool:
        """Always True: the removal itself fails where a reader has the file open."""
        return True

else:
    import fcntl

    def lock_shared(descriptor: int) -> None:
        """Announces a reader on the open file."""
        fcntl.flock(descriptor, fcntl.LOCK_SH)

    def try_lock_exclusive(descriptor: int) -> bool:
        """Whether nobody holds the open file; takes the lock if so, until the descriptor is closed."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
