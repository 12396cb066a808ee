"""Servers and routers in Go: net/http, Gin, Echo, chi, Fiber, gorilla/mux, httprouter, Beego."""

from __future__ import annotations

from typing import Final

from ...api_calls.rules import HTTP_METHODS, RouterKind, RouteRules, origin, verbs
from .beego import PACKAGES

_VERSION: Final = r"(?:[/.]v\d+)?"
_WORDS: Final = tuple(name.title() for name in HTTP_METHODS)

ROUTES: Final = RouteRules(
    routers=(
        RouterKind("Gin", origin(rf"github\.com/gin-gonic/gin{_VERSION}:(?:New|Default|Engine)\(\)"), True),
        RouterKind("Gin", origin(rf"github\.com/gin-gonic/gin{_VERSION}:(?:RouterGroup|IRouter|IRoutes)\(\)")),
        RouterKind("Echo", origin(rf"github\.com/labstack/echo{_VERSION}:(?:New|Echo)\(\)"), True),
        RouterKind("Echo", origin(rf"github\.com/labstack/echo{_VERSION}:Group\(\)|[^:]*:EchoRouter\(\)")),
        RouterKind("chi", origin(rf"github\.com/go-chi/chi{_VERSION}:(?:NewRouter|NewMux|Mux|Router)\(\)")),
        RouterKind("Fiber", origin(rf"github\.com/gofiber/fiber{_VERSION}:(?:New|App)\(\)"), True),
        RouterKind("Fiber", origin(rf"github\.com/gofiber/fiber{_VERSION}:(?:Router|Group)\(\)")),
        RouterKind("gorilla/mux", origin(rf"github\.com/gorilla/mux{_VERSION}:(?:NewRouter|Router)\(\)")),
        RouterKind("httprouter", origin(rf"github\.com/julienschmidt/httprouter{_VERSION}:(?:New|Router)\(\)"), True),
        RouterKind("Beego", origin(rf"{PACKAGES}:(?:NewControllerRegister\(\)|NewHttpSever\(\)|BeeApp)?"), True),
        RouterKind("net/http", origin(r"net/http:(?:NewServeMux|ServeMux)\(\)|net/http:|net/http:DefaultServeMux"), True),
    ),
    verbs=verbs(" ".join(HTTP_METHODS), any_names="Any All") | {name: name.upper() for name in _WORDS},
    generic=("Handle", "HandleFunc", "Handler", "HandlerFunc", "Method", "MethodFunc", "Add", "Match"),
    middleware_last=("Echo",),
    derived=("Group", "Route", "PathPrefix", "Path"),
    prefixes=("PathPrefix",),
    same=("RouterGroup", "Subrouter", "With", "Name", "StrictSlash", "Methods", "Use"),
    mounts=("Mount",),
    method_calls=("Methods",),
    has_methods_in_paths=True,
)
