"""Narrow results to the kinds of symbols that a search is for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from ...schema.symbol_kinds import PASSING_ON
from ..query.query import read_question
from ..query.search_request import SearchRequest
from .ranking import Ranked

Found = TypeVar("Found")


def narrowed(ranked: Sequence[Ranked], request: SearchRequest) -> list[Ranked]:
    """The results of the wanted kinds, in their order. What holds a result competes with it, and may be of another kind."""
    if request.kind == "files":
        return first_of_each(ranked, (result.chunk.relative_path for result in ranked))
    return [result for result in ranked if not request.node_kinds or result.chunk.node_kind in request.node_kinds]


def besides_imports(ranked: Sequence[Ranked], query: str) -> list[Ranked]:
    """The results but for statements that import or pass on, unless the query asks for these or there is nothing else."""
    if read_question(query).asks_for_imports:
        return list(ranked)
    return [result for result in ranked if result.chunk.node_kind not in PASSING_ON] or list(ranked)


def first_of_each(found: Sequence[Found], files: Iterable[str]) -> list[Found]:
    """Of each file the first that was found in it."""
    seen: set[str] = set()
    kept = []
    for each, file in zip(found, files, strict=True):
        if file not in seen:
            seen.add(file)
            kept.append(each)
    return kept
