"""The columns of the chunk table that ranking reads, mapped into memory from the files of `stored_rows.py`.

LanceDB stores the table, but its exact scan takes 25 ms for 30,000 rows; a product of matrices takes less than 2 ms.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...schema.languages import is_document_path, is_resolved_path, language_of_indexed
from ...schema.records import camel_case
from ..embedding.embedder import Vectors
from ..query.query import folder_key
from ..query.row_filter import RowFilter
from .int8_quantization import PackedVectors

if TYPE_CHECKING:
    import pyarrow as pa

#: Characters that may separate the words of a name in a query.
NAME_JOINTS = r"[\s_$#-]+"
#: A missing row number.
NO_ROW = 2**32 - 1


class CandidateRow(NamedTuple):
    """The fields of a row that ranking needs."""

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
#: The columns of a table of candidates, except `vector`.
STORED_COLUMNS = (*COLUMNS, "language")


class _Vectors(NamedTuple):
    """Row numbers in ascending order, and the vectors of these rows."""

    numbers: NDArray[np.uint32]
    vectors: PackedVectors


#: Unused rows as a share of the used rows, above which all rows are read again.
_MAX_UNUSED = 0.25
#: Number of parts with vectors above which all rows are read again.
_MAX_PARTS = 12
#: Number of vectors that are unpacked at once, to 1 KB each.
_BLOCK = 8192


class CandidateRows:
    """Rows by their row numbers, some of which may be unused. All arrays have shape (limit,)."""

    def __init__(self, tables: Sequence[pa.Table], numbers: NDArray[np.uint32], limit: int) -> None:
        """The tables have STORED_COLUMNS and `vector`. `numbers` are the row numbers in use, all below `limit`."""
        parts = tuple(_vectors(table) for table in tables)
        self._fill(_concatenated([table.select(list(STORED_COLUMNS)) for table in tables]), parts, numbers, limit)

    def renewed(self, numbers: NDArray[np.uint32], added: pa.Table, limit: int) -> CandidateRows | None:
        """Return the rows of a later version of the table. This version has the row numbers `numbers`, including the new rows
        `added`.

        The result is None if all rows should be read again.
        """
        rows = CandidateRows.__new__(CandidateRows)
        parts = (*self._parts, _vectors(added)) if len(added) else self._parts
        if len(parts) > _MAX_PARTS or len(self._table) + len(added) > len(numbers) * (1 + _MAX_UNUSED):
            return None
        rows._fill(_concatenated([self._table, added.select(self._table.column_names)]), parts, numbers, limit)
        squares = dict(zip(self.paths, self._squares.tolist(), strict=True)) if "_squares" in vars(self) else self._known_squares
        before, now = (dict(zip(each.paths, each.file_lengths.tolist(), strict=True)) for each in (self, rows))
        changed = set(added["relativePath"].to_pylist())
        rows._known_squares = {
            path: square for path, square in squares.items() if path not in changed and before[path] == now.get(path)
        }
        if "_joined_names" in vars(self):
            lower = _lower_case(added["name"])
            rows.__dict__["_lower_case_names"] = _concatenated_columns(self._lower_case_names, lower)
            rows.__dict__["_joined_names"] = _concatenated_columns(self._joined_names, _joined(lower))
        return rows

    def _fill(self, table: pa.Table, parts: tuple[_Vectors, ...], in_use: NDArray[np.uint32], limit: int) -> None:
        self._table = table
        self._parts = parts
        #: The squares of files whose rows are unchanged since an earlier version of the table, by path.
        self._known_squares: dict[str, float] = {}
        #: The largest row number that was ever used, plus one.
        self.limit = limit
        self._places = np.full(limit, -1, np.int64)
        self._places[table["row"].to_numpy()] = np.arange(len(table))
        numbers = np.sort(in_use)
        places = self._places[numbers]
        self._numbers = numbers
        #: Row of the parent chunk; -1 for depth 0.
        self.parents = np.full(limit, -1, np.int64)
        outer = table["parentRow"].fill_null(NO_ROW).to_numpy()[places].astype(np.int64)
        self.parents[numbers] = np.where(outer == NO_ROW, -1, outer)
        #: Number of chunks directly within each row.
        self.children = np.bincount(self.parents[self.parents >= 0], minlength=limit)
        paths = table["relativePath"].combine_chunks().dictionary_encode()
        used, codes = np.unique(paths.indices.to_numpy(zero_copy_only=False)[places], return_inverse=True)
        #: File number of each row, which is an index in `paths`; -1 for unused rows.
        self.files = np.full(limit, -1, np.int64)
        self.files[numbers] = codes
        #: Path of each file, by its file number.
        self.paths: list[str] = paths.dictionary.take(used).to_pylist()
        #: Number of rows of each file.
        self.file_lengths = np.bincount(self.files + 1, minlength=len(self.paths) + 1)[1:]
        #: Position of each file's first row in `by_file`.
        self.file_starts = np.cumsum(self.file_lengths) - self.file_lengths
        #: The used rows, sorted by file.
        self.by_file = np.argsort(self.files, kind="stable")[int((self.files < 0).sum()) :]
        #: Whether all rows of a file are tests, by the file number. Other files may also contain tests.
        self.test_files = np.ones(len(self.paths), np.bool_)
        self.test_files[codes[~table["isTest"].to_numpy(zero_copy_only=False)[places]]] = False

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def numbers(self) -> NDArray[np.uint32]:
        """The row numbers in use, in ascending order."""
        return self._numbers

    def ids(self) -> tuple[pa.Array, NDArray[np.int64]]:
        """Return the row of each chunk by id."""
        places = self._places[self._numbers]
        return self._table["id"].take(places).combine_chunks(), self._numbers.astype(np.int64)

    def matching(self, wanted: RowFilter) -> NDArray[np.uint32]:
        """Return the rows that a filter admits, in ascending order."""
        admitted = np.array([wanted.admits_path(path) for path in self.paths], np.bool_)
        found: NDArray[np.uint32] = self._numbers[admitted[self.files[self._numbers]]]
        for column, values in (("language", wanted.languages), ("nodeKind", wanted.kinds)):
            if values:
                found = np.intersect1d(found, self._in_use(is_in(self._table[column], sorted(values))), assume_unique=True)
        return found

    @cached_property
    def _are_documents(self) -> NDArray[np.bool_]:
        """Whether each file is a document, by the file number."""
        return np.array([is_document_path(path) for path in self.paths], np.bool_)

    @cached_property
    def of_documents(self) -> NDArray[np.uint32]:
        """The rows that are parts of documents, in ascending order."""
        found: NDArray[np.uint32] = self._numbers[self._are_documents[self.files[self._numbers]]]
        return found

    @cached_property
    def _of_code(self) -> NDArray[np.uint32]:
        """The rows that are not parts of documents, in ascending order."""
        found: NDArray[np.uint32] = self._numbers[~self._are_documents[self.files[self._numbers]]]
        return found

    def apart(self, admitted: NDArray[np.uint32] | None) -> tuple[NDArray[np.uint32] | None, NDArray[np.uint32]]:
        """Return the admitted rows of code, and the admitted rows of documents, in ascending order.

        The rows of code are None if all rows are admitted and contain code.
        """
        if not len(self.of_documents):
            return admitted, self.of_documents
        if admitted is None:
            return self._of_code, self.of_documents
        of_documents = self._are_documents[self.files[admitted]]
        return admitted[~of_documents], admitted[of_documents]

    def numbers_of(self, ids: Collection[str]) -> NDArray[np.uint32]:
        """Return the rows of the chunks with these ids, in ascending order; ids without a row are left out."""
        return self._in_use(is_in(self._table["id"], ids))

    def _in_use(self, wanted: pa.ChunkedArray) -> NDArray[np.uint32]:
        """Return the used rows for which an array of booleans is true, in ascending order."""
        found: NDArray[np.uint32] = self._numbers[wanted.to_numpy()[self._places[self._numbers]]]
        return found

    @cached_property
    def _lower_case_names(self) -> pa.ChunkedArray:
        return _lower_case(self._table["name"])

    def named(self, name: str) -> NDArray[np.int64]:
        """Return the rows with this name, regardless of case, in ascending order."""
        from pyarrow.compute import call_function

        return self._in_use(call_function("equal", [self._lower_case_names, name.lower()])).astype(np.int64)

    @cached_property
    def _joined_names(self) -> pa.ChunkedArray:
        return _joined(self._lower_case_names)

    def with_name_part(self, part: str) -> NDArray[np.int64]:
        """Return the rows whose names contain these letters, in lower case and without NAME_JOINTS, in ascending order."""
        from pyarrow.compute import MatchSubstringOptions, call_function

        options = MatchSubstringOptions(part.encode("utf-8", "replace"))
        return self._in_use(call_function("match_substring", [self._joined_names], options)).astype(np.int64)

    def similarities(self, vector: Vectors) -> NDArray[np.float32]:
        """Return the cosine of each row with a vector of unit length; -1 for unused rows."""
        found = np.full(self.limit, -1, np.float32)
        for part in self._parts:
            found[part.numbers] = part.vectors.cosines(vector)
        found[self.files < 0] = -1
        return found

    @cached_property
    def nearness_to_mean(self) -> tuple[NDArray[np.float32], float]:
        """The dot product of each row's vector with the mean vector of all used rows, and the squared length of this mean."""
        total = np.zeros(self._parts[0].vectors.dimensions, np.float64)
        for part in self._parts:
            # Subtracting the few unused rows is faster than adding up the used rows.
            total += part.vectors.total()
            total -= part.vectors.of(np.flatnonzero(self.files[part.numbers] < 0)).sum(axis=0, dtype=np.float64)
        mean = (total / max(len(self), 1)).astype(np.float32)
        return self.similarities(mean), float(mean @ mean)

    @cached_property
    def file_means(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Two arrays for the mean vectors of files: their dot products with the mean vector of all rows, and their squared
        lengths.
        """
        near, _ = self.nearness_to_mean
        lengths = np.maximum(self.file_lengths, 1)
        products = np.bincount(self.files[self.by_file], near[self.by_file], len(self.paths)) / lengths
        return products.astype(np.float32), np.asarray(self._squares / (lengths * lengths), np.float32)

    @cached_property
    def _squares(self) -> NDArray[np.float32]:
        """The squared length of the sum of the vectors of each file."""
        found = np.array([self._known_squares.get(path, -1.0) for path in self.paths], np.float32)
        missing = np.flatnonzero(found < 0)
        #: Place of each file among the missing files; -1 for other files, and last for unused rows.
        places = np.full(len(self.paths) + 1, -1, np.int64)
        places[missing] = np.arange(len(missing))
        sums = np.zeros((len(missing), self._parts[0].vectors.dimensions), np.float32)
        for part in self._parts:
            own = places[self.files[part.numbers]]
            order = np.argsort(own, kind="stable")[int((own < 0).sum()) :]
            for begin in range(0, len(order), _BLOCK):
                block = order[begin : begin + _BLOCK]
                starts = np.flatnonzero(np.diff(own[block], prepend=-1))
                sums[own[block[starts]]] += np.add.reduceat(part.vectors.of(block), starts, axis=0)
        found[missing] = np.einsum("ij,ij->i", sums, sums)
        return found

    @cached_property
    def language_shares(self) -> NDArray[np.float32]:
        """The share of all files that have the language of each file. All resolved languages count as one language."""
        languages = ["" if is_resolved_path(path) else language_of_indexed(path) for path in self.paths]
        counts = Counter(languages)
        return np.array([counts[language] / len(languages) for language in languages], np.float32)

    def vectors(self, rows: NDArray[np.int64]) -> Vectors:
        """Return the vectors of some used rows, of shape (rows, dimensions)."""
        found = np.empty((len(rows), self._parts[0].vectors.dimensions), np.float32)
        for part in self._parts:
            places = np.minimum(np.searchsorted(part.numbers, rows), len(part.numbers) - 1)
            held = part.numbers[places] == rows
            found[held] = part.vectors.of(places[held])
        return found

    @cached_property
    def folders(self) -> NDArray[np.int64]:
        """Folder number of each file. Files in the same folder have the same number."""
        numbers: dict[str, int] = {}
        return np.array([numbers.setdefault(path.rpartition("/")[0], len(numbers)) for path in self.paths], np.int64)

    def in_files(self, is_wanted: Callable[[str], bool]) -> NDArray[np.int64]:
        """Return the rows of the files with these paths."""
        wanted = [number for number, path in enumerate(self.paths) if is_wanted(path)]
        return np.flatnonzero(np.isin(self.files, wanted))

    @cached_property
    def _folders(self) -> dict[str, set[int]]:
        """File numbers of the files below folders with a name, by the `folder_key` of the name."""
        found: dict[str, set[int]] = defaultdict(set)
        for number, path in enumerate(self.paths):
            for name in path.split("/")[:-1]:
                found[folder_key(name)].add(number)
        return dict(found)

    def below_folders(self, names: Iterable[str]) -> NDArray[np.bool_]:
        """Return a mask of the files that are below a folder with one of these names."""
        below = np.zeros(len(self.paths), np.bool_)
        for name in names:
            below[list(self._folders.get(name, ()))] = True
        return below

    def read(self, rows: Iterable[int]) -> list[CandidateRow]:
        """Return some rows, in ascending order."""
        selected = self._table.take(self._places[sorted(set(rows))])
        # `to_pylist` is many times slower, because it creates an Arrow object for each value.
        columns = {column: selected[column].to_numpy() for column in COLUMNS if column != "parentRow"}
        parents = selected["parentRow"].fill_null(NO_ROW).to_numpy().tolist()
        columns["parentRow"] = np.array([None if parent == NO_ROW else parent for parent in parents], object)
        return list(map(CandidateRow, *(columns[column].tolist() for column in COLUMNS)))


def admitted_of(rows: NDArray[np.int64], admitted: NDArray[Any] | None) -> NDArray[np.int64]:
    """Return the rows that a filter admits, in their order. Without a filter, return all rows.

    `admitted` is in ascending order, and usually much longer than `rows`, so it is searched and not sorted again.
    """
    if admitted is None or not len(rows):
        return rows
    if not len(admitted):
        return rows[:0]
    places = np.minimum(np.searchsorted(admitted, rows), len(admitted) - 1)
    found: NDArray[np.int64] = rows[admitted[places] == rows]
    return found


def _concatenated(tables: Sequence[pa.Table]) -> pa.Table:
    import pyarrow as pa

    return pa.concat_tables(tables)


def _concatenated_columns(first: pa.ChunkedArray, second: pa.ChunkedArray) -> pa.ChunkedArray:
    import pyarrow as pa

    return pa.chunked_array([*first.chunks, *second.chunks], first.type)


def _lower_case(names: pa.ChunkedArray) -> pa.ChunkedArray:
    from pyarrow.compute import call_function

    return call_function("utf8_lower", [names])


def _joined(names: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return names without NAME_JOINTS."""
    from pyarrow.compute import ReplaceSubstringOptions, call_function

    return call_function("replace_substring_regex", [names], ReplaceSubstringOptions(NAME_JOINTS, ""))


def is_in(column: pa.ChunkedArray, texts: Collection[str]) -> pa.ChunkedArray:
    """Return a mask of the rows whose value in a column is one of the texts."""
    import pyarrow as pa
    from pyarrow.compute import SetLookupOptions, call_function

    return call_function("is_in", [column], SetLookupOptions(pa.array(texts, pa.string())))


def _vectors(table: pa.Table) -> _Vectors:
    numbers, stored = table["row"].to_numpy(), stored_vectors(table)
    if (np.diff(numbers.astype(np.int64)) < 0).any():
        order = np.argsort(numbers, kind="stable")
        numbers, stored = numbers[order], stored[order]
    return _Vectors(numbers, PackedVectors(stored))


def stored_vectors(table: pa.Table) -> NDArray[np.int8]:
    """Return the bytes in the column `vector`, of shape (rows, dimensions)."""
    width = table.schema.field("vector").type.list_size
    column = table["vector"]
    # `combine_chunks` copies even a single chunk, such as a mapped file.
    whole = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    found: NDArray[np.int8] = whole.flatten().to_numpy().reshape(-1, width)
    return found
