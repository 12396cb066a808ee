"""Joins routers, routes and mounts of all files, and computes the path of each route below the outermost router."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple, Protocol, TypeVar

from ...schema.paths import common_start
from ..facts.api import ANY_METHOD, EVENT_HANDLER, ApiFacts, ImportedName, Route
from .folder_packages import FolderPackages
from .route_files import event_route, page_route, route_file
from .route_paths import joined_path
from .wrapped_routes import Function, wrapped_routes

Candidate = TypeVar("Candidate")

#: Maximum depth of nested routers.
_MAX_DEPTH: Final = 16
#: Maximum number of paths of a router.
_MAX_MOUNTS: Final = 32
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


class Routing:
    """The routes of a repository."""

    def __init__(self, facts: Mapping[str, ApiFacts], sources: Sources) -> None:
        self._facts = facts
        self._sources = sources
        self._routers = {RouterKey(path, router.name): router for path, api in facts.items() for router in api.routers}
        self._packages = FolderPackages(facts)
        #: The prefixes and the mounting routers of each mounted router.
        self._mounted: dict[RouterKey, list[tuple[RouterKey, str, bool]]] = {}
        for path, api in facts.items():
            for mount in api.mounts:
                inner = self._key(path, mount.inner, is_mounted=True)
                outer = self._key(path, mount.outer)
                if inner is not None and outer is not None and inner != outer:
                    self._mounted.setdefault(inner, []).append((outer, mount.prefix, mount.is_computed))

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
        for root, prefix, is_computed in self._places(key) if key is not None else ():
            full = joined_path(prefix, route.path)
            yield PlacedRoute(path, route, root, self._routers[root].is_root, full, is_computed)

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

    def _places(self, key: RouterKey) -> list[tuple[RouterKey, str, bool]]:
        """Return the outermost routers around a router, each with the path to the router, and whether the code computes a part
        of the path.
        """
        found: list[tuple[RouterKey, str, bool]] = []
        pending = [(key, "", False, frozenset((key,)))]
        while pending and len(found) < _MAX_MOUNTS:
            current, below, is_computed, seen = pending.pop()
            prefix = joined_path(self._routers[current].prefix, below)
            outers = [each for each in self._mounted.get(current, ())[:_MAX_MOUNTS] if each[0] not in seen]
            if not outers or len(seen) > _MAX_DEPTH:
                found.append((current, prefix, is_computed))
            else:
                pending += (
                    (outer, joined_path(mount, prefix), is_computed or computes, seen | {outer})
                    for outer, mount, computes in outers
                )
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


def places_of(name: ImportedName, path: str, sources: Sources) -> Iterator[tuple[str, str]]:
    """Yield the files to which an import may resolve, each with the name in the file; "" for the module itself."""
    yield from ((target, name.name) for target in sources.modules(name.module, path))
    first, _, rest = name.name.partition(".")
    if first:
        # `from . import users` may import the module `users` beside the file.
        separator = "" if name.module.endswith(".") else "."
        yield from ((target, rest) for target in sources.modules(f"{name.module}{separator}{first}", path))


def common_folders(one: str, other: str) -> int:
    """Return the number of common folders of two paths, counted from the root."""
    return common_start(one.split("/")[:-1], other.split("/")[:-1])


def nearest(candidates: Iterable[Candidate], path: str, file_of: Callable[[Candidate], str]) -> list[Candidate]:
    """Return the candidates whose files have the most folders in common with a file; all of them if they are equally near."""
    shared = [(common_folders(file_of(each), path), each) for each in candidates]
    most = max((count for count, _ in shared), default=0)
    return [each for count, each in shared if count == most]
