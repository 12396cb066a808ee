"""The context of a task, in one answer: source from a search, and nodes around its results, each with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....retrieval.text.tokens import count_tokens
from .composition import GraphTools
from .entries import commit_entries, naming_documents, result_entry
from .records import MIN_BUDGET, Entry, GraphAnswer, Page, fitted
from .task_tests import tests_of_task

if TYPE_CHECKING:
    from ....retrieval.answers.answer import RankedResult
    from ...stores.readers import Readers
    from ..scopes.kinds import SymbolScope
    from ..search_results import SearchResults
    from ..workspace import Workspace

#: Maximum share of the budget for the source.
_SOURCE_SHARE = 0.6
#: Lowest score of a result whose source is shown. A task needs more than its best matches, up to the budget.
_LOWEST_SCORE = 0.0
#: Maximum and minimum number of results whose neighbors in the graph are read, and their lowest score relative to the best.
_SEEDS, _FEWEST_SEEDS, _SEED_SCORE = 8, 3, 0.5
#: Maximum number of entries of a section of neighbors.
_AROUND = 30
#: Number of the best results of which those without source in the answer are named.
_RANKED = 40
#: Maximum number of commits in an answer.
_COMMITS = 5


def task_context(
    workspace: Workspace, tools: GraphTools, readers: Readers, task: str, files: Sequence[str], page: Page
) -> GraphAnswer:
    """Return the context of a task within a budget. Later pages continue the sections, without the source.

    Sections do not repeat entries of earlier sections.
    """
    found = workspace.search(task, budget=max(MIN_BUDGET, int(page.budget * _SOURCE_SHARE)), min_score=_LOWEST_SCORE)
    results = [result for result in found if result.id]
    best = _seeds(results)
    seeds = tools.repo.symbols(id__in=[result.id for result in best])
    source = "" if page.offsets else found.text
    changed = [*files, *dict.fromkeys(result.file for result in best)]
    sections = {
        "found": _found(found),
        "alsoFound": tuple(result_entry(result, "matches the task less") for result in workspace.search(task, limit=_RANKED)),
        "givenFiles": _given(tools, files),
        "callers": tools.entries(seeds.callers().limit(_AROUND), reason="calls what was found"),
        "callees": tools.entries(seeds.callees().limit(_AROUND), reason="called by what was found"),
        "types": tools.entries(_types(seeds), reason="type of a parameter, result or field of what was found"),
        "tests": tests_of_task(workspace, readers, task, best, files),
        "documents": tools.entries(naming_documents(seeds).limit(_AROUND), reason="speaks of what was found"),
        "tables": tools.entries(seeds.tables().limit(_AROUND), reason="read or written by what was found"),
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


def _seeds(results: Sequence[RankedResult]) -> Sequence[RankedResult]:
    """Return the best results: those after them would lead to code that has nothing to do with the task."""
    lowest = max((result.score for result in results), default=0.0) * _SEED_SCORE
    count = sum(result.score >= lowest for result in results)
    return results[: min(max(count, _FEWEST_SEEDS), _SEEDS)]


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
