"""Cache the rows of files in a loaded graph file. The same files tend to change again, and every change starts from the loaded
graph, so each row is read only once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .base_rows import (
    NESTING,
    Extent,
    Kind,
    Row,
    StoredPart,
    outer_nodes,
    read_edges,
    read_nodes,
    read_outer_edges,
    read_outer_nodes,
)

if TYPE_CHECKING:
    from .base_rows import Read

#: Maximum number of cached rows in addition to the rows of the last part; a row takes about 1 kB.
MAX_ROWS = 20_000

#: Rows by table and ends; rows of nodes have no ends.
_Groups = dict[Kind, list[Row]]


class LoadedRows:
    """Rows of files, kept in memory from one update to the next. Only one thread at a time may use an instance."""

    def __init__(self, most_rows: int = MAX_ROWS) -> None:
        self._most = most_rows
        self._graph: tuple[int, ...] | None = None
        #: The nodes of each file with their nesting, by path.
        self._nodes: dict[str, _Groups] = {}
        #: All other edges of each file, by path.
        self._edges: dict[str, _Groups] = {}
        #: Rows that belong to no file. The rows for True include modules and the edges to files, the rows for False do not.
        self._outer: dict[bool, _Groups] = {}

    def begin(self, graph: tuple[int, ...]) -> None:
        """Use the graph file with this identity from now on, and drop the rows of any other graph file."""
        if graph != self._graph:
            self._graph = graph
            self._outer = {}
            self._keep(())

    def note_absent(self, paths: Iterable[str]) -> None:
        """Record that the graph file contains no rows of these files, so that they need not be read."""
        for path in paths:
            self._nodes.setdefault(path, {})
            self._edges.setdefault(path, {})

    def part(self, read: Read, extent: Extent) -> StoredPart:
        """Return the rows of a part, and read missing rows. Raises QueryFailed and IndexCorrupt."""
        self._read_outer(read, homes=extent.homes)
        self.read_files(read, extent)
        if self._size() > self._most:
            self._keep((*extent.nodes, *extent.edges))
        nodes: dict[str, dict[Any, Row]] = {table: {} for table in (*outer_nodes(homes=extent.homes), "File", "Symbol")}
        edges: dict[Kind, list[Row]] = defaultdict(list)
        of_files = (*(self._nodes[path] for path in extent.nodes), *(self._edges[path] for path in extent.edges))
        for kind, rows in (item for group in (self._outer[extent.homes], *of_files) for item in group.items()):
            if kind[1]:
                edges[kind] += rows
            else:
                nodes[kind[0]].update((row[0], row) for row in rows)
        return StoredPart(nodes, edges)

    def read_files(self, read: Read, extent: Extent) -> None:
        """Read the missing rows of the files of a part. Raises QueryFailed and IndexCorrupt."""
        nodes = tuple(path for path in extent.nodes if path not in self._nodes)
        edges = tuple(path for path in extent.edges if path not in self._edges)
        if not nodes and not edges:
            return
        found = [*read_nodes(read, nodes), *read_edges(read, nodes, edges)]
        self._nodes.update((path, {}) for path in nodes)
        self._edges.update((path, {}) for path in edges)
        for owned in found:
            name, ends = owned.kind
            known = self._nodes if not ends or name == NESTING else self._edges
            for row, owner in zip(owned.rows, owned.owners or (), strict=True):
                known[owner].setdefault(owned.kind, []).append(row)

    def _read_outer(self, read: Read, *, homes: bool) -> None:
        """Read the rows without a file if they are missing."""
        if homes not in self._outer:
            found = [*read_outer_nodes(read, homes=homes), *(read_outer_edges(read) if homes else ())]
            self._outer[homes] = {owned.kind: owned.rows for owned in found}

    def _size(self) -> int:
        return sum(len(rows) for known in (self._nodes, self._edges) for group in known.values() for rows in group.values())

    def _keep(self, paths: Iterable[str]) -> None:
        """Drop the rows of all files except these."""
        kept = frozenset(paths)
        self._nodes, self._edges = (
            {path: groups for path, groups in known.items() if path in kept} for known in (self._nodes, self._edges)
        )
