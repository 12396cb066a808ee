"""How much of a repository rests on each symbol and file: computed while writing, because a read-only engine refuses to.

The measure is PageRank: a symbol passes its weight on, in equal parts, to the symbols it uses and to the one it stands in; a
file to the files it uses, by the number of symbols it uses there. Test code starts with a tenth of the weight of other code,
since what only tests use carries little. All sums are of whole numbers, so that neither the order of the edges nor that of
the nodes shows in the result: an index that grew by steps has the values of one made at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import engine

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
_ROWS_PER_BATCH = 1 << 16

_USES = """
    MATCH (a:Symbol)-[r:REFERENCES]->(b:Symbol) WHERE NOT b.kind IN ['import', 're-export', 'export'] AND a.kind <> 'import'
    RETURN offset(id(a)), offset(id(b))"""
_NESTING = "MATCH (a:Symbol)-[:CONTAINS]->(b:Symbol) RETURN offset(id(b)), offset(id(a))"
_IMPORTS = "MATCH (a:File)-[:IMPORTS]->(b:File) RETURN offset(id(a)), offset(id(b))"
_HOMES = "MATCH (s:Symbol), (f:File) WHERE s.relativePath = f.relativePath RETURN offset(id(s)), offset(id(f))"


def store_importance(connection: engine.Connection) -> None:
    """Computes the importance of all files and symbols from the edges in the graph, and sets what differs from before.

    For a connection that may write; the caller commits. StoreError.
    """
    graph = _Graph(connection)
    graph.set("File", "relativePath", graph.file_ranks())
    graph.set("Symbol", "id", graph.symbol_ranks())


class _Graph:
    """The edges as arrays of the nodes' internal offsets. Where nodes were deleted, offsets have gaps."""

    def __init__(self, connection: engine.Connection) -> None:
        import numpy as np

        self._connection = connection
        # The engine mixes up the rows of a column beside a CASE when it exports them, so the choice is made here.
        files, is_test = self._columns("MATCH (f:File) RETURN offset(id(f)), f.isTest")
        symbols, homes = self._columns(_HOMES)
        weights = np.where(is_test == 1, _UNIT * _TEST_WEIGHT // 256, _UNIT)
        self._file_weights = _placed(files, weights)
        self._symbol_weights = _placed(symbols, self._file_weights[homes])
        self._file_of = _placed(symbols, homes)
        self._uses = self._columns(_USES)

    def symbol_ranks(self) -> NDArray[np.int64]:
        """By offset."""
        import numpy as np

        inner, outer = self._columns(_NESTING)
        starts, ends = np.concatenate([self._uses[0], inner]), np.concatenate([self._uses[1], outer])
        pairs, _ = _distinct(starts, ends, len(self._symbol_weights))
        return _ranks(pairs, np.ones_like(pairs), self._symbol_weights)

    def file_ranks(self) -> NDArray[np.int64]:
        """By offset."""
        import numpy as np

        importers, imported = self._columns(_IMPORTS)
        starts = np.concatenate([self._file_of[self._uses[0]], importers])
        ends = np.concatenate([self._file_of[self._uses[1]], imported])
        return _ranks(*_distinct(starts, ends, len(self._file_weights)), self._file_weights)

    def set(self, table: str, key: str, ranks: NDArray[np.int64]) -> None:
        """Stores ranks where they differ from the stored ones."""
        import numpy as np
        import pyarrow

        result = self._run(f"MATCH (n:{table}) RETURN offset(id(n)) AS place, n.{key} AS name, n.importance AS stored")
        try:
            nodes = result.get_as_arrow(_ROWS_PER_BATCH)
            new = ranks[nodes["place"].to_numpy()]
            changed = np.flatnonzero(new != nodes["stored"].to_numpy())
            if not len(changed):
                return
            rows = pyarrow.table({"name": nodes["name"].take(changed), "rank": new[changed]})
            # By the primary key: other conditions are joins, and take twenty times as long.
            self._run(
                f"LOAD FROM $rows WITH name, rank MATCH (n:{table}) WHERE n.{key} = name SET n.importance = rank", rows=rows
            )
        finally:
            result.close()

    def _columns(self, statement: str) -> list[NDArray[np.int64]]:
        import numpy as np

        result = self._run(statement)
        try:
            # Arrow's columns are the engine's own memory, which goes with the result: they are copied before.
            return [np.array(column.to_numpy(), dtype=np.int64) for column in result.get_as_arrow(_ROWS_PER_BATCH).columns]
        finally:
            result.close()

    def _run(self, statement: str, **parameters: Any) -> Any:
        return engine.execute(self._connection, statement, parameters)


def _placed(offsets: NDArray[np.int64], values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The values at their offsets, and 0 at all others."""
    import numpy as np

    array = np.zeros(int(offsets.max(initial=-1)) + 1, np.int64)
    array[offsets] = values
    return array


def _distinct(starts: NDArray[np.int64], ends: NDArray[np.int64], count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Distinct links as `start * count + end`, without those of a node to itself, and how often each occurs."""
    import numpy as np

    other = starts != ends
    pairs, times = np.unique(starts[other] * count + ends[other], return_counts=True)
    return pairs, times.astype(np.int64)


def _ranks(pairs: NDArray[np.int64], weights: NDArray[np.int64], initial: NDArray[np.int64]) -> NDArray[np.int64]:
    """The ranks of nodes that begin with the `initial` weights, as multiples of a `MEAN`th of their mean."""
    import numpy as np

    count = len(initial)
    starts, ends = pairs // count if count else pairs, pairs % count if count else pairs
    outgoing = np.zeros(count, np.int64)
    np.add.at(outgoing, starts, weights)
    shares = outgoing[starts]
    ranks = initial
    for _ in range(_ROUNDS):
        received = np.zeros(count, np.int64)
        np.add.at(received, ends, ranks[starts] * weights // shares)
        ranks = (initial * (256 - _PASSED_ON) + received * _PASSED_ON) // 256
    mean = int(ranks.sum()) // max(int(np.count_nonzero(initial)), 1)
    return ranks * MEAN // max(mean, 1)
