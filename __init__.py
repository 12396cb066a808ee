"""Astrolabe: code intelligence that coding agents and people trust.

    import astrolabe

    ws = astrolabe.open(".")
    ws.search("where are tokens validated")
    ws.symbol("TokenService > validateToken")
    ws.cypher("MATCH (a:Symbol)-[:CALLS]->(b:Symbol) RETURN a.name, b.name").to_pandas()

Names are loaded when they are first used, so that `import astrolabe` takes little time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .schema.version import __version__

if TYPE_CHECKING:
    from .schema.errors import AstrolabeError
    from .schema.settings import Settings
    from .server.api.requests.query_rows import QueryRows
    from .server.api.requests.search_results import SearchResults
    from .server.api.workspace import Workspace
    from .server.api.workspace import open_workspace as open
    from .server.indexing.index_status import Status

__all__ = ["AstrolabeError", "QueryRows", "SearchResults", "Settings", "Status", "Workspace", "__version__", "open"]

#: Module, and name in the module, of each public name. `%load_ext astrolabe` in a notebook needs the last name.
_HOMES = {
    "AstrolabeError": (".schema.errors", "AstrolabeError"),
    "QueryRows": (".server.api.requests.query_rows", "QueryRows"),
    "SearchResults": (".server.api.requests.search_results", "SearchResults"),
    "Settings": (".schema.settings", "Settings"),
    "Status": (".server.indexing.index_status", "Status"),
    "Workspace": (".server.api.workspace", "Workspace"),
    "load_ipython_extension": (".server.notebook.extension", "load_ipython_extension"),
    "open": (".server.api.workspace", "open_workspace"),
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module, attribute = _HOMES[name]
    value = getattr(import_module(module, __name__), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
