"""Start the console: listen at an address, print the URL of the page, and serve the page until the process is stopped."""

from __future__ import annotations

import sys
import threading
import webbrowser
from collections.abc import Callable
from socket import socket

import uvicorn

from ...schema.errors import AstrolabeError, UsageError
from ..api.workspace import Workspace
from ..environment.loopback import is_loopback, listening_socket, new_token, own_names, url_host
from ..environment.terminal import print_message
from ..mcp.long_lived import live_long
from .application import console_application
from .endpoints.repository_map import prepare
from .protection import Ticket

#: Default port of the console. If the port is in use, a free port is used.
DEFAULT_PORT = 8787
#: Seconds after which a thread that computes lets another one run. With the five milliseconds of Python, each file of the page
#: waits for several times as long as its delivery takes while the index is read or refreshed.
SWITCH_INTERVAL = 0.0005
#: Seconds that the first view of an existing index has for itself. A search for changes in 10,000 files takes a second.
FIRST_VIEW = 2.0


def serve_console(workspace: Workspace, host: str, port: int | None, started: Callable[[], None], *, opens_browser: bool) -> None:
    """Serve the console of a workspace until the process is stopped.

    `started` is called in another thread: at once if there is no index, and otherwise after the time of the first view. Raises
    UsageError for a host that means all addresses, and AstrolabeError if the port is in use.
    """
    if host in ("0.0.0.0", "::", ""):
        raise UsageError(f"--host takes one address of this machine, not {host!r}, which means all of them.")
    with _socket(host, port) as listener:
        taken: int = listener.getsockname()[1]
        token = new_token()
        ticket = Ticket()
        page = f"http://{url_host(host)}:{taken}/"
        names = own_names(host) if is_loopback(host) else [url_host(host)]
        application = console_application(workspace, [f"{name}:{taken}" for name in names], token, ticket)
        if not is_loopback(host):
            print_message(f"Others can reach {host}. The token protects the console, but nothing is encrypted.")
        print_message(f"The console of {workspace.root} is at {page}#token={token}\nEnd it with Ctrl-C.")
        live_long(workspace)
        sys.setswitchinterval(SWITCH_INTERVAL)
        ended = threading.Event()
        preparing = threading.Thread(target=_prepare, args=(workspace, started, ended), name="map", daemon=True)
        preparing.start()
        if opens_browser:
            webbrowser.open(f"{page}#ticket={ticket.secret}")
        config = uvicorn.Config(application, log_level="warning", server_header=False, timeout_graceful_shutdown=1)
        try:
            uvicorn.Server(config).run(sockets=[listener])
        finally:
            ended.set()
            preparing.join()


def _prepare(workspace: Workspace, started: Callable[[], None], ended: threading.Event) -> None:
    """Read the map, which the first view shows, and leave the processor to the first view before other work begins."""
    if not (prepare(workspace) and ended.wait(FIRST_VIEW)):
        started()


def _socket(host: str, port: int | None) -> socket:
    """Return a socket at the given port; without a port, at the default port or, if it is in use, at a free port."""
    if port is not None:
        return listening_socket(host, port)
    try:
        return listening_socket(host, DEFAULT_PORT)
    except AstrolabeError:
        return listening_socket(host, 0)
