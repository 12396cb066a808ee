"""Routes of Spring's controllers and of JAX-RS: the method of HTTP, and the path of the class in front of that of the method."""

from __future__ import annotations

from ...wiring import WiredFile
from .annotations import Annotation, annotated_with, texts
from .jakarta import HTTP_METHODS, PATHS
from .spring import METHODS, REQUEST_MAPPING


def route(file: WiredFile, annotation: Annotation) -> str:
    """Return a route as `GET /owners/{id}`; "" for an annotation that is none of Spring or JAX-RS."""
    outer = file.facts.symbols[annotation.symbol].parent
    for name in annotation.qualified:
        if name in METHODS:
            verbs = [METHODS[name]] if METHODS[name] else texts(file, annotation, "method") or ["ANY"]
            return _joined(verbs, _spring_path(file, outer), _first(texts(file, annotation, "value", "path")))
        package, _, verb = name.rpartition(".")
        if package.endswith("ws.rs") and verb in HTTP_METHODS:
            return _joined([verb], _path(file, outer), _path(file, annotation.symbol))
    return ""


def _spring_path(file: WiredFile, symbol: int) -> str:
    found = annotated_with(file, symbol, (REQUEST_MAPPING,)) if symbol >= 0 else None
    return _first(texts(file, found, "value", "path")) if found is not None else ""


def _path(file: WiredFile, symbol: int) -> str:
    found = annotated_with(file, symbol, PATHS) if symbol >= 0 else None
    return _first(texts(file, found, "value")) if found is not None else ""


def _first(paths: list[str]) -> str:
    return paths[0] if paths else ""


def _joined(verbs: list[str], outer: str, inner: str) -> str:
    path = "/".join(part for part in (outer.strip("/"), inner.strip("/")) if part)
    return f"{'|'.join(verbs)} /{path}"
