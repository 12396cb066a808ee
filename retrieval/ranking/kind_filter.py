"""Kinds of symbols that a search may be narrowed to, by what they are asked for as."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from ...schema.errors import UsageError
from ...schema.symbol_kinds import PASSING_ON
from ..query.query import read_question
from .ranking import Ranked

#: Kinds of symbols by name; "files" are no kind of symbol: of each file the first result counts.
SEARCH_KINDS: dict[str, tuple[str, ...]] = {
    "all": (),
    "functions": ("function", "component", "method", "constructor", "getter", "setter"),
    "classes": ("class", "extension"),
    "interfaces": ("interface",),
    "types": ("type", "interface", "enum"),
    "constants": ("const", "variable", "enumMember"),
    "files": (),
}

Found = TypeVar("Found")


def kinds_named(name: str) -> tuple[str, ...]:
    """The kinds that a name stands for; none for all of them. Raises UsageError."""
    if name not in SEARCH_KINDS:
        raise UsageError(f'There is no kind "{name}"; it is one of {", ".join(SEARCH_KINDS)}.')
    return SEARCH_KINDS[name]


def narrowed(ranked: Sequence[Ranked], kind: str) -> list[Ranked]:
    """The results of a kind, in their order. What holds a result competes with it, and may be of another kind."""
    kinds = kinds_named(kind)
    if kind == "files":
        return first_of_each(ranked, (result.chunk.relative_path for result in ranked))
    return [result for result in ranked if not kinds or result.chunk.node_kind in kinds]


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
