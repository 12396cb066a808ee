"""The columns of symbols, with indexes by id, parent and file, as one Arrow table that a file stores.

A writer stores the symbols of a new graph file beside the file, and readers map the stored table into memory. So a look-up reads
only a few pages, and all servers of an index share these pages. Without the file, the columns are read from the graph, which
takes 10 s and 1 GB of memory for 970,000 symbols.

Row numbers identify symbols in this module. Rows are in the order of the internal offsets of the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...schema.errors import IndexCorrupt
from ...schema.records import Symbol, camel_case

if TYPE_CHECKING:
    import pyarrow as pa

Rows = NDArray[np.int64]

#: The columns of the table, as fields of a record. Importance is left out: a change in one file may change the importance of
#: symbols in every file.
_FIELDS = tuple(field for field in Symbol.__struct_fields__ if field != "parent_id")
_PROPERTIES = ", ".join(["offset(id(s))", *(f"s.{camel_case(field)}" for field in _FIELDS)])
#: Columns whose values repeat.
_REPEATED = frozenset(("kind", "relative_path"))
_LISTS = frozenset(("modifiers", "captures", "comment_imports"))
#: Maximum number of rows for which reading single values is faster than selecting them with Arrow.
_FEW_ROWS = 8

#: Additional columns: internal offsets; row of the parent, or -1; and three orders of all rows, with the values they sort by.
_OFFSET, _PARENT, _BY_ID = "offset", "parent", "by_id"
_BY_PARENT, _PARENTS_IN_ORDER = "by_parent", "parents_in_order"
_BY_PATH, _PATHS_IN_ORDER = "by_path", "paths_in_order"
_COLUMNS = (
    *(_OFFSET, *_FIELDS, _PARENT, _BY_ID),
    *(_BY_PARENT, _PARENTS_IN_ORDER, _BY_PATH, _PATHS_IN_ORDER),
)

#: Runs a statement of the query library, and returns its rows as columns.
Query = Callable[[str, dict[str, Any]], "pa.Table"]


class SymbolColumns:
    """The symbols of a graph, or of some of its files. The columns never change, so threads may share them."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table
        #: Internal offsets in ascending order.
        self.offsets: NDArray[np.int64] = self._numbers(_OFFSET)
        self._is_dense = len(self.offsets) == int(self.offsets[-1]) + 1 if len(self.offsets) else True

    @classmethod
    def read(cls, query: Query) -> SymbolColumns:
        """Read all symbols of a graph."""
        found = query(f"MATCH (s:Symbol) RETURN {_PROPERTIES}", {})
        pairs = query("MATCH (o:Symbol)-[:CONTAINS]->(s:Symbol) RETURN offset(id(o)), offset(id(s))", {})
        return cls(_table(found, pairs.column(0), pairs.column(1)))

    @classmethod
    def read_files(cls, query: Query, paths: Collection[str]) -> SymbolColumns:
        """Read the symbols of some files. The query follows edges from the files: with a condition on the symbol's own path, the
        engine would read all columns.
        """
        import pyarrow as pa

        within = f"-[:CONTAINS]->(s:Symbol) WHERE o.relativePath IN $paths RETURN {_PROPERTIES}"
        named = {"paths": sorted(paths)}
        roots = query(f"MATCH (o:File){within}", named)
        nested = query(f"MATCH (o:Symbol){within}, offset(id(o))", named)
        found = pa.concat_tables([roots, nested.select(roots.column_names)])
        return cls(_table(found, nested.column(nested.num_columns - 1), nested.column(0)))

    @classmethod
    def open(cls, path: Path) -> SymbolColumns:
        """Map a file into memory. Raises IndexCorrupt if it is missing or damaged."""
        import pyarrow as pa

        ipc: Any = pa.ipc
        try:
            with pa.memory_map(str(path)) as file:
                table = ipc.open_file(file).read_all()
            if tuple(table.column_names) != _COLUMNS:
                raise ValueError("it has other columns")
            return cls(table)
        except (OSError, ValueError, pa.ArrowException) as error:
            raise IndexCorrupt(f"The symbols {path} cannot be read ({error}).") from error

    def write(self, path: Path) -> None:
        """Write the file that `open` maps. Raises OSError."""
        import pyarrow as pa

        ipc: Any = pa.ipc
        with pa.OSFile(str(path), "wb") as file, ipc.new_file(file, self._table.schema) as writer:
            writer.write_table(self._table)

    def __len__(self) -> int:
        return len(self.offsets)

    @cached_property
    def ids(self) -> NDArray[np.bytes_]:
        """The id of each row, in ASCII."""
        return _texts_of_one_width(_whole(self._table["id"]))

    def id_texts(self, rows: Rows) -> pa.Array:
        """Return the ids of some rows as texts of Arrow."""
        import pyarrow as pa

        ids = self.ids[rows]
        width = ids.dtype.itemsize
        if len(ids) and np.char.str_len(ids).min() < width:
            return pa.array(self.values("id", rows), pa.string())
        ends = pa.py_buffer(np.arange(len(ids) + 1, dtype=np.int32) * np.int32(width))
        return pa.Array.from_buffers(pa.string(), len(ids), [None, ends, pa.py_buffer(ids)])

    def rows_of_ids(self, ids: Sequence[str]) -> Rows:
        """Return the row of each id; -1 for an unknown id."""
        found = np.full(len(ids), -1, np.int64)
        width = self.ids.dtype.itemsize
        encoded = [id.encode("utf-8", "replace") for id in ids]
        known = [place for place, id in enumerate(encoded) if 0 < len(id) <= width]
        if known and len(self):
            wanted = np.array([encoded[place] for place in known], self.ids.dtype)
            order = self._by_id
            rows = order[np.minimum(np.searchsorted(self.ids, wanted, sorter=order), len(order) - 1)]
            found[known] = np.where(self.ids[rows] == wanted, rows, -1)
        return found

    def rows_at(self, offsets: Rows) -> Rows:
        """Return the row at each internal offset; -1 for an offset without a row."""
        if self._is_dense:
            return np.where((offsets >= 0) & (offsets < len(self)), offsets, -1)
        places = np.minimum(np.searchsorted(self.offsets, offsets), len(self) - 1)
        return np.where(self.offsets[places] == offsets, places, -1)

    @cached_property
    def paths(self) -> list[str]:
        """The paths of all files with symbols, in sorted order."""
        found: list[str] = _whole(self._table["relative_path"]).dictionary.to_pylist()
        return found

    @cached_property
    def _codes_by_path(self) -> dict[str, int]:
        return {path: code for code, path in enumerate(self.paths)}

    def code_of(self, path: str) -> int:
        """Return the index of a path in `paths`; -1 if the path is unknown."""
        return self._codes_by_path.get(path, -1)

    @cached_property
    def path_codes(self) -> NDArray[np.int32]:
        """The index in `paths` of each row's path."""
        codes: NDArray[np.int32] = _whole(self._table["relative_path"]).indices.to_numpy()
        return codes

    @cached_property
    def kinds(self) -> list[str]:
        """All kinds of symbols."""
        found: list[str] = _whole(self._table["kind"]).dictionary.to_pylist()
        return found

    @cached_property
    def kind_codes(self) -> NDArray[np.int32]:
        """The index in `kinds` of each row's kind."""
        codes: NDArray[np.int32] = _whole(self._table["kind"]).indices.to_numpy()
        return codes

    @cached_property
    def start_lines(self) -> NDArray[np.int32]:
        """The first line of each row."""
        return self._numbers("start_line")

    @cached_property
    def end_lines(self) -> NDArray[np.int32]:
        """The last line of each row."""
        return self._numbers("end_line")

    @cached_property
    def depths(self) -> NDArray[np.int32]:
        """The depth of each row."""
        return self._numbers("depth")

    @cached_property
    def parents(self) -> NDArray[np.int32]:
        """The row of each row's parent; -1 for depth 0."""
        return self._numbers(_PARENT)

    @property
    def names(self) -> pa.ChunkedArray:
        """The name of each row."""
        return self._table["name"]

    def children(self, row: int) -> Rows:
        """Return the rows directly in a row, in source order."""
        return self._by_parent[_run(self._parents_in_order, row)].astype(np.int64)

    def in_file(self, code: int) -> Rows:
        """Return the rows of the file with this index, by line, outer before inner."""
        return self._by_path[_run(self._paths_in_order, code)].astype(np.int64)

    def values(self, field: str, rows: Rows) -> list[Any]:
        """Return the values of a field of Symbol, other than `parent_id`, in some rows."""
        if field == "id":
            return [id.decode("utf-8") for id in self.ids[rows].tolist()]
        column = self._fields[field]
        if isinstance(column, np.ndarray):
            values: list[Any] = column[rows].tolist()
        elif field in _REPEATED:
            texts, codes = (self.kinds, self.kind_codes) if field == "kind" else (self.paths, self.path_codes)
            values = [texts[code] for code in codes[rows].tolist()]
        elif len(rows) <= _FEW_ROWS:
            values = [column[row].as_py() for row in rows.tolist()]
        else:
            values = column.take(rows).to_pylist()
        return [tuple(value) for value in values] if field in _LISTS else values

    @cached_property
    def _fields(self) -> dict[str, Any]:
        """Numbers as numpy arrays, and texts as Arrow arrays."""
        import pyarrow as pa

        found: dict[str, Any] = {}
        for field in _FIELDS:
            column = self._table[field]
            is_number = pa.types.is_integer(column.type)
            found[field] = self._numbers(field) if is_number else column.chunk(0) if column.num_chunks == 1 else column
        return found

    @cached_property
    def _by_id(self) -> Rows:
        return self._numbers(_BY_ID)

    @cached_property
    def _by_parent(self) -> NDArray[np.int32]:
        return self._numbers(_BY_PARENT)

    @cached_property
    def _parents_in_order(self) -> NDArray[np.int32]:
        return self._numbers(_PARENTS_IN_ORDER)

    @cached_property
    def _by_path(self) -> NDArray[np.int32]:
        return self._numbers(_BY_PATH)

    @cached_property
    def _paths_in_order(self) -> NDArray[np.int32]:
        return self._numbers(_PATHS_IN_ORDER)

    def _numbers(self, name: str) -> NDArray[Any]:
        found: NDArray[Any] = _whole(self._table[name]).to_numpy()
        return found


