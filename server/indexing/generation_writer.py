"""Write the output of ingest as a new generation: the vectors, the graph and, finally, the name of the live generation.

The vector table keeps its earlier versions until the generation is published, so the last generation survives a crash at any
time.
"""

from __future__ import annotations

import os
from pathlib import Path

from ...graphdb.engine import check_installed
from ...graphdb.generations.generations import FORMAT_VERSION, Generation, GenerationStore
from ...schema.graph_content import GraphContent, GraphPart
from ...schema.manifest import Exclusion, FileStamp, Manifest, time_of_creation
from ...schema.records import FileContent
from ...schema.settings import Settings
from ...schema.version import __version__
from ..environment.progress import ProgressListener
from ..stores.stored_vectors import vectors_folder
from .store_messages import GraphOrder, GraphWritten, KnownVectors, Renewal, VectorsBase, VectorsOrder, VectorsWritten
from .store_process import StoreProcess, copied_workers

#: Number of chunks in one message.
_CHUNKS_PER_MESSAGE = 512


class GenerationWriter:
    """A generation that is being written. The caller holds the writer's lock, and calls `abandon` after a failure."""

    def __init__(
        self,
        store: GenerationStore,
        data_dir: Path,
        settings: Settings,
        base: VectorsBase | None = None,
        *,
        known: KnownVectors | None = None,
        graph_base: Path | None = None,
        forks: bool = False,
    ) -> None:
        """With `base`, add only the files at the paths of `base`; all other files are kept. With `graph_base`, call
        `renew_graph`. With `forks`, the workers are copies of this process.

        Vectors in `known` are not computed again. Raises UsageError if the graph engine is not installed.
        """
        check_installed(settings.graph_engine)
        #: The result of the vectors' worker, after `publish`.
        self.vectors = VectorsWritten(0, "", 0, 0, 0)
        self._staging = store.begin()
        # The workers load their engines while files are parsed.
        if forks:
            _load_numpy()
        workers = copied_workers(2) if forks else [None, None]
        order = VectorsOrder(str(vectors_folder(data_dir)), settings, base, known)
        self._vectors = StoreProcess[VectorsWritten](order, workers[0])
        self._engine = settings.graph_engine
        graph_order = GraphOrder.of(self._staging.graph_path, graph_base, self._engine)
        self._graph = StoreProcess[GraphWritten](graph_order, workers[1])
        #: Files that are not yet sent.
        self._contents: list[FileContent] = []
        self._chunks = 0
        self._git_head = ""
        #: Sentences for the user, such as the cost of embedding.
        self.notices: tuple[str, ...] = ()

    def add_file(self, content: FileContent) -> None:
        """Add the text and the chunks of a file, in any order of files."""
        self._contents.append(content)
        self._chunks += len(content.chunks)
        if self._chunks >= _CHUNKS_PER_MESSAGE:
            self._send_contents()

    def end_files(self) -> None:
        """Announce the end of the files, so that embedding begins while names are resolved."""
        if self._contents:
            self._send_contents()
        self._vectors.send([])

    def _send_contents(self) -> None:
        self._vectors.send(self._contents)
        self._contents, self._chunks = [], 0

    def add_graph(self, *parts: GraphPart) -> None:
        """Add parts of the graph. Nodes must come before the edges between them."""
        self._graph.send(parts)
        for part in parts:
            if isinstance(part, GraphContent):
                self._git_head = part.git_head or self._git_head

    def end_graph(self) -> None:
        """Announce the end of the parts of the graph."""
        self._graph.send(None)

    def renew_graph(self, renewal: Renewal) -> None:
        """Set the replacement of a part of the base."""
        self._graph.send(renewal)
        self._git_head = renewal.content.git_head

    def publish(
        self,
        *,
        stamps: list[FileStamp],
        excluded: list[Exclusion],
        data_files: list[str],
        configuration_digest: str,
        rules_digest: str,
        links: bytes,
        progress: ProgressListener,
    ) -> Generation:
        """Wait for both stores, and make the generation the live generation. Raises the errors of the stores."""
        vectors = self.vectors = self._vectors.written(progress)
        self.notices += (vectors.account,) if vectors.account else ()
        progress("write", 0, 1)
        counts = self._graph.written().counts
        manifest = Manifest(
            format_version=FORMAT_VERSION,
            astrolabe_version=__version__,
            generation=self._staging.number,
            graph_engine=self._engine,
            created_at=time_of_creation(),
            git_head=self._git_head,
            vectors_version=vectors.version,
            vector_checks=vectors.checks,
            embedding_model=vectors.model,
            embedding_dimensions=vectors.dimensions,
            counts=counts,
            configuration_digest=configuration_digest,
            rules_digest=rules_digest,
            stamps=stamps,
            excluded=excluded,
            data_files=data_files,
        )
        progress("write", 1, 1)
        self._staging.write_links(links)
        return self._staging.publish(manifest)

    def abandon(self) -> None:
        """Stop the stores and remove the written files. The last generation stays live."""
        self._vectors.abandon()
        self._graph.abandon()
        self._staging.abandon()


def _load_numpy() -> None:
    """Load the only library that both workers need and that starts no thread, so that their copies of it are one."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in `store_worker.py`
    import numpy  # noqa: F401  # its import is what takes time
