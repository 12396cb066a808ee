"""Filter search results by kind: `functions`, `classes`, `files` and so on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from ...schema.symbol_kinds import PASSING_ON
from ..query.query import read_query
from ..query.search_request import SearchRequest
from .ranking import Ranked

Found = TypeVar("Found")


def narrowed(ranked: Sequence[Ranked], request: SearchRequest) -> list[Ranked]:
    """Return the results of the requested kinds, in order.

    Candidates include enclosing symbols of other kinds.
    """
    if request.kind == "files":
        return first_of_each(ranked, (result.chunk.relative_path for result in ranked))
    return [result for result in ranked if not request.node_kinds or result.chunk.node_kind in request.node_kinds]


def besides_imports(ranked: Sequence[Ranked], query: str) -> list[Ranked]:
    """Return the results without imports and re-exports, unless the query is about imports or there are no other results."""
    if read_query(query).asks_for_imports:
        return list(ranked)
    return [result for result in ranked if result.chunk.node_kind not in PASSING_ON] or list(ranked)


def first_of_each(found: Sequence[Found], files: Iterable[str]) -> list[Found]:
    """Return the first of the found items in each file; `files` has the path of each item."""
    seen: set[str] = set()
    kept = []
    for each, file in zip(found, files, strict=True):
        if file not in seen:
            seen.add(file)
            kept.append(each)
    return kept
