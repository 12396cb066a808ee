"""Hide the long-lived objects of a server from the garbage collector.

The tables and links of an index are hundreds of thousands of objects, and a full collection delayed an answer by a tenth of a
second. Only processes of Astrolabe may call these functions: in a notebook, they would also freeze the objects of the user.
"""

from __future__ import annotations

import gc
from itertools import count

from ...ingest.workers.gc_pause import FROZEN

#: Number of calls of `settle` after which all objects are collected, which frees the cycles of updates.
ROUNDS = 64
_rounds = count(1)


def settle() -> None:
    """Exclude all present objects from collection. Every `ROUNDS` calls, they are collected first."""
    if next(_rounds) % ROUNDS == 0:
        collect_all()
    gc.freeze()
    FROZEN.set()


def collect_all() -> None:
    """Free all unreachable objects, and exclude all other objects from collection."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    FROZEN.set()
