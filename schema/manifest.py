"""The manifest of a generation: what an index was made of, by which a later look tells what changed since.

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
    """What decides whether a file changed since it was indexed."""

    relative_path: str
    #: When it was modified, or its entry changed where that is later; nanoseconds since the epoch. 0: too recently to tell.
    mtime: int
    size: int
    content_hash: str


class LoggedChanges(msgspec.Struct, frozen=True):
    """What the log beside a graph file changes: one transaction, which each generation writes anew with its own changes added."""

    #: Files whose nodes are new.
    rewritten: list[str] = []
    #: Files of the graph file that are no more.
    removed: list[str] = []
    #: Files whose edges are new.
    resolved: list[str] = []
    #: True when files came or went, or modules changed.
    moved: bool = False

    @property
    def paths(self) -> list[str]:
        """Files whose nodes are not those of the graph file."""
        return [*self.rewritten, *self.removed]


class FileCheck(msgspec.Struct, frozen=True, array_like=True):
    """What a written file is known by."""

    #: In bytes.
    size: int
    #: Modification time in nanoseconds.
    mtime: int
    #: CRC-32 of its bytes.
    checksum: int


def time_of_creation() -> str:
    """Now, as manifests tell it: together with the number it names a generation, so microseconds count."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


class Manifest(msgspec.Struct, frozen=True):
    """What a generation is made of: `manifest.json` beside its graph file."""

    #: Version of the on-disk format; a reader refuses a newer one.
    format_version: int
    #: Version of Astrolabe that wrote it.
    astrolabe_version: str
    generation: int
    created_at: str
    git_head: str
    #: Version number of the vector table that belongs to this graph.
    vectors_version: int
    embedding_model: str
    embedding_dimensions: int
    #: Counts by node and edge table name.
    counts: dict[str, int]
    #: Digest of the settings and installations that shape the index, and the version of Astrolabe.
    configuration_digest: str
    stamps: list[FileStamp]
    excluded: list[Exclusion]
    #: Paths of the data files that code could import.
    data_files: list[str]
    #: Digest of the ignore files, tsconfigs and manifests.
    rules_digest: str = ""
    #: The graph engine that wrote the graph file.
    graph_engine: str = "kuzu"
    #: Bytes of the graph file; filled in when the generation is published, and compared when it is opened.
    graph_bytes: int = 0
    #: Bytes of the log beside it, likewise; 0 when there is none.
    log_bytes: int = 0
    #: Counts of the graph file without its log; empty when there is none.
    loaded_counts: dict[str, int] = {}
    logged: LoggedChanges = LoggedChanges()
    #: What the files beside the manifest are known by, and those of the vector table, by path; filled in likewise.
    checks: dict[str, FileCheck] = {}
    vector_checks: dict[str, FileCheck] = {}
