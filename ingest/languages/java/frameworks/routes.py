"""Routes of controllers in Spring, Micronaut and JAX-RS, and requests of declarative clients.

Both have a method of HTTP and a path. The path of the type precedes the path of the method.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ....facts.api import UNKNOWN
from ...framework_rules.wiring import FileNodes
from .annotations import Annotation, annotated_with, paths, paths_of, texts, texts_of
from .clients import CLIENT_PATHS, CLIENT_TYPES, EXCHANGES, REQUEST_LINE, RETROFIT_METHODS
from .jakarta import HTTP_METHODS, PATHS
from .micronaut import CONTROLLER, MICRONAUT_METHODS
from .spring import METHODS, REQUEST_MAPPING

_URLS: Final = ("value", "url")
#: Elements of the annotations of clients that contain the name or the address of a service.
_NAMES: Final = ("url", "baseUri", "name", "value", "id")


class RouteMapping(NamedTuple):
    """The requests that an annotation maps to a method."""

    framework: str
    #: Methods of HTTP; empty for all.
    verbs: list[str]
    #: Paths in the annotations of the class and of the method.
    outer: list[str]
    paths: list[str]
    #: Whether a call of the method sends the request.
    is_client: bool = False


def mapping(file: FileNodes, annotation: Annotation) -> RouteMapping | None:
    """Return the requests that an annotation maps to a method; None for other annotations."""
    outer = file.facts.symbols[annotation.symbol].parent
    client = _client(file, outer)
    for name in annotation.qualified:
        found = _served(file, annotation, name, outer) or _sent(file, annotation, name, outer)
        if found is not None:
            if client is None or found.is_client:
                return found
            return found._replace(outer=[joined([*client, *found.outer[:1]])], is_client=True)
    return None


def _served(file: FileNodes, annotation: Annotation, name: str, outer: int) -> RouteMapping | None:
    package, _, verb = name.rpartition(".")
    if name in METHODS:
        verbs = [METHODS[name]] if METHODS[name] else texts(file, annotation, "method")
        own = paths(file, annotation, "value", "path")
        return RouteMapping("Spring", verbs, paths_of(file, outer, (REQUEST_MAPPING,)), own)
    if name in MICRONAUT_METHODS:
        own = paths(file, annotation, "value", "uri", "uris")
        return RouteMapping("Micronaut", [MICRONAUT_METHODS[name]], paths_of(file, outer, (CONTROLLER,)), own)
    if package.endswith("ws.rs") and verb in HTTP_METHODS:
        return RouteMapping("JAX-RS", [verb], paths_of(file, outer, PATHS), paths_of(file, annotation.symbol, PATHS))
    return None


def _sent(file: FileNodes, annotation: Annotation, name: str, outer: int) -> RouteMapping | None:
    if name in EXCHANGES:
        verbs = [EXCHANGES[name]] if EXCHANGES[name] else texts(file, annotation, "method")
        around = paths_of(file, outer, EXCHANGES, *_URLS)
        return RouteMapping("Spring", verbs, around, paths(file, annotation, *_URLS), is_client=True)
    if name in RETROFIT_METHODS:
        return RouteMapping("Retrofit", [RETROFIT_METHODS[name]], [], paths(file, annotation, "value"), is_client=True)
    if name == REQUEST_LINE:
        verb, _, path = next(iter(paths(file, annotation, "value")), "").partition(" ")
        return RouteMapping("Feign", [verb] if verb else [], [], [path], is_client=True)
    return None


def _client(file: FileNodes, symbol: int) -> list[str] | None:
    """Return the paths in the annotation that makes a type a client of HTTP; None for other types."""
    found = annotated_with(file, symbol, CLIENT_TYPES) if symbol >= 0 else None
    return paths(file, found, *CLIENT_PATHS)[:1] if found is not None else None


def client_address(file: FileNodes, symbol: int) -> str | None:
    """Return the address of the service to which a declarative client sends requests: `http://stock`, `{}` if it is not known.

    Return None if the service is in another network.
    """
    named = texts_of(file, symbol, CLIENT_TYPES, *_NAMES)
    urls = [each for each in named if "://" in each]
    if any("." in each.partition("://")[2].partition("/")[0] for each in urls):
        return None
    if urls:
        return urls[0].rstrip("/")
    service = next((each for each in named if each.replace("-", "").replace("_", "").isalnum()), "")
    return f"http://{service}" if service else UNKNOWN


def joined(written: Sequence[str]) -> str:
    """Return paths joined by single slashes, without a slash at the start and the end."""
    return "/".join(part for each in written if (part := each.strip("/")))


def request(found: RouteMapping) -> str:
    """Return the requests of a method in short: `GET /owners/{id}`."""
    return f"{'|'.join(found.verbs or ['ANY'])} /{joined([*found.outer[:1], *found.paths[:1]])}"
