"""The vector table of a generation: its place, and whether its files are unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ...graphdb.generations.file_checks import changed_below, checks_below
from ...schema.errors import IndexCorrupt, StoreError
from ...schema.manifest import FileCheck, Manifest

if TYPE_CHECKING:
    from ...retrieval.vectors.chunk_table import ChunkTable


def vectors_folder(data_dir: Path) -> Path:
    """Return the folder of an index's LanceDB dataset. The manifest of a generation names a version of the dataset."""
    return data_dir / "vectors"


def vector_checks(folder: Path, version: int, known: Mapping[str, FileCheck]) -> dict[str, FileCheck]:
    """Return the checks of the files of a version. Files in `known` are not read again. Raises StoreError."""
    from ...retrieval.vectors.chunk_table import ChunkTable

    try:
        return checks_below(folder, ChunkTable.files(folder, version), known)
    except OSError as error:
        raise StoreError(f"The vector table in {folder} cannot be read: {error.strerror}.") from error


def open_vectors(data_dir: Path, manifest: Manifest) -> ChunkTable:
    """Open the vector table of a generation. Raises IndexCorrupt for a missing or changed table."""
    from ...retrieval.vectors.chunk_table import ChunkTable

    check_vectors(data_dir, manifest)
    return ChunkTable.open(vectors_folder(data_dir), manifest.vectors_version)


def check_vectors(data_dir: Path, manifest: Manifest) -> None:
    """Raise IndexCorrupt if the vector table of a generation was changed after it was written."""
    folder = vectors_folder(data_dir)
    if changed := changed_below(folder, manifest.vector_checks):
        raise IndexCorrupt(f"{folder / changed[0]} was changed after it was written.")
