"""The address in `--http`. This module loads no protocol library."""

from __future__ import annotations

from dataclasses import dataclass

from ...schema.errors import UsageError
from ..environment.loopback import is_loopback


@dataclass(frozen=True, slots=True)
class HttpAddress:
    """The address of the server: a loopback host and a port."""

    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> HttpAddress:
        """Parse `HOST:PORT`. Raises UsageError for other hosts than loopback hosts, and for ports outside of 1 to 65535."""
        host, _, port = text.rpartition(":")
        host = host.strip("[]") or "127.0.0.1"
        if not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
            raise UsageError(f"--http takes HOST:PORT with a port from 1 to 65535, for example 127.0.0.1:8765, not {text!r}.")
        if not is_loopback(host):
            raise UsageError(
                f"--http serves this machine alone, and {host} can be reached from others: use 127.0.0.1, and a tunnel "
                "or proxy with authentication where others need it."
            )
        return cls(host, int(port))
