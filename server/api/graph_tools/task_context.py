"""The context of a task: source from a search, and nodes around the results, with reasons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ....retrieval.query.search_request import SearchRequest
from ....retrieval.text.tokens import count_tokens
from .composition import GraphTools
from .entries import commit_entries, naming_documents, result_entry
from .records import MIN_BUDGET, Entry, GraphAnswer, Page, fitted
from .task_outlines import declared_in, task_outlines
from .task_tests import tests_of_task

if TYPE_CHECKING:
    from ....retrieval.answers.answer import RankedResult, SearchAnswer
    from ...stores.readers import Readers
    from ..requests.answering_index import AnsweringIndex

#: Maximum share of the budget for the source.
_SOURCE_SHARE = 0.55
#: Lowest score of a result whose source is shown. A task needs more results than a question.
_LOWEST_SCORE = 0.0
#: Maximum number of results whose neighbors in the graph are read.
_SEEDS = 8
#: Minimum number of results whose neighbors in the graph are read.
_MIN_SEEDS = 3
#: Lowest score of such a result, as a share of the best score.
_SEED_SCORE = 0.5
#: Maximum number of entries in a section of neighbors.
_AROUND = 30
#: Maximum number of commits in an answer.
_COMMITS = 5
#: Numbers of entries of sections in a round, if more than one.
_SHARES: Final = {"found": 50, "givenFiles": 2, "outlines": 3, "tests": 2}
#: Reasons for the entries of sections whose entries have a common reason.
_REASONS: Final = {
    "found": "matches the task; its source is shown",
    "givenFiles": "declared in a file of the task",
    "outlines": "matches the task less, or is declared beside a match",
    "callers": "calls what was found",
    "callees": "called by what was found",
    "types": "type of a parameter, result or field of what was found",
    "documents": "speaks of what was found",
    "tables": "read or written by what was found",
}


def task_context(
    workspace: AnsweringIndex, tools: GraphTools, readers: Readers, task: str, files: Sequence[str], page: Page
) -> GraphAnswer:
    """Return the context of a task within a budget. Later pages continue the sections, without the source.

    Sections do not repeat entries of earlier sections.
    """
    request = SearchRequest(
        task.replace(f"{workspace.root}/", ""),
        budget=max(MIN_BUDGET, int(page.budget * _SOURCE_SHARE)),
        min_score=_LOWEST_SCORE,
    )
    found, ranked = readers.engine.search_and_rank(request)
    results = [result for result in found.results if result.id]
    best = _seeds(results)
    seeds = tools.repo.symbols(id__in=[result.id for result in best])
    changed = [*files, *dict.fromkeys(result.file for result in best)]
    sections = {
        "found": tuple(result_entry(result) for result in found.results),
        "givenFiles": declared_in(readers.graph, files),
        "outlines": task_outlines(readers.graph, ranked, {result.id for result in results}, files),
        "tests": tests_of_task(workspace, readers, ranked, best, files),
        "callers": tools.entries(seeds.callers().limit(_AROUND), with_signature=True),
        "callees": tools.entries(seeds.callees().limit(_AROUND), with_signature=True),
        "types": tools.entries(seeds.types().limit(_AROUND), with_signature=True),
        "documents": tools.entries(naming_documents(seeds).limit(_AROUND)),
        "tables": tools.entries(seeds.tables().limit(_AROUND)),
        "recentChanges": commit_entries(workspace, changed, _COMMITS, "changed these files"),
    }
    sections = _without_repeats(sections)
    source = _source(found)
    answer = GraphAnswer(
        summary={"results": len(results), "sourceTokens": count_tokens(source)},
        sections=sections,
        queries={name: _REASONS[name] for name, entries in sections.items() if entries and name in _REASONS},
        source="" if page.offsets else source,
    )
    return fitted(answer, page, _SHARES)


def _source(found: SearchAnswer) -> str:
    """Return the excerpts of a search answer, or why there are none. The sections of the answer replace the graph of the
    search.
    """
    return "\n\n".join(part.text for part in found.texts[1:]) if found.texts else found.hint or ""


def _seeds(results: Sequence[RankedResult]) -> Sequence[RankedResult]:
    """Return the best results. The neighbors of weaker results are usually irrelevant to the task."""
    lowest = max((result.score for result in results), default=0.0) * _SEED_SCORE
    count = sum(result.score >= lowest for result in results)
    return results[: min(max(count, _MIN_SEEDS), _SEEDS)]


def _without_repeats(sections: dict[str, tuple[Entry, ...]]) -> dict[str, tuple[Entry, ...]]:
    seen: set[tuple[str, str, tuple[str, ...]]] = set()
    kept: dict[str, tuple[Entry, ...]] = {}
    for section, entries in sections.items():
        new = []
        for entry in entries:
            name = entry.name.rpartition(".")[2] if entry.at else entry.name
            if (key := (name, entry.at, entry.details)) not in seen:
                seen.add(key)
                new.append(entry)
        kept[section] = tuple(new)
    return kept
