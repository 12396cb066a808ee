"""A graph without nodes, for questions to Git in a workspace that has nothing to index."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...graphdb.database import GraphDatabase


@contextmanager
def empty_graph(engine: str) -> Iterator[GraphDatabase]:
    """Yield an empty graph of an engine in a temporary folder. Raises StoreError."""
    from ...graphdb.database import GraphDatabase
    from ...graphdb.writing.bulk_load import GraphFile
    from ...schema.graph_content import GraphContent

    with TemporaryDirectory(prefix="astrolabe-") as folder:
        path = Path(folder) / "graph.kuzu"
        file = GraphFile(path, engine)
        try:
            file.load(GraphContent())
            file.close()
        except BaseException:
            file.discard()
            raise
        graph = GraphDatabase.open(path)
        try:
            yield graph
        finally:
            graph.close()
