"""Runs recursive functions over deeply nested source, such as the output of generators."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

#: Bytes of stack to try, largest first; 0 is the system's default. A stack uses memory only as far as nested source needs it.
_STACKS = (1 << 29, 1 << 26, 0)
#: Bytes of stack for each call that counts towards Python's limit. Recursive calls in compiled lowering use the stack of the
#: thread.
_STACK_OF_A_CALL = 2_560
#: Since Python 3.12, calls of compiled functions are counted separately, and more calls are permitted than fit on a usual stack.
_COUNTS_APART = sys.version_info >= (3, 12)

Result = TypeVar("Result")


def call_deeply(function: Callable[[], Result]) -> Result:
    """Call a function, and call it again on a deep stack if the first call exhausts the stack. Raises RecursionError."""
    if not _COUNTS_APART:
        with suppress(RecursionError):
            return function()
    before = sys.getrecursionlimit()
    with ThreadPoolExecutor(1, "extraction") as thread:
        sys.setrecursionlimit(max(before, _start(thread) // _STACK_OF_A_CALL))
        try:
            return thread.submit(function).result()
        finally:
            sys.setrecursionlimit(before)


def _start(thread: ThreadPoolExecutor) -> int:
    """Start the only thread of a pool with the largest stack that the system grants, and return the stack's size in bytes."""
    before = threading.stack_size()
    try:
        for size in _STACKS:
            threading.stack_size(size)
            with suppress(RuntimeError):  # the process may not reserve a stack of this size
                thread.submit(int).result()
                return size
    finally:
        threading.stack_size(before)
    return 0
