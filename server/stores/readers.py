"""The open stores of one generation, lent to requests.

A generation never changes, so any number of requests may read it at once. After the publication of a newer generation, later
requests use its readers, and the last request with the older readers closes them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...graphdb.generations.generations import Generation, symbols_beside
from ...schema.errors import IndexMissing
from ...schema.manifest import LoggedChanges
from ...schema.settings import Settings
from ..project.source_syntax import SourceSyntax
from .query_process import QueryProcess
from .stored_vectors import open_vectors

if TYPE_CHECKING:
    from ...graphdb.database import GraphDatabase
    from ...graphdb.symbols.symbol_table import SymbolTable
    from ...retrieval.search import SearchEngine
    from ...retrieval.vectors.chunk_table import ChunkTable


#: Seconds from the first request to a generation until the readers of the previous generation are closed.
_CLOSING_DELAY = 0.25


class Opened(NamedTuple):
    """The open stores of a newly written generation."""

    graph: GraphDatabase
    #: The search engine, ready for requests; None before the first search.
    engine: SearchEngine | None


class _Read(NamedTuple):
    """A search engine with cached data, and the graph file and the log of the generation from which it read the data."""

    engine: SearchEngine
    graph: tuple[int, ...]
    changes: LoggedChanges


class _Symbols(NamedTuple):
    """A symbol table, and the graph file and the log of the generation from which it was read."""

    table: SymbolTable
    graph: tuple[int, ...]
    changes: LoggedChanges


class Readers:
    """The graph of one generation, and the search engine over it, which the first search opens."""

    def __init__(
        self,
        generation: Generation,
        data_dir: Path,
        settings: Settings,
        *,
        opened: Opened | None = None,
        earlier: Readers | None = None,
    ) -> None:
        """`opened` has the open stores of the generation, if any. Cached data of `earlier` readers is reused.

        Raises IndexMissing if another graph engine wrote the generation, and IndexCorrupt if its graph is damaged.
        """
        from ...graphdb.database import GraphDatabase

        if (wrote := generation.manifest.graph_engine) != settings.graph_engine:
            raise IndexMissing(
                f"The index was written by the graph engine {wrote}, and the setting graph_engine is {settings.graph_engine}. "
                "Run `astrolabe index` to build it anew."
            )
        self.generation = generation
        self.graph: GraphDatabase = opened.graph if opened is not None else GraphDatabase.open(generation.graph_path)
        self._identity = generation.graph_identity()
        self._data_dir = data_dir
        self._settings = settings
        self._opening = threading.Lock()
        self._engine: SearchEngine | None = opened.engine if opened is not None else None
        if self._engine is not None:
            self._engine.exclusions = generation.manifest.excluded
            earlier = None  # the engine already has the data of the earlier readers
        self._read = earlier._known_data() if earlier is not None else None
        self._symbols = earlier._known_symbols() if earlier is not None else None
        self.graph.symbol_reader = self._symbol_table
        #: Runs statements of users.
        self.queries = QueryProcess(generation.graph_path)

    @property
    def engine(self) -> SearchEngine:
        """The search engine. Raises IndexCorrupt if the vectors of this generation are missing or damaged."""
        with self._opening:
            if self._engine is None:
                self._engine = self._open_engine()
            return self._engine

    def _open_engine(self) -> SearchEngine:
        chunks = open_vectors(self._data_dir, self.generation.manifest)
        engine = _search_engine(self.graph, chunks, self._settings, self.generation.manifest.embedding_model)
        if self._read is not None and self._read.graph == self._identity:
            engine.take_over(self._read.engine, *_changed(self._read.changes, self.generation.manifest.logged))
        engine.exclusions = self.generation.manifest.excluded
        self._read = None
        return engine

    def engine_after(
        self, base: Generation, graph: GraphDatabase, chunks: ChunkTable, changes: LoggedChanges
    ) -> SearchEngine | None:
        """Return a search engine for a changed graph. The engine reuses the data of these readers.

        Returns None if these readers have no data of the graph file of `base`, which another process may have published.
        `changes` are the changes in the log of the new generation. Raises IndexCorrupt.
        """
        known = self._known_data()
        if known is None or known.graph != base.graph_identity():
            return None
        engine = _search_engine(graph, chunks, self._settings, base.manifest.embedding_model)
        engine.take_over(known.engine, *_changed(known.changes, changes))
        return engine

    def forget_texts(self) -> None:
        """Release the texts of all files, if a search has read them."""
        with self._opening:
            if self._engine is not None:
                self._engine.forget_texts()

    def forget(self) -> None:
        """Release all data in a forked copy of the process. The copy does not use these stores."""
        self._engine = self._read = self._symbols = None
        self.graph.forget()

    def open_chunks(self) -> ChunkTable | None:
        """Return the table of vectors if a search has opened it, else None."""
        with self._opening:
            return self._engine.chunks if self._engine is not None else None

    def _known_data(self) -> _Read | None:
        """Return the data of these readers or their predecessors."""
        with self._opening:
            if self._engine is None:
                return self._read
            return _Read(self._engine, self._identity, self.generation.manifest.logged)

    def _symbol_table(self, graph: GraphDatabase) -> SymbolTable:
        """Return the symbols of this generation.

        They are the symbols of the graph file, from an earlier table or from the file beside the graph file, without the files in
        the log, and the symbols of these files. If there is no such file, all symbols are read from the graph.
        """
        from ...graphdb.symbols.symbol_columns import SymbolColumns
        from ...graphdb.symbols.symbol_table import SymbolTable

        earlier, self._symbols = self._symbols, None
        logged = self.generation.manifest.logged.paths
        if earlier is not None and earlier.graph == self._identity:
            return earlier.table.renewed(graph, {*earlier.changes.paths, *logged})
        path = symbols_beside(self.generation.graph_path)
        if path.name not in self.generation.manifest.checks or not self.generation.holds(path):
            return SymbolTable(graph)
        return SymbolTable(graph, SymbolColumns.open(path), logged)

    def _known_symbols(self) -> _Symbols | None:
        """Return the symbol table of these readers or their predecessors."""
        from ...graphdb.symbols.symbol_table import SymbolTable

        table = self.graph.known(SymbolTable)
        return self._symbols if table is None else _Symbols(table, self._identity, self.generation.manifest.logged)

    def serves(self, generation: Generation) -> bool:
        """Return whether these are the readers of a generation."""
        return self.generation.name == generation.name

    def close(self) -> None:
        """Close the files of the generation, which may then be removed, and release the cached data.

        The references are removed explicitly, because the garbage collector of a server seldom runs.
        """
        self.queries.close()
        self._engine = self._read = self._symbols = None
        self.graph.close()
        self.generation.release()


def _changed(earlier: LoggedChanges, later: LoggedChanges) -> tuple[set[str], set[str]]:
    """Return the files whose nodes, and the files whose edges, may differ between two generations with the same graph file."""
    return {*earlier.paths, *later.paths}, {*earlier.resolved, *later.resolved}


def _search_engine(graph: GraphDatabase, chunks: ChunkTable, settings: Settings, model: str) -> SearchEngine:
    """Return a search engine; `model` is the model of the stored vectors."""
    from ...retrieval.embedding import load_embedder, load_local_embedder, load_reranker
    from ...retrieval.embedding.embedder import MismatchedEmbedder
    from ...retrieval.ranking.ranking import Ranker
    from ...retrieval.ranking.transformer.loading import encoder_loader
    from ...retrieval.search import SearchEngine

    embedder, ranker = load_embedder(settings), Ranker(load_local_embedder())
    if embedder.model != model:
        embedder = MismatchedEmbedder(embedder, model)
    return SearchEngine(
        graph, chunks, embedder, settings, ranker, SourceSyntax(), load_reranker(settings), encoder_loader(settings)
    )


class ReaderPool:
    """Lends the readers of a generation to requests, and keeps the latest readers open. Thread-safe."""

    def __init__(self, data_dir: Path, settings: Settings) -> None:
        self._data_dir = data_dir
        self._settings = settings
        self._lock = threading.Lock()
        self._current: Readers | None = None
        self._request_counts: dict[Readers, int] = {}
        self._offered: tuple[Generation, Opened] | None = None

    def prepare(self, base: Generation, graph: GraphDatabase, chunks: ChunkTable, changes: LoggedChanges) -> Opened:
        """Prepare a search engine for the next generation before its publication; see `Readers.engine_after`."""
        with self.lend_open() as current:
            return Opened(graph, current.engine_after(base, graph, chunks, changes) if current is not None else None)

    @contextmanager
    def lend_open(self) -> Iterator[Readers | None]:
        """Yield the readers of the last request; None if nothing is open."""
        with self._lock:
            current = self._current
            if current is not None:
                self._request_counts[current] += 1
        try:
            yield current
        finally:
            if current is not None:
                with self._lock:
                    self._request_counts[current] -= 1
                    self._close_unused()

    def offer(self, generation: Generation, opened: Opened) -> None:
        """Keep the open stores of a generation for the next request."""
        with self._lock:
            self._drop_offered()
            self._offered = generation, opened

    def stop_queries(self) -> int:
        """Stop the running statements and chains of users. Returns their number."""
        with self._lock:
            in_use = list(self._request_counts)
        return sum(readers.queries.stop() + readers.graph.stop_queries() for readers in in_use)

    def _drop_offered(self) -> None:
        if self._offered is not None:
            self._offered[1].graph.close()
            self._offered = None

    @contextmanager
    def lend(self, generation: Generation) -> Iterator[Readers]:
        """Yield the readers of a generation for one request. Raises IndexCorrupt if its graph cannot be opened."""
        with self._lock:
            readers = self._readers_of(generation)
            self._request_counts[readers] += 1
        try:
            yield readers
        finally:
            with self._lock:
                self._request_counts[readers] -= 1
                if readers is not self._current:
                    self._close_unused()

    def suspend(self) -> None:
        """Close the open graph and release the texts of all files. The next request opens and reads them again."""
        with self.lend_open() as current:
            if current is not None:
                current.graph.suspend()
                current.forget_texts()

    def forget(self) -> None:
        """Release all data, in a forked copy of the process.

        No locks are acquired, because other threads may have held them at the fork.
        """
        if self._current is not None:
            self._current.forget()

    def close(self) -> None:
        """Close the readers that no request uses, and other readers when their requests end."""
        with self._lock:
            self._current = None
            self._drop_offered()
            self._close_unused()

    def _readers_of(self, generation: Generation) -> Readers:
        if self._current is None or not self._current.serves(generation):
            opened = None
            if self._offered is not None and self._offered[0].name == generation.name:
                _, opened = self._offered
                self._offered = None
            self._current = Readers(generation, self._data_dir, self._settings, opened=opened, earlier=self._current)
            self._request_counts[self._current] = 0
            # The previous readers are closed after the request, because closing takes half as long as an answer and needs the
            # GIL.
            later = threading.Timer(_CLOSING_DELAY, self._close_later)
            later.daemon = True
            later.start()
        return self._current

    def _close_later(self) -> None:
        with self._lock:
            self._close_unused()

    def _close_unused(self) -> None:
        for readers in [
            readers for readers, count in self._request_counts.items() if count == 0 and readers is not self._current
        ]:
            del self._request_counts[readers]
            readers.close()
