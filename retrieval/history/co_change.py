"""Files that change together. A commit counts less the older it is and the more files it changed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from ...ingest.history.store import HistoryStore, StoredCommit
from .records import CoChange

#: Seconds in which the weight of a commit halves.
_HALF_LIFE = 365.0 * 24 * 3600
#: Number of files up to which a commit has its full weight.
_SMALL = 10
#: Number of files from which a commit is no evidence, such as one that formats everything.
_HUGE = 200
#: Fewest common commits of files that change together.
MIN_SUPPORT = 2


def co_changes(store: HistoryStore, names: frozenset[str], commits: Sequence[StoredCommit], prefix: str) -> list[CoChange]:
    """Return the files that change together with a file, which had these names, most confident first. Paths lose the prefix."""
    weights = commit_weights(commits)
    together: defaultdict[str, float] = defaultdict(float)
    support: Counter[str] = Counter()
    for position, path in store.paths_in(list(weights)):
        if path not in names:
            today = store.later_name(path, position)
            together[today] += weights[position]
            support[today] += 1
    total = sum(weights.values())
    found = [
        CoChange(file=path[len(prefix) :], support=support[path], confidence=round(weight / total, 3))
        for path, weight in together.items()
        if support[path] >= MIN_SUPPORT and path.startswith(prefix) and path not in names
    ]
    return sorted(found, key=lambda each: (-each.confidence, -each.support, each.file))


def commit_weights(commits: Sequence[StoredCommit]) -> dict[int, float]:
    """Return the weight of each commit, by its position; commits without evidence are left out."""
    newest = max((commit.time for commit in commits), default=0)
    return {
        commit.position: 0.5 ** ((newest - commit.time) / _HALF_LIFE) * min(1.0, _SMALL / commit.files)
        for commit in commits
        if 0 < commit.files < _HUGE
    }
