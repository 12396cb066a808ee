"""Loopback addresses: hosts on this machine, a socket at a free port, and a token that keeps others out."""

from __future__ import annotations

import os
import secrets
import socket
from ipaddress import ip_address

from ...schema.errors import AstrolabeError


def is_loopback(host: str) -> bool:
    """Return whether a host, which is an IP address or `localhost`, is a loopback address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def url_host(host: str) -> str:
    """Return a host in the form for a URL: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def own_names(host: str) -> list[str]:
    """Return the allowed hosts in URLs of requests to a server at a loopback address.

    Other names may belong to web pages, even if they resolve to this machine.
    """
    return sorted({url_host(host), "127.0.0.1", "localhost", "[::1]"})


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address; port 0 selects a free port. Raises AstrolabeError if the address is not
    available.
    """
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        raise AstrolabeError(f"Nothing can listen at {host}:{port}: {reason}.") from error


def new_token() -> str:
    """Return a token that no other user of this machine can guess."""
    return secrets.token_urlsafe(32)
