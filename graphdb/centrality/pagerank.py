"""How much of a repository rests on each symbol and file: computed while writing, from arrays of what uses what.

The measure is PageRank: a symbol passes its weight on, in equal parts, to the symbols it uses and to the one it stands in; a
file to the files it uses, by the number of symbols it uses there. Test code starts with a tenth of the weight of other code,
since what only tests use carries little. All sums are of whole numbers, so that neither the order of the edges nor that of
the nodes shows in the result: an index that grew by steps has the values of one made at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .. import engine
from .reference_graph import Uses, read_uses

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


class Links(NamedTuple):
    """Distinct directed links between nodes, ordered by their ends, and what each weighs; parallel arrays."""

    ends: NDArray[np.int64]
    starts: NDArray[np.int64]
    weights: NDArray[np.int64]

    def kept(self, is_start: NDArray[np.bool_], is_end: NDArray[np.bool_]) -> Links:
        """Those that begin and end at some nodes."""
        stays = is_start[self.starts] & is_end[self.ends]
        return Links(*(values[stays] for values in self))

    def joined(self, others: Links) -> Links:
        """Together with others, none of which is among these."""
        import numpy as np

        at = np.searchsorted(self.ends, others.ends, side="right")
        return Links(*(np.insert(own, at, other) for own, other in zip(self, others, strict=True)))

    def unweighted(self) -> Links:
        """All of them with the weight 1."""
        import numpy as np

        return self._replace(weights=np.ones_like(self.weights))


class Ranks(NamedTuple):
    """The importance of nodes, and what a graph holds of it so far, by their places."""

    keys: list[str]
    values: NDArray[np.int64]
    stored: NDArray[np.int64]


class Ranking(NamedTuple):
    """The importance of all files and symbols, by their places among the uses that it follows from."""

    uses: Uses
    files: NDArray[np.int64]
    symbols: NDArray[np.int64]

    def write(self, path: Path) -> None:
        """Keeps it for the next update. Raises OSError."""
        self.uses.write(path, fileRanks=self.files, symbolRanks=self.symbols)

    def unstored(self) -> tuple[Ranks, Ranks]:
        """For a graph that holds no importance yet."""
        import numpy as np

        files, symbols = self.files, self.symbols
        return Ranks(self.uses.files, files, np.zeros_like(files)), Ranks(self.uses.symbols, symbols, np.zeros_like(symbols))

    def links(self) -> tuple[Links, Links]:
        """Those of files and of symbols, as they count."""
        return _links_of(self.uses)


def read_ranking(path: Path) -> Ranking | None:
    """A ranking that was kept; None when there is none, or it cannot be read."""
    try:
        uses, ranks = read_uses(path, "fileRanks", "symbolRanks")
    except (OSError, ValueError, KeyError, EOFError):
        return None
    return Ranking(uses, *ranks)


def rank(uses: Uses) -> Ranking:
    """Computes the importance of all files and symbols."""
    of_files, of_symbols = _links_of(uses)
    weights = initial_weights(uses.is_test)
    return Ranking(uses, ranks(of_files, weights), ranks(of_symbols, weights[uses.homes]))


def initial_weights(is_test: NDArray[np.bool_]) -> NDArray[np.int64]:
    """What files begin with."""
    import numpy as np

    return np.where(is_test, _UNIT * _TEST_WEIGHT // 256, _UNIT)


def store_importance(connection: engine.Connection, files: Ranks, symbols: Ranks) -> None:
    """Sets the importance of all nodes where it differs from what the graph holds.

    For a connection that may write; the caller commits. StoreError.
    """
    _set(connection, "File", "relativePath", files)
    _set(connection, "Symbol", "id", symbols)


def _set(connection: engine.Connection, table: str, key: str, ranked: Ranks) -> None:
    import numpy as np
    import pyarrow

    changed = np.flatnonzero(ranked.values != ranked.stored)
    if not len(changed):
        return
    names = pyarrow.array([ranked.keys[place] for place in changed.tolist()])
    rows = pyarrow.table({"name": names, "rank": ranked.values[changed]})
    # By the primary key: other conditions are joins, and take twenty times as long.
    statement = f"LOAD FROM $rows WITH name, rank MATCH (n:{table}) WHERE n.{key} = name SET n.importance = rank"
    engine.execute(connection, statement, {"rows": rows}).close()


def _links_of(uses: Uses) -> tuple[Links, Links]:
    import numpy as np

    pairs = np.concatenate([uses.homes[uses.references], uses.imports], axis=1)
    nested = np.concatenate([uses.references, uses.nesting], axis=1)
    return distinct_links(pairs, len(uses.files)), distinct_links(nested, len(uses.symbols)).unweighted()


def distinct_links(pairs: NDArray[np.int32], count: int) -> Links:
    """Distinct links among so many nodes, without those of a node to itself; each weighs as often as it occurs."""
    import numpy as np

    starts, ends = pairs[:, pairs[0] != pairs[1]].astype(np.int64)
    links, times = np.unique(ends * count + starts, return_counts=True)
    return Links(links // max(count, 1), links % max(count, 1), times.astype(np.int64))


def ranks(links: Links, initial: NDArray[np.int64]) -> NDArray[np.int64]:
    """The ranks of nodes that begin with the `initial` weights, as multiples of a `MEAN`th of their mean; 0 of those that have
    none."""
    import numpy as np

    ends, starts, weights = links
    count = len(initial)
    outgoing = np.bincount(starts, weights, count).astype(np.int64)  # sums of small numbers: floats hold them whole
    shares = outgoing[starts]
    # Where all links weigh the same, each node divides what it has once, and not once a link.
    equal, parts = bool((weights == 1).all()), np.maximum(outgoing, 1)
    # Links are sorted by their ends, so what each end receives lies side by side.
    begins = np.flatnonzero(np.diff(ends, prepend=-1))
    receivers = ends[begins]
    found, received = initial, np.zeros(count, np.int64)
    for _ in range(_ROUNDS):
        if len(ends):
            passed = (found // parts)[starts] if equal else found[starts] * weights // shares
            received[receivers] = np.add.reduceat(passed, begins)
        found = (initial * (256 - _PASSED_ON) + received * _PASSED_ON) // 256
    mean = int(found.sum()) // max(int(np.count_nonzero(initial)), 1)
    return found * MEAN // max(mean, 1)
