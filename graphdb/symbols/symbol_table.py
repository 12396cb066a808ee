"""All symbols of a generation in memory: their positions, names and nesting.

An answer names hundreds of symbols. A query that returns a text property reads that column for all symbols, however few rows it
returns. So this table reads all texts once per generation: 0.4 s of processor time for 40,000 symbols. A generation never
changes. After that, queries only read edges, by numeric offsets.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...schema.records import Symbol, SymbolRef, camel_case
from ..database import GraphDatabase

if TYPE_CHECKING:
    import pyarrow as pa

#: Columns whose values repeat.
_REPEATED = frozenset(("kind", "relative_path"))
_LISTS = frozenset(("modifiers", "captures", "comment_imports"))

Rows = NDArray[np.int64]


#: The columns of the table, as fields of a record. Importance is left out: a change in one file may change the importance of
#: symbols in every file.
_FIELDS = tuple(field for field in Symbol.__struct_fields__ if field != "parent_id")
_PROPERTIES = ", ".join(["offset(id(s))", *(f"s.{camel_case(field)}" for field in _FIELDS)])
#: Share of the rows that may be unused before the whole table is read again.
_MAX_UNUSED = 0.25

#: Maximum number of rows for which reading single values is faster than selecting them with Arrow.
_FEW_ROWS = 8

#: Number of lines that one array operation compares with all symbols of a file.
_LINES_AT_ONCE = 256

#: The record type to read: with or without texts.
Record = TypeVar("Record", bound=SymbolRef)


def symbols_of(graph: GraphDatabase) -> SymbolTable:
    """Return the table of a graph's symbols. The first call reads the table."""
    return graph.once(SymbolTable)


