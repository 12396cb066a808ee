"""The log of the calls of agents, in the data folder of the index: one line of JSON for each call.

The log has the arguments and outcomes of calls, but not the answers. The log consists of two files, so that its size is limited.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

#: Name of the current file.
CALL_LOG = "calls.jsonl"
#: Name of the previous file.
EARLIER_CALL_LOG = "calls.earlier.jsonl"
#: Size in bytes after which a new file begins.
MAX_BYTES = 1 << 20
#: Maximum size of a line in bytes. Longer arguments are omitted.
MAX_LINE = 16_000


class LoggedCall(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A call of a tool."""

    #: Time of the call in UTC, as ISO 8601.
    at: str
    tool: str
    #: The arguments of the client; None if they were too long for the log.
    arguments: dict[str, Any] | None
    milliseconds: int
    #: Tokens of all parts of the answer; 0 after a failure.
    tokens: int = 0
    #: The message of a call that failed.
    error: str = ""
    #: Process id of the server, which distinguishes sessions.
    process: int = 0


class CallLog:
    """Writes the calls of one server. Servers of the same workspace may write at once."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / CALL_LOG
        self._earlier = data_dir / EARLIER_CALL_LOG
        self._is_writable = True

    def write(self, tool: str, arguments: Mapping[str, Any], milliseconds: int, tokens: int = 0, error: str = "") -> None:
        """Add a call. If the data folder cannot be written, log a warning once, and ignore all further calls."""
        if not self._is_writable:
            return
        moment = datetime.now(UTC).isoformat(timespec="milliseconds")
        call = LoggedCall(moment, tool, dict(arguments), milliseconds, tokens, error, os.getpid())
        line = msgspec.json.encode(call)
        if len(line) > MAX_LINE:
            line = msgspec.json.encode(msgspec.structs.replace(call, arguments=None, error=error[:1000]))
        try:
            self._append(line + b"\n")
        except OSError as problem:
            self._is_writable = False
            logging.getLogger("astrolabe").warning(f"Calls of tools are not logged: {problem}")

    def _append(self, line: bytes) -> None:
        if not self._path.parent.is_dir():
            return  # without an index there is no data folder, and the log does not create one
        # A single write in append mode is not mixed with writes of other servers.
        with self._path.open("ab", buffering=0) as file:
            file.write(line)
            is_full = file.tell() > MAX_BYTES
        if is_full:
            os.replace(self._path, self._earlier)


def logged_calls(data_dir: Path) -> list[LoggedCall]:
    """Return the calls in the log, the newest first. Damaged lines are skipped."""
    return list(chain(_calls(data_dir / CALL_LOG), _calls(data_dir / EARLIER_CALL_LOG)))


def _calls(path: Path) -> Iterator[LoggedCall]:
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return
    decoder = msgspec.json.Decoder(LoggedCall)
    for line in reversed(lines):
        try:
            yield decoder.decode(line)
        except msgspec.DecodeError:  # the server ended, or the disk was full, while the line was written
            continue
