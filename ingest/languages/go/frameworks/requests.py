"""Servers and routers: net/http, and the routers that replace the router of net/http."""

from __future__ import annotations

from typing import Final

from .conventions import Framework, names

#: Methods of routers with the names of HTTP methods, in capitals (`GET`) or capitalized (`Get`).
_CAPITALS: Final = "GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|CONNECT|TRACE"
_WORDS: Final = "Get|Post|Put|Patch|Delete|Head|Options|Connect|Trace"

NET_HTTP: Final = Framework(
    "net/http",
    ("net/http",),
    {
        "route": names(r"(?:(?:New)?ServeMux\(\)\.|DefaultServeMux\.)?Handle(?:Func)?"),
        "handler": names(r"HandlerFunc|ListenAndServe(?:TLS)?|Serve(?:TLS)?|TimeoutHandler|StripPrefix|MaxBytesHandler"),
    },
    {"handler": names(r"Server\.(?:Handler|BaseContext|ConnContext|ConnState)|Client\.CheckRedirect|Transport\.\w+")},
)
GIN: Final = Framework(
    "Gin",
    ("github.com/gin-gonic/gin",),
    {
        "route": names(rf"(?:.+\.)?(?:{_CAPITALS}|Any|Handle|Match)"),
        "handler": names(r"(?:.+\.)?(?:Use|NoRoute|NoMethod)|WrapF|WrapH|CustomRecovery(?:WithWriter)?|LoggerWithFormatter"),
    },
)
CHI: Final = Framework(
    "chi",
    ("github.com/go-chi/chi",),
    {
        "route": names(rf"(?:.+\.)?(?:{_WORDS}|Method|MethodFunc|Handle|HandleFunc|Mount)"),
        "handler": names(r"(?:.+\.)?(?:Use|With|NotFound|MethodNotAllowed|Route|Group)|Chain"),
    },
)
ECHO: Final = Framework(
    "Echo",
    ("github.com/labstack/echo",),
    {
        "route": names(rf"(?:.+\.)?(?:{_CAPITALS}|Any|Match|Add|RouteNotFound)"),
        "handler": names(r"(?:.+\.)?(?:Use|Pre)|WrapHandler"),
    },
)
FIBER: Final = Framework(
    "Fiber",
    ("github.com/gofiber/fiber",),
    {"route": names(rf"(?:.+\.)?(?:{_WORDS}|All|Add|Route)"), "handler": names(r"(?:.+\.)?(?:Use|Mount|Group)")},
)
MUX: Final = Framework(
    "gorilla/mux",
    ("github.com/gorilla/mux",),
    {"route": names(r"(?:.+\.)?(?:Handle|HandleFunc|Handler|HandlerFunc)"), "handler": names(r"(?:.+\.)?(?:Use|MatcherFunc)")},
)
HTTPROUTER: Final = Framework(
    "httprouter",
    ("github.com/julienschmidt/httprouter",),
    {"route": names(rf"(?:.+\.)?(?:{_CAPITALS}|Handle|Handler|HandlerFunc)")},
)
