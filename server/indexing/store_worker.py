"""A process that writes one store: `python -m astrolabe.server.indexing.store_worker vectors|graph`. See `store_process.py`.

Reads its order and its content as frames from stdin; answers with `Progress` and one `Outcome` on stdout.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

import msgspec

from ...schema.errors import AstrolabeError, IndexCorrupt, StoreError
from ...schema.manifest import FileCheck, LoggedChanges
from ...schema.process.frames import read_frame, write_frame
from ...schema.process.import_blocker import be_lean
from ...schema.records import Chunk, GraphContent, joined
from ...schema.settings import Settings
from ..environment.disk_space import naming_full_disk
from ..stores.stored_vectors import vector_checks

if TYPE_CHECKING:
    from ...retrieval.embedding.embedder import Vectors
    from ...retrieval.vectors.chunk_table import EmbeddedText

#: Chunks embedded between two reports of progress.
_EMBEDDING_BATCH = 2048
#: The same with a provider that takes seconds for so many.
_PAID_BATCH = 256


class VectorsBase(msgspec.Struct, frozen=True):
    """A version of the table in which the chunks of some files are replaced."""

    version: int
    paths: list[str]


class KnownVectors(msgspec.Struct, frozen=True):
    """A version of the table, and the model of its vectors."""

    version: int
    model: str


class VectorsOrder(msgspec.Struct, frozen=True, tag="vectors"):
    """Write the chunks that follow, list by list, into a folder."""

    folder: str
    settings: Settings
    #: None: the chunks are all there are.
    base: VectorsBase | None = None
    #: With no base: vectors for chunks of the same text, if they are of the same model.
    known: KnownVectors | None = None

    @property
    def data_dir(self) -> Path:
        """The folder of the index."""
        return Path(self.folder).parent


class GraphOrder(msgspec.Struct, frozen=True, tag="graph"):
    """Write the parts of a graph that follow into a graph file."""

    path: str
    #: Graph file that rows are taken over from; one `Renewal` follows instead of parts.
    base: str | None = None

    @property
    def data_dir(self) -> Path:
        """The folder of the index."""
        return Path(self.path).parents[2]


class Renewal(msgspec.Struct, frozen=True):
    """What of a graph is replaced, and by what."""

    content: GraphContent
    replaced: LoggedChanges
    #: (path, module) of all files, in order, when files came or went.
    homes: list[tuple[str, str | None]] | None


class Embedded(msgspec.Struct, frozen=True, tag="embedded"):
    """Chunks embedded so far."""

    done: int
    total: int


class Announced(msgspec.Struct, frozen=True, tag="announced"):
    """What the user should know before it is done, such as what an embedding will cost."""

    sentence: str


class VectorsWritten(msgspec.Struct, frozen=True, tag="vectorsWritten"):
    """The version that holds the chunks, and the model of its vectors."""

    version: int
    model: str
    dimensions: int
    #: Chunks whose vectors were computed, and chunks that were written.
    embedded: int
    written: int
    #: What the embedding cost, as a sentence; "" where it was free.
    account: str = ""
    #: What the written files are known by.
    checks: dict[str, FileCheck] = {}


class GraphWritten(msgspec.Struct, frozen=True, tag="graphWritten"):
    """Rows by table."""

    counts: dict[str, int]


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """The store could not be written: name of the error's class, and its message."""

    error: str
    message: str


Order = VectorsOrder | GraphOrder
Answer = Embedded | Announced | VectorsWritten | GraphWritten | Failed


def main() -> None:
    """Carry out one order."""
    be_lean()
    gc.disable()  # this process ends when its store is written
    # Nothing here gains from threads of the linear algebra library, which spin for work as soon as numpy is loaded.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing but answers may reach the pipe
    encoder = msgspec.msgpack.Encoder()
    frame = read_frame(sys.stdin.buffer)
    if frame is None:
        return
    order = msgspec.msgpack.decode(frame, type=Order)

    def send(answer: Answer) -> None:
        write_frame(answers, encoder.encode(answer))

    try:
        with naming_full_disk(order.data_dir):
            for answer in _write_vectors(order, send) if isinstance(order, VectorsOrder) else _write_graph(order):
                send(answer)
    except AstrolabeError as error:
        send(Failed(type(error).__name__, error.message))
        # The graph's engine cannot be closed when the disk is full: it crashes, or turns in circles for ever.
        os._exit(0)


