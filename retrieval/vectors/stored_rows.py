"""Store the columns for ranking in Arrow files. Readers map these files into memory.

If LanceDB read the columns, they would take 40 MB of memory, and LanceDB itself 83 MB. All servers of an index share the mapped
files. A version of the rows consists of one or two files:

    rows-3.arrow    all rows at version 3
    rows-5.arrow    the rows that were added between versions 3 and 5, and the numbers of the rows that were removed

So an update writes few rows, and written files never change. If the second file would exceed a quarter of the first file, all
rows are written into one new file.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...schema.errors import IndexCorrupt
from .candidate_rows import STORED_COLUMNS, is_in

if TYPE_CHECKING:
    import pyarrow as pa

_PREFIX, _SUFFIX = "rows-", ".arrow"
#: Metadata key of a second file for the version of the first file.
_BASE = b"astrolabe.base"
#: Metadata key of a second file for the numbers of the rows that were removed from the first file.
_GONE = b"astrolabe.gone"
#: Maximum number of added and removed rows, as a share of the rows of the first file.
_MAX_CHANGED = 0.25

Numbers = NDArray[np.uint32]


class StoredRows:
    """The rows of one version. Instances never change, so threads may share them."""

    def __init__(self, whole: pa.Table, added: pa.Table, gone: Numbers, base: int | None) -> None:
        """Callers use `of` or `open` instead.

        `whole` is the content of the file of version `base`; `base` is None if there is no file yet.
        """
        self._whole = whole
        self._added = added
        self._gone = gone
        self._base = base

    @classmethod
    def of(cls, table: pa.Table) -> StoredRows:
        """Return a version with the rows of `table`. These rows are in the order of their numbers."""
        table = table.select([*STORED_COLUMNS, "vector"])
        return cls(table, table.slice(0, 0), np.zeros(0, np.uint32), None)

    @classmethod
    def open(cls, directory: Path, version: int) -> StoredRows:
        """Map the files of a version into memory. Raises IndexCorrupt if a file is missing or damaged."""
        table, base, gone = _read(rows_path(directory, version))
        if base is None:
            return cls(table, table.slice(0, 0), gone, version)
        return cls(_read(rows_path(directory, base))[0], table, gone, base)

    @property
    def tables(self) -> list[pa.Table]:
        """All rows in the files, including removed rows."""
        return [self._whole, self._added] if len(self._added) else [self._whole]

    @cached_property
    def numbers(self) -> Numbers:
        """The row numbers in use, in ascending order."""
        return np.concatenate([np.setdiff1d(_numbers(self._whole), self._gone, assume_unique=True), _numbers(self._added)])

    def since(self, limit: int) -> pa.Table:
        """Return the used rows whose numbers are at least `limit`."""
        found = _joined([table.filter(_numbers(table) >= limit) for table in self.tables])
        return found.filter(~np.isin(_numbers(found), self._gone))

    def in_files(self, paths: Collection[str]) -> Numbers:
        """Return the numbers of the used rows of some files, in ascending order."""
        found = [_numbers(table.filter(is_in(table["relativePath"], paths))) for table in self.tables]
        return np.intersect1d(np.concatenate(found), self.numbers, assume_unique=True)

    def roots(self, paths: Collection[str]) -> pa.Table:
        """Return the used rows of depth 0 of some files, with all columns but `vector`, in ascending order of their numbers."""
        found = []
        for table in self.tables:
            rows = table.drop_columns(["vector"]).filter(is_in(table["relativePath"], paths))
            found.append(rows.filter((rows["depth"].to_numpy() == 0) & ~np.isin(_numbers(rows), self._gone)))
        return _joined(found)

    def replaced(self, removed: Numbers, added: pa.Table) -> StoredRows:
        """Return a version without the rows `removed` and with the rows `added`, which have the highest numbers."""
        kept = self._added.filter(~np.isin(_numbers(self._added), removed))
        renewed = StoredRows(
            self._whole,
            _joined([kept, added.select(self._whole.column_names)]),
            np.union1d(self._gone, np.intersect1d(removed, _numbers(self._whole), assume_unique=True)),
            self._base,
        )
        changed = len(renewed._added) + len(renewed._gone)
        return renewed if changed <= _MAX_CHANGED * len(self._whole) else StoredRows.of(_joined(renewed._tables_in_use()))

    def named(self, version: int) -> StoredRows:
        """Return this version with its number, which is known only after the version was written."""
        return self if self._base is not None else StoredRows(self._whole, self._added, self._gone, version)

    def write(self, path: Path) -> None:
        """Write the file of a version. Raises OSError."""
        import pyarrow as pa

        table = self._whole
        if self._base is not None:
            table = self._added.replace_schema_metadata({_BASE: str(self._base), _GONE: self._gone.tobytes()})
        ipc: Any = pa.ipc
        # A single batch makes each column a single array in the mapped file.
        with pa.OSFile(str(path), "wb") as file, ipc.new_file(file, table.schema) as writer:
            writer.write_table(table.combine_chunks())

    def _tables_in_use(self) -> list[pa.Table]:
        return [self._whole.filter(~np.isin(_numbers(self._whole), self._gone)), self._added]


def rows_path(directory: Path, version: int | str) -> Path:
    """Return the file of a version."""
    return directory / f"{_PREFIX}{version}{_SUFFIX}"


def files_of_rows(directory: Path, version: int) -> list[Path]:
    """Return the one or two files of a version. Raises IndexCorrupt if the file of the version cannot be read."""
    path = rows_path(directory, version)
    base = _read(path)[1]
    return [path] if base is None else [rows_path(directory, base), path]


def remove_rows(directory: Path, oldest_needed: int) -> None:
    """Remove the files that no version from `oldest_needed` on needs. Raises OSError."""
    names = directory.glob(f"{_PREFIX}[0-9]*{_SUFFIX}")
    found = {int(path.name.removeprefix(_PREFIX).removesuffix(_SUFFIX)): path for path in names}
    needed = set()
    for version, path in found.items():
        if version >= oldest_needed:
            with suppress(IndexCorrupt):  # a file of an interrupted writer, or a damaged file that the next reader will report
                needed |= {path, *files_of_rows(directory, version)}
    for path in {*found.values()} - needed:
        path.unlink()


def _read(path: Path) -> tuple[pa.Table, int | None, Numbers]:
    """Return the rows of a file and, for a second file, the version of the first file and the numbers of removed rows."""
    import pyarrow as pa

    ipc: Any = pa.ipc
    try:
        with pa.memory_map(str(path)) as file:
            table = ipc.open_file(file).read_all()
        metadata = table.schema.metadata or {}
        base = metadata.get(_BASE)
        gone = np.frombuffer(metadata.get(_GONE, b""), np.uint32)
        missing = {*STORED_COLUMNS, "vector"}.difference(table.column_names)
        if missing:
            raise ValueError(f"it has no column {min(missing)}")
        return table.replace_schema_metadata(None), None if base is None else int(base), gone
    except (OSError, ValueError, pa.ArrowException) as error:
        raise IndexCorrupt(f"The indexed rows {path} cannot be read ({error}).") from error


def _numbers(table: pa.Table) -> Numbers:
    found: Numbers = table["row"].to_numpy()
    return found


def _joined(tables: Collection[pa.Table]) -> pa.Table:
    import pyarrow as pa

    return pa.concat_tables(tables).combine_chunks()
