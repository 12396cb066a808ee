"""The web application of the console: the built page and the endpoints."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ...schema.errors import AstrolabeError
from ..api.workspace import Workspace
from .endpoints import change, checks, cypher, graph, health, repository_map, search, settings, state, symbols, tools
from .endpoints.endpoint import Endpoint
from .protection import ENTRANCE, MAX_BODY, TOKEN_HEADER, Protection, Ticket

#: Folder of the built page; `server/web/page/` has its sources.
STATIC = Path(__file__).parent / "static"
#: All endpoints of the modules of `endpoints/`, by name.
ENDPOINTS: Mapping[str, Endpoint] = {
    endpoint.name: endpoint
    for module in (state, search, symbols, graph, repository_map, cypher, tools, change, checks, health, settings)
    for endpoint in module.ENDPOINTS
}


def console_application(workspace: Workspace, hosts: Collection[str], token: str, ticket: Ticket) -> Starlette:
    """Return the application for a workspace. The application accepts requests for `hosts`, which include ports."""
    entered = Route(ENTRANCE, partial(_entered, ticket, token), methods=["POST"])
    asked = Route("/api/{name}", partial(_asked, workspace), methods=["POST"])
    return Starlette(
        routes=[entered, asked, Mount("/", StaticFiles(directory=STATIC, html=True))],
        middleware=[Middleware(Protection, hosts=hosts, token=token)],
    )


async def _entered(ticket: Ticket, token: str, request: Request) -> Response:
    """Answer a page that has a ticket with the token."""
    if not ticket.redeem(request.headers.get(TOKEN_HEADER, "")):
        return _failed(401, "This address was used before. Open the address that `astrolabe console` printed.")
    return _json({"token": token})


async def _asked(workspace: Workspace, request: Request) -> Response:
    """Answer a request for data. For an error that the caller can correct, the field `error` has a sentence."""
    endpoint = ENDPOINTS.get(request.path_params["name"])
    if endpoint is None:
        return _failed(404, "The console has no such endpoint.")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY:
            return _failed(413, f"A request has at most {MAX_BODY:,} bytes.")
    try:
        question = msgspec.json.decode(bytes(body) or b"{}", type=endpoint.request)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return _failed(400, f"The request is not valid: {error}.")
    try:
        answer = await run_in_threadpool(lambda: msgspec.to_builtins(endpoint.answer(workspace, question)))
    except AstrolabeError as error:
        return _failed(422, str(error))
    return _json(answer)


def _failed(status: int, sentence: str) -> Response:
    return JSONResponse({"error": sentence}, status)


def _json(answer: Any) -> Response:
    # A file name that is not valid Unicode needs escaped text.
    return Response(json.dumps(answer, separators=(",", ":")), media_type="application/json")