class SymbolTable:
    """The symbols of one generation. The table never changes, so threads may share it.

    Callers identify a symbol by its id, or by its internal offset in the graph, which queries return. Inside this class, row
    numbers identify symbols.
    """

    def __init__(self, graph: GraphDatabase) -> None:
        self.graph = graph
        found = graph.columns(f"MATCH (s:Symbol) RETURN {_PROPERTIES}")
        order = np.argsort(found.column(0).to_numpy(), kind="stable")
        found = found.take(order) if len(order) and np.any(np.diff(order) != 1) else found
        self._offsets: Rows = found.column(0).to_numpy()
        self._columns = _columns(found)
        self._keys: pa.ChunkedArray = found.column(1)
        self._ids: list[str] = self._keys.to_pylist()
        self._rows_by_id = dict(zip(self._ids, range(len(self._ids)), strict=True))
        #: Number of rows that later generations replaced.
        self._unused = 0
        self._places_by_offset = _places(self._offsets)
        self._parents: Rows = np.full(len(self._offsets), -1, np.int64)
        pairs = graph.columns("MATCH (o:Symbol)-[:CONTAINS]->(s:Symbol) RETURN offset(id(o)), offset(id(s))")
        self._take_tree(pairs.column(0), pairs.column(1))
        self._take_paths(np.ones(len(self._offsets), np.bool_))
        graph.find_offsets_by("Symbol", self.offsets)

    def renewed(self, graph: GraphDatabase, paths: Collection[str]) -> SymbolTable:
        """Return the table of another generation that differs only in the symbols of the files with these paths."""
        wanted = frozenset(paths)
        codes = [code for code, path in enumerate(self._paths) if path in wanted]
        gone = np.flatnonzero(np.isin(self._path_codes, codes))
        if self._unused + len(gone) > _MAX_UNUSED * len(self._ids):
            return SymbolTable(graph)
        import pyarrow as pa

        found, outer = _in_files(graph, sorted(wanted))
        new = SymbolTable.__new__(SymbolTable)
        new.graph, new._unused = graph, self._unused + len(gone)
        new._offsets = np.concatenate([self._offsets, found.column(0).to_numpy()])
        new._columns = {name: _joined(self._columns[name], column) for name, column in _columns(found).items()}
        added: list[str] = found.column(1).to_pylist()
        new._ids = [*self._ids, *added]
        new._keys = pa.chunked_array([*self._keys.chunks, *found.column(1).chunks], self._keys.type)
        new._rows_by_id = self._rows_by_id.copy()
        for row in gone.tolist():
            del new._rows_by_id[self._ids[row]]
        new._rows_by_id.update(zip(added, range(len(self._ids), len(new._ids)), strict=True))
        in_use = np.concatenate([self._path_codes >= 0, np.ones(len(added), np.bool_)])
        in_use[gone] = False
        new._places_by_offset = _places(new._offsets, in_use)
        new._parents = np.concatenate([self._parents, np.full(len(added), -1, np.int64)])
        new._parents[gone] = -1
        new._take_tree(outer, found.column(0).slice(len(found) - len(outer)))
        new._take_paths(in_use)
        graph.find_offsets_by("Symbol", new.offsets)
        return new

    def _take_tree(self, outer: pa.ChunkedArray, inner: pa.ChunkedArray) -> None:
        """Set the nesting from parallel columns of internal offsets."""
        self._start_lines = self._columns["start_line"]
        self._parents[self._rows_at(inner.to_numpy())] = self._rows_at(outer.to_numpy())
        #: Rows sorted by parent. The children of row r begin at the index `_first_child[r]`.
        self._by_parent: Rows = np.lexsort((self._start_lines, self._parents))
        self._first_child: Rows = np.searchsorted(self._parents[self._by_parent], np.arange(len(self._offsets) + 1))

    def _take_paths(self, in_use: NDArray[np.bool_]) -> None:
        """Group the rows in use by file; unused rows have no path."""
        paths, codes = self._columns["relative_path"]
        self._paths = paths
        self._path_codes: Rows = np.where(in_use, codes, -1)
        self._codes_by_path = {path: code for code, path in enumerate(paths)}
        #: Rows sorted by file, outer before inner. The rows of path c begin at the index `_first_of_path[c]`.
        ordered = np.lexsort((self._columns["depth"], self._start_lines, self._path_codes))
        self._by_path: Rows = ordered
        self._first_of_path: Rows = np.searchsorted(self._path_codes[ordered], np.arange(len(paths) + 1))

    def offsets(self, ids: Iterable[str]) -> list[int]:
        """Return the internal offsets of the ids that exist."""
        found: list[int] = self._offsets[self._rows(ids)].tolist()
        return found

    def ranked(self) -> tuple[Rows, pa.ChunkedArray, Rows]:
        """Return parallel columns of internal offset, id and importance of every symbol."""
        rows = np.flatnonzero(self._path_codes >= 0)
        return self._offsets[rows], self._keys.take(rows), self._importance[rows]

    def ids_at(self, offsets: Sequence[int] | Rows) -> list[str]:
        """Return the ids of the symbols at internal offsets."""
        return [self._ids[row] for row in self._rows_at(offsets)]

    def symbols(self, ids: Iterable[str]) -> dict[str, Symbol]:
        """Return the symbols that exist, by id."""
        return {symbol.id: symbol for symbol in self._records(self._rows(ids), Symbol)}

    def refs(self, ids: Iterable[str]) -> dict[str, SymbolRef]:
        """Return the symbols that exist, by id and without their texts."""
        return {symbol.id: symbol for symbol in self._records(self._rows(ids), SymbolRef)}

    def symbols_at(self, offsets: Sequence[int] | Rows) -> list[Symbol]:
        """Return the symbol at each internal offset."""
        return self._records(self._rows_at(offsets), Symbol)

    def refs_at(self, offsets: Sequence[int] | Rows) -> list[SymbolRef]:
        """Return the symbol at each internal offset, without its texts."""
        return self._records(self._rows_at(offsets), SymbolRef)

    def importance_at(self, offsets: Sequence[int] | Rows) -> list[int]:
        """Return the importance of the symbol at each internal offset."""
        values: list[int] = self._importance[self._rows_at(offsets)].tolist()
        return values

    def kinds_at(self, offsets: Sequence[int] | Rows) -> list[str]:
        """Return the kind of the symbol at each internal offset."""
        kinds, codes = self._kinds
        return [kinds[code] for code in codes[self._rows_at(offsets)].tolist()]

    def named(self, names: Collection[str]) -> list[Symbol]:
        """Return the symbols with one of these names, by file and line, outer before inner."""
        import pyarrow as pa
        from pyarrow.compute import SetLookupOptions, call_function

        options = SetLookupOptions(pa.array(names, pa.string()))
        return self._symbols_where(call_function("is_in", [self._columns["name"]], options))

    def named_any_case(self, name: str) -> list[Symbol]:
        """Return the symbols with this name, regardless of case, by file and line, outer before inner."""
        from pyarrow.compute import call_function

        in_lower_case = call_function("utf8_lower", [self._columns["name"]])
        return self._symbols_where(call_function("equal", [in_lower_case, name.lower()]))

    def in_files(self, paths: Iterable[str]) -> list[SymbolRef]:
        """Return all symbols of some files, by file and line, outer before inner."""
        return self._records(self._rows_in(paths), SymbolRef)

    def around(self, path: str, line: int) -> list[Symbol]:
        """Return the symbols of a file that contain a line, by line, outer before inner."""
        rows = self._rows_of(path)
        return self._records(rows[(self._start_lines[rows] <= line) & (self._columns["end_line"][rows] >= line)], Symbol)

    def innermost(self, lines: Sequence[tuple[str, int]], besides: Collection[str]) -> list[SymbolRef | None]:
        """Return for each (path, line) the shortest, innermost symbol that contains the line and has none of the kinds
        `besides`.
        """
        kinds, kind_codes = self._kinds
        left_out = [code for code, kind in enumerate(kinds) if kind in besides]
        of_files: dict[str, list[int]] = {}
        for place, (path, _) in enumerate(lines):
            of_files.setdefault(path, []).append(place)
        found = np.full(len(lines), -1, np.int64)
        for path, places in of_files.items():
            rows = self._rows_of(path)
            rows = rows[~np.isin(kind_codes[rows], left_out)]
            if len(rows):
                wanted = np.array([lines[place][1] for place in places], np.int64)
                found[places] = self._shortest_around(rows, wanted)
        held = np.flatnonzero(found >= 0)
        records = dict(zip(held.tolist(), self._records(found[held], SymbolRef), strict=True))
        return [records.get(place) for place in range(len(lines))]

    def _shortest_around(self, rows: Rows, lines: Rows) -> Rows:
        """Return for each line the shortest row that contains the line, or the last of several shortest rows; -1 if no row
        contains it.
        """
        starts, ends = self._start_lines[rows], self._columns["end_line"][rows]
        order = np.lexsort((-np.arange(len(rows)), ends - starts))
        found = np.empty(len(lines), np.int64)
        for begin in range(0, len(lines), _LINES_AT_ONCE):
            some = lines[begin : begin + _LINES_AT_ONCE, None]
            holds = (starts[order] <= some) & (ends[order] >= some)
            found[begin : begin + _LINES_AT_ONCE] = np.where(holds.any(axis=1), rows[order[holds.argmax(axis=1)]], -1)
        return found

    def nested(self, ids: Iterable[str]) -> dict[str, list[SymbolRef]]:
        """Return for each symbol, by id, the symbol and all symbols nested in it, in source order, outer before inner."""
        found: dict[str, list[int]] = {}
        for row in self._rows(ids):
            within = found.setdefault(self._ids[row], [row])
            for outer in within:
                within += self._children(outer)
        records = self._grouped(found, SymbolRef)
        return {id: sorted(records[id], key=lambda symbol: (symbol.start_line, symbol.depth)) for id in found}

    def enclosing(self, ids: Iterable[str]) -> dict[str, list[SymbolRef]]:
        """Return for each symbol, by id, the symbols around it, outermost first. Symbols of depth 0 are left out."""
        chains: dict[str, list[int]] = {}
        for row in self._rows(ids):
            chain: list[int] = []
            outer = self._parents[row]
            while outer >= 0:
                chain.insert(0, outer)
                outer = self._parents[outer]
            if chain:
                chains[self._ids[row]] = chain
        return self._grouped(chains, SymbolRef)

    def children(self, ids: Iterable[str]) -> dict[str, list[Symbol]]:
        """Return for each symbol, by id, the symbols directly in it, in source order. Symbols without children are left out."""
        return self._grouped({self._ids[row]: within for row in self._rows(ids) if (within := self._children(row))}, Symbol)

    def parents_at(self, offsets: Sequence[int]) -> list[int]:
        """Return for each internal offset the offset of the parent symbol; -1 for a symbol of depth 0."""
        parents = self._parents[self._rows_at(offsets)]
        found: list[int] = np.where(parents >= 0, self._offsets[parents], -1).tolist()
        return found

    def children_at(self, offset: int) -> list[int]:
        """Return the internal offsets of the symbols directly in a symbol, in source order."""
        found: list[int] = self._offsets[self._children(int(self._places_by_offset[offset]))].tolist()
        return found

    def nested_at(self, offsets: Iterable[int]) -> list[int]:
        """Return the internal offsets of all symbols nested in some symbols, at any depth, without these symbols."""
        found: list[int] = []
        for row in self._rows_at(list(offsets)).tolist():
            found += self._children(row)
        for row in found:
            found += self._children(row)
        nested: list[int] = self._offsets[list(dict.fromkeys(found))].tolist()
        return nested

    def roots(self, paths: Iterable[str]) -> list[Symbol]:
        """Return the symbols of depth 0 of some files, in source order."""
        rows = self._rows_in(paths)
        return self._records(rows[self._columns["depth"][rows] == 0], Symbol)

    def paths_at(self, offsets: Rows) -> list[str]:
        """Return the distinct paths of the symbols at internal offsets, sorted."""
        return sorted(self._paths[code] for code in np.unique(self._path_codes[self._rows_at(offsets)]))

    def _children(self, row: int) -> list[int]:
        within: list[int] = self._by_parent[self._first_child[row] : self._first_child[row + 1]].tolist()
        return within

    def _rows(self, ids: Iterable[str]) -> list[int]:
        return [self._rows_by_id[id] for id in dict.fromkeys(ids) if id in self._rows_by_id]

    def _rows_at(self, offsets: Sequence[int] | Rows) -> Rows:
        return self._places_by_offset[np.asarray(offsets, np.int64)]

    def _rows_of(self, path: str) -> Rows:
        """Return the rows of a file, by line, outer before inner."""
        code = self._codes_by_path.get(path, -1)
        return self._by_path[self._first_of_path[code] : self._first_of_path[code + 1]] if code >= 0 else self._by_path[:0]

    def _rows_in(self, paths: Iterable[str]) -> Rows:
        """Return the rows of some files, by path and line, outer before inner."""
        return np.concatenate([self._by_path[:0], *(self._rows_of(path) for path in sorted(set(paths)))])

    def _symbols_where(self, wanted: Any) -> list[Symbol]:
        """Return the symbols in the rows where an Arrow array is true, by file and line, outer before inner."""
        rows = np.flatnonzero(wanted.to_numpy(zero_copy_only=False) & (self._path_codes >= 0))
        order = np.lexsort((self._columns["depth"][rows], self._start_lines[rows], self._path_ranks[self._path_codes[rows]]))
        return self._records(rows[order], Symbol)

    @cached_property
    def _path_ranks(self) -> Rows:
        """The rank of each path in sorted order."""
        ranks = np.empty(len(self._paths), np.int64)
        ranks[np.array(sorted(range(len(self._paths)), key=self._paths.__getitem__), np.int64)] = np.arange(len(self._paths))
        return ranks

    @cached_property
    def _kinds(self) -> tuple[list[str], Rows]:
        kinds: _Coded = self._columns["kind"]
        return kinds

    @cached_property
    def _importance(self) -> Rows:
        """Importance by row, from the graph of this generation."""
        found = self.graph.columns("MATCH (s:Symbol) RETURN offset(id(s)), s.importance")
        values: Rows = np.zeros(len(self._ids), np.int64)
        values[self._rows_at(found.column(0).to_numpy())] = found.column(1).to_numpy()
        return values

    def _grouped(self, rows: Mapping[str, Sequence[int]], record: type[Record]) -> dict[str, list[Record]]:
        records = iter(self._records([row for some in rows.values() for row in some], record))
        return {id: [next(records) for _ in some] for id, some in rows.items()}

    def _records(self, rows: Sequence[int] | Rows, record: type[Record]) -> list[Record]:
        places = np.asarray(rows, np.int64)
        values = [self._field(field, places) for field in record.__struct_fields__]
        return [record(*row) for row in zip(*values, strict=True)]

    def _field(self, field: str, rows: Rows) -> list[Any]:
        if field == "id":
            return [self._ids[row] for row in rows.tolist()]
        if field == "parent_id":
            return [self._ids[outer] if outer >= 0 else None for outer in self._parents[rows].tolist()]
        return _values(self._columns[field], rows, field)


