"""The graph of a folder in memory, for tests and benchmarks that compare its edges."""

from __future__ import annotations

from pathlib import Path

from astrolabe.ingest.files.discovery import Discovery, discover
from astrolabe.ingest.pipeline import analyse
from astrolabe.schema.graph_content import GraphContent, GraphPart, joined
from astrolabe.schema.records import FileContent
from astrolabe.schema.settings import Settings


class _Sink:
    def __init__(self) -> None:
        self.parts: list[GraphPart] = []

    def add_file(self, content: FileContent) -> None: ...

    def end_files(self) -> None: ...

    def add_graph(self, *parts: GraphPart) -> None:
        self.parts += parts


def collected_graph(root: Path, workers: int = 2) -> tuple[GraphContent, Discovery]:
    """Return everything that an index of a folder would have in its graph, and the files that it reads."""
    sink, settings = _Sink(), Settings(workers=workers)
    discovery = discover(root, settings)
    analyse(root, discovery, settings, lambda *_: None, sink)
    return joined(sink.parts), discovery
