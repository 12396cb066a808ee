"""MCP over standard input and output: answer the first messages at once, and load the protocol library and the engines for the
first question.

The library then reads all earlier messages of the client again, and its reply to an answered handshake is discarded.
"""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Callable

import msgspec

from ..api.workspace import Workspace
from .handshake import Handshake, Record
from .long_lived import live_long, warm_up

#: Seconds between the first answer and the loading of the library, so that the usual first messages are answered before.
PRELOAD_AFTER = 0.3
#: Maximum size of one read in bytes.
_BLOCK = 1 << 16


def serve_stdio(workspace: Workspace, tools: frozenset[str]) -> None:
    """Serve some tools over standard input and output until the client closes them."""
    live_long(workspace)
    wire = Wire.claimed()
    handshake = Handshake(Record.load(), tools, structured_search=workspace.settings.structured_search)
    line = answered_in_advance(wire, handshake, lambda: _begin(workspace))
    if line is None:
        return
    from .server import CodebaseServer, call_log

    server = CodebaseServer(workspace, tools, call_log(workspace))
    warm_up(workspace)
    reader = io.TextIOWrapper(io.BufferedReader(Replayed(wire, [*handshake.lines, line])), encoding="utf-8", errors="replace")
    server.run_streams(reader, WithoutReply(wire, handshake.initialize_id))


def answered_in_advance(wire: Wire, handshake: Handshake, begin: Callable[[], None]) -> bytes | None:
    """Answer messages, and return the first message that needs the library; None at the end of the input. Calls `begin` once."""
    timer: threading.Timer | None = None
    try:
        while (line := wire.read_line()) is not None:
            reply = handshake.answer(line)
            if reply is None:
                return line
            if reply:
                wire.write(reply)
            if timer is None:
                timer = threading.Timer(PRELOAD_AFTER, begin)
                timer.daemon = True
                timer.start()
        return None
    finally:
        if timer is not None:
            timer.cancel()


def _begin(workspace: Workspace) -> None:
    """Prepare for the first question in the background: load the library, and bring the index up to date."""
    from . import server  # noqa: F401  # its import is what takes time

    workspace.refresh_in_advance()


class Wire:
    """The client's end of standard input and output.

    The descriptors 0 and 1 are redirected, so that output of a library or a child process never appears between messages.
    """

    def __init__(self, source: int, target: int) -> None:
        self._source = source
        self._target = target
        self._waiting = bytearray()

    @classmethod
    def claimed(cls) -> Wire:
        """Return standard input and output, and redirect their descriptors to the null device and standard error."""
        sys.stdout.flush()
        wire = cls(os.dup(0), os.dup(1))
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
        os.dup2(2, 1)
        return wire

    def read_line(self) -> bytes | None:
        """Return the next line with its end, or None at the end of the input. The last line may have no end."""
        searched = 0
        while (end := self._waiting.find(b"\n", searched)) < 0:
            searched = len(self._waiting)
            block = os.read(self._source, _BLOCK)
            if not block:
                rest = bytes(self._waiting)
                self._waiting.clear()
                return rest or None
            self._waiting += block
        line = bytes(self._waiting[: end + 1])
        del self._waiting[: end + 1]
        return line

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes, first from the buffer of `read_line`."""
        if not self._waiting:
            return os.read(self._source, size)
        block = bytes(self._waiting[:size])
        del self._waiting[:size]
        return block

    def write(self, data: bytes) -> None:
        """Write all bytes of `data`."""
        view = memoryview(data)
        while view:
            view = view[os.write(self._target, view) :]


class Replayed(io.RawIOBase):
    """An input that begins with lines that were already read."""

    def __init__(self, wire: Wire, lines: list[bytes]) -> None:
        self._wire = wire
        self._before = b"".join(lines)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        if self._before:
            block, self._before = self._before[: len(buffer)], self._before[len(buffer) :]
        else:
            block = self._wire.read(len(buffer))
        buffer[: len(block)] = block
        return len(block)


class WithoutReply(io.StringIO):
    """An output that discards the reply to one request; None for no request. Each write must be one message.

    The base class `StringIO`, which stores nothing here, is the simplest class that a type checker accepts as a text file.
    """

    def __init__(self, wire: Wire, request_id: str | int | None) -> None:
        super().__init__()
        self._wire = wire
        self._request_id = request_id

    def write(self, text: str) -> int:
        if self._request_id is not None and _is_reply(text, self._request_id):
            self._request_id = None
        else:
            self._wire.write(text.encode())
        return len(text)


def _is_reply(text: str, request_id: str | int) -> bool:
    message = msgspec.json.decode(text)
    return isinstance(message, dict) and message.get("id") == request_id and "method" not in message
