"""The messages between the indexer and the workers that write the stores.

A worker gets an `Order` and then content: lists of files, of which an empty one is the last, or lists of parts of a graph, with
None as the last, or one `Renewal`. It answers with any number of `Embedded` and `Announced`, and last with what it has written.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Self

import msgspec

from ...schema.manifest import FileCheck, LoggedChanges
from ...schema.records import GraphContent
from ...schema.settings import GraphEngine, Settings


class VectorsBase(msgspec.Struct, frozen=True):
    """A version of the table in which the chunks of some files are replaced."""

    version: int
    paths: list[str]


class KnownVectors(msgspec.Struct, frozen=True):
    """A version of the table, and the model of its vectors."""

    version: int
    model: str


class VectorsOrder(msgspec.Struct, frozen=True, tag="vectors"):
    """Write the files that follow, list by list, into a folder."""

    store: ClassVar[str] = "vectors"
    folder: str
    settings: Settings
    #: None: the files are all there are.
    base: VectorsBase | None = None
    #: With no base: vectors for chunks of the same text, if they are of the same model.
    known: KnownVectors | None = None

    @property
    def data_dir(self) -> Path:
        """The folder of the index."""
        return self.written_folder.parent

    @property
    def written_folder(self) -> Path:
        """The folder that is written to."""
        return Path(self.folder)


class GraphOrder(msgspec.Struct, frozen=True, tag="graph"):
    """Write the parts of a graph that follow into a graph file."""

    store: ClassVar[str] = "graph"
    path: str
    #: Graph file that rows are taken over from; one `Renewal` follows instead of parts.
    base: str | None = None
    #: Engine that writes a graph without a base; a graph with a base is written by the engine of the base.
    engine: GraphEngine = "kuzu"

    @classmethod
    def of(cls, path: Path, base: Path | None, engine: GraphEngine = "kuzu") -> Self:
        """The order for these files."""
        return cls(str(path), str(base) if base is not None else None, engine)

    @property
    def data_dir(self) -> Path:
        """The folder of the index."""
        return self.written_folder.parents[1]

    @property
    def written_folder(self) -> Path:
        """The folder that is written to."""
        return Path(self.path).parent


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


#: What a worker is asked to do.
Order = VectorsOrder | GraphOrder
#: What it says: how far it has come, and last what it has written.
Answer = Embedded | Announced | VectorsWritten | GraphWritten
