"""The messages between the indexer and the workers that write the stores.

A worker receives an `Order` and then content: lists of files, ended by an empty list; lists of parts of a graph, ended by
None; or one `Renewal`. It answers with any number of `Embedded` and `Announced`, and at the end with its result.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Self

import msgspec

from ...schema.graph_content import GraphContent
from ...schema.manifest import FileCheck, LoggedChanges
from ...schema.settings import GraphEngine, Settings


class VectorsBase(msgspec.Struct, frozen=True):
    """A version of the vector table, and the files whose chunks are to be replaced in it."""

    version: int
    paths: list[str]


class KnownVectors(msgspec.Struct, frozen=True):
    """A version of the vector table, and the model of its vectors."""

    version: int
    model: str


class VectorsOrder(msgspec.Struct, frozen=True, tag="vectors"):
    """Write the files that follow, in lists, to the vector table in a folder."""

    store: ClassVar[str] = "vectors"
    folder: str
    settings: Settings
    #: None if the files that follow are all files of the workspace.
    base: VectorsBase | None = None
    #: Without a base: the version whose vectors are reused for chunks with the same text, if the model is the same.
    known: KnownVectors | None = None

    @property
    def data_dir(self) -> Path:
        """The folder of the index."""
        return self.written_folder.parent

    @property
    def written_folder(self) -> Path:
        """The folder that the worker writes to."""
        return Path(self.folder)


class GraphOrder(msgspec.Struct, frozen=True, tag="graph"):
    """Write the parts of a graph that follow into a graph file."""

    store: ClassVar[str] = "graph"
    path: str
    #: Graph file from which rows are copied; if given, one `Renewal` follows instead of parts.
    base: str | None = None
    #: Engine that writes a graph without a base; a graph with a base is written by the engine of the base.
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
        """The folder that the worker writes to."""
        return Path(self.path).parent


class Renewal(msgspec.Struct, frozen=True):
    """The replaced part of a graph, and its new content."""

    content: GraphContent
    replaced: LoggedChanges
    #: (path, module) of all files, in order, if files were added or removed.
    homes: list[tuple[str, str | None]] | None


class Embedded(msgspec.Struct, frozen=True, tag="embedded"):
    """The number of chunks embedded so far."""

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
    #: Number of chunks whose vectors were computed, and number of chunks that were written.
    embedded: int
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
#: Progress, and at the end the result.
Answer = Embedded | Announced | VectorsWritten | GraphWritten
