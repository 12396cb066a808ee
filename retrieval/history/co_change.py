"""Find files and symbols that change together. Older commits, and commits with more files, have lower weights."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...ingest.history.range_commits import LineRange
from ...ingest.history.store import HistoryStore, StoredCommit
from .records import CoChange

#: Age difference in seconds that halves the weight of a commit.
_HALF_LIFE = 365.0 * 24 * 3600
#: Number of half-lives after which the weight no longer decreases. So the weight stays above 0 even if another commit has a
#: date in the far future.
_MAX_HALVINGS = 100.0
#: Maximum number of files of a commit with full weight.
_SMALL = 10
#: Minimum number of files of an ignored commit. A commit of so many files may only format code.
_HUGE = 200
#: Maximum number of symbols of a commit that has full weight.
_FEW_SYMBOLS = 10
#: Minimum number of symbols of a commit that is ignored.
_MANY_SYMBOLS = 60
#: Minimum number of common commits of files that change together.
MIN_SUPPORT = 2


class Together(NamedTuple):
    """Two files or symbols that the same commits changed."""

    one: str
    other: str
    #: Number of the common commits.
    support: int
    #: Weight of the common commits, as a share of the weight of all commits that changed `one`; 0 to 1.
    confidence: float


def pairs_together(weights: Mapping[int, float], changed_in: Mapping[int, Sequence[str]]) -> Iterator[Together]:
    """Yield the pairs that commits changed together.

    `changed_in` maps the position of a commit to the ids or paths that it changed.
    """
    own: defaultdict[str, float] = defaultdict(float)
    together: defaultdict[tuple[str, str], float] = defaultdict(float)
    support: Counter[tuple[str, str]] = Counter()
    for position, weight in weights.items():
        changed = sorted({*changed_in.get(position, ())})
        for one in changed:
            own[one] += weight
            for other in changed:
                if other != one:
                    together[one, other] += weight
                    support[one, other] += 1
    for (one, other), count in support.items():
        if count >= MIN_SUPPORT:
            yield Together(one, other, count, together[one, other] / own[one])


def symbol_weights(weights: Mapping[int, float], changed_in: Mapping[int, Sequence[str]]) -> dict[int, float]:
    """Return the weight of each commit for its changed symbols, by the position of the commit.

    The weight decreases with the number of symbols.
    """
    counts = {position: len({*changed_in.get(position, ())}) for position in weights}
    return {
        position: weight * min(1.0, _FEW_SYMBOLS / counts[position])
        for position, weight in weights.items()
        if 0 < counts[position] < _MANY_SYMBOLS
    }


def is_nested(one: tuple[str, LineRange], other: tuple[str, LineRange]) -> bool:
    """Return whether one of two ranges of lines, with the paths of their files, is inside the other."""
    (path, first), (other_path, second) = one, other
    begin, end = max(first.first, second.first), min(first.last, second.last)
    return path == other_path and (begin, end) in ((first.first, first.last), (second.first, second.last))


def co_changes(store: HistoryStore, names: frozenset[str], commits: Sequence[StoredCommit], prefix: str) -> list[CoChange]:
    """Return the files that change together with a file, most confident first, with paths relative to the prefix.

    `names` are the current and the former paths of the file.
    """
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


def files_together(store: HistoryStore, prefix: str, known: Collection[str]) -> list[Together]:
    """Return the pairs of known files that the same commits changed, pairs with the most common commits first.

    The paths of `known` and of the pairs are relative to the prefix.
    """
    weights = commit_weights(store.commits_from_newest())
    changed_in: defaultdict[int, list[str]] = defaultdict(list)
    for position, path in store.paths_in(list(weights)):
        today = store.later_name(path, position)
        if today.startswith(prefix) and today[len(prefix) :] in known:
            changed_in[position].append(today[len(prefix) :])
    return sorted(pairs_together(weights, changed_in), key=lambda pair: (-pair.support, -pair.confidence, pair.one, pair.other))


def commit_weights(commits: Sequence[StoredCommit]) -> dict[int, float]:
    """Return the weight of each commit, by its position, without commits that change no file or too many files."""
    newest = max((commit.time for commit in commits), default=0)
    return {
        commit.position: 0.5 ** min((newest - commit.time) / _HALF_LIFE, _MAX_HALVINGS) * min(1.0, _SMALL / commit.files)
        for commit in commits
        if 0 < commit.files < _HUGE
    }
