"""The messages between the indexer and the workers that write the stores.

A worker receives an `Order` and then content: lists of files and an empty list; lists of parts of a graph and None; or one
`Renewal`. It answers with any number of `Embedded` and `Announced`, and finally with its result.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Self

import msgspec

from ...schema.graph_content import GraphContent
from ...schema.manifest import FileCheck, LoggedChanges
from ...schema.settings import GraphEngine, Settings


class VectorsBase(msgspec.Struct, frozen=True):
    """A version of the vector table, and the files whose chunks are replaced."""

    version: int
    paths: list[str]


class KnownVectors(msgspec.Struct, frozen=True):
    """A version of the vector table, and the model of its vectors."""

    version: int
    model: str


class VectorsOrder(msgspec.Struct, frozen=True, tag="vectors"):
    """Write the following lists of files to the vector table in a folder."""

    store: ClassVar[str] = "vectors"
    folder: str
    settings: Settings
    #: None if the following files are all files of the workspace.
    base: VectorsBase | None = None
    #: Without a base: the version whose vectors are reused for chunks with the same text and the same model.
    known: KnownVectors | None = None

    @property
    def data_dir(self) -> Path:
        """The folder of the index."""
        return self.written_folder.parent

    @property
    def written_folder(self) -> Path:
        """The folder to which the worker writes."""
        return Path(self.folder)


class GraphOrder(msgspec.Struct, frozen=True, tag="graph"):
    """Write the following parts of a graph into a graph file."""

    store: ClassVar[str] = "graph"
    path: str
    #: Graph file from which rows are copied. If it is given, one `Renewal` follows instead of parts.
    base: str | None = None
    #: Engine that writes a graph without a base. The engine of the base writes a graph with a base.
    engine: GraphEngine = "kuzu"

    @classmethod
    def of(cls, path: Path, base: Path | None, engine: GraphEngine = "kuzu") -> Self:
        """Return the order for these files."""
        return cls(str(path), str(base) if base is not None else None, engine)

    @property
    def data_dir(self) -> Path:
        """The folder of the index."""
        return self.written_folder.parents[1]

    @property
    def written_folder(self) -> Path:
        """The folder to which the worker writes."""
        return Path(self.path).parent


class Renewal(msgspec.Struct, frozen=True):
    """The replaced part of a graph, and its new content."""

    content: GraphContent
    replaced: LoggedChanges
    #: (path, module) of all files, in order, if files were added or removed.
    homes: list[tuple[str, str | None]] | None


class Embedded(msgspec.Struct, frozen=True, tag="embedded"):
    """The number of embedded chunks."""

    done: int
    total: int


class Announced(msgspec.Struct, frozen=True, tag="announced"):
    """A sentence for the user before the work, such as the cost of embedding."""

    sentence: str


class VectorsWritten(msgspec.Struct, frozen=True, tag="vectorsWritten"):
    """The version of the table with the chunks, and the model of its vectors."""

    version: int
    model: str
    dimensions: int
    #: Number of chunks whose vectors were computed.
    embedded: int
    #: Number of chunks that were written.
    written: int
    #: The cost of the embedding, as a sentence; "" if it was free.
    account: str = ""
    #: Checks of the written files by path.
    checks: dict[str, FileCheck] = {}


class GraphWritten(msgspec.Struct, frozen=True, tag="graphWritten"):
    """The number of rows by table."""

    counts: dict[str, int]


#: A task for a worker.
Order = VectorsOrder | GraphOrder
#: Progress, and finally the result.
Answer = Embedded | Announced | VectorsWritten | GraphWritten
