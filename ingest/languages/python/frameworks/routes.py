"""Servers of Python whose routes are decorators and calls: FastAPI, Flask, Starlette, aiohttp, Sanic, Bottle."""

from __future__ import annotations

from typing import Final

from ...api_calls.rules import RouterKind, RouteRules, origin, verbs

ROUTES: Final = RouteRules(
    routers=(
        RouterKind("FastAPI", origin(r"(?:fastapi|starlette\.applications):(?:FastAPI|Starlette)\(\)(?:\.router)?"), True),
        RouterKind(
            "FastAPI", origin(r"(?:fastapi|fastapi\.routing|starlette\.routing):(?:APIRouter|Router)\(\)"), False, ("prefix",)
        ),
        RouterKind(
            "Flask",
            origin(r"(?:flask|quart|apiflask|flask_openapi3|flask_openapi3\.openapi):(?:Flask|Quart|APIFlask|OpenAPI)\(\)"),
            True,
        ),
        RouterKind(
            "Flask",
            origin(r"(?:flask|quart|apiflask|flask_smorest|flask_openapi3|flask\.blueprints):(?:Blueprint|APIBlueprint)\(\)"),
            False,
            ("url_prefix",),
        ),
        RouterKind("Flask-RESTX", origin(r"flask_rest(?:x|plus|ful):Api\(\)"), False, ("prefix",), takes_router=True),
        RouterKind(
            "Flask-RESTX",
            origin(r"flask_rest(?:x|plus):Namespace\(\)|flask_rest(?:x|plus):Api\(\)\.namespace\(\)"),
            False,
            ("path",),
            "/{}",
        ),
        RouterKind("aiohttp", origin(r"aiohttp(?:\.web)?:(?:web\.)?(?:RouteTableDef|Application)\(\)(?:\.router)?"), True),
        RouterKind("Sanic", origin(r"sanic:Sanic\(\)"), True),
        RouterKind("Sanic", origin(r"sanic:Blueprint\(\)"), False, ("url_prefix",)),
        RouterKind("Bottle", origin(r"bottle:Bottle\(\)"), True),
        RouterKind("Django Ninja", origin(r"ninja:(?:NinjaAPI|Router)\(\)")),
        RouterKind("Litestar", origin(r"blacksheep:Application\(\)"), True),
    ),
    verbs=verbs("get post put patch delete head options trace")
    | {f"add_{name}": name.upper() for name in ("get", "post", "put", "patch", "delete", "head")},
    generic=("route", "api_route", "add_api_route", "add_route", "add_url_rule", "add_resource", "api_operation"),
    handler_first=("add_resource",),
    same=("router",),
    mounts=(
        "include_router",
        "register_blueprint",
        "mount",
        "add_router",
        "add_namespace",
        "blueprint",
        "add_routes",
        "add_subapp",
    ),
    path_names=("path", "rule", "url"),
    handler_names=("endpoint", "view_func", "handler", "func"),
    prefix_names=("prefix", "url_prefix", "path"),
    parameters=("app", "router", "blueprint"),
)
