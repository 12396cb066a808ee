"""Write a graph in one step, for tests that need a database file."""

from __future__ import annotations

from pathlib import Path

from astrolabe.graphdb import engine
from astrolabe.graphdb.writing.bulk_load import GraphFile
from astrolabe.schema.graph_content import GraphContent


def write_graph(graph_path: Path, content: GraphContent, engine_name: str = engine.KUZU) -> dict[str, int]:
    """Write the content to a new database file, and return the number of rows by table. A failed write leaves no file."""
    file = GraphFile(graph_path, engine_name)
    try:
        file.load(content)
        return file.close()
    except BaseException:
        file.discard()
        raise
