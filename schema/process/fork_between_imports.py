"""Fork this process while no other thread imports a module.

A thread that imports a module holds the lock of the module. A process that is forked during the import inherits the held lock,
but not the thread that releases it. The process would wait forever when it imports the module.
"""

from __future__ import annotations

import _imp
import os
import threading
import time
from importlib import _bootstrap  # the standard library has no public access to these locks
from typing import Any

#: Seconds after which the process is forked even during an import, which may never finish.
PATIENCE = 10.0
#: Seconds between checks whether other threads import modules.
_PAUSE = 0.001


def fork_between_imports(patience: float = PATIENCE) -> int:
    """Return the result of `os.fork` after at most `patience` seconds of waiting for imports of other threads. Raises OSError."""
    latest = time.monotonic() + patience
    while True:
        # No thread can begin an import while this lock is held. A thread that has begun an import needs the lock to continue.
        _imp.acquire_lock()
        try:
            if not _others_import() or time.monotonic() > latest:
                return os.fork()
        finally:
            _imp.release_lock()
        time.sleep(_PAUSE)


def _others_import() -> bool:
    """Return whether another thread is importing a module."""
    locks: dict[str, Any] = getattr(_bootstrap, "_module_locks", {})
    this_thread = threading.get_ident()
    # Entries are weak references to locks, or None.
    owners = {getattr(reference(), "owner", None) for reference in list(locks.values()) if reference is not None}
    return not owners <= {None, this_thread}
