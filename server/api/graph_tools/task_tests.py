"""Find the tests of a task: test files that reach the results of a search, and test files that match the task."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ....graphdb.queries.files import all_places
from ....graphdb.symbols.symbol_table import symbols_of
from ....ingest.history.git import GitRepository
from ....retrieval.analyses.impact import reached
from ....retrieval.changes.past import changed_together
from ....retrieval.changes.tests_to_run import TestEvidence, tests_to_run
from ....schema.process.git import GitFailed
from ....schema.symbol_kinds import CALLABLE_KINDS
from .records import Entry

if TYPE_CHECKING:
    from ....retrieval.answers.answer import RankedResult
    from ....retrieval.ranking.ranking import Ranked
    from ...stores.readers import Readers
    from ..requests.answering_index import AnsweringIndex

#: Depth of the search for tests that reach a symbol.
_DEPTH: Final = 3
#: Maximum number of listed tests.
_TESTS: Final = 30
#: Constant for the merge of both rankings of tests by reciprocal ranks. A small constant favors the first ranks.
_RANK_CONSTANT: Final = 3


def tests_of_task(
    workspace: AnsweringIndex, readers: Readers, ranked: Sequence[Ranked], found: Sequence[RankedResult], files: Sequence[str]
) -> tuple[Entry, ...]:
    """Return test files, the most likely first.

    `ranked` are all results for the task, `found` the best results, and `files` the paths that the task names.
    """
    graph = readers.graph
    places = all_places(graph)
    if not any(place.is_test for place in places.values()):
        return ()
    table = symbols_of(graph)
    refs = table.refs([result.id for result in found])
    paths = list(dict.fromkeys([*files, *(result.file for result in found)]))
    dependants, _ = reached(graph, table.offsets(refs), _DEPTH)
    called = {symbol.name for symbol in refs.values() if symbol.kind in CALLABLE_KINDS}
    evidence = TestEvidence(
        dependants, called, (), broken={}, routes=(), words=frozenset(), together=_changed_together(workspace, paths)
    )
    scores: defaultdict[str, float] = defaultdict(float)
    reasons: dict[str, str] = {}
    for rank, test in enumerate(tests_to_run(graph, None, paths, (), evidence)):
        scores[test.file] += 1 / (_RANK_CONSTANT + rank)
        reasons[test.file] = test.reason
    speaking = dict.fromkeys(result.chunk.relative_path for result in ranked if result.chunk.is_test)
    for rank, path in enumerate(speaking):
        scores[path] += 1 / (_RANK_CONSTANT + rank)
        reasons.setdefault(path, "matches the task")
    best = sorted(scores, key=lambda path: (-scores[path], path))[:_TESTS]
    return tuple(Entry(path, "test", reason=reasons[path]) for path in best)


def _changed_together(workspace: AnsweringIndex, paths: Sequence[str]) -> dict[str, tuple[float, str]]:
    """Return the files that usually change with some files; none without a repository or before the first read of its history."""
    try:
        return changed_together(workspace.history_folder, GitRepository(workspace.root), paths, workspace.settings.history_depth)
    except GitFailed:
        return {}
