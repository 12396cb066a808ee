"""Routes that code adds through functions of the repository: each call of a wrapper of a registration is a route."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

import msgspec

from ..facts.api import ANY_METHOD, DECORATED, ApiFacts, Argument, ImportedName, PassedRoute, Route

#: Maximum number of wrappers around wrappers.
_MAX_DEPTH: Final = 6
#: Maximum number of registrations in one wrapper, such as one for each HTTP method.
_MAX_REGISTRATIONS: Final = 12
_METHODS: Final = frozenset(("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT"))


class Function(NamedTuple):
    """A function of the repository by its local name: `Server.addRoute`."""

    path: str
    name: str


class WrappedRoute(NamedTuple):
    """A route that a call of a wrapper adds."""

    file: str
    route: Route
    #: The file with the name of the router.
    router_file: str


class _Placed(NamedTuple):
    """An argument, and the file in which its names are written."""

    file: str
    argument: Argument


class _Registration(NamedTuple):
    """The registration of a route by a function, of which some parts are parameters of the function."""

    method: _Placed
    path: _Placed
    handler: _Placed
    router: _Placed
    parameters: tuple[str, ...]
    framework: str

    @property
    def is_complete(self) -> bool:
        parts = (self.path.argument, self.handler.argument, self.router.argument)
        return all(each.parameter == -1 for each in parts)


#: Returns the functions to which a name in a file may resolve, the likeliest first.
Resolve = Callable[[str, ImportedName], Iterable[Function]]


def wrapped_routes(facts: Mapping[str, ApiFacts], resolve: Resolve) -> Iterator[WrappedRoute]:
    """Yield the routes that calls of wrappers add. `resolve` finds the called functions."""
    wrappers: dict[Function, list[_Registration]] = {}
    calls: list[tuple[str, PassedRoute]] = []
    for path, api in facts.items():
        for each in api.passed:
            if each.callee is None:
                wrappers.setdefault(Function(path, each.function), []).append(_registered(path, each))
            else:
                calls.append((path, each))
    pending = dict(wrappers)
    for _ in range(_MAX_DEPTH):
        found: dict[Function, list[_Registration]] = {}
        for path, call in calls if pending else ():
            wrapper = next((each for each in resolve(path, call.callee) if each in wrappers), None) if call.callee else None
            for registration in pending.get(wrapper, ())[:_MAX_REGISTRATIONS] if wrapper is not None else ():
                made = _called(registration, path, call)
                if made is None:
                    continue
                made = _below_parameter(made, path, call)
                if made.is_complete:
                    route = _route(made, path, call)
                    if route is not None:
                        yield route
                elif call.function and Function(path, call.function) != wrapper:
                    found.setdefault(Function(path, call.function), []).append(made)
        pending = {function: made for function, made in found.items() if function not in wrappers}
        wrappers |= pending


def _registered(path: str, call: PassedRoute) -> _Registration:
    method, route, handler, router = (_Placed(path, each) for each in call.arguments)
    return _Registration(method, route, handler, router, tuple(call.parameters), call.framework)


def _called(registration: _Registration, path: str, call: PassedRoute) -> _Registration | None:
    """Return a registration with the arguments of a call in place of parameters; None if the call lacks one of them."""
    parts = [
        _filled(each, registration.parameters, path, call)
        for each in (registration.method, registration.path, registration.handler, registration.router)
    ]
    if any(each is None for each in parts):
        return None
    method, route, handler, router = (each for each in parts if each is not None)
    return _Registration(method, route, handler, router, tuple(call.parameters), registration.framework)


def _below_parameter(made: _Registration, path: str, call: PassedRoute) -> _Registration:
    """Return a registration of which only the router is a parameter with this parameter as the router, which calls mount."""
    router = made.router.argument
    if router.parameter < 0 or made.path.argument.parameter != -1 or made.handler.argument.parameter != -1:
        return made
    name = ImportedName(f"{call.function}({router.parameter})")
    return made._replace(router=_Placed(path, Argument(text=router.text, router=name)))


def _filled(part: _Placed, parameters: tuple[str, ...], path: str, call: PassedRoute) -> _Placed | None:
    own = part.argument
    if own.parameter == DECORATED:
        if call.decorated >= 0:
            return _Placed(path, Argument(symbol=call.decorated))
        return part if call.is_returned else None
    if own.parameter < 0:
        return part
    name = parameters[own.parameter] if own.parameter < len(parameters) else ""
    given = next((each for each in call.arguments if name and each.keyword == name), None)
    if given is None:
        positional = [each for each in call.arguments if not each.keyword][own.parameter :]
        if own.parameter + 1 == len(parameters):  # the last parameter may take several arguments
            positional = [each for each in positional if each.symbol >= 0 or each.parameter >= 0][-1:] or positional
        given = positional[0] if positional else None
    if given is None:
        return None
    text = f"{own.text or ''}{given.text or ''}" if own.text or given.text is not None else None
    return _Placed(path, msgspec.structs.replace(given, text=text))


def _route(made: _Registration, path: str, call: PassedRoute) -> WrappedRoute | None:
    """Return the route of a complete registration; None if its parts are not of the right kinds."""
    handler, router, text = made.handler.argument, made.router.argument, made.path.argument.text
    method = (made.method.argument.text or "").upper()
    first, _, behind = (text or "").partition(" ")
    if behind and first in _METHODS:  # `r.Handle("GET /users", list)`
        method, text = first, behind.strip()
    if text is None or router.router is None or handler.symbol < 0 or made.handler.file != path:
        return None
    if method not in _METHODS and method not in (ANY_METHOD, "ALL", "ANY"):
        return None
    method = method if method in _METHODS else ANY_METHOD
    below = f"{router.text or ''}/{text}"
    route = Route(method, below, router.router, handler.handler, handler.symbol, call.line, made.framework)
    return WrappedRoute(path, route, made.router.file)