def _in_files(graph: GraphDatabase, paths: Sequence[str]) -> tuple[pa.Table, pa.ChunkedArray]:
    """Return the symbols of some files, nested symbols last, and for each nested symbol the internal offset of its parent. The
    query follows edges from the files: with a condition on the symbol's own path, the engine would read all columns.
    """
    import pyarrow as pa

    within = f"-[:CONTAINS]->(s:Symbol) WHERE o.relativePath IN $paths RETURN {_PROPERTIES}"
    roots = graph.columns(f"MATCH (o:File){within}", {"paths": paths})
    nested = graph.columns(f"MATCH (o:Symbol){within}, offset(id(o))", {"paths": paths})
    outer = nested.column(nested.num_columns - 1)
    return pa.concat_tables([roots, nested.select(roots.column_names)]).combine_chunks(), outer


class _Coded(NamedTuple):
    """A column with few distinct texts: these texts, and for each row the index of its text."""

    texts: list[str]
    codes: Rows


def _columns(found: pa.Table) -> dict[str, Any]:
    """Return the columns by field, without offsets and ids: numbers as numpy arrays, texts as Arrow arrays."""
    return {field: _column(found.column(place), field) for place, field in enumerate(_FIELDS, 1) if field != "id"}


def _column(found: pa.ChunkedArray, field: str) -> Any:
    import pyarrow as pa

    if pa.types.is_integer(found.type):
        return found.to_numpy()
    column = (found.dictionary_encode() if field in _REPEATED else found).combine_chunks()
    return _Coded(column.dictionary.to_pylist(), column.indices.to_numpy()) if field in _REPEATED else column