def _table(found: pa.Table, outer: pa.ChunkedArray, inner: pa.ChunkedArray) -> pa.Table:
    """Return the stored table of the rows of a query with `_PROPERTIES`.

    `outer` and `inner` are the internal offsets of parents and their children.
    """
    import pyarrow as pa

    names = [_OFFSET, *_FIELDS]
    found = found.rename_columns(names)
    order = np.argsort(found[_OFFSET].to_numpy(), kind="stable")
    # A single batch makes each column a single array in the mapped file.
    found = (found.take(order) if np.any(np.diff(order) != 1) else found).combine_chunks()
    columns = {name: _stored(found[name], name) for name in names}
    offsets = found[_OFFSET].to_numpy()
    parents = np.full(len(offsets), -1, np.int32)
    parents[np.searchsorted(offsets, inner.to_numpy())] = np.searchsorted(offsets, outer.to_numpy())
    columns[_PARENT] = parents
    codes, lines = columns["relative_path"].indices.to_numpy(), found["start_line"].to_numpy()
    columns[_BY_ID] = np.argsort(_texts_of_one_width(columns["id"]), kind="stable")
    for values, by, in_order, keys in (
        (parents, _BY_PARENT, _PARENTS_IN_ORDER, (lines, parents)),
        (codes, _BY_PATH, _PATHS_IN_ORDER, (found["depth"].to_numpy(), lines, codes)),
    ):
        columns[by] = np.lexsort(keys).astype(np.int32)
        columns[in_order] = values[columns[by]]
    return pa.table({name: columns[name] for name in _COLUMNS})


