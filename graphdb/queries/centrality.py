"""Data of the whole graph for ranking, read once per generation.

Results have a row for each symbol. Rows are slow to convert one by one, so the data are read as columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..database import GraphDatabase
from ..symbols.symbol_table import symbols_of

if TYPE_CHECKING:
    import pyarrow as pa

Offsets = NDArray[np.int64]


class RankedNodes(NamedTuple):
    """Nodes with their importance, whose mean is 1000; parallel columns in no order."""

    #: The engine's internal offsets, which edges refer to.
    offsets: Offsets
    keys: pa.ChunkedArray
    importances: Offsets


class EdgeEnds(NamedTuple):
    """The ends of edges as internal offsets; parallel arrays."""

    starts: Offsets
    ends: Offsets


def ranked_symbols(database: GraphDatabase) -> RankedNodes:
    """Return all symbols; their keys are ids."""
    return RankedNodes(*symbols_of(database).ranked())


def ranked_files(database: GraphDatabase) -> RankedNodes:
    """Return all files; their keys are paths."""
    return _nodes(database.columns("MATCH (f:File) RETURN offset(id(f)), f.relativePath, f.importance"))


def call_ends(database: GraphDatabase) -> EdgeEnds:
    """Return caller and callee of each resolved call."""
    return _ends(database.columns("MATCH (a:Symbol)-[:CALLS]->(b:Symbol) RETURN offset(id(a)), offset(id(b))"))


def import_ends(database: GraphDatabase) -> EdgeEnds:
    """Return importing and imported file of each import."""
    return _ends(database.columns("MATCH (a:File)-[:IMPORTS]->(b:File) RETURN offset(id(a)), offset(id(b))"))


def _nodes(table: pa.Table) -> RankedNodes:
    offsets, keys, importances = table.columns
    return RankedNodes(offsets.to_numpy(), keys, importances.to_numpy())


def _ends(table: pa.Table) -> EdgeEnds:
    starts, ends = table.columns
    return EdgeEnds(starts.to_numpy(), ends.to_numpy())
