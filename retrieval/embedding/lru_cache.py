"""What was computed of texts that come again, such as the names and paths of a repository in one question after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Remembered(Generic[Value]):
    """Values by text, a bounded number of them. Safe to share between threads: what two compute at once is the same."""

    def __init__(self, compute: Callable[[Sequence[str]], Sequence[Value]], most: int) -> None:
        """`compute` gives a value for each of some texts; when there are more than `most`, all are forgotten."""
        self._compute = compute
        self._most = most
        self._values: dict[str, Value] = {}

    def of(self, texts: Sequence[str]) -> list[Value]:
        """The value of each text."""
        known = self._values
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing:
            if len(known) + len(missing) > self._most:
                # Another thread may still read the values that it has just looked up.
                known = self._values = {text: known[text] for text in texts if text in known}
            known.update(zip(missing, self._compute(missing), strict=True))
        return [known[text] for text in texts]
