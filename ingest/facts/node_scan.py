"""Find the nodes with given operations in a file by a regular expression. A loop over the nodes would be slower."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from .model import FileFacts

#: Offset of the byte with the operation in an int32 cell.
_LOW_BYTE = 0 if sys.byteorder == "little" else 3
#: Cells of one node.
CELLS = 5
#: Bytes of one node: five int32 cells.
_BYTES = 20


def any_of(*operations: int) -> re.Pattern[bytes]:
    """Return the pattern by which `nodes_of` finds nodes with the given operations."""
    return re.compile(b"[" + b"".join(re.escape(bytes((op,))) for op in operations) + b"]")


def nodes_of(facts: FileFacts, operations: re.Pattern[bytes]) -> Iterator[int]:
    """Yield the nodes with one of the operations, in the order in which they were lowered."""
    return (found.start() * CELLS for found in operations.finditer(facts.code[_LOW_BYTE::_BYTES]))
