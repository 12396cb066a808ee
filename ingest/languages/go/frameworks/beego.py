"""Routes of Beego, which name the controller and its methods in texts: https://beego.wiki/docs/mvc/controller/router/."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....facts.api import ANY_METHOD, ApiFacts, ImportedName, Route, Router
from ...api_calls.expressions import CALLS, Expressions
from .services import type_of_value

#: The packages of Beego with routes, in version 1 and 2.
PACKAGES: Final = r"github\.com/(?:astaxie/beego|beego/beego(?:/v2)?(?:/server/web)?)"
_ORIGIN: Final = re.compile(rf"{PACKAGES}:.*")
_FRAMEWORK: Final = "Beego"
#: One part of a text of methods: `get,post:List`.
_MAPPING: Final = re.compile(r"([\w*,\t ]+):[\t ]*(\w+)")
#: Functions that add the routes of a controller, and functions whose arguments are routes below a path.
_ROUTERS: Final = frozenset(("Router", "NSRouter"))
_NAMESPACES: Final = frozenset(("NewNamespace", "NSNamespace"))
#: Methods of controllers without a text of methods.
_VERBS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
#: Maximum depth of namespaces in each other.
_MAX_DEPTH: Final = 20


def find_controllers(at: Expressions, api: ApiFacts) -> None:
    """Add the routes of the controllers that a file registers."""
    if not any(re.match(PACKAGES, each.specifier) for each in at.facts.imports):
        return
    inner: set[int] = set()
    found: list[Route] = []
    for call in reversed(at.method_calls):  # inner calls come before outer ones
        if call.name in _NAMESPACES and call.node not in inner:
            found += _below(at, call.node, "", inner, 0)
    for call in at.method_calls:
        if call.name in _ROUTERS and call.node not in inner:
            found += _routes(at, call.node, "")
    if found:
        api.routes += found
        api.routers.append(Router(_FRAMEWORK, is_root=True))


def _below(at: Expressions, node: int, prefix: str, inner: set[int], depth: int) -> Iterator[Route]:
    """Yield the routes in the arguments of a namespace, and note the calls that add them."""
    arguments = at.items(at.code[node + 2])
    below = f"{prefix}/{(at.text(arguments[0]) if arguments else None) or ''}"
    for each in arguments[1:] if depth < _MAX_DEPTH else ():
        call = at.method_call(each) if at.code[each] in CALLS else None
        if call is None:
            continue
        inner.add(call.node)
        if call.name in _NAMESPACES:
            yield from _below(at, call.node, below, inner, depth + 1)
        elif call.name in _ROUTERS:
            yield from _routes(at, call.node, below)
        elif (verb := call.name.removeprefix("NS").upper()) in (*_VERBS, "ANY"):
            yield from _function(at, call.node, ANY_METHOD if verb == "ANY" else verb, below)


def _function(at: Expressions, node: int, method: str, prefix: str) -> Iterator[Route]:
    """Yield the route of a function in a namespace: `web.NSGet("/ping", ping)`."""
    arguments = at.items(at.code[node + 2])
    path = at.text(arguments[0]) if len(arguments) == 2 else None
    handler = at.handler(arguments[1]) if path is not None else None
    symbol = at.symbol_of(handler, node) if handler is not None else -1
    if handler is not None and symbol >= 0:
        yield Route(method, f"{prefix}/{path}", ImportedName(_FRAMEWORK), handler.name, symbol, at.line(node), _FRAMEWORK)


def _routes(at: Expressions, node: int, prefix: str) -> Iterator[Route]:
    """Yield the routes of one call: `web.Router("/users", &UserController{}, "get:List;post:Add")`."""
    arguments = at.items(at.code[node + 2])
    symbol = at.owner(node)
    path = at.text(arguments[0]) if len(arguments) > 1 else None
    controller = type_of_value(at, arguments[1]) if path is not None else None
    if controller is None or symbol < 0 or not _ORIGIN.fullmatch(at.origin(at.code[node + 1])):
        return
    texts = [text for each in arguments[2:] for text in at.texts(each)]
    pairs = [(verb, found[2]) for text in texts for found in _MAPPING.finditer(text) for verb in found[1].split(",")]
    named = [(verb.strip().upper(), name) for verb, name in pairs] or [(verb, verb.title()) for verb in _VERBS]
    for verb, name in named:
        handler = ImportedName(f"{controller.name}.{name}", controller.module)
        method = ANY_METHOD if verb == "*" else verb
        yield Route(method, f"{prefix}/{path}", ImportedName(_FRAMEWORK), handler, symbol, at.line(node), _FRAMEWORK)
