"""All symbols of a generation: their positions, names and nesting.

An answer names hundreds of symbols. A query that returns a text property reads that column for all symbols, however few rows it
returns. So symbols are read from the columns of `symbol_columns.py`, which a file beside the graph file stores, and queries only
read edges, by numeric offsets. The files that a log beside the graph file changes have columns of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...schema.records import Symbol, SymbolRef
from ..database import GraphDatabase
from .symbol_columns import Rows, SymbolColumns

if TYPE_CHECKING:
    import pyarrow as pa

#: Number of lines that one array operation compares with all symbols of a file.
_LINES_AT_ONCE = 256

#: The record type to read: with or without texts.
Record = TypeVar("Record", bound=SymbolRef)


def symbols_of(graph: GraphDatabase) -> SymbolTable:
    """Return the table of a graph's symbols."""
    if graph.symbol_reader is not None and graph.known(SymbolTable) is None:
        graph.read_by(SymbolTable, graph.symbol_reader)
    return graph.once(SymbolTable)


class SymbolTable:
    """The symbols of one generation. The table never changes, so threads may share it.

    Callers identify a symbol by its id, or by its internal offset in the graph, which queries return. Inside this class, row
    numbers identify symbols: first the rows of all files, then the rows of changed files.
    """

    def __init__(self, graph: GraphDatabase, columns: SymbolColumns | None = None, changed: Collection[str] = ()) -> None:
        """`columns` has the symbols of an earlier state of the graph, which differs only in the files with the paths `changed`.

        Without `columns`, all symbols are read from the graph.
        """
        self.graph = graph
        self._all = columns if columns is not None else SymbolColumns.read(graph.columns)
        self._paths = frozenset(changed)
        #: The symbols of the changed files. Their row numbers begin at the number of rows of all files.
        self._changed = SymbolColumns.read_files(graph.columns, changed) if changed else None
        self._first = len(self._all)
        #: Indices of the paths in `_all` whose rows are not in use.
        self._gone: Rows = np.array([code for path in changed if (code := self._all.code_of(path)) >= 0], np.int64)
        graph.find_offsets_by("Symbol", self.offsets)

    def renewed(self, graph: GraphDatabase, paths: Collection[str]) -> SymbolTable:
        """Return the table of another generation that differs only in the symbols of the files with these paths."""
        return SymbolTable(graph, self._all, self._paths.union(paths))

    def offsets(self, ids: Iterable[str]) -> list[int]:
        """Return the internal offsets of the ids that exist."""
        return self._offsets(self._rows(ids))

    def ranked(self) -> tuple[Rows, pa.ChunkedArray, Rows]:
        """Return parallel columns of internal offset, id and importance of every symbol."""
        import pyarrow as pa

        parts = self._apart(self._in_use)
        offsets = np.concatenate([part.offsets[rows] for part, rows, _ in parts])
        ids = pa.chunked_array([part.id_texts(rows) for part, rows, _ in parts], pa.string())
        return offsets, ids, self._importance[offsets]

    def ids_at(self, offsets: Sequence[int] | Rows) -> list[str]:
        """Return the ids of the symbols at internal offsets."""
        return self._ids(self._rows_at(offsets))

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
        values: list[int] = self._importance[np.asarray(offsets, np.int64)].tolist()
        return values

    def kinds_at(self, offsets: Sequence[int] | Rows) -> list[str]:
        """Return the kind of the symbol at each internal offset."""
        return self._field("kind", self._rows_at(offsets))

    def exported_at(self, offsets: Sequence[int] | Rows) -> list[bool]:
        """Return whether the symbol at each internal offset is exported."""
        return self._field("exported", self._rows_at(offsets))

    def named(self, names: Collection[str]) -> list[Symbol]:
        """Return the symbols with one of these names, by file and line, outer before inner."""
        import pyarrow as pa
        from pyarrow.compute import SetLookupOptions, call_function

        options = SetLookupOptions(pa.array(names, pa.string()))
        return self._symbols_where(lambda column: call_function("is_in", [column], options))

    def named_any_case(self, name: str) -> list[Symbol]:
        """Return the symbols with this name, regardless of case, by file and line, outer before inner."""
        from pyarrow.compute import call_function

        wanted = name.lower()
        return self._symbols_where(lambda column: call_function("equal", [call_function("utf8_lower", [column]), wanted]))

    def in_files(self, paths: Iterable[str]) -> list[SymbolRef]:
        """Return all symbols of some files, by file and line, outer before inner."""
        return self._records(self._rows_in(paths), SymbolRef)

    def around(self, path: str, line: int) -> list[Symbol]:
        """Return the symbols of a file that contain a line, by line, outer before inner."""
        rows = self._rows_of(path)
        return self._records(rows[(self._start_lines(rows) <= line) & (self._end_lines(rows) >= line)], Symbol)

    def innermost(self, lines: Sequence[tuple[str, int]], besides: Collection[str]) -> list[SymbolRef | None]:
        """Return for each (path, line) the shortest, innermost symbol that contains the line and has none of the kinds
        `besides`.
        """
        of_files: dict[str, list[int]] = {}
        for place, (path, _) in enumerate(lines):
            of_files.setdefault(path, []).append(place)
        found = np.full(len(lines), -1, np.int64)
        for path, places in of_files.items():
            rows = self._rows_of(path)
            rows = rows[np.array([kind not in besides for kind in self._field("kind", rows)], np.bool_)]
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
        starts, ends = self._start_lines(rows), self._end_lines(rows)
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
        for row, id in self._rows_with_ids(ids):
            within = found.setdefault(id, [row])
            for outer in within:
                within += self._children(outer)
        records = self._grouped(found, SymbolRef)
        return {id: sorted(records[id], key=lambda symbol: (symbol.start_line, symbol.depth)) for id in found}

    def enclosing(self, ids: Iterable[str]) -> dict[str, list[SymbolRef]]:
        """Return for each symbol, by id, the symbols around it, outermost first. Symbols of depth 0 are left out."""
        chains: dict[str, list[int]] = {}
        for row, id in self._rows_with_ids(ids):
            chain: list[int] = []
            outer = self._parent(row)
            while outer >= 0:
                chain.insert(0, outer)
                outer = self._parent(outer)
            if chain:
                chains[id] = chain
        return self._grouped(chains, SymbolRef)

    def children(self, ids: Iterable[str]) -> dict[str, list[Symbol]]:
        """Return for each symbol, by id, the symbols directly in it, in source order. Symbols without children are left out."""
        return self._grouped({id: within for row, id in self._rows_with_ids(ids) if (within := self._children(row))}, Symbol)

    def parents_at(self, offsets: Sequence[int]) -> list[int]:
        """Return for each internal offset the offset of the parent symbol; -1 for a symbol of depth 0."""
        parents = self._parents(self._rows_at(offsets))
        found = np.full(len(parents), -1, np.int64)
        found[parents >= 0] = self._offsets(parents[parents >= 0])
        at: list[int] = found.tolist()
        return at

    def children_at(self, offset: int) -> list[int]:
        """Return the internal offsets of the symbols directly in a symbol, in source order."""
        return self._offsets(self._children(int(self._rows_at([offset])[0])))

    def nested_at(self, offsets: Iterable[int]) -> list[int]:
        """Return the internal offsets of all symbols nested in some symbols, at any depth, without these symbols."""
        found: list[int] = []
        for row in self._rows_at(list(offsets)).tolist():
            found += self._children(row)
        for row in found:
            found += self._children(row)
        return self._offsets(list(dict.fromkeys(found)))

    def roots(self, paths: Iterable[str]) -> list[Symbol]:
        """Return the symbols of depth 0 of some files, in source order."""
        rows = self._rows_in(paths)
        return self._records(rows[self._depths(rows) == 0], Symbol)

    def paths_at(self, offsets: Rows) -> list[str]:
        """Return the distinct paths of the symbols at internal offsets, sorted."""
        found: set[str] = set()
        for part, rows, _ in self._apart(self._rows_at(offsets)):
            found.update(part.paths[code] for code in np.unique(part.path_codes[rows]))
        return sorted(found)

    def _children(self, row: int) -> list[int]:
        part, first = (self._all, 0) if self._changed is None or row < self._first else (self._changed, self._first)
        within: list[int] = (part.children(row - first) + first).tolist()
        return within

    def _parent(self, row: int) -> int:
        if self._changed is None or row < self._first:
            return int(self._all.parents[row])
        outer = int(self._changed.parents[row - self._first])
        return outer + self._first if outer >= 0 else -1

    def _parents(self, rows: Rows) -> Rows:
        found = self._gathered(rows, lambda part: part.parents)
        return np.where((found >= 0) & (rows >= self._first), found + self._first, found)

    def _rows(self, ids: Iterable[str]) -> list[int]:
        return [row for row, _ in self._rows_with_ids(ids)]

    def _rows_with_ids(self, ids: Iterable[str]) -> list[tuple[int, str]]:
        """Return the row of each id that exists, with the id. Repeated ids count once."""
        distinct = list(dict.fromkeys(ids))
        rows = self._in_use_only(self._all.rows_of_ids(distinct))
        if self._changed is not None:
            changed = self._changed.rows_of_ids(distinct)
            rows = np.where(changed >= 0, changed + self._first, rows)
        return [(row, id) for row, id in zip(rows.tolist(), distinct, strict=True) if row >= 0]

    def _in_use_only(self, rows: Rows) -> Rows:
        """Return rows of all files, with -1 in place of the rows of changed files."""
        if not len(self._gone):
            return rows
        return np.where((rows >= 0) & ~np.isin(self._all.path_codes[rows], self._gone), rows, -1)

    @cached_property
    def _in_use(self) -> Rows:
        """All rows in use, in ascending order."""
        rows = self._in_use_only(np.arange(self._first))
        changed = np.arange(self._first, self._first + len(self._changed)) if self._changed is not None else rows[:0]
        return np.concatenate([rows[rows >= 0], changed])

    def _rows_at(self, offsets: Sequence[int] | Rows) -> Rows:
        wanted = np.asarray(offsets, np.int64)
        rows = self._all.rows_at(wanted)
        if self._changed is None or not len(self._changed):
            return rows
        # The engine uses the offsets of removed rows again.
        changed = self._changed.rows_at(wanted)
        return np.where(changed >= 0, changed + self._first, rows)

    def _rows_of(self, path: str) -> Rows:
        """Return the rows of a file, by line, outer before inner."""
        if path not in self._paths:
            code = self._all.code_of(path)
            return self._all.in_file(code) if code >= 0 else _NO_ROWS
        code = self._changed.code_of(path) if self._changed is not None else -1
        return self._changed.in_file(code) + self._first if self._changed is not None and code >= 0 else _NO_ROWS

    def _rows_in(self, paths: Iterable[str]) -> Rows:
        """Return the rows of some files, by path and line, outer before inner."""
        return np.concatenate([_NO_ROWS, *(self._rows_of(path) for path in sorted(set(paths)))])

    def _symbols_where(self, wanted: Callable[[pa.ChunkedArray], Any]) -> list[Symbol]:
        """Return the symbols for whose names a condition of Arrow holds, by file and line, outer before inner."""
        rows = self._in_use_only(_where(wanted(self._all.names)))
        rows = rows[rows >= 0]
        if self._changed is not None:
            rows = np.concatenate([rows, _where(wanted(self._changed.names)) + self._first])
        found = self._records(rows, Symbol)
        return sorted(found, key=lambda symbol: (symbol.relative_path, symbol.start_line, symbol.depth))

    @cached_property
    def _importance(self) -> Rows:
        """Importance by internal offset, from the graph of this generation."""
        found = self.graph.columns("MATCH (s:Symbol) RETURN offset(id(s)), s.importance")
        offsets = found.column(0).to_numpy()
        values: Rows = np.zeros(int(offsets.max(initial=-1)) + 1, np.int64)
        values[offsets] = found.column(1).to_numpy()
        return values

    def _grouped(self, rows: Mapping[str, Sequence[int]], record: type[Record]) -> dict[str, list[Record]]:
        records = iter(self._records([row for some in rows.values() for row in some], record))
        return {id: [next(records) for _ in some] for id, some in rows.items()}

    def _records(self, rows: Sequence[int] | Rows, record: type[Record]) -> list[Record]:
        places = np.asarray(rows, np.int64)
        values = [self._field(field, places) for field in record.__struct_fields__]
        return [record(*row) for row in zip(*values, strict=True)]

    def _field(self, field: str, rows: Rows) -> list[Any]:
        if field == "parent_id":
            parents = self._parents(rows)
            ids = iter(self._ids(parents[parents >= 0]))
            return [next(ids) if outer >= 0 else None for outer in parents.tolist()]
        parts = self._apart(rows)
        if len(parts) == 1:
            ((part, within, _),) = parts
            return part.values(field, within)
        values: list[Any] = [None] * len(rows)
        for part, within, places in parts:
            for place, value in zip(places.tolist(), part.values(field, within), strict=True):
                values[place] = value
        return values

    def _ids(self, rows: Sequence[int] | Rows) -> list[str]:
        return self._field("id", np.asarray(rows, np.int64))

    def _offsets(self, rows: Sequence[int] | Rows) -> list[int]:
        found: list[int] = self._gathered(np.asarray(rows, np.int64), lambda part: part.offsets).tolist()
        return found

    def _start_lines(self, rows: Rows) -> Rows:
        return self._gathered(rows, lambda part: part.start_lines)

    def _end_lines(self, rows: Rows) -> Rows:
        return self._gathered(rows, lambda part: part.end_lines)

    def _depths(self, rows: Rows) -> Rows:
        return self._gathered(rows, lambda part: part.depths)

    def _gathered(self, rows: Rows, column: Callable[[SymbolColumns], NDArray[Any]]) -> Rows:
        """Return the values of a column of numbers in some rows."""
        found = np.empty(len(rows), np.int64)
        for part, within, places in self._apart(rows):
            found[places] = column(part)[within]
        return found

    def _apart(self, rows: Rows) -> list[tuple[SymbolColumns, Rows, Any]]:
        """Divide rows between the columns that have them. Returns for each: the columns, their own row numbers, and the places of
        these rows in `rows`.
        """
        if self._changed is None or (is_changed := rows >= self._first).sum() == 0:
            return [(self._all, rows, slice(None))]
        if is_changed.all():
            return [(self._changed, rows - self._first, slice(None))]
        places = np.flatnonzero(~is_changed), np.flatnonzero(is_changed)
        return [(self._all, rows[places[0]], places[0]), (self._changed, rows[places[1]] - self._first, places[1])]


_NO_ROWS: Rows = np.zeros(0, np.int64)


def _where(found: Any) -> Rows:
    """Return the places where an array of Arrow is true."""
    return np.flatnonzero(found.to_numpy())
