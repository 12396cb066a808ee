"""Records for the failures and frames of a stack trace."""

from __future__ import annotations

import msgspec


class Frame(msgspec.Struct, frozen=True):
    """A place in the running program."""

    #: Printed path with forward slashes: absolute, relative, or only a file name.
    path: str
    #: Line from 1; 0 if the trace has no line.
    line: int = 0
    #: Column from 1, which JavaScript runtimes print; otherwise 0.
    column: int = 0
    #: Names of type and function without packages: `("Cart", "total")`; empty for code outside of functions.
    names: tuple[str, ...] = ()


class Failure(msgspec.Struct, frozen=True):
    """An error, and the frames at which it was raised."""

    #: Name of the error class; "" if the runtime has none.
    error: str
    message: str
    #: Frames, the innermost first.
    frames: tuple[Frame, ...]
