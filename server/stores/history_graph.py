"""A copy of the live graph with the tables of the history. The first statement about the history creates the copy."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable
from pathlib import Path

from ...ingest.history.git import GitRepository
from ...ingest.history.store import opened_history
from ...schema import ddl
from ...schema.errors import StoreError
from ...schema.settings import Settings
from .query_process import QueryProcess
from .readers import Readers

_NAME = "history-{}.graph"


class HistoryGraph:
    """The copy of the graph, and the process that runs statements on it. Thread-safe.

    A copy belongs to one generation and one state of the repository's history.
    """

    def __init__(self, root: Path, folder: Path, settings: Settings, notify: Callable[[str], None]) -> None:
        """`folder` contains the databases of commits and the copy of the graph.

        `notify` receives a sentence if the copy lacks a part of the history.
        """
        self._notify = notify
        self._root = root
        self._folder = folder
        self._settings = settings
        self._lock = threading.Lock()
        self._path: Path | None = None
        self._process: QueryProcess | None = None

    def queries(self, readers: Readers) -> QueryProcess:
        """Return the process that runs statements on a generation with its history. Raises GitFailed and StoreError."""
        with self._lock:
            path = self._current(readers)
            if self._process is None or path != self._path:
                if self._process is not None:
                    self._process.close()
                self._path, self._process = path, QueryProcess(path)
            return self._process

    def stop(self) -> int:
        """Stop the running statement. Returns the number of stopped statements, 0 or 1."""
        process = self._process
        return int(process is not None and process.stop())

    def close(self) -> None:
        """End the process."""
        with self._lock:
            if self._process is not None:
                self._process.close()
                self._process = None

    def _current(self, readers: Readers) -> Path:
        from ...graphdb.writing.history_tables import write_history_graph
        from ...retrieval.history.graph_content import history_content

        git, depth = GitRepository(self._root), self._settings.history_depth
        with opened_history(self._folder, git, depth) as store:
            tables = tuple(ddl.statements(ddl.HISTORY))
            state = (
                *readers.generation.name,
                readers.generation.manifest.logged,
                store.head,
                store.commit_count(),
                depth,
                tables,
            )
            path = self._folder / _NAME.format(hashlib.sha256(repr(state).encode()).hexdigest()[:16])
            if path.is_file():
                return path
            partial = path.with_suffix(f".{os.getpid()}")
            content = history_content(readers.graph, git, store, depth)
        if content.gap:
            self._notify(content.gap)
        write_history_graph(readers.generation.graph_path, partial, content)
        try:
            partial.replace(path)
            for other in self._folder.glob(_NAME.format("*")):
                if other != path:
                    other.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"The graph with the history cannot be kept in {self._folder}: {error.strerror}.") from error
        return path
