"""The declarations that handle routes."""

from __future__ import annotations

from typing import Final

from ..facts.api import ImportedName
from .openapi import METHODS
from .routing import PlacedRoute, Sources, places_of

_CONSTANT: Final = "const"


class Handlers:
    """Finds the handlers of routes in the files of a repository."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    def handler(self, placed: PlacedRoute, method: str) -> str | None:
        """Return the id of the handler of an HTTP method in lower case, or None.

        A class handles an HTTP method if it has a method with this name.
        """
        route = placed.route
        own = self._sources.symbol_id(placed.file, route.symbol)
        name = route.handler or ImportedName(self._sources.name(placed.file, route.symbol))
        found = own if route.handler is None else self.declared(placed.file, route.handler)
        if route.maker is not None and self._is_constant(placed.file, name):
            name, found = route.maker, self.declared(placed.file, route.maker)
        if found is not None:
            inner = {each: self.declared(placed.file, ImportedName(f"{name.name}.{each}", name.module)) for each in METHODS}
            return inner.get(method) if any(inner.values()) else found
        return own  # of a route without a known handler, only the code that registers it is known

    def declared(self, path: str, name: ImportedName) -> str | None:
        """Return the id of the declaration to which a name in a file resolves; None if it is unknown."""
        if not name.module:
            return self._sources.find(path, name.name)
        for target, own in places_of(name, path, self._sources):
            found = self._sources.find(target, own) if own else None
            if found is not None:
                return found
        return None

    def _is_constant(self, path: str, name: ImportedName) -> bool:
        """Return whether a name in a file resolves to a constant."""
        if not name.module:
            return self._sources.kind(path, name.name) == _CONSTANT
        places = places_of(name, path, self._sources)
        return any(own and self._sources.kind(target, own) == _CONSTANT for target, own in places)
