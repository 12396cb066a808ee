"""Compute the importance of symbols and files with PageRank: how much of the repository depends on a symbol or a file.

A symbol passes its weight on, in equal parts, to the symbols that it uses and to its parent. A file passes its weight to the
files that it uses, in proportion to the number of uses. Test code starts with a tenth of the weight of other code. All sums are
sums of integers and do not depend on the order of edges and nodes. So an updated index has the same values as a new index.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .. import engine
from .reference_graph import Uses, read_uses

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Mean importance of the nodes.
MEAN = 1000

_ROUNDS = 24
#: Mean weight of the nodes during the computation. 2^24 times a million nodes times a few thousand uses is below 2^63, so no
#: sum overflows.
_UNIT = 1 << 24
#: Damping factor of PageRank, about 0.85, in 256ths.
_PASSED_ON = 218
_TEST_WEIGHT = 26


class Links(NamedTuple):
    """Distinct directed links between nodes, sorted by end node, with their weights; parallel arrays."""

    ends: NDArray[np.int64]
    starts: NDArray[np.int64]
    weights: NDArray[np.int64]

    def kept(self, is_start: NDArray[np.bool_], is_end: NDArray[np.bool_]) -> Links:
        """Return the links whose start and end nodes are both selected."""
        stays = is_start[self.starts] & is_end[self.ends]
        return Links(*(values[stays] for values in self))

    def joined(self, others: Links) -> Links:
        """Return the union of two disjoint link sets, sorted by end node."""
        import numpy as np

        at = np.searchsorted(self.ends, others.ends, side="right")
        return Links(*(np.insert(own, at, other) for own, other in zip(self, others, strict=True)))

    def unweighted(self) -> Links:
        """Return the links with the weight 1."""
        import numpy as np

        return self._replace(weights=np.ones_like(self.weights))


class Ranks(NamedTuple):
    """The computed importance of nodes, and the importance that is stored in the graph, as parallel columns."""

    keys: list[str]
    values: NDArray[np.int64]
    stored: NDArray[np.int64]


class Ranking(NamedTuple):
    """The importance of all files and symbols, parallel to the nodes in `uses`."""

    uses: Uses
    files: NDArray[np.int64]
    symbols: NDArray[np.int64]

    def write(self, path: Path) -> None:
        """Write the ranking for the next update. Raises OSError."""
        self.uses.write(path, fileRanks=self.files, symbolRanks=self.symbols)

    def unstored(self) -> tuple[Ranks, Ranks]:
        """Return the ranks of files and symbols for a graph without stored importance."""
        import numpy as np

        files, symbols = self.files, self.symbols
        return Ranks(self.uses.files, files, np.zeros_like(files)), Ranks(self.uses.symbols, symbols, np.zeros_like(symbols))

    def links(self) -> tuple[Links, Links]:
        """Return the links between files and between symbols."""
        return _links_of(self.uses)


def read_ranking(path: Path) -> Ranking | None:
    """Read a ranking; None if the ranking is missing or cannot be read."""
    try:
        uses, ranks = read_uses(path, "fileRanks", "symbolRanks")
    except (OSError, ValueError, KeyError, EOFError):
        return None
    return Ranking(uses, *ranks)


def rank(uses: Uses) -> Ranking:
    """Compute the importance of all files and symbols."""
    of_files, of_symbols = _links_of(uses)
    weights = initial_weights(uses.is_test)
    return Ranking(uses, ranks(of_files, weights), ranks(of_symbols, weights[uses.homes]))


def initial_weights(is_test: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the weight of each file before the first iteration of PageRank."""
    import numpy as np

    return np.where(is_test, _UNIT * _TEST_WEIGHT // 256, _UNIT)


def store_importance(connection: engine.Connection, files: Ranks, symbols: Ranks) -> None:
    """Set the importance of all nodes whose stored importance differs.

    The connection must be able to write, and the caller commits. Raises StoreError.
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
    # The update looks nodes up by primary key: other conditions become joins and take twenty times as long.
    statement = f"LOAD FROM rows WITH name, rank MATCH (n:{table}) WHERE n.{key} = name SET n.importance = rank"
    engine.execute_with_rows(connection, statement, rows).close()


def _links_of(uses: Uses) -> tuple[Links, Links]:
    import numpy as np

    pairs = np.concatenate([uses.homes[uses.references], uses.imports], axis=1)
    nested = np.concatenate([uses.references, uses.nesting], axis=1)
    return distinct_links(pairs, len(uses.files)), distinct_links(nested, len(uses.symbols)).unweighted()


def distinct_links(pairs: NDArray[np.int32], count: int) -> Links:
    """Return the distinct links among `count` nodes, without self-links, weighted by their number of occurrences."""
    import numpy as np

    starts, ends = pairs[:, pairs[0] != pairs[1]].astype(np.int64)
    links, times = np.unique(ends * count + starts, return_counts=True)
    return Links(links // max(count, 1), links % max(count, 1), times.astype(np.int64))


def ranks(links: Links, initial: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the ranks of nodes that begin with the `initial` weights.

    The mean rank of the nodes with an initial weight is `MEAN`.
    """
    import numpy as np

    ends, starts, weights = links
    count = len(initial)
    outgoing = np.bincount(starts, weights, count).astype(np.int64)  # sums of small integers are exact as floats
    shares = outgoing[starts]
    # If all links have the weight 1, one division per node replaces one division per link.
    equal, parts = bool((weights == 1).all()), np.maximum(outgoing, 1)
    # Links are sorted by end node, so the links to a node are contiguous.
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
