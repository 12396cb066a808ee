"""What a task needs, in one answer: source by a search, and what lies around its results in the graph, each with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....retrieval.text.tokens import count_tokens
from ....schema.process.git import GitFailed
from ..scopes.commits import commits_of_files
from .composition import GraphTools
from .records import MIN_BUDGET, Entry, GraphAnswer, Page, fitted

if TYPE_CHECKING:
    from ..scopes.kinds import SymbolScope
    from ..search_results import SearchResults
    from ..workspace import Workspace

#: Share of the budget that the source takes.
_SOURCE_SHARE = 0.7
#: Results around which the graph is read.
_SEEDS = 8
#: Most entries of each section around them.
_AROUND = 30
#: Most commits of an answer.
_COMMITS = 5


def task_context(workspace: Workspace, tools: GraphTools, task: str, files: Sequence[str], page: Page) -> GraphAnswer:
    """Return the context of a task within a budget. Later pages go on with the sections, without the source.

    What a section lists, a later section does not list again.
    """
    found = workspace.search(task, budget=max(MIN_BUDGET, int(page.budget * _SOURCE_SHARE)))
    results = [result for result in found if result.id]
    seeds = tools.repo.symbols(id__in=[result.id for result in results[:_SEEDS]])
    source = "" if page.offsets else found.text
    sections = {
        "found": _found(found),
        "givenFiles": _given(tools, files),
        "callers": tools.entries(seeds.callers().limit(_AROUND), reason="calls what was found"),
        "callees": tools.entries(seeds.callees().limit(_AROUND), reason="called by what was found"),
        "types": tools.entries(_types(seeds), reason="type of a parameter, result or field of what was found"),
        "tests": tools.entries(seeds.tests(2).limit(_AROUND), reason="uses what was found, over at most 2 calls"),
        "recentChanges": _recent(workspace, [*files, *dict.fromkeys(result.file for result in results[:_SEEDS])]),
    }
    answer = GraphAnswer(
        summary={"results": len(results), "searchTokens": count_tokens(found.text)},
        sections=_without_repeats(sections),
        source=source,
    )
    return fitted(answer, page)


def _found(found: SearchResults) -> tuple[Entry, ...]:
    return tuple(
        Entry(
            result.name or result.file,
            result.kind,
            f"{result.file}:{result.start_line}",
            score=round(result.score, 3),
            reason="matches the task",
        )
        for result in found
    )


def _given(tools: GraphTools, files: Sequence[str]) -> tuple[Entry, ...]:
    if not files:
        return ()
    scope = tools.repo.files(path__in=list(files)).symbols(depth__lte=1).sort("importance", descending=True).limit(_AROUND)
    return tools.entries(scope, with_signature=True, reason="declared in a file of the task")


def _types(seeds: SymbolScope) -> SymbolScope:
    return seeds.types().limit(_AROUND)


def _recent(workspace: Workspace, files: Sequence[str]) -> tuple[Entry, ...]:
    """Return the newest commits that changed some files; none where there is no history."""
    try:
        commits = commits_of_files(workspace, files, _COMMITS)
    except GitFailed:
        return ()
    return tuple(
        Entry(row.title[:120], "commit", row.hash[:12], reason=f"changed these files, {row.date[:10]}") for row in commits
    )


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
