"""Look-ups in the lowered nodes of a file that several modules need."""

from __future__ import annotations

from collections.abc import Sequence

from .operations import Op


def assigned_last(code: Sequence[int], node: int) -> int:
    """Return the value that `a = b = value` assigns to all targets."""
    while node >= 0 and code[node] == Op.ASSIGN:
        node = code[node + 2]
    return node


def bare_reference(code: list[int], node: int) -> int:
    """Return the reference inside of NARROW nodes and of `!`."""
    while node >= 0 and (code[node] == Op.NARROW or code[node] == Op.NON_NULL):
        node = code[node + 1]
    return node


def this_value(code: Sequence[int], node: int) -> int:
    """Return the THIS node of a value, without NARROW nodes around it; -1 for any other value."""
    while node >= 0 and code[node] == Op.NARROW:
        node = code[node + 1]
    return node if node >= 0 and code[node] == Op.THIS else -1
