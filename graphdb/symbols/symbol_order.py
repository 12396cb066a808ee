"""The default order of all symbols of a large graph, and their ids, by internal offset.

A query that orders symbols reads their paths, lines and ids. Among 970,180 symbols, the first 100 callees of all methods take
750 ms of processor time, of which the edges take 90 ms. With this order in memory, a query returns only offsets.
Reading the order takes a second there, and the order takes 30 MB.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..database import GraphDatabase

if TYPE_CHECKING:
    import pyarrow as pa

#: Minimum number of symbols of a large graph. In smaller graphs, a query that orders symbols is fast enough.
MIN_SYMBOLS = 200_000


class OrderUse:
    """Counts the answers that the order of one graph would have made faster."""

    def __init__(self, graph: GraphDatabase) -> None:
        self._is_large = graph.node_count("Symbol") >= MIN_SYMBOLS
        self._answers = 0

    def pays(self) -> bool:
        """Count an answer. Return whether the order pays: the graph is large, and this is not the first answer, which may be the
        only one of a process.
        """
        self._answers += 1
        return self._is_large and self._answers > 1


class SymbolOrder:
    """The symbols of one generation by path, line, depth and id."""

    def __init__(self, graph: GraphDatabase) -> None:
        found = graph.columns("MATCH (s:Symbol) RETURN offset(id(s)), s.id, s.relativePath, s.startLine, s.depth")
        offsets = found.column(0).to_numpy()
        places = _places(found)
        size = int(offsets.max()) + 1 if len(offsets) else 0
        #: Position in the order by offset, and row of `_ids` by offset; -1 for an offset without a symbol.
        self._positions: NDArray[np.int32] = np.full(size, -1, np.int32)
        self._positions[offsets] = places
        self._rows: NDArray[np.int32] = np.full(size, -1, np.int32)
        self._rows[offsets] = np.arange(len(offsets), dtype=np.int32)
        self._ids: pa.ChunkedArray = found.column(1)

    def first(self, offsets: NDArray[np.int64], count: int, skipped: int = 0) -> list[str]:
        """Return the ids of the first symbols of some symbols in the order, after `skipped` symbols."""
        end = skipped + count
        positions = self._positions[offsets]
        if end < len(positions):
            nearest = np.argpartition(positions, end)[:end]
            offsets, positions = offsets[nearest], positions[nearest]
        ordered = offsets[np.argsort(positions)][skipped:end]
        ids: list[str] = self._ids.take(self._rows[ordered]).to_pylist()
        return ids


def _places(found: pa.Table) -> NDArray[np.int32]:
    """Return the position of each row by path, line, depth and id."""
    import pyarrow as pa

    paths = found.column(2).combine_chunks().dictionary_encode()
    ranks = np.empty(len(paths.dictionary), np.int32)
    codes = np.arange(len(ranks), dtype=np.int32)
    ranks[_sorted(pa.table({"path": paths.dictionary, "row": codes}))] = codes
    lines, depths = found.column(3).to_numpy(), found.column(4).to_numpy()
    by_path = ranks[paths.indices.to_numpy()]
    order = np.lexsort((depths, lines, by_path))
    same = np.ones(len(order) - 1 if len(order) else 0, np.bool_)
    for values in (by_path, lines, depths):
        same &= np.diff(values[order]) == 0
    # Symbols at the same place are ordered by their ids. `groups` numbers the places.
    groups = np.concatenate([[0], np.cumsum(~same)]) if len(order) else np.empty(0, np.int64)
    tied = np.concatenate([same, [False]]) | np.concatenate([[False], same]) if len(order) else np.empty(0, np.bool_)
    rows = order[tied]
    order[tied] = _sorted(pa.table({"group": groups[tied], "id": found.column(1).take(rows), "row": rows}))
    places = np.empty(len(order), np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    return places


def _sorted(table: pa.Table) -> NDArray[np.int64]:
    """Return the values of the column `row`, ordered by the other columns."""
    keys = [(name, "ascending") for name in table.column_names if name != "row"]
    rows: NDArray[np.int64] = table.sort_by(keys).column("row").to_numpy()
    return rows
