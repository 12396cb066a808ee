"""Fork this process at a moment when no other thread imports a module.

While a thread imports a module, it holds a lock of that module. A process that is forked at that moment inherits the held lock,
but not the thread that would release it. The process would wait forever when it imports the same module.
"""

from __future__ import annotations

import _imp
import os
import threading
import time
from importlib import _bootstrap  # the standard library has no public way to see these locks
from typing import Any

#: Seconds after which the process is forked even if another thread still imports a module, because this import may never finish.
PATIENCE = 10.0
#: Seconds between two checks whether other threads import modules.
_PAUSE = 0.001


def fork_between_imports(patience: float = PATIENCE) -> int:
    """Return the result of `os.fork`. Waits up to `patience` seconds for the imports of other threads. Raises OSError."""
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
    # Each entry is a weak reference to a lock, or None once that lock is gone.
    owners = {getattr(reference(), "owner", None) for reference in list(locks.values()) if reference is not None}
    return not owners <= {None, this_thread}
