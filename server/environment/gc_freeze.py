"""What a server keeps in memory, out of the garbage collector's sight.

Tables and links of an index are hundreds of thousands of objects that live as long as the process. Each time the collector looked
through all of them, some answer waited a tenth of a second. Only for processes of our own: a notebook's objects are not ours to
hide.
"""

from __future__ import annotations

import gc
from itertools import count

#: So many times what is kept is hidden, then it is looked through: cycles that updates left are freed then.
ROUNDS = 64
_rounds = count(1)


def settle() -> None:
    """The collector looks at nothing any more that lives now, but once in many calls at all of it."""
    if next(_rounds) % ROUNDS == 0:
        gc.unfreeze()
        gc.collect()
    gc.freeze()
