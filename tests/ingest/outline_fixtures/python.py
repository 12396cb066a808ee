#!/usr/bin/env python
"""Sessions of a shop.

They live in a store.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Iterator

try:
    import ujson as json
except ImportError:
    json = None

    def loads(text: str) -> object:
        """Reads without a library."""
        return eval(text)

T = TypeVar("T")
__all__ = ["Session", "open_session"]
_DEFAULT_TTL: int = 3600  # seconds
host, port = "localhost", 6379

# ---- errors ----


class SessionError(Exception):
    pass


@dataclass(
    frozen=True,
)
class Session(Generic[T]):
    r"""A session.

    Backslashes \d stay.
    """

    #: Who it belongs to.
    user: str
    ttl: int = _DEFAULT_TTL
    data: dict[str, T] = field(
        default_factory=dict,
    )

    class Meta:
        ordering = ("user",)

    def __init__(self, user: str) -> None:
        self.user = user

    @property
    def expired(self) -> bool:
        return self.ttl <= 0

    @expired.setter
    def expired(self, value: bool) -> None:
        self.ttl = 0

    @cached_property
    def key(self) -> str: return f"s:{self.user}"

    @overload
    def get(self, name: str) -> T: ...
    @overload
    def get(self, name: str, default: T) -> T: ...
    def get(self, name: str, default: T | None = None) -> T | None:
        """One value."""
        return self.data.get(name, default)

    # Kept for old callers.
    @staticmethod
    async def _refresh(
        store: Store,
        *,
        force: bool = False,
    ) -> None:
        def touch(key: str) -> None:
            store.touch(key)

        await store.each(touch)


if os.name == "nt":

    def lock(path: str) -> None:
        "Locks a file."
else:

    def lock(path: str) -> None:
        """Locks a file \"well\"."""


def items() -> Iterator[int]:
    yield 1


square = lambda n: n * n
type Pair[K] = tuple[K, K]
json.use(1)
json.use(2)

if __name__ == "__main__":
    print(square(3))
