"""Servers of JavaScript whose routes are calls: Express and similar servers, Fastify, Koa, Hono."""

from __future__ import annotations

from typing import Final

from ...api_calls.rules import RouterKind, RouteRules, origin, verbs

ROUTES: Final = RouteRules(
    routers=(
        RouterKind(
            "Express",
            origin(r"(?:express|polka|restify|express-ws|ultimate-express):(?:|createServer|express)\(\)(?:\.app)?"),
            True,
        ),
        RouterKind(
            "Express",
            origin(r"(?:express|express-promise-router|express-serve-static-core|router):(?:Router|IRouter|promiseRouter)?\(\)"),
        ),
        RouterKind("Express", origin(r"(?:express|express-serve-static-core):(?:Express|Application)\(\)")),
        RouterKind("Fastify", origin(r"fastify:(?:fastify|Fastify)?\(\)(?:\.withTypeProvider\(\))?"), True),
        RouterKind("Fastify", origin(r"fastify:FastifyInstance\(\)(?:\.withTypeProvider\(\))?")),
        RouterKind("Koa", origin(r"(?:koa-router|@koa/router|koa-joi-router):(?:Router)?\(\)"), False, ("prefix",)),
        RouterKind("Hono", origin(r"(?:hono|hono/tiny|hono/quick|@hono/zod-openapi):(?:Hono|OpenAPIHono)\(\)")),
        RouterKind("Elysia", origin(r"elysia:(?:Elysia)?\(\)"), False, ("prefix",)),
        RouterKind("hapi", origin(r"@hapi/hapi:(?:server|Server)\(\)"), True),
        RouterKind("hapi", origin(r"@hapi/hapi:Server")),
    ),
    verbs=verbs("get post put patch delete head options", any_names="all") | {"del": "DELETE"},
    generic=("route", "addRoute"),
    derived=("route", "basePath", "group"),
    same=("withTypeProvider", "use"),
    mounts=("use", "register", "route", "mount"),
    path_names=("path", "url"),
    method_names=("method", "methods"),
    handler_names=("handler",),
    prefix_names=("prefix",),
    parameters=("app", "router", "server", "fastify"),
)
