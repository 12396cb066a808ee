"""The columns of the chunk table that ranking reads of every row, in memory: 1 kB a row, so that a query reads nothing from disk.

LanceDB stays the store. Its exact scan takes 25 ms for 30,000 rows, the product with a matrix 3.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..schema.records import camel_case
from .embedder import Vectors
from .question import folder_key

if TYPE_CHECKING:
    import pyarrow as pa

#: Stands for a missing row number while a column is read.
NO_ROW = 2**32 - 1


class CandidateRow(NamedTuple):
    """What ranking needs of a row."""

    row: int
    id: str
    relative_path: str
    node_kind: str
    name: str
    parent_name: str | None
    #: Row of the parent chunk; None for depth 0.
    parent_row: int | None
    depth: int
    breadcrumb: str
    start_line: int
    end_line: int
    exported: bool
    is_test: bool


COLUMNS = tuple(camel_case(field) for field in CandidateRow._fields)


class CandidateRows:
    """Rows by their numbers, some of which may be out of use. All arrays have shape (limit,)."""

    def __init__(self, table: pa.Table) -> None:
        """The table has COLUMNS and `vector`, in any order of rows."""
        numbers = table["row"].to_numpy()
        order = np.argsort(numbers, kind="stable")
        self._table = table.drop_columns("vector").combine_chunks()
        #: One more than the largest row number.
        self.limit = int(numbers.max()) + 1 if len(numbers) else 0
        self._places = np.full(self.limit, -1, np.int64)
        self._places[numbers] = np.arange(len(numbers))
        #: Row of the parent chunk; -1 for depth 0.
        self.parents = np.full(self.limit, -1, np.int64)
        outer = table["parentRow"].fill_null(NO_ROW).to_numpy().astype(np.int64)
        self.parents[numbers] = np.where(outer == NO_ROW, -1, outer)
        #: Chunks directly within each.
        self.children = np.bincount(self.parents[self.parents >= 0], minlength=self.limit)
        #: A number for the file of each row; -1 for rows out of use.
        self.files = np.full(self.limit, -1, np.int64)
        paths = table["relativePath"].combine_chunks().dictionary_encode()
        self.files[numbers] = paths.indices.to_numpy(zero_copy_only=False)
        #: Path of each file, by its number.
        self.paths: list[str] = paths.dictionary.to_pylist()
        #: By the file's number: how many rows it has, and where they begin in `by_file`, which holds the rows in use by file.
        self.file_lengths = np.bincount(self.files + 1, minlength=len(self.paths) + 1)[1:]
        self.file_starts = np.cumsum(self.file_lengths) - self.file_lengths
        self.by_file = np.argsort(self.files, kind="stable")[int((self.files < 0).sum()) :]
        #: Whether the file is one of tests, by its number.
        self.test_files = np.zeros(len(self.paths), np.bool_)
        self.test_files[self.files[numbers]] = table["isTest"].to_numpy(zero_copy_only=False)
        self._numbers = numbers[order]
        self._matrix = _matrix(table)[order]

    def __len__(self) -> int:
        return len(self._numbers)

    def ids(self) -> tuple[pa.Array, NDArray[np.int64]]:
        """The ids of all chunks, and the row of each."""
        return self._table["id"].combine_chunks(), self._table["row"].to_numpy().astype(np.int64)

    def similarities(self, vector: Vectors) -> NDArray[np.float32]:
        """Cosine of each row with a vector of unit length; -1 for rows out of use."""
        found = np.full(self.limit, -1, np.float32)
        found[self._numbers] = self._matrix @ vector
        return found

    def in_files(self, is_wanted: Callable[[str], bool]) -> NDArray[np.int64]:
        """The rows of the files whose paths are wanted."""
        wanted = [number for number, path in enumerate(self.paths) if is_wanted(path)]
        return np.flatnonzero(np.isin(self.files, wanted))

    @cached_property
    def _folders(self) -> dict[str, set[int]]:
        """The files below the folders of each name, as `folder_key` spells it."""
        found: dict[str, set[int]] = defaultdict(set)
        for number, path in enumerate(self.paths):
            for name in path.split("/")[:-1]:
                found[folder_key(name)].add(number)
        return dict(found)

    def below_folders(self, names: Iterable[str]) -> NDArray[np.bool_]:
        """Whether each file, by its number, lies below a folder of one of these names."""
        below = np.zeros(len(self.paths), np.bool_)
        for name in names:
            below[list(self._folders.get(name, ()))] = True
        return below

    def read(self, rows: Iterable[int]) -> list[CandidateRow]:
        """Some rows, in rising order."""
        taken = self._table.take(self._places[sorted(set(rows))])
        return [CandidateRow(*values) for values in zip(*(taken[column].to_pylist() for column in COLUMNS), strict=True)]


def _matrix(table: pa.Table) -> Vectors:
    width = table.schema.field("vector").type.list_size
    flat = table["vector"].combine_chunks().flatten().to_numpy()
    return np.ascontiguousarray(flat.reshape(-1, width), np.float32)
