"""How much of a repository rests on each symbol and file: computed while writing, from arrays of what uses what.

The measure is PageRank: a symbol passes its weight on, in equal parts, to the symbols it uses and to the one it stands in; a
file to the files it uses, by the number of symbols it uses there. Test code starts with a tenth of the weight of other code,
since what only tests use carries little. All sums are of whole numbers, so that neither the order of the edges nor that of
the nodes shows in the result: an index that grew by steps has the values of one made at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from . import engine
from .uses import Uses, read_uses

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: What the property says of the mean of all nodes.
MEAN = 1000

_ROUNDS = 24
#: Weight of the mean node inside the computation: 2^24 times a million nodes times a few thousand uses stay below 2^63.
_UNIT = 1 << 24
#: Share that is passed on, in 256ths, about 0.85.
_PASSED_ON = 218
_TEST_WEIGHT = 26


class Ranking(NamedTuple):
    """The importance of all files and symbols, by their places among the uses that it follows from."""

    uses: Uses
    files: NDArray[np.int64]
    symbols: NDArray[np.int64]

    def write(self, path: Path) -> None:
        """Keeps it for the next update. Raises OSError."""
        self.uses.write(path, fileRanks=self.files, symbolRanks=self.symbols)


def read_ranking(path: Path) -> Ranking | None:
    """A ranking that was kept; None when there is none, or it cannot be read."""
    try:
        uses, ranks = read_uses(path, "fileRanks", "symbolRanks")
    except (OSError, ValueError, KeyError, EOFError):
        return None
    return Ranking(uses, *ranks)


def rank(uses: Uses) -> Ranking:
    """Computes the importance of all files and symbols."""
    import numpy as np

    weights = np.where(uses.is_test, _UNIT * _TEST_WEIGHT // 256, _UNIT)
    used = uses.references.astype(np.int64)
    pairs = np.concatenate([uses.homes[used], uses.imports], axis=1).astype(np.int64)
    of_files = _ranks(*_distinct(pairs, len(weights)), weights)
    pairs, times = _distinct(np.concatenate([used, uses.nesting], axis=1).astype(np.int64), len(uses.symbols))
    return Ranking(uses, of_files, _ranks(pairs, np.ones_like(times), weights[uses.homes]))


def store_importance(connection: engine.Connection, ranking: Ranking, stored: Ranking | None = None) -> None:
    """Sets the importance of all nodes where it differs from what a graph with the `stored` ranking holds; without one, from 0.

    For a connection that may write; the caller commits. StoreError.
    """
    files = dict(zip(stored.uses.files, stored.files.tolist(), strict=True)) if stored is not None else {}
    symbols = dict(zip(stored.uses.symbols, stored.symbols.tolist(), strict=True)) if stored is not None else {}
    _set(connection, "File", "relativePath", ranking.uses.files, ranking.files, files)
    _set(connection, "Symbol", "id", ranking.uses.symbols, ranking.symbols, symbols)


def _set(
    connection: engine.Connection, table: str, key: str, names: list[str], values: NDArray[np.int64], before: Mapping[str, int]
) -> None:
    import numpy as np
    import pyarrow

    old = np.fromiter(map(before.get, names, repeat(0)), np.int64, len(names))
    changed = np.flatnonzero(values != old)
    if not len(changed):
        return
    rows = pyarrow.table({"name": pyarrow.array([names[place] for place in changed.tolist()]), "rank": values[changed]})
    # By the primary key: other conditions are joins, and take twenty times as long.
    statement = f"LOAD FROM $rows WITH name, rank MATCH (n:{table}) WHERE n.{key} = name SET n.importance = rank"
    engine.execute(connection, statement, {"rows": rows}).close()


def _distinct(pairs: NDArray[np.int64], count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Distinct links as `end * count + start`, without those of a node to itself, and how often each occurs."""
    import numpy as np

    starts, ends = pairs[:, pairs[0] != pairs[1]]
    links, times = np.unique(ends * count + starts, return_counts=True)
    return links, times.astype(np.int64)


def _ranks(links: NDArray[np.int64], weights: NDArray[np.int64], initial: NDArray[np.int64]) -> NDArray[np.int64]:
    """The ranks of nodes that begin with the `initial` weights, as multiples of a `MEAN`th of their mean."""
    import numpy as np

    count = len(initial)
    ends, starts = (links // count, links % count) if count else (links, links)
    outgoing = np.bincount(starts, weights, count).astype(np.int64)  # sums of small numbers: floats hold them whole
    shares = outgoing[starts]
    # Where all links weigh the same, each node divides what it has once, and not once a link.
    equal, parts = bool((weights == 1).all()), np.maximum(outgoing, 1)
    # Links are sorted by their ends, so what each end receives lies side by side.
    begins = np.flatnonzero(np.diff(ends, prepend=-1))
    receivers = ends[begins]
    ranks, received = initial, np.zeros(count, np.int64)
    for _ in range(_ROUNDS):
        if len(links):
            passed = (ranks // parts)[starts] if equal else ranks[starts] * weights // shares
            received[receivers] = np.add.reduceat(passed, begins)
        ranks = (initial * (256 - _PASSED_ON) + received * _PASSED_ON) // 256
    mean = int(ranks.sum()) // max(int(np.count_nonzero(initial)), 1)
    return ranks * MEAN // max(mean, 1)
