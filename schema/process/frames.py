"""Frames between processes of ours: a length of eight bytes, then MessagePack."""

from __future__ import annotations

import struct
from typing import IO

_LENGTH = struct.Struct("<Q")


def read_frame(stream: IO[bytes]) -> bytes | None:
    """The next frame; None at the end of the stream, also when it ends inside a frame."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length)
    return data if len(data) == length else None


def write_frame(stream: IO[bytes], data: bytes) -> None:
    """Send a frame. Raises BrokenPipeError when nobody reads any more."""
    for part in (_LENGTH.pack(len(data)), data):
        left = memoryview(part)
        # Where PYTHONUNBUFFERED is set, stdout takes a part and says so when a signal comes in between: Ctrl-Z, then `fg`.
        while left:
            left = left[stream.write(left) :]
    stream.flush()
