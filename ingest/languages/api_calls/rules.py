"""Tables of frameworks: their router values, and the methods that add routes and mount routers."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from ...facts.api import ANY_METHOD, ImportedName

#: The methods of HTTP in capitals.
HTTP_METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT")


class RouterKind(NamedTuple):
    """A kind of router. A router is a value to which code adds routes."""

    framework: str
    #: Matches the whole origin of the value: `express:Router()`.
    origin: re.Pattern[str]
    is_root: bool = False
    #: Names of the arguments with the prefix of the routes.
    prefixes: tuple[str, ...] = ()
    #: Pattern of the prefix if there is no such argument. The text of the first argument replaces `{}`.
    default_prefix: str = ""
    #: Whether the first argument may be the router around this one: `Api(blueprint)`.
    takes_router: bool = False


class Placed(NamedTuple):
    """The value of an expression: a router, and a path below the router."""

    router: ImportedName
    prefix: str = ""
    framework: str = ""


@dataclass(frozen=True, slots=True)
class RouteRules:
    """The calls and decorators by which the frameworks of a language declare routes."""

    routers: tuple[RouterKind, ...]
    #: The methods of HTTP by the methods of routers.
    verbs: Mapping[str, str]
    #: Methods that add a route and take the methods of HTTP as an argument. Without the argument, the route has all methods.
    generic: Collection[str] = ()
    #: Those of `generic` that take the handler before its paths: `add_resource(Users, "/users", "/people")`.
    handler_first: Collection[str] = ()
    #: The frameworks whose routes have middleware behind the handler: `e.GET("/users", list, checked)`. In the others, the last
    #: function is the handler.
    middleware_last: Collection[str] = ()
    #: Methods that return a router for the paths below a path.
    derived: Collection[str] = ()
    #: Those of `derived` whose route serves all paths below the path: `r.PathPrefix("/files").Handler(files)`.
    prefixes: Collection[str] = ()
    #: Methods and fields that return the router itself, or another router for the same paths.
    same: Collection[str] = ()
    #: Methods that mount another router.
    mounts: Collection[str] = ()
    #: Names of arguments with the path, the methods, the handler and the prefix.
    path_names: tuple[str, ...] = ("path",)
    method_names: tuple[str, ...] = ("methods",)
    handler_names: tuple[str, ...] = ()
    prefix_names: tuple[str, ...] = ("prefix",)
    #: Names of parameters without a type that count as routers if the path and the handler look like a route. Parameters
    #: with other names count if other code passes a router.
    parameters: Collection[str] = ()
    #: Chained methods that set the HTTP methods of a route: `HandleFunc(…).Methods("GET")`.
    method_calls: Collection[str] = ()
    #: Whether a path may begin with the method of HTTP: `"GET /users"`.
    has_methods_in_paths: bool = False


def verbs(names: str, *, any_names: str = "") -> dict[str, str]:
    """Return the methods of HTTP by the names of the methods of routers. Spaces separate the names."""
    return {name: name.upper() for name in names.split()} | dict.fromkeys(any_names.split(), ANY_METHOD)


def origin(pattern: str) -> re.Pattern[str]:
    """Compile the pattern of an origin; spaces in it do not count."""
    return re.compile(pattern, re.VERBOSE)
