"""FastAPI and Starlette: routes, dependencies, handlers, middleware."""

from __future__ import annotations

from .conventions import Bases, Calls, Framework, names

_APPLICATION = r"(?:FastAPI|APIRouter|Starlette|Router|AsyncAPIRouter|SubAPI)\(\)(?:\.router)?"

FASTAPI = Framework(
    "FastAPI",
    ("fastapi", "starlette", "fastapi_utils", "fastapi_users", "litestar"),
    {
        "route": names(
            rf"{_APPLICATION}\.(?:get|post|put|patch|delete|head|options|trace|api_route|route|websocket|websocket_route)"
            r"|get|post|put|patch|delete|route"
        ),
        "handler": names(rf"{_APPLICATION}\.(?:exception_handler|middleware|on_event)"),
        "task": names("repeat_every"),
    },
    (
        Bases(names("BaseHTTPMiddleware"), "", names("dispatch")),
        Bases(names("HTTPEndpoint|WebSocketEndpoint"), "", names("get|post|put|patch|delete|head|options|on_\\w+")),
        Bases(names("AuthenticationBackend"), "", names("authenticate")),
    ),
    (
        Calls(names("Depends|Security"), "dependency"),
        Calls(names("Route|WebSocketRoute|Mount|Host|APIRoute"), "route"),
        Calls(names(rf"{_APPLICATION}\.(?:add_(?:api_)?(?:websocket_)?route|include_router|mount)"), "route"),
        Calls(names(rf"{_APPLICATION}\.(?:add_event_handler|add_exception_handler|add_middleware|exception_handler)"), "handler"),
        Calls(names("Middleware|FastAPI|Starlette|APIRouter"), "handler"),
        Calls(names(r"BackgroundTasks?(?:\(\)\.add_task)?"), "task"),
    ),
)
