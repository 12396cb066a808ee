"""Fixture projects in TypeScript, each as a graph of its own: analysed and loaded as an index is, without vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.writing.bulk_load import GraphFile
from astrolabe.ingest.files.discovery import discover
from astrolabe.ingest.pipeline import analyse
from astrolabe.retrieval.analyses.finding import find_subject
from astrolabe.retrieval.analyses.subject import Subject
from astrolabe.schema.graph_content import GraphPart, joined
from astrolabe.schema.records import FileContent
from astrolabe.schema.settings import Settings

PROJECTS = Path(__file__).parent / "projects"


class GraphSink:
    """Takes the graph of an analysis, and leaves the chunks."""

    def __init__(self, path: Path) -> None:
        self.file = GraphFile(path)

    def add_file(self, content: FileContent) -> None:
        """Text and chunks for vectors, of which these tests have none."""

    def end_files(self) -> None:
        """There are no more."""

    def add_graph(self, *parts: GraphPart) -> None:
        """A part of the graph."""
        self.file.load(joined(parts))


class Analysed:
    """A project, and its symbols by their paths."""

    def __init__(self, graph: GraphDatabase) -> None:
        self.graph = graph

    def subject(self, path: str) -> Subject:
        """What a symbol path names."""
        return find_subject(self.graph, path)

    def ask(self, analysis: Callable[..., Any], path: str, *arguments: Any) -> Any:
        """An analysis of the symbol at a path."""
        return analysis(self.graph, self.subject(path), *arguments)


def _analysed(root: Path, folder: Path) -> Path:
    path = folder / "graph.kuzu"
    sink = GraphSink(path)
    analyse(root, discover(root, Settings()), Settings(workers=1), lambda *_: None, sink)
    sink.file.close()
    return path


@pytest.fixture
def analysed_text(tmp_path: Path) -> Iterator[Callable[[dict[str, str]], Analysed]]:
    """A project written down in a test: text by path."""
    with ExitStack() as stack:

        def analysed(files: dict[str, str]) -> Analysed:
            for path, text in files.items():
                (tmp_path / "source" / path).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / "source" / path).write_text(text, encoding="utf-8")
            return Analysed(stack.enter_context(GraphDatabase.open(_analysed(tmp_path / "source", tmp_path))))

        yield analysed


@pytest.fixture(scope="session")
def _graph_path(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The graph of the fixture project of a name; analysed once."""
    return cache(lambda name: _analysed(PROJECTS / name, tmp_path_factory.mktemp(name)))


@pytest.fixture(scope="module")
def project(_graph_path: Callable[[str], Path]) -> Iterator[Callable[[str], Analysed]]:
    """The fixture project of a name, open until the module ends, since an open graph takes 45 MB."""
    with ExitStack() as stack:
        yield cache(lambda name: Analysed(stack.enter_context(GraphDatabase.open(_graph_path(name)))))
