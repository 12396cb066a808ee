"""Joins requests with the code of the repository that serves them, by `WIRED` edges with the role "request".

A request has at most one handler. If the address before a path is unknown, the request may go to another program. Such a request
has an edge only if at least two segments of its path equal segments of the route.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final, NamedTuple

import msgspec

from ...schema.edges import Wiring
from ...schema.graph_content import GraphContent
from ..facts.api import ANY_METHOD, FIXTURE, TEST_CLASS, ApiFacts, Request, joined_url, method_text
from ..files.path_roles import is_test_path
from .handlers import Handlers
from .route_paths import PARAMETER, REST, has_literal, segments_of
from .routing import PlacedRoute, Routing, Sources, nearest, places_of
from .wrapped_requests import SentRequest, WrappedRequests, completed

#: The address of a service, and the path after the address.
_ADDRESS: Final = re.compile(r"(?:https?|lb|wss?)://(?P<host>[^/:]*)(?::[^/]*)?(?P<path>.*)")
#: Host names of this computer, and names of hosts in a private network, which have no dot or a suffix such as `.internal`.
_LOCAL: Final = re.compile(r"localhost|127(?:\.\d+){3}|0\.0\.0\.0|.+\.(?:local|internal|localhost|svc)|[^.]*")
#: Minimum number of equal segments in a path after an unknown address.
_MIN_EQUAL: Final = 2
#: Framework whose classes often inherit the methods that handle requests from classes of the framework.
_WITH_BASES: Final = "Django"
_BY_NAME: Final = frozenset((FIXTURE, TEST_CLASS))
#: Maximum number of segments of a path that the code of a server computes.
_MAX_COMPUTED: Final = 3


def request_edges(facts: Mapping[str, ApiFacts], sources: Sources) -> dict[str, GraphContent]:
    """Return the edges by the path of the file that sends the requests. `facts` contains only files with facts about APIs."""
    senders = _senders(facts, sources)
    code = {path: facts[path] for path in sorted(facts) if not facts[path].operations and not is_test_path(path)}
    routes = _Routes(Routing(code, sources).placed()) if senders else None
    found: dict[str, GraphContent] = {}
    if routes is None or not routes.root.below:
        return found
    handlers = Handlers(sources)
    for path, requests in senders.items():
        edges = dict.fromkeys(edge for each in requests if (edge := _edge(path, each, routes, handlers, sources)) is not None)
        if edges:
            found[path] = GraphContent(wirings=list(edges))
    return found


def _senders(facts: Mapping[str, ApiFacts], sources: Sources) -> dict[str, list[SentRequest]]:
    """Return the requests of each file: those that its calls send, and those of wrappers that they call."""
    wrapped = WrappedRequests(facts, sources)
    found: dict[str, list[SentRequest]] = {}
    for path, api in facts.items():
        for each in completed(api.requests, path, wrapped):
            of_client = _of_client(path, each, facts, sources)
            if of_client is not None:
                found.setdefault(path, []).append(SentRequest(sources.symbol_id(path, each.symbol), of_client))
    for path, requests in wrapped.requests().items():
        found.setdefault(path, []).extend(requests)
    return found


def _of_client(path: str, request: Request, facts: Mapping[str, ApiFacts], sources: Sources) -> Request | None:
    """Return a request with the base of the client that sends it; None if that is not known to be a client of HTTP."""
    if request.client is None:
        # Outside of tests, a value that only its name makes a test client may be any client, such as one of a cache.
        return request if request.framework not in _BY_NAME or is_test_path(path) else None
    for target, name in places_of(request.client, path, sources):
        base = facts[target].clients.get(name) if target in facts else None
        if base is not None:
            return msgspec.structs.replace(request, url=joined_url(base, request.url), framework="axios", client=None)
    return None


def _edge(path: str, sent: SentRequest, routes: _Routes, handlers: Handlers, sources: Sources) -> Wiring | None:
    """Return the edge of a request to its handler; None if no route or several routes may serve the request."""
    from_id, request = sent
    address = _address(request)
    if address is None:
        return None
    by_id: dict[str, PlacedRoute] = {}
    for placed in _serving(request, address, routes):
        if address.is_inside and PurePosixPath(placed.file).suffix != PurePosixPath(path).suffix:
            continue  # the request goes to another program
        to_id = _handler(placed, request, handlers, sources)
        if to_id is not None:
            by_id.setdefault(to_id, placed)
    to_id = _nearest(by_id, path, address.host)
    if to_id is None or to_id == from_id:
        return None
    text = f"{method_text(request.method)} {request.url}"
    return Wiring(from_id, to_id, request.framework, "request", request.evidence, text, request.line, request.column, False)


def _serving(request: Request, address: _Address, routes: _Routes) -> list[PlacedRoute]:
    """Return the routes that may serve a request, without those of base classes whose methods a viewset overrides."""
    if request.route:
        served = routes.named(request.method, request.route)
    else:
        segments = segments_of(address.path)
        if segments and not has_literal(segments):
            return []
        served = _with_unknown_end(request.method, segments, address.equal, routes)
        served = served or routes.serving(request.method, segments, address.equal)
        served = served or _behind_computed(request.method, segments, routes)
        if not served and address.host:
            # The configuration of a service may put all routes below another segment: `http://auth-service/uaa/users`.
            behind = routes.serving(request.method, segments[1:], address.equal)
            served = [each for each in behind if address.host in each.file.split("/")]
    if any(each.is_of_class for each in served):
        least = min(each.depth for each in served)
        return [each for each in served if each.depth == least]
    return served


def _with_unknown_end(method: str, segments: tuple[str, ...], equal: int, routes: _Routes) -> list[PlacedRoute]:
    """Return the routes that may serve a path with an end that only the running program knows: `/api/files${path}`.

    The end may be a query, or begin with a slash.
    """
    last = segments[-1].removesuffix(PARAMETER) if segments else ""
    if not last or PARAMETER in last or last == segments[-1]:
        return []
    known = (*segments[:-1], last)
    return [*routes.serving(method, known, equal), *routes.serving(method, (*known, PARAMETER), equal)]


def _behind_computed(method: str, segments: tuple[str, ...], routes: _Routes) -> list[PlacedRoute]:
    """Return the routes that serve the end of a path, if the code computes where they begin:
    `app.include_router(users, prefix=settings.API)`.
    """
    for start in range(1, min(len(segments), _MAX_COMPUTED + 1)):
        found = [each for each in routes.serving(method, segments[start:], 1) if each.is_behind_computed]
        if found:
            return found
    return []


def _handler(placed: PlacedRoute, request: Request, handlers: Handlers, sources: Sources) -> str | None:
    """Return the code that serves a request by a route; None if only the code that registers the route is known."""
    method = request.method if request.method != ANY_METHOD else placed.route.method
    found = handlers.handler(placed, method.lower())
    if found is None and placed.route.framework == _WITH_BASES and placed.route.handler is not None:
        found = handlers.declared(placed.file, placed.route.handler)
    is_registration = placed.route.handler is not None and found == sources.symbol_id(placed.file, placed.route.symbol)
    return None if is_registration else found


class _Address(NamedTuple):
    """The path of a request, and the known properties of the service."""

    path: str
    #: Name of the service; "" if the address does not name one.
    host: str
    #: Minimum number of segments that must equal segments of the route.
    equal: int
    #: Whether the program sends the request to itself, as tests do.
    is_inside: bool = False


def _address(request: Request) -> _Address | None:
    """Return the parts of a URL; None for an external service, and for a URL without a known path.

    The name of a route gives a URL of the program itself, whose path is not needed.
    """
    if request.route:
        return _Address("", "", 0, True)
    url = request.url
    found = _ADDRESS.fullmatch(url)
    if found is not None:
        host = found["host"]
        if PARAMETER in host:
            return _Address(found["path"], "", _MIN_EQUAL)
        name = host if host not in ("localhost", "") and not host[0].isdigit() else ""
        return _Address(found["path"], name.partition(".")[0], 1) if _LOCAL.fullmatch(host) else None
    path = url
    while path.startswith(PARAMETER):
        path = path.removeprefix(PARAMETER)
    if not path or ":" in path.partition("/")[0]:
        return None
    if path != url:
        return _Address(path, "", 1, True) if request.is_test else _Address(path, "", _MIN_EQUAL)
    return _Address(path, "", 1) if request.is_of_page else _Address(path, "", 0, True)


def _nearest(by_id: Mapping[str, PlacedRoute], path: str, host: str) -> str | None:
    """Return the only handler, else the only handler in a folder with the service's name, else the nearest handler.

    The nearest handler has the most folders in common with the client. Return None if several handlers are equally near.
    """
    if len(by_id) < 2:
        return next(iter(by_id), None)
    if host:
        near = [to_id for to_id, placed in by_id.items() if host in placed.file.split("/")]
    else:
        near = nearest(by_id, path, lambda to_id: by_id[to_id].file)
    return near[0] if len(near) == 1 else None


class _Node:
    """The routes whose paths have the same first segments."""

    def __init__(self) -> None:
        self.below: dict[str, _Node] = {}
        self.routes: list[PlacedRoute] = []


class _Routes:
    """The routes of a repository by the segments of their paths, and by their names."""

    def __init__(self, placed: Iterator[PlacedRoute]) -> None:
        self.root: _Node = _Node()
        self._by_name: dict[str, list[PlacedRoute]] = {}
        #: The routes by their names without namespaces.
        self._by_last_name: dict[str, list[PlacedRoute]] = {}
        for each in placed:
            if each.name:
                self._by_name.setdefault(each.name, []).append(each)
                self._by_last_name.setdefault(each.name.rpartition(":")[2], []).append(each)
            node = self.root
            for segment in segments_of(each.full_path):
                # A segment with a parameter and other text matches like a parameter.
                name = PARAMETER if PARAMETER in segment and segment != REST else segment
                node = node.below.setdefault(name, _Node())
            node.routes.append(each)
            if each.route.is_prefix:
                node.below.setdefault(REST, _Node()).routes.append(each)

    def serving(self, method: str, segments: tuple[str, ...], equal: int) -> list[PlacedRoute]:
        """Return the routes that serve a request, with at least `equal` segments that equal segments of the request.

        Like routers, this function prefers equal segments to parameters, and routes for one method to routes for all methods.
        """
        for node in self._nodes(self.root, segments, equal):
            found = _of_method(_fitting(node.routes, segments), method)
            if found:
                return found
        return []

    def named(self, method: str, name: str) -> list[PlacedRoute]:
        """Return the routes with a name for a method.

        A program may add or leave out namespaces where the repository does not show it, so the last part of the name is enough
        if all routes with this part have one full name.
        """
        found = self._by_name.get(name)
        if found is None:
            found = self._by_last_name.get(name.rpartition(":")[2], [])
            if len({each.name for each in found}) > 1:
                return []
        return _of_method(found, method)

    def _nodes(self, node: _Node, segments: tuple[str, ...], equal: int) -> Iterator[_Node]:
        """Yield the nodes that match all segments, the most exact first."""
        if not segments:
            if equal <= 0:
                yield node
            return
        first, rest = segments[0], segments[1:]
        is_known = PARAMETER not in first
        if is_known and first in node.below:
            yield from self._nodes(node.below[first], rest, equal - 1)
        if PARAMETER in node.below:
            yield from self._nodes(node.below[PARAMETER], rest, equal)
        if REST in node.below and equal <= 0:
            yield node.below[REST]


def _of_method(routes: list[PlacedRoute], method: str) -> list[PlacedRoute]:
    """Return the routes for a method, else those for all methods."""
    own = [each for each in routes if method in (each.route.method, ANY_METHOD)]
    return own or [each for each in routes if each.route.method == ANY_METHOD]


def _fitting(routes: list[PlacedRoute], segments: tuple[str, ...]) -> list[PlacedRoute]:
    """Return the routes whose segments with a parameter and other text fit: `{}:pause` and `{}:resume` are different segments.

    Routes with the segments of the request go first.
    """
    placed = [(each, segments_of(each.full_path)) for each in routes]
    fitting = [(each, own) for each, own in placed if all(map(_fits, own, segments))]
    return [each for each, own in fitting if own == segments] or [each for each, _ in fitting]


def _fits(own: str, asked: str) -> bool:
    if PARAMETER not in own or own in (PARAMETER, REST):
        return True
    before, _, after = own.partition(PARAMETER)
    return own == asked if PARAMETER in asked else asked.startswith(before) and asked.endswith(after)