def _joined(old: Any, new: Any) -> Any:
    """Return a column extended by another column."""
    import pyarrow as pa

    if isinstance(old, np.ndarray):
        return np.concatenate([old, new])
    if isinstance(old, _Coded):
        texts = list(dict.fromkeys([*old.texts, *new.texts]))
        codes = dict(zip(texts, range(len(texts)), strict=True))
        renewed = np.array([codes[text] for text in new.texts], old.codes.dtype)
        return _Coded(texts, np.concatenate([old.codes, renewed[new.codes]]))
    return pa.chunked_array([old, new], old.type).combine_chunks()


def _places(offsets: Rows, in_use: NDArray[np.bool_] | None = None) -> Rows:
    """Return an array that maps each offset to its row."""
    found = np.zeros(int(offsets.max(initial=-1)) + 1, np.int64)
    rows = np.arange(len(offsets)) if in_use is None else np.flatnonzero(in_use)
    found[offsets[rows]] = rows
    return found


def _values(column: Any, rows: Rows, field: str) -> list[Any]:
    if isinstance(column, np.ndarray):
        values: list[Any] = column[rows].tolist()
    elif isinstance(column, _Coded):
        values = [column.texts[code] for code in column.codes[rows].tolist()]
    elif len(rows) <= _FEW_ROWS:
        values = [column[row].as_py() for row in rows.tolist()]
    else:
        values = column.take(rows).to_pylist()
    return [tuple(value) for value in values] if field in _LISTS else values
