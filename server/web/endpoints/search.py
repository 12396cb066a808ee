"""Searches by a question, a name, a text or a pattern, and explanations of rankings."""

from __future__ import annotations

from typing import Any

import msgspec

from ....retrieval.query.search_request import SearchRequest
from ...api.workspace import Workspace
from .endpoint import Endpoint


class Search(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A search, with the arguments of `Workspace.search` and `Workspace.find`."""

    query: str
    mode: str = "semantic"
    is_regex: bool = False
    case_sensitive: bool = False
    paths: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    kind: str = "all"
    limit: int | None = None
    budget: int | None = None

    @property
    def request(self) -> SearchRequest:
        """The request of the search engine."""
        return SearchRequest(**msgspec.structs.asdict(self))


def _search(workspace: Workspace, search: Search) -> dict[str, Any]:
    request = search.request
    if request.is_semantic:
        return workspace.semantic_search(request).to_json()
    found = workspace.text_search(request)
    return {**found.to_json(), "text": [found.text]}


def _explain(workspace: Workspace, search: Search) -> dict[str, Any]:
    return workspace.explained_ranking(search.request).to_json()


ENDPOINTS = (Endpoint("search", Search, _search), Endpoint("explain", Search, _explain))
