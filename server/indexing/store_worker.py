"""The process that writes one store: `python -m astrolabe.server.indexing.store_worker`. See `store_process.py`."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ...schema.errors import IndexCorrupt, StoreError
from ...schema.graph_content import GraphContent, joined
from ...schema.process.allocator import limit_arenas, return_free_memory
from ...schema.process.serving import Caller, serve
from ...schema.records import FileContent
from ..environment.disk_space import naming_full_disk
from ..stores.stored_vectors import vector_checks
from .store_messages import Announced, Answer, Embedded, GraphOrder, GraphWritten, Order, Renewal, VectorsOrder, VectorsWritten

if TYPE_CHECKING:
    from ...retrieval.embedding.embedder import Vectors
    from ...retrieval.vectors.chunk_table import EmbeddedText

#: Number of chunks embedded between two reports of progress.
_EMBEDDING_BATCH = 2048
#: Number of chunks between two reports for a remote provider, which needs seconds for 2,048 chunks.
_PAID_BATCH = 256


def write_store(caller: Caller) -> None:
    """Execute one order."""
    gc.disable()  # this process ends when the store is written
    limit_arenas()  # both engines allocate in several threads
    # Threads of the linear algebra library are not faster here, and use a core even while they wait.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    order = msgspec.msgpack.decode(caller.receive(), type=Order)
    with naming_full_disk(order.data_dir):
        for answer in _write_vectors(order, caller) if isinstance(order, VectorsOrder) else _write_graph(order, caller):
            caller.send(msgspec.msgpack.encode(answer))


def _write_vectors(order: VectorsOrder, caller: Caller) -> Iterator[Answer]:
    from ...retrieval.vectors.lance_engine import load_lancedb

    load_lancedb()  # takes half a second, while the first files arrive
    files = _files(caller)
    import numpy as np

    from ...retrieval.embedding import load_embedder, load_paid_embedder
    from ...retrieval.vectors.chunk_table import ChunkTable
    from ...retrieval.vectors.chunk_update import chunks_in_order, take_known, texts_of, update_chunks

    chunks = chunks_in_order(files)

    def announce(sentence: str) -> None:
        caller.send(msgspec.msgpack.encode(Announced(sentence)))

    paid = load_paid_embedder(order.settings, Path(order.folder), announce)
    embedder = paid or load_embedder(order.settings)
    if paid and (sentence := paid.announcement(chunks)):
        yield Announced(sentence)
    if order.base is not None:
        table = ChunkTable.open(Path(order.folder), order.base.version)
        done = update_chunks(table, order.base.paths, files, embedder)
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
    version = ChunkTable.write(Path(order.folder), chunks, vectors, texts_of(files))
    if paid:
        paid.keep_only(chunks)
    account = paid.account() if paid else ""
    checks = vector_checks(Path(order.folder), version, {})
    yield VectorsWritten(version, embedder.model, embedder.dimensions, len(new), len(chunks), account, checks)


def _known_vectors(order: VectorsOrder, model: str) -> dict[EmbeddedText, Vectors]:
    """Return vectors of an earlier version by embedded text; none if the version is damaged."""
    from ...retrieval.vectors.chunk_table import ChunkTable

    if order.known is None or order.known.model != model:
        return {}
    try:
        return ChunkTable.open(Path(order.folder), order.known.version).read_embedded(None)
    except IndexCorrupt:
        return {}


def _files(caller: Caller) -> list[FileContent]:
    """Return the files that the caller sends, in the order in which they were parsed."""
    decoder = msgspec.msgpack.Decoder(list[FileContent])
    files: list[FileContent] = []
    while part := decoder.decode(caller.receive()):
        files += part
    return files


def _write_graph(order: GraphOrder, caller: Caller) -> Iterator[Answer]:
    from ...graphdb.writing.bulk_load import GraphFile

    if order.base is not None:
        yield GraphWritten(_renew(Path(order.path), Path(order.base), msgspec.msgpack.decode(caller.receive(), type=Renewal)))
        return
    file = GraphFile(Path(order.path), order.engine)
    decoder = msgspec.msgpack.Decoder(list[GraphContent] | None)
    try:
        while (parts := decoder.decode(caller.receive())) is not None:
            content = joined(parts)
            del parts
            file.load(content)
            del content  # the next message arrives after these records are freed
            return_free_memory()
        counts = file.close()
    except IndexCorrupt as error:  # the engine cannot read the written graph
        raise StoreError(f"The graph file {order.path} could not be written to its end: {error}") from error
    yield GraphWritten(counts)


def _renew(path: Path, base: Path, renewal: Renewal) -> dict[str, int]:
    from ...graphdb.writing.incremental_update import Part
    from ...graphdb.writing.rewrite import renew_graph

    replaced = renewal.replaced
    return renew_graph(base, path, renewal.content, Part(replaced.rewritten, replaced.removed, replaced.resolved, renewal.homes))


if __name__ == "__main__":
    serve(write_store)
