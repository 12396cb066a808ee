"""Protect the console: only the page of this server may send requests, with the token of this process.

The headers of every answer forbid other scripts, so that the browser never runs text of a repository.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..environment.loopback import new_token

#: Header of every request for data. A form or a link of another page cannot set it.
TOKEN_HEADER = "X-Astrolabe-Token"
#: Path of requests for data. All other paths return the built page, which is public.
API = "/api/"
#: Path at which a page exchanges a ticket for the token.
ENTRANCE = f"{API}enter"
#: Seconds after which a ticket is no longer valid. A browser that has to be started may take a while.
TICKET_SECONDS = 120
#: Maximum size of a request in bytes.
MAX_BODY = 1_000_000
#: Headers of every answer.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Ticket:
    """A secret that opens the console once.

    The address that a browser is started with contains a ticket instead of the token, because other users of the machine can
    read the command lines of processes.
    """

    def __init__(self) -> None:
        self.secret = new_token()
        self._ends = time.monotonic() + TICKET_SECONDS

    def redeem(self, secret: str) -> bool:
        """Return whether a secret is that of the ticket, which is not valid after that."""
        if time.monotonic() > self._ends or not secrets.compare_digest(secret.encode(), self.secret.encode()):
            return False
        self._ends = 0.0
        return True


class Protection:
    """Rejects requests for another host, requests from another origin, and requests for data without the token of this
    process.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], token: str) -> None:
        """`hosts` are the allowed values of the header Host, each with its port."""
        self._app = app
        self._hosts = frozenset(hosts)
        self._origins = frozenset(f"http://{host}" for host in hosts)
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass an allowed request on, and reject other requests with a sentence."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refusal = self._refusal(Headers(scope=scope), scope["path"])
        await (refusal or self._app)(scope, receive, send_protected)

    def _refusal(self, headers: Headers, path: str) -> JSONResponse | None:
        """Return the answer that rejects a request, or None for an allowed request."""
        # If the name of another site resolves to this machine, the header Host has that name.
        if headers.getlist("host") and not self._hosts.issuperset(headers.getlist("host")):
            return _refused(403, "The console answers only at its own address.")
        if not headers.getlist("host"):
            return _refused(400, "The request names no host.")
        if not self._origins.issuperset(headers.getlist("origin")):
            return _refused(403, "The console answers only its own page.")
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none") and path.startswith(API):
            return _refused(403, "The console answers only its own page.")
        if (
            path.startswith(API)
            and path != ENTRANCE
            and not secrets.compare_digest(headers.get(TOKEN_HEADER, "").encode(), self._token)
        ):
            return _refused(401, "This page belongs to an earlier start. Open the address that `astrolabe console` printed.")
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length[:12]) > MAX_BODY:
            return _refused(413, f"A request has at most {MAX_BODY:,} bytes.")
        return None


def _refused(status: int, sentence: str) -> JSONResponse:
    return JSONResponse({"error": sentence}, status)
