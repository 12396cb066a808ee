"""The vector table of a generation: where it is, and whether its files are those that were written."""

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
    """The LanceDB dataset of an index; every generation's manifest pins a version of it."""
    return data_dir / "vectors"


def vector_checks(folder: Path, version: int, known: Mapping[str, FileCheck]) -> dict[str, FileCheck]:
    """What the files of a written version are known by; the bytes of those `known` are not read again. Raises StoreError."""
    from ...retrieval.vectors.chunk_table import ChunkTable

    try:
        return checks_below(folder, ChunkTable.files(folder, version), known)
    except OSError as error:
        raise StoreError(f"The vector table in {folder} cannot be read: {error.strerror}.") from error


def open_vectors(data_dir: Path, manifest: Manifest) -> ChunkTable:
    """The vector table of a generation. Raises IndexCorrupt when it is not there, or not as it was written."""
    from ...retrieval.vectors.chunk_table import ChunkTable

    check_vectors(data_dir, manifest)
    return ChunkTable.open(vectors_folder(data_dir), manifest.vectors_version)


def check_vectors(data_dir: Path, manifest: Manifest) -> None:
    """Raises IndexCorrupt when the vector table of a generation is not as it was written."""
    folder = vectors_folder(data_dir)
    if changed := changed_below(folder, manifest.vector_checks):
        raise IndexCorrupt(f"{folder / changed[0]} was changed after it was written.")
