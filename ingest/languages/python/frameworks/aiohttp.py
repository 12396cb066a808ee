"""aiohttp: routes, middlewares, signals of applications."""

from __future__ import annotations

from .conventions import Bases, Calls, Framework, names

AIOHTTP = Framework(
    "aiohttp",
    ("aiohttp",),
    {
        "route": names(r"RouteTableDef\(\)\.(?:get|post|put|patch|delete|head|options|view|route)"),
        "handler": names("middleware"),
    },
    (Bases(names("View"), "", names("get|post|put|patch|delete|head|options")),),
    (
        Calls(names(r"(?:get|post|put|patch|delete|head|options|view|route)"), "route"),
        Calls(names(r"Application\(\)\.router\.add_\w+ | UrlDispatcher\(\)\.add_\w+"), "route"),
        Calls(names(r"Application\(\)\.(?:on_\w+|cleanup_ctx|middlewares)\.append | Application"), "handler"),
    ),
)
