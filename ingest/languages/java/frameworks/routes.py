"""Routes of Spring's controllers and of JAX-RS: the HTTP method, and the path of the class before the path of the method."""

from __future__ import annotations

from typing import NamedTuple

from ...wiring import FileNodes
from .annotations import Annotation, texts, texts_of
from .jakarta import HTTP_METHODS, PATHS
from .spring import METHODS, REQUEST_MAPPING


class RouteMapping(NamedTuple):
    """The requests that an annotation maps to a method."""

    framework: str
    #: Methods of HTTP; empty for all.
    verbs: list[str]
    #: Paths in the annotations of the class and of the method.
    outer: list[str]
    paths: list[str]


def mapping(file: FileNodes, annotation: Annotation) -> RouteMapping | None:
    """Return the requests that an annotation maps to a method; None for an annotation of neither Spring nor JAX-RS."""
    outer = file.facts.symbols[annotation.symbol].parent
    for name in annotation.qualified:
        if name in METHODS:
            verbs = [METHODS[name]] if METHODS[name] else texts(file, annotation, "method")
            paths = texts(file, annotation, "value", "path")
            return RouteMapping("Spring", verbs, texts_of(file, outer, (REQUEST_MAPPING,)), paths)
        package, _, verb = name.rpartition(".")
        if package.endswith("ws.rs") and verb in HTTP_METHODS:
            return RouteMapping("JAX-RS", [verb], texts_of(file, outer, PATHS), texts_of(file, annotation.symbol, PATHS))
    return None


def route(file: FileNodes, annotation: Annotation) -> str:
    """Return a route as `GET /owners/{id}`; "" for an annotation of neither Spring nor JAX-RS."""
    found = mapping(file, annotation)
    if found is None:
        return ""
    written = (paths[0].strip("/") for paths in (found.outer, found.paths) if paths)
    path = "/".join(part for part in written if part)
    return f"{'|'.join(found.verbs or ['ANY'])} /{path}"
