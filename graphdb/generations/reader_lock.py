"""Locks that readers of a generation hold. The system releases the locks when the process ends in any way."""

from __future__ import annotations

import sys

if sys.platform == "win32":

    def lock_shared(descriptor: int) -> None:
        """Do nothing: Windows refuses to remove or rename a folder with an open file in it."""

    def try_lock_exclusive(descriptor: int) -> bool:
        """Return True: Windows itself refuses to remove a file that a reader has open."""
        return True

else:
    import fcntl

    def lock_shared(descriptor: int) -> None:
        """Take a shared lock on an open file for a reader."""
        fcntl.flock(descriptor, fcntl.LOCK_SH)

    def try_lock_exclusive(descriptor: int) -> bool:
        """Take the lock until the descriptor is closed, and return True; return False if another process holds the open file."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
