"""Fork this process so that the copy does not wait for locks that other threads hold.

A thread that imports a module holds the lock of the module. A process that is forked during the import inherits the held lock,
but not the thread that releases it. The process would wait forever when it imports the module. So the process is forked while no
other thread imports.

In Python 3.11, a thread that computes a cached property holds a lock that all instances share. The copy gets new locks, because
another thread may take seconds to compute a property.
"""

from __future__ import annotations

import _imp
import os
import sys
import threading
import time
from functools import cached_property
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
                pid = os.fork()
                if pid == 0:
                    _renew_locks_of_properties()
                return pid
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


def _renew_locks_of_properties() -> None:
    """Give new locks to the cached properties of this package. Since Python 3.12, they have none."""
    if sys.version_info >= (3, 12):
        return
    package = __name__.partition(".")[0]
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == package:
            classes = [each for each in vars(module).values() if isinstance(each, type)]
            for each in (value for cls in classes for value in vars(cls).values()):
                if isinstance(each, cached_property):
                    vars(each)["lock"] = threading.RLock()
