"""The context of a task, in one answer: source from a search, and nodes around its results, each with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....retrieval.text.tokens import count_tokens
from .composition import GraphTools
from .entries import commit_entries, result_entry
from .records import MIN_BUDGET, Entry, GraphAnswer, Page, fitted

if TYPE_CHECKING:
    from ..scopes.kinds import SymbolScope
    from ..search_results import SearchResults
    from ..workspace import Workspace

#: Maximum share of the budget for the source.
_SOURCE_SHARE = 0.7
#: Number of results whose neighbors in the graph are read.
_SEEDS = 8
#: Maximum number of entries of a section of neighbors.
_AROUND = 30
#: Maximum number of commits in an answer.
_COMMITS = 5


def task_context(workspace: Workspace, tools: GraphTools, task: str, files: Sequence[str], page: Page) -> GraphAnswer:
    """Return the context of a task within a budget. Later pages continue the sections, without the source.

    Sections do not repeat entries of earlier sections.
    """
    found = workspace.search(task, budget=max(MIN_BUDGET, int(page.budget * _SOURCE_SHARE)))
    results = [result for result in found if result.id]
    seeds = tools.repo.symbols(id__in=[result.id for result in results[:_SEEDS]])
    source = "" if page.offsets else found.text
    changed = [*files, *dict.fromkeys(result.file for result in results[:_SEEDS])]
    sections = {
        "found": _found(found),
        "givenFiles": _given(tools, files),
        "callers": tools.entries(seeds.callers().limit(_AROUND), reason="calls what was found"),
        "callees": tools.entries(seeds.callees().limit(_AROUND), reason="called by what was found"),
        "types": tools.entries(_types(seeds), reason="type of a parameter, result or field of what was found"),
        "tests": tools.entries(seeds.tests(2).limit(_AROUND), reason="uses what was found, over at most 2 calls"),
        "recentChanges": commit_entries(workspace, changed, _COMMITS, "changed these files"),
    }
    answer = GraphAnswer(
        summary={"results": len(results), "searchTokens": count_tokens(found.text)},
        sections=_without_repeats(sections),
        source=source,
    )
    return fitted(answer, page)


def _found(found: SearchResults) -> tuple[Entry, ...]:
    return tuple(result_entry(result, "matches the task") for result in found)


def _given(tools: GraphTools, files: Sequence[str]) -> tuple[Entry, ...]:
    if not files:
        return ()
    scope = tools.repo.files(path__in=list(files)).symbols(depth__lte=1).sort("importance", descending=True).limit(_AROUND)
    return tools.entries(scope, with_signature=True, reason="declared in a file of the task")


def _types(seeds: SymbolScope) -> SymbolScope:
    return seeds.types().limit(_AROUND)


def _without_repeats(sections: dict[str, tuple[Entry, ...]]) -> dict[str, tuple[Entry, ...]]:
    seen: set[tuple[str, str]] = set()
    kept: dict[str, tuple[Entry, ...]] = {}
    for name, entries in sections.items():
        new = []
        for entry in entries:
            if (key := (entry.name.rpartition(".")[2], entry.at)) not in seen:
                seen.add(key)
                new.append(entry)
        kept[name] = tuple(new)
    return kept
