"""Hides the long-lived objects of a server from the garbage collector.

The tables and links of an index are hundreds of thousands of objects that live as long as the process. Each full collection
delayed some answer by a tenth of a second. Call it only in Astrolabe's own processes, because it would
also freeze the objects of a notebook.
"""

from __future__ import annotations

import gc
from itertools import count

#: Number of calls after which everything is collected once, to free cycles that updates left.
ROUNDS = 64
_rounds = count(1)


def settle() -> None:
    """Exclude all present objects from collection; every `ROUNDS` calls, collect them first."""
    if next(_rounds) % ROUNDS == 0:
        collect_all()
    gc.freeze()


def collect_all() -> None:
    """Free all unreachable objects, and exclude the others from collection."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