def _stored(column: pa.ChunkedArray, name: str) -> Any:
    """Return a column in the form in which it is stored."""
    import pyarrow as pa

    if name == "id":
        return _of_one_width(column)
    if name in _REPEATED:
        return _sorted_dictionary(column)
    return column.cast(pa.int32()) if name != _OFFSET and pa.types.is_integer(column.type) else column


def _of_one_width(ids: pa.ChunkedArray) -> pa.Array:
    """Return ids as values of one width, padded with NUL."""
    import pyarrow as pa

    texts = np.array([id.encode("utf-8", "surrogatepass") for id in ids.to_pylist()], np.bytes_)
    width = max(1, texts.dtype.itemsize)
    data = pa.py_buffer(texts.tobytes())
    return pa.Array.from_buffers(pa.binary(width), len(texts), [None, data])


def _texts_of_one_width(column: pa.Array) -> NDArray[np.bytes_]:
    """Return the values of `_of_one_width` without a copy."""
    width = column.type.byte_width
    return np.frombuffer(column.buffers()[1], f"S{width}", len(column), column.offset * width)


def _sorted_dictionary(column: pa.ChunkedArray) -> pa.Array:
    """Return a column of few distinct texts as indices of the texts, which are sorted."""
    import pyarrow as pa

    encoded = _whole(column.dictionary_encode())
    texts: list[str] = encoded.dictionary.to_pylist()
    order = np.array(sorted(range(len(texts)), key=texts.__getitem__), np.int64)
    ranks = np.empty(len(texts), np.int32)
    ranks[order] = np.arange(len(texts), dtype=np.int32)
    codes = ranks[encoded.indices.to_numpy()] if len(encoded) else np.zeros(0, np.int32)
    dictionary: Any = pa.DictionaryArray
    return dictionary.from_arrays(pa.array(codes, pa.int32()), encoded.dictionary.take(pa.array(order)))


def _run(ordered: NDArray[np.int32], value: int) -> slice:
    """Return where a value stands in a sorted array."""
    begin, end = np.searchsorted(ordered, np.array([value, value + 1], np.int32))
    return slice(int(begin), int(end))


def _whole(column: pa.ChunkedArray) -> Any:
    """Return a column as one array."""
    import pyarrow as pa

    if column.num_chunks == 1:
        return column.chunk(0)
    return pa.array([], column.type) if column.num_chunks == 0 else column.combine_chunks()
