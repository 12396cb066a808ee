"""Finding the nodes of some operations in a file, without a step in Python for each node."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from .program import Unit

#: The byte of an int32 cell that holds an operation.
_LOW_BYTE = 0 if sys.byteorder == "little" else 3
_CELLS, _BYTES = 5, 20


def any_of(*operations: int) -> re.Pattern[bytes]:
    """What `nodes_of` looks for."""
    return re.compile(b"[" + b"".join(re.escape(bytes((op,))) for op in operations) + b"]")


def nodes_of(unit: Unit, operations: re.Pattern[bytes]) -> Iterator[int]:
    """The nodes with one of the operations, in the order in which they were lowered."""
    return (found.start() * _CELLS for found in operations.finditer(unit.facts.code[_LOW_BYTE::_BYTES]))
