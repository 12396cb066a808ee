"""The parts of a stack trace, as a runtime printed them."""

from __future__ import annotations

import msgspec


class Frame(msgspec.Struct, frozen=True):
    """A place of the program that was running."""

    #: Path with `/`, as the runtime knows it: absolute, relative, or a file name alone.
    path: str
    #: From 1; 0 if the trace does not say it.
    line: int = 0
    #: From 1 as runtimes of JavaScript count, otherwise 0.
    column: int = 0
    #: Names of the type and the function, without packages: `("Cart", "total")`; empty for code outside of functions.
    names: tuple[str, ...] = ()


class Failure(msgspec.Struct, frozen=True):
    """An error and the place where it was raised."""

    #: Name of the class of the error, or "" for runtimes without one.
    error: str
    message: str
    #: The innermost first.
    frames: tuple[Frame, ...]
