"""Cache values by text, because the same names and paths occur in many queries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Value = TypeVar("Value")


class BoundedCache(Generic[Value]):
    """A cache with a bounded number of values by text. Threads may share a cache, because equal texts have equal values."""

    def __init__(self, compute: Callable[[Sequence[str]], Sequence[Value]], max_size: int) -> None:
        """`compute` returns a value for each text. A call that would exceed `max_size` drops the values of other texts."""
        self._compute = compute
        self._max_size = max_size
        self._values: dict[str, Value] = {}

    def of(self, texts: Sequence[str]) -> list[Value]:
        """Return the value of each text."""
        known = self._values
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing:
            if len(known) + len(missing) > self._max_size:
                # Another thread may still read the old dictionary.
                known = self._values = {text: known[text] for text in texts if text in known}
            known.update(zip(missing, self._compute(missing), strict=True))
        return [known[text] for text in texts]
