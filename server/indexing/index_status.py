"""The content of `astrolabe status`: freshness, counts, sizes, and reasons for omitted files."""

from __future__ import annotations

from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Any

import msgspec

from ...graphdb.generations.sparse_file import room_of
from ...graphdb.queries.files import FileProblem, file_problems
from ...schema.manifest import Exclusion
from ..environment.compiled_engine import engine_form, engine_note
from ..stores.stored_vectors import vectors_folder
from .workspace_health import Health, gather_health

if TYPE_CHECKING:
    from ...graphdb.database import GraphDatabase
    from ...graphdb.generations.generations import Generation
    from .workspace_scan import Scan


class Sizes(msgspec.Struct, frozen=True):
    """Sizes on disk in bytes. `source` counts the indexed files."""

    source: int
    graph: int
    vectors: int
    total: int


class Status(msgspec.Struct, frozen=True, rename="camel"):
    """The state of an index. `to_json` is the output of `astrolabe status --json`."""

    root: str
    data_dir: str
    generation: int
    created_at: str
    git_head: str
    fresh: bool
    #: Files that were added, changed or removed since the index was written.
    stale_files: tuple[str, ...]
    #: Whether settings, ignore rules, tsconfigs, manifests, symbolic links or the version of Astrolabe changed since.
    configuration_changed: bool
    #: JSON files, styles, pictures and other files that code may import, and that were added or removed since.
    data_files: tuple[str, ...]
    files: int
    symbols: int
    #: Number of rows by node and edge table.
    counts: dict[str, int]
    problem_files: tuple[FileProblem, ...]
    excluded: tuple[Exclusion, ...]
    sizes: Sizes
    #: The embedding model.
    model: str
    #: The graph engine that wrote the graph.
    graph_engine: str
    #: The type engine of this installation: "compiled" or "python".
    engine: str
    #: Consequences and remedy if the engine is not compiled; "" if it is.
    engine_note: str
    health: Health

    def to_json(self) -> dict[str, Any]:
        """Return the status with field names in camelCase."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


def gather_status(
    root: Path, data_dir: Path, history_folder: Path, scan: Scan, generation: Generation, graph: GraphDatabase
) -> Status:
    """Return the status of `generation`, compared with the workspace in `scan`."""
    manifest = generation.manifest
    return Status(
        root=str(root),
        data_dir=str(data_dir),
        generation=generation.number,
        created_at=manifest.created_at,
        git_head=manifest.git_head,
        fresh=scan.freshness.is_fresh,
        stale_files=scan.freshness.stale_files,
        configuration_changed=scan.freshness.configuration_changed or scan.freshness.rules_changed,
        data_files=scan.freshness.data_files,
        files=manifest.counts.get("File", 0),
        symbols=manifest.counts.get("Symbol", 0),
        counts=manifest.counts,
        problem_files=tuple(file_problems(graph)),
        excluded=tuple(scan.discovery.excluded),
        sizes=_sizes(data_dir, generation),
        model=manifest.embedding_model,
        graph_engine=manifest.graph_engine,
        engine=engine_form(),
        engine_note=engine_note(),
        health=gather_health(root, history_folder, scan.discovery, graph),
    )


def _sizes(data_dir: Path, generation: Generation) -> Sizes:
    return Sizes(
        source=sum(stamp.size for stamp in generation.manifest.stamps),
        graph=bytes_under(generation.graph_path),
        vectors=bytes_under(vectors_folder(data_dir)),
        total=bytes_under(data_dir),
    )


def bytes_under(path: Path) -> int:
    """Return the number of bytes on disk of a file, or of all files below a folder. Hard links count once."""
    found: dict[tuple[int, int], int] = {}
    for file in [path, *path.rglob("*")]:
        try:
            status = file.stat()
        except FileNotFoundError:
            continue
        if S_ISREG(status.st_mode):
            found[status.st_dev, status.st_ino] = room_of(status)
    return sum(found.values())
