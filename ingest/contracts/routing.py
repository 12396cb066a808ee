"""Joins routers, routes and mounts of all files, and computes the path of each route below the outermost router."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple, Protocol, TypeVar

import msgspec

from ...schema.paths import common_folders
from ..facts.api import ANY_METHOD, EVENT_HANDLER, ApiFacts, ImportedName, Mount, Route
from .folder_packages import FolderPackages
from .route_files import event_route, page_route, route_file
from .route_paths import joined_path
from .wrapped_routes import Function, wrapped_routes

Candidate = TypeVar("Candidate")

#: Maximum depth of nested routers.
_MAX_DEPTH: Final = 16
#: Maximum number of paths of a router.
_MAX_MOUNTS: Final = 32
#: Maximum number of modules inside of each other that a name may begin with.
_MAX_MODULES: Final = 4
#: Maximum number of modules in which a name that modules export from other modules is looked for.
_MAX_FORWARDS: Final = 400
#: Represents the router of a `Mount` in Nest, because a controller may belong to any application of the repository.
_ANYWHERE: Final = "*"
#: Finds the route of a file by the key of its handler in `ApiFacts.methods`; other keys are HTTP methods.
_ROUTE_OF_FILE: Final = {ANY_METHOD: page_route, EVENT_HANDLER: event_route}


class Sources(Protocol):
    """Look-ups in the files of a repository that the linking of APIs needs."""

    def modules(self, specifier: str, path: str) -> list[str]:
        """Return the files to which a specifier in a file may resolve: one file, or the files of a package."""

    def symbol_id(self, path: str, symbol: int) -> str:
        """Return the id of a symbol."""

    def line(self, path: str, symbol: int) -> int:
        """Return the line of a symbol."""

    def name(self, path: str, symbol: int) -> str:
        """Return the qualified name of a symbol."""

    def find(self, path: str, name: str) -> str | None:
        """Return the id of the only declaration with a qualified name in a file."""

    def kind(self, path: str, name: str) -> str:
        """Return the kind of the only declaration with a qualified name in a file; "" if there is none."""

    def forwards(self, path: str, name: str) -> list[tuple[str, str]]:
        """Return the modules from which a file exports a name, "" for the file itself, with the names there."""

    def scripts(self, module: str) -> list[str]:
        """Return the files of JavaScript and TypeScript whose paths end with a path without an ending: `v2/orders`."""

    def text(self, path: str, name: str) -> str:
        """Return the text of the only constant with a qualified name in a file; "" if there is none."""


class RouterKey(NamedTuple):
    """A router of the repository."""

    path: str
    name: str


class PlacedRoute(NamedTuple):
    """A route with its path below the outermost router."""

    file: str
    route: Route
    #: The outermost router, and whether the router is a whole application.
    root: RouterKey
    is_root: bool
    full_path: str
    #: Whether more segments precede the path, which the code computes.
    is_behind_computed: bool = False
    #: The name by which code finds the URL of the route, with its namespaces: `shop:order-list`; "" if it has none.
    name: str = ""
    #: Whether the route is one of a class, so that routes of derived classes, which have fewer routers around them, replace it.
    is_of_class: bool = False
    #: Number of routers around the router of the route.
    depth: int = 0


class _Place(NamedTuple):
    """A path of a router."""

    root: RouterKey
    prefix: str
    #: Whether the code computes a part of the path.
    is_computed: bool
    #: The namespaces of the routes, the outermost first, and the beginning of their names.
    namespaces: tuple[str, ...]
    basename: str
    #: Number of routers around the router.
    depth: int

    def name_of(self, route: Route) -> str:
        """Return the name of a route with its namespaces; "" if it has no name."""
        own = f"{self.basename}-{route.name}" if self.basename and route.name else route.name
        return ":".join((*self.namespaces, own)) if own else ""


class Routing:
    """The routes of a repository."""

    def __init__(self, facts: Mapping[str, ApiFacts], sources: Sources) -> None:
        self._facts = facts
        self._sources = sources
        self._routers = {RouterKey(path, router.name): router for path, api in facts.items() for router in api.routers}
        self._packages = FolderPackages(facts)
        #: The mounts of each mounted router, with the mounting routers.
        self._mounted: dict[RouterKey, list[tuple[RouterKey, Mount]]] = {}
        for path, api in facts.items():
            for mount in api.mounts:
                inner = self._key(path, mount.inner, is_mounted=True)
                outer = self._key(path, mount.outer)
                if inner is not None and outer is not None and inner != outer:
                    self._mounted.setdefault(inner, []).append((outer, mount))

    def placed(self) -> Iterator[PlacedRoute]:
        """Yield the routes of known routers, once for each of their paths, and the routes that the paths of files define."""
        for path, api in self._facts.items():
            yield from self._of_file(path, api)
            for route in api.routes:
                yield from self._of_route(path, route, path)
        for each in wrapped_routes(self._facts, self._functions):
            yield from self._of_route(each.file, each.route, each.router_file)

    def _of_route(self, path: str, route: Route, router_file: str) -> Iterator[PlacedRoute]:
        """Yield the places of a route. `router_file` is the file in which the name of the router is written."""
        key = self._key(router_file, route.router)
        stated = _with_constant(path, route, self._sources) if key is not None else None
        if stated is None:
            return
        route = stated
        for place in self._places(key) if key is not None else ():
            yield PlacedRoute(
                path,
                route,
                place.root,
                self._routers[place.root].is_root,
                joined_path(place.prefix, route.path),
                is_behind_computed=place.is_computed,
                name=place.name_of(route),
                is_of_class=self._routers[key].is_part if key is not None else False,
                depth=place.depth,
            )

    def _of_file(self, path: str, api: ApiFacts) -> Iterator[PlacedRoute]:
        for method, symbol in api.methods.items():
            find = _ROUTE_OF_FILE.get(method, route_file)
            found = find(path)
            if found is None:
                continue
            root = RouterKey(found.root, found.framework)
            line = self._sources.line(path, symbol)
            verb = ANY_METHOD if method == EVENT_HANDLER else method
            route = Route(found.method or verb, found.url, ImportedName(found.framework), None, symbol, line, found.framework)
            yield PlacedRoute(path, route, root, True, found.url)

    def _places(self, key: RouterKey) -> list[_Place]:
        """Return the places of a router below the outermost routers around it."""
        found: list[_Place] = []
        pending = [(_Place(key, "", False, (), "", 0), frozenset((key,)))]
        while pending and len(found) < _MAX_MOUNTS:
            place, seen = pending.pop()
            router = self._routers[place.root]
            place = place._replace(prefix=joined_path(router.prefix, place.prefix), basename=router.basename or place.basename)
            outers = [each for each in self._mounted.get(place.root, ())[:_MAX_MOUNTS] if each[0] not in seen]
            if outers and len(seen) <= _MAX_DEPTH:
                pending += ((_mounted(place, outer, mount, router.namespace), seen | {outer}) for outer, mount in outers)
            elif not router.is_part:
                found.append(place._replace(namespaces=_within(router.namespace, place.namespaces)))
        return found

    def _key(self, path: str, name: ImportedName, *, is_mounted: bool = False) -> RouterKey | None:
        """Return the router to which a name in a file resolves; None if the name denotes no router."""
        if name.module == _ANYWHERE:
            return self._nearest_application(path, name.name)
        for found in self._functions(path, name):
            names = (found.name, f"{found.name}(0)") if is_mounted else (found.name,)
            for each in names:
                key = RouterKey(found.path, each)
                if key in self._routers:
                    return key
        return None

    def _functions(self, path: str, name: ImportedName) -> Iterator[Function]:
        """Yield the routers and functions to which a name in a file may resolve."""
        targets = places_of(name, path, self._sources) if name.module else ((path, name.name),)
        for target, wanted in targets:
            for file in self._package_of(target):
                api = self._facts.get(file)
                if api is not None:
                    exported = self._exported(api, wanted) if name.module else wanted
                    yield Function(file, exported)
                    maker, dot, member = exported.rpartition(".")
                    if dot and maker in api.made:
                        yield Function(file, f"{api.made[maker]}.{member}")

    def _package_of(self, path: str) -> list[str]:
        """Return the files that share the names of a file: for most languages, only the file itself."""
        return [path, *(each for each in self._packages.around(path) if each != path)]

    def _exported(self, api: ApiFacts, name: str) -> str:
        """Return the local name that a file exports under a name, perhaps with a member behind it."""
        bare, bracket, place = name.partition("(")
        first, dot, member = bare.partition(".")
        if first in api.exports:
            return f"{api.exports[first]}{dot}{member}{bracket}{place}"
        if first in ("", "default"):
            own = api.exports.get("default") or api.exports.get("=")
            return f"{own}{dot}{member}{bracket}{place}" if own else name
        return name

    def _nearest_application(self, path: str, name: str) -> RouterKey | None:
        """Return the application with a name whose path has the most folders in common with a file."""
        found = [key for key in self._routers if key.name == name]
        return max(found, key=lambda key: common_folders(key.path, path), default=None)


def _with_constant(path: str, route: Route, sources: Sources) -> Route | None:
    """Return a route in a file with its whole path, the end of which may be a constant; None if the text is not known."""
    if route.constant is None:
        return route
    text = text_of(route.constant, path, sources)
    method, _, end = text.rpartition(" ")
    return msgspec.structs.replace(route, method=method or route.method, path=f"{route.path}{end}") if end[:1] == "/" else None


def _mounted(place: _Place, outer: RouterKey, mount: Mount, namespace: str) -> _Place:
    """Return a place below the router that mounts the outermost router of the place, whose own namespace is `namespace`."""
    return _Place(
        outer,
        joined_path(mount.prefix, place.prefix),
        place.is_computed or mount.is_computed,
        _within(mount.namespace or namespace, place.namespaces),
        mount.basename or place.basename,
        place.depth + 1,
    )


def _within(namespace: str, inner: tuple[str, ...]) -> tuple[str, ...]:
    return (namespace, *inner) if namespace else inner


def text_of(name: ImportedName, path: str, sources: Sources) -> str:
    """Return the text of the constant to which a name in a file resolves; "" if it is unknown."""
    if not name.module:
        return sources.text(path, name.name)
    found = (sources.text(target, own) for target, own in places_of(name, path, sources) if own)
    return next(filter(None, found), "")


def places_of(name: ImportedName, path: str, sources: Sources) -> Iterator[tuple[str, str]]:
    """Yield the files to which an import may resolve, each with the name in the file; "" for the module itself."""
    for target in sources.modules(name.module, path):
        yield from _forwarded_places(target, name.name, sources)
    module, rest = name.module, name.name
    for _ in range(_MAX_MODULES):
        first, _, rest = rest.partition(".")
        if not first:
            return
        # `from . import users` may import the module `users` beside the file, and `shop.orders.urls` be a module of a package.
        module = f"{module}{'' if module.endswith('.') else '.'}{first}"
        yield from ((target, rest) for target in sources.modules(module, path))


def _forwarded_places(path: str, name: str, sources: Sources) -> Iterator[tuple[str, str]]:
    """Yield a name in a file, and its names in the files from which the file exports it, the nearest first."""
    waiting = deque([(path, name)])
    seen = {(path, name)}
    while waiting:
        file, wanted = waiting.popleft()
        yield file, wanted
        first, dot, rest = wanted.partition(".")
        for module, local in sources.forwards(file, first) if len(seen) <= _MAX_FORWARDS else ():
            behind = f"{local}{dot}{rest}" if local not in ("", "*") else rest
            places = {(target, behind) for target in (sources.modules(module, file) if module else [file])} - seen
            seen |= places
            waiting += sorted(places)


def nearest(candidates: Iterable[Candidate], path: str, file_of: Callable[[Candidate], str]) -> list[Candidate]:
    """Return the candidates whose files have the most folders in common with a file; all of them if they are equally near."""
    shared = [(common_folders(file_of(each), path), each) for each in candidates]
    most = max((count for count, _ in shared), default=0)
    return [each for count, each in shared if count == most]