def _write_vectors(order: VectorsOrder, send: Callable[[Answer], None]) -> Iterator[Answer]:
    from ...retrieval.vectors.lance_engine import load_lancedb

    # Loading takes half a second: chunks are taken meanwhile, so that the indexer never waits for the pipe.
    loading = threading.Thread(target=load_lancedb)
    loading.start()
    chunks = _chunks()
    threading.Thread(target=_end_with_indexer, daemon=True).start()
    loading.join()
    import numpy as np

    from ...retrieval.embedding import load_embedder, load_paid_embedder
    from ...retrieval.vectors.chunk_table import ChunkTable
    from ...retrieval.vectors.chunk_update import take_known, update_chunks

    paid = load_paid_embedder(order.settings, Path(order.folder), lambda sentence: send(Announced(sentence)))
    embedder = paid or load_embedder(order.settings)
    if paid and (sentence := paid.announcement(chunks)):
        yield Announced(sentence)
    if order.base is not None:
        table = ChunkTable.open(Path(order.folder), order.base.version)
        done = update_chunks(table, order.base.paths, chunks, embedder)
        account = paid.account() if paid else ""
        checks = vector_checks(Path(order.folder), done.version, {})
        yield VectorsWritten(done.version, embedder.model, embedder.dimensions, done.embedded, done.written, account, checks)
        return
    vectors = np.empty((len(chunks), embedder.dimensions), dtype=np.float32)
    new = take_known(_known_vectors(order, embedder.model), chunks, vectors)
    step = _PAID_BATCH if paid else _EMBEDDING_BATCH
    for begin in range(0, len(new), step):
        yield Embedded(begin, len(new))
        places = new[begin : begin + step]
        vectors[places] = embedder.embed_chunks([chunks[place] for place in places])
    yield Embedded(len(new), len(new))
    version = ChunkTable.write(Path(order.folder), chunks, vectors)
    if paid:
        paid.keep_only(chunks)
    account = paid.account() if paid else ""
    checks = vector_checks(Path(order.folder), version, {})
    yield VectorsWritten(version, embedder.model, embedder.dimensions, len(new), len(chunks), account, checks)


def _known_vectors(order: VectorsOrder, model: str) -> dict[EmbeddedText, Vectors]:
    """The vectors of an earlier version by what they were made from; none where it is damaged, which only costs embedding."""
    from ...retrieval.vectors.chunk_table import ChunkTable

    if order.known is None or order.known.model != model:
        return {}
    try:
        return ChunkTable.open(Path(order.folder), order.known.version).read_embedded(None)
    except IndexCorrupt:
        return {}


def _chunks() -> list[Chunk]:
    """The chunks that are sent, ordered by file and place: they arrive in the order in which files were parsed."""
    decoder = msgspec.msgpack.Decoder(list[Chunk])
    chunks: list[Chunk] = []
    while (frame := read_frame(sys.stdin.buffer)) is not None:
        part = decoder.decode(frame)
        if not part:
            chunks.sort(key=lambda chunk: (chunk.relative_path, chunk.start_line, chunk.depth))
            return chunks
        chunks += part
    raise BrokenPipeError("the indexer went away")  # nothing is to be written


def _end_with_indexer() -> None:
    """Ends this process when the indexer is gone, with its lock: the next one may be writing here already."""
    sys.stdin.buffer.read(1)
    os._exit(1)


def _write_graph(order: GraphOrder) -> Iterator[Answer]:
    from ...graphdb.writing.bulk_load import GraphFile

    if order.base is not None:
        yield GraphWritten(_renew(Path(order.path), Path(order.base)))
        return
    file = GraphFile(Path(order.path))
    decoder = msgspec.msgpack.Decoder(list[GraphContent] | None)
    frames: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_take_frames, args=(frames,), daemon=True).start()
    try:
        while (parts := decoder.decode(frames.get())) is not None:
            file.load(joined(parts))
        counts = file.close()
    except IndexCorrupt as error:  # the engine misses what it wrote into this very file
        raise StoreError(f"The graph file {order.path} could not be written to its end: {error}") from error
    yield GraphWritten(counts)


def _renew(path: Path, base: Path) -> dict[str, int]:
    from ...graphdb.writing.incremental_update import Part
    from ...graphdb.writing.rewrite import renew_graph

    frame = read_frame(sys.stdin.buffer)
    if frame is None:
        raise BrokenPipeError("the indexer went away")
    threading.Thread(target=_end_with_indexer, daemon=True).start()
    renewal = msgspec.msgpack.decode(frame, type=Renewal)
    replaced = renewal.replaced
    return renew_graph(base, path, renewal.content, Part(replaced.rewritten, replaced.removed, replaced.resolved, renewal.homes))


def _take_frames(frames: SimpleQueue[bytes]) -> None:
    """Reads what is sent at once: the indexer goes on while a part before it is loaded."""
    while True:
        frame = read_frame(sys.stdin.buffer)
        if frame is None:
            os._exit(1)  # the indexer is gone, and its staging folder is nobody's
        frames.put(frame)


if __name__ == "__main__":
    # The indexer waits for the end of this process. A usual exit would first give back, object by object, the memory that goes
    # with the process anyway, and complain about a broken pipe and about engines that are still being loaded.
    try:
        main()
        sys.stderr.flush()
        os._exit(0)
    except BrokenPipeError:
        os._exit(1)
    except BaseException:  # noqa: BLE001 - a fault of ours: it is told, and the thread that reads is not waited for
        sys.excepthook(*sys.exc_info())
        os._exit(1)
