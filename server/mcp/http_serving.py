"""Serve MCP over streamable HTTP on this machine: several clients, a limit of sessions and, on demand, a token."""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ...schema.errors import UsageError
from ..api.workspace import Workspace
from ..environment.loopback import listening_socket, new_token, own_names, url_host
from ..environment.terminal import print_message
from .http_address import HttpAddress
from .long_lived import live_long, warm_up
from .server import CodebaseServer, call_log

#: Fewest characters of a token in a file. A shorter token could be guessed.
_MIN_TOKEN = 16
#: Maximum number of open sessions, unless the command line gives another one.
DEFAULT_MAX_SESSIONS = 100


class TokenCheck:
    """Rejects requests without the token of the server, which clients send as `Authorization: Bearer TOKEN`."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] != "lifespan":
            scheme, _, sent = Headers(scope=scope).get("authorization", "").partition(" ")
            is_known = secrets.compare_digest(sent.strip().encode(), self._expected)
            if scheme.casefold() != "bearer" or not is_known:
                message = "This server demands its token: send the header `Authorization: Bearer TOKEN`."
                refusal = JSONResponse({"error": message}, 401, {"WWW-Authenticate": "Bearer"})
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)


def token_in(path: Path) -> str:
    """Return the token in a file. A missing file is made, with a new token that only its owner can read.

    Raises UsageError for a file that cannot be read or made or that other users can read, and for a token that is too short or
    has other characters than printable ASCII.
    """
    try:
        if not path.exists():
            _make_token(path)
        if os.name == "posix" and path.stat().st_mode & 0o077:
            raise UsageError(f"Other users of this machine can read the token in {path}: run `chmod 600 {path}`.")
        token = path.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The token in {path} cannot be read: {error}") from error
    if len(token) < _MIN_TOKEN or not all("!" <= character <= "~" for character in token):
        raise UsageError(
            f"{path} holds no usable token: a token has at least {_MIN_TOKEN} printable ASCII characters and no blanks. "
            "Remove the file, and a new token is made."
        )
    return token


def _make_token(path: Path) -> None:
    """Write a new token into a file at once, so that no other server reads a part of it. An existing file stays as it is."""
    handle, made = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w") as file:
            file.write(f"{new_token()}\n")
        with suppress(FileExistsError):  # another server was faster
            os.link(made, path)
    finally:
        os.unlink(made)


def serve_http(
    workspace: Workspace, tools: frozenset[str], address: HttpAddress, max_sessions: int, token_file: Path | None
) -> None:
    """Serve some tools over streamable HTTP at `/mcp` until the process is stopped.

    A client that would open more than `max_sessions` sessions gets the status 503. Raises AstrolabeError for a port in use, and
    UsageError for a token that cannot be used.
    """
    token = token_in(token_file) if token_file is not None else ""
    with listening_socket(address.host, address.port) as listener:
        server = CodebaseServer(workspace, tools, call_log(workspace))
        live_long(workspace)
        warm_up(workspace)
        names = own_names(address.host)
        security = TransportSecuritySettings(
            allowed_hosts=[f"{name}:{address.port}" for name in names],
            allowed_origins=[f"http://{name}:{address.port}" for name in names],
        )
        application: ASGIApp = server.streamable_http_app(
            host=address.host, max_sessions=max_sessions, transport_security=security
        )
        print_message(f"Serving MCP at http://{url_host(address.host)}:{address.port}/mcp")
        if token:
            application = TokenCheck(application, token)
            print_message(f"Clients must send the token in {token_file}.")
        config = uvicorn.Config(application, log_level=server.settings.log_level.lower())
        uvicorn.Server(config).run(sockets=[listener])
