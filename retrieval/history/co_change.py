"""Files and symbols that change together. A commit counts less the older it is and the more files it changed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...ingest.history.range_commits import LineRange
from ...ingest.history.store import HistoryStore, StoredCommit
from .records import CoChange

#: Seconds in which the weight of a commit halves.
_HALF_LIFE = 365.0 * 24 * 3600
#: Number of files up to which a commit has its full weight.
_SMALL = 10
#: Number of files from which a commit is no evidence, such as one that formats everything.
_HUGE = 200
#: Number of symbols up to which a commit counts fully for each of them, and from which it says nothing of symbols.
_FEW_SYMBOLS = 10
_MANY_SYMBOLS = 60
#: Fewest common commits of files that change together.
MIN_SUPPORT = 2


class Together(NamedTuple):
    """Two things that changed in the same commits."""

    one: str
    other: str
    #: Number of those commits.
    support: int
    #: Share of the commits of the first one that changed the other too, where old and large commits count less; 0 to 1.
    confidence: float


def pairs_together(weights: Mapping[int, float], changed_in: Mapping[int, Sequence[str]]) -> Iterator[Together]:
    """Yield the pairs of things that commits changed together. `changed_in` has what each commit changed, by its position."""
    own: defaultdict[str, float] = defaultdict(float)
    together: defaultdict[tuple[str, str], float] = defaultdict(float)
    support: Counter[tuple[str, str]] = Counter()
    for position, weight in weights.items():
        things = sorted({*changed_in.get(position, ())})
        for thing in things:
            own[thing] += weight
            for other in things:
                if other != thing:
                    together[thing, other] += weight
                    support[thing, other] += 1
    for (thing, other), count in support.items():
        if count >= MIN_SUPPORT:
            yield Together(thing, other, count, together[thing, other] / own[thing])


def symbol_weights(weights: Mapping[int, float], changed_in: Mapping[int, Sequence[str]]) -> dict[int, float]:
    """Return how much each commit counts for the symbols that it changed, by its position; the more symbols, the less."""
    counts = {position: len({*changed_in.get(position, ())}) for position in weights}
    return {
        position: weight * min(1.0, _FEW_SYMBOLS / counts[position])
        for position, weight in weights.items()
        if 0 < counts[position] < _MANY_SYMBOLS
    }


def is_nested(one: tuple[str, LineRange], other: tuple[str, LineRange]) -> bool:
    """Return whether one of two ranges of lines, each with the path of its file, lies in the other one."""
    (path, first), (other_path, second) = one, other
    begin, end = max(first.first, second.first), min(first.last, second.last)
    return path == other_path and (begin, end) in ((first.first, first.last), (second.first, second.last))


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
