"""The manifest of a generation: the inputs of an index, by which an update detects changes.

Paths are POSIX and relative to the workspace root.
"""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec


class Exclusion(msgspec.Struct, frozen=True, gc=False):
    """A file or folder that discovery left out, and why."""

    path: str
    reason: str


class FileStamp(msgspec.Struct, frozen=True, gc=False):
    """The values by which changes of an indexed file are detected."""

    relative_path: str
    #: Time of the last change of the file or its directory entry, in nanoseconds since the epoch; 0 for a recent time, because
    #: the file may change again without a new time.
    mtime: int
    size: int
    content_hash: str


class LoggedChanges(msgspec.Struct, frozen=True):
    """The changes in the log beside a graph file.

    The log is a single transaction: each generation writes all earlier changes again, and then its own changes.
    """

    #: Files whose nodes the log adds or replaces.
    rewritten: list[str] = []
    #: Files of the graph file that no longer exist.
    removed: list[str] = []
    #: Files whose edges the log adds or replaces.
    resolved: list[str] = []
    #: Whether files were added or removed, or modules changed.
    moved: bool = False

    @property
    def paths(self) -> list[str]:
        """Paths of files whose nodes differ from the nodes in the graph file."""
        return [*self.rewritten, *self.removed]


class FileCheck(msgspec.Struct, frozen=True, array_like=True):
    """The size, time and checksum that identify the contents of a written file."""

    #: Size of the file in bytes.
    size: int
    #: Modification time of the file in nanoseconds.
    mtime: int
    #: CRC-32 of the file's bytes.
    checksum: int


def time_of_creation() -> str:
    """Return the current time for a manifest.

    Time and number identify a generation, so the time has microseconds.
    """
    return datetime.now(UTC).isoformat(timespec="microseconds")


class Manifest(msgspec.Struct, frozen=True):
    """The content of a generation: `manifest.json` beside its graph file."""

    #: Version of the on-disk format. A reader refuses newer versions.
    format_version: int
    #: Version of Astrolabe that wrote the index.
    astrolabe_version: str
    generation: int
    created_at: str
    git_head: str
    #: Version number of the vector table that belongs to this graph.
    vectors_version: int
    embedding_model: str
    embedding_dimensions: int
    #: Number of rows by name of the node or edge table.
    counts: dict[str, int]
    #: Digest of the settings and installations that affect the index, and of the version of Astrolabe.
    configuration_digest: str
    stamps: list[FileStamp]
    excluded: list[Exclusion]
    #: Paths of the data files that code could import.
    data_files: list[str]
    #: Digest of the ignore files, tsconfigs, manifests and symbolic links.
    rules_digest: str = ""
    #: The graph engine that wrote the graph file.
    graph_engine: str = "kuzu"
    #: Size of the graph file in bytes, which is set at the publication and checked when the generation is opened.
    graph_bytes: int = 0
    #: Size of the log beside the graph file in bytes; 0 without a log. It is set and checked like `graph_bytes`.
    log_bytes: int = 0
    #: Number of rows of the graph file without its log, by name of the table; empty without a log.
    loaded_counts: dict[str, int] = {}
    logged: LoggedChanges = LoggedChanges()
    #: Checks of the files beside the manifest, and then of the files of the vector table, by path. Both are set at the
    #: publication.
    checks: dict[str, FileCheck] = {}
    vector_checks: dict[str, FileCheck] = {}
