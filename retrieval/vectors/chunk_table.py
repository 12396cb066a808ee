"""The vector table: a LanceDB table with one row for each chunk, and files next to it that readers map into memory.

The files contain the lexical index over the same rows, the columns for ranking, and the texts of the indexed files. A written
version never changes. The manifest of a generation contains the number of its version. LanceDB is imported only to write a table
or to read whole chunks, because the import takes half a second and 83 MB.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...schema.errors import IndexCorrupt, StoreError
from ...schema.records import Chunk, camel_case
from ...schema.text_lines import TextLines
from ..embedding.embedder import Vectors
from ..lexical.index import LexicalIndex
from ..source.file_texts import FileTexts, files_of_texts, remove_texts, texts_path
from ..source.indexed_file import IndexedFile, Root
from ..source.source_cache import SourceCache
from .candidate_rows import STORED_COLUMNS, CandidateRows, stored_vectors
from .int8_quantization import PackedVectors, packed
from .lance_engine import load_lancedb
from .stored_rows import StoredRows, files_of_rows, remove_rows, rows_path

if TYPE_CHECKING:
    import pyarrow as pa

TABLE_NAME = "chunks"
_ROWS_PER_BATCH = 2048
_LEXICAL_PREFIX = "lexical-"
#: Placeholder for the number of a version that is being written. LanceDB assigns the number at the end.
_NEXT = "next"
#: Maximum number of data files of all versions. With more files, an update merges the files of its version.
_MAX_FILES = 32
#: Compression of text in blocks of 32 kB. The size is a third of the size with LanceDB's default encoding, and reading is as
#: fast.
_COMPRESSED = {
    "lance-encoding:compression": "zstd",
    "lance-encoding:compression-level": "3",
    "lance-encoding:structural-encoding": "miniblock",
    "lance-encoding:minichunk-size": "32768",
}
_COMPRESSED_FIELDS = frozenset(
    ("id", "name", "parent_chunk_id", "embedding_text", "jsdoc", "signature", "breadcrumb", "relevant_imports")
)


#: Exceptions that LanceDB and Arrow raise: these built-in exceptions, and Arrow exceptions that derive from them.
_RAISED = (OSError, ValueError, KeyError, RuntimeError)
#: The position in the source of LanceDB at the end of its error messages.
_PLACE = re.compile(r", /\S+\.rs:\d+:\d+")


class EmbeddedText(NamedTuple):
    """The fields of a chunk that an embedding reads. Chunks with equal fields have the same vector."""

    relative_path: str
    breadcrumb: str
    name: str
    signature: str
    jsdoc: str | None
    embedding_text: str

    @classmethod
    def of(cls, chunk: Chunk) -> EmbeddedText:
        """Return the embedded fields of a chunk."""
        return cls(*[getattr(chunk, field) for field in cls._fields])


class ChunkTable:
    """One version of the table, for reading. Threads may share an instance."""

    def __init__(self, directory: Path, version: int, stored: StoredRows) -> None:
        """Callers use `open` instead."""
        self._directory = directory
        self._stored = stored
        self._cache = SourceCache()
        self.version = version

    @classmethod
    def write(cls, directory: Path, chunks: Sequence[Chunk], vectors: Vectors, texts: Mapping[str, bytes]) -> int:
        """Write a new version with exactly these chunks, and return its number. `vectors` has shape (len(chunks), dimensions).

        `texts` are the texts of all files, by path. Earlier versions stay readable until `collect`. Raises StoreError.
        """
        with _store_errors(f"The vector table in {directory} cannot be written"):
            directory.mkdir(parents=True, exist_ok=True)
            # Separate steps and batches of rows release memory early.
            FileTexts.of(texts).write(texts_path(directory, _NEXT))
            LexicalIndex.build(chunks).write(_lexical_path(directory, _NEXT))
            StoredRows.of(_table_of(_batches(chunks, vectors, columns=(*STORED_COLUMNS, "vector")))).write(
                rows_path(directory, _NEXT)
            )
            _drop_unreadable(directory)
            table = _connect(directory).create_table(TABLE_NAME, _batches(chunks, vectors), mode="overwrite")
            version = int(table.version)
            _name_files(directory, version)
        return version

    def replace(
        self, paths: Collection[str], chunks: Sequence[Chunk], vectors: Vectors, texts: Mapping[str, bytes]
    ) -> ChunkTable:
        """Write a new version with new chunks and texts for the files `paths`.

        Files without a new text are removed. The files of earlier versions on disk stay unchanged. Only one writer may call this
        method. Raises StoreError.
        """
        with _store_errors(f"The vector table in {self._directory} cannot be written"):
            within = f"relativePath IN ({_quoted_list(paths)})"
            removed = self._stored.in_files(paths)
            lexical = self.lexical.updated(removed, chunks)
            lexical.write(_lexical_path(self._directory, _NEXT))
            self.texts.replaced(paths, texts).write(texts_path(self._directory, _NEXT))
            added = _table_of(_batches(chunks, vectors, self.lexical.row_limit))
            stored = self._stored.replaced(removed, added)
            stored.write(rows_path(self._directory, _NEXT))
            table = self._latest()
            if len(removed) or not chunks:  # an update without changes must also produce a new version
                table.delete(within)
            if chunks:
                table.add(added)
            if len(list(self._directory.glob(f"{TABLE_NAME}.lance/data/*"))) > _MAX_FILES:
                table.optimize(cleanup_older_than=timedelta(days=36_500))  # only `collect` may remove versions
            version = int(table.version)
            _name_files(self._directory, version)
            table.checkout(version)
            written = ChunkTable(self._directory, version, stored.named(version))
            written.__dict__.update(lexical=lexical, _table=table)
            if (rows := table.count_rows()) != len(stored.numbers):
                raise ValueError(f"it holds {rows} rows instead of {len(stored.numbers)}")
        return written

    @classmethod
    def open(cls, directory: Path, version: int) -> ChunkTable:
        """Open one version. Raises IndexCorrupt if it is missing or damaged."""
        with _store_errors(f"The vector table in {directory} cannot be opened", IndexCorrupt):
            if not (directory / f"{TABLE_NAME}.lance").is_dir():
                # A connection would create the folder.
                raise FileNotFoundError(f"{directory} is missing")
            stored = StoredRows.open(directory, version)
        return cls(directory, version, stored)

    @cached_property
    def _table(self) -> Any:
        """The LanceDB table at this version, which most readers never open. Raises IndexCorrupt."""
        with self._reading():
            table = _connect(self._directory).open_table(TABLE_NAME)
            table.checkout(self.version)
        return table

    def _latest(self) -> Any:
        """Make this version the latest version of the LanceDB table, and return the table. Only one writer may call this
        method.
        """
        with _store_errors(f"The vector table in {self._directory} cannot be read", IndexCorrupt):
            table = _connect(self._directory).open_table(TABLE_NAME)
            if table.version != self.version:  # an interrupted writer wrote later versions
                table.checkout(self.version)
                table.restore()
        return table

    @staticmethod
    def files(directory: Path, version: int) -> list[Path]:
        """Return the files that readers of a version may need, and possibly files of other versions."""
        table = directory / f"{TABLE_NAME}.lance"
        kinds = ("data/*", "_deletions/*", "_versions/*.manifest")
        found = (path for kind in kinds for path in table.glob(kind))
        beside = (_lexical_path(directory, version), *files_of_texts(directory, version), *files_of_rows(directory, version))
        return sorted([*found, *beside])

    @staticmethod
    def collect(directory: Path, oldest_needed: int) -> None:
        """Remove the versions before `oldest_needed`, and the remains of interrupted writers.

        Only one writer may call this method. Raises StoreError.
        """
        with _store_errors(f"Old versions of the vector table in {directory} cannot be removed"):
            for path in directory.glob(f"{_LEXICAL_PREFIX}[0-9]*.bin"):
                if int(path.stem.removeprefix(_LEXICAL_PREFIX)) < oldest_needed:
                    path.unlink()
            remove_texts(directory, oldest_needed)
            remove_rows(directory, oldest_needed)
            table = _connect(directory).open_table(TABLE_NAME)
            if table.stats()["fragment_stats"]["num_fragments"] > 1:
                return  # LanceDB would rewrite all rows, although versions that share rows take little space
            written = {entry["version"]: entry["timestamp"] for entry in table.list_versions()}
            unneeded = [moment for version, moment in written.items() if version < oldest_needed]
            if unneeded:
                # LanceDB removes versions above an age, which it computes slightly later than now. So the limit is the age of
                # the youngest unneeded version. Needed versions are younger by at least the time between two updates.
                age = datetime.now() - max(unneeded) - timedelta(milliseconds=1)
                table.optimize(cleanup_older_than=max(age, timedelta(0)), delete_unverified=True)

    @cached_property
    def lexical(self) -> LexicalIndex:
        """The lexical index over the rows of this version. Raises IndexCorrupt."""
        return LexicalIndex.open(_lexical_path(self._directory, self.version))

    @cached_property
    def texts(self) -> FileTexts:
        """The texts of all files of this version. Raises IndexCorrupt."""
        return FileTexts.open(self._directory, self.version)

    def take_over(self, earlier: ChunkTable, paths: Collection[str]) -> None:
        """Take over the data that an earlier version has read, except data of the changed files `paths`. Call this method
        once.
        """
        known = earlier.__dict__.get("rows")
        if known is None or "rows" in self.__dict__:
            return
        rows = known.renewed(self._stored.numbers, self._stored.since(known.limit), self.lexical.row_limit)
        if rows is not None:
            self.__dict__["rows"] = rows
            self._cache.take_over(earlier._cache, paths)

    @cached_property
    def rows(self) -> CandidateRows:
        """The data of every row for ranking. Raises IndexCorrupt."""
        return CandidateRows(self._stored.tables, self._stored.numbers, self.lexical.row_limit)

    def read_embedded(self, paths: Collection[str] | None) -> dict[EmbeddedText, Vectors]:
        """Return the vectors of the chunks of some files by their embedded fields; None means all files."""
        wanted = list({*map(camel_case, EmbeddedText._fields), *_LINES, "vector"})
        if paths is not None:
            found = self._rows_of(self._stored.in_files(paths).tolist(), wanted)
        else:
            with self._reading():
                found = self._table.search().select(wanted).to_arrow()
        columns = {field: found[camel_case(field)].to_pylist() for field in EmbeddedText._fields if field != "embedding_text"}
        texts = map(EmbeddedText, *columns.values(), self._embedding_texts(found))
        return dict(zip(texts, PackedVectors(stored_vectors(found)).of(slice(None)), strict=True))

    def read_chunks(self, ids: Collection[str]) -> dict[str, Chunk]:
        """Return chunks by id; ids without a row are left out."""
        if not ids:
            return {}
        # Reading rows by number is many times as fast as a filtered scan with the column of the source text.
        rows = self.rows.numbers_of(ids)
        return {chunk.id: chunk for chunk in self._chunks(self._rows_of(rows.tolist(), list(_COLUMN_NAMES)))}

    def read_files(self, paths: Iterable[str]) -> dict[str, IndexedFile]:
        """Return indexed files by path; a file without a stored text is empty."""
        return self._cache.files(paths, self._read_files)

    def _read_files(self, paths: Collection[str]) -> Iterator[IndexedFile]:
        roots: dict[str, list[Root]] = {path: [] for path in paths}
        for path, first, last in self._roots(paths):
            roots[path].append(Root(first, last))
        return (IndexedFile(path, self.texts.get(path, b""), lines) for path, lines in roots.items())

    def _roots(self, paths: Collection[str]) -> Iterator[tuple[str, int, int]]:
        """Yield path, first line and last line of each chunk of depth 0 in some files."""
        found = self._stored.roots(paths)
        return zip(*(found[column].to_pylist() for column in _LINES), strict=True)

    def _rows_of(self, rows: Iterable[int], columns: list[str]) -> pa.Table:
        # The table contains the used rows in the order of their numbers.
        places = np.searchsorted(self._stored.numbers, np.array(sorted(set(rows)), np.uint32))
        with self._reading():
            return self._table.take_offsets(places.tolist()).select(columns).to_arrow()

    def _embedding_texts(self, table: pa.Table) -> Iterator[str]:
        """Yield the embedding text of each row. Texts that are not stored are lines of the file."""
        path, lines = "", TextLines(b"")
        for own, *place in zip(*(table[column].to_pylist() for column in ("embeddingText", *_LINES)), strict=True):
            if own is None and place[0] != path:
                path, lines = place[0], TextLines(self.texts[place[0]])
            yield lines.between(*place[1:]) if own is None else own

    def _chunks(self, table: pa.Table) -> Iterator[Chunk]:
        columns = {field: table[column].to_pylist() for field, column in zip(_FIELDS, _COLUMN_NAMES, strict=True)}
        columns["collapsed"] = [text is not None for text in columns["embedding_text"]]
        columns["embedding_text"] = list(self._embedding_texts(table))
        for field in ("child_chunk_ids", "relevant_imports"):
            columns[field] = [tuple(value or ()) for value in columns[field]]
        return (Chunk(**dict(zip(columns, values, strict=True))) for values in zip(*columns.values(), strict=True))

    def _reading(self) -> Any:
        return _store_errors(f"The vector table in {self._directory} cannot be read", IndexCorrupt)


#: Stored fields of a chunk. `cuts` are only needed for the embedding, and `collapsed` follows from the embedding text.
_FIELDS = tuple(field for field in Chunk.__struct_fields__ if field not in ("cuts", "collapsed"))
_COLUMNS: dict[str, str] = {camel_case(field): field for field in _FIELDS} | {"filePath": "relative_path"}
_COLUMN_NAMES = tuple(camel_case(field) for field in _FIELDS)
#: Columns with the path and the lines of a chunk.
_LINES = ("relativePath", "startLine", "endLine")


def _lexical_path(directory: Path, version: int | str) -> Path:
    return directory / f"{_LEXICAL_PREFIX}{version}.bin"


def _name_files(directory: Path, version: int) -> None:
    """Rename the files next to the table after the number of the table's new version."""
    for path_of in (_lexical_path, texts_path, rows_path):
        path_of(directory, _NEXT).replace(path_of(directory, version))


def _drop_unreadable(directory: Path) -> None:
    """Remove a damaged table. LanceDB cannot write a new version of such a table."""
    table = directory / f"{TABLE_NAME}.lance"
    if not table.exists():
        return
    try:
        _connect(directory).open_table(TABLE_NAME).list_versions()
    except _RAISED:
        shutil.rmtree(table)


def _connect(directory: Path) -> Any:
    return load_lancedb().connect(directory)


@contextmanager
def _store_errors(what: str, kind: type[IndexCorrupt] | type[StoreError] = StoreError) -> Iterator[None]:
    """Raise exceptions of LanceDB and Arrow as `kind`."""
    try:
        yield
    except _RAISED as error:
        first_line = _PLACE.sub("", (str(error).splitlines() or [""])[0])
        raise kind(f"{what} ({type(error).__name__}: {first_line}).") from error


def _quoted_list(texts: Iterable[str]) -> str:
    """Return texts as SQL string literals, separated by commas."""
    return ", ".join("'" + text.replace("'", "''") + "'" for text in texts)


def _table_of(batches: pa.RecordBatchReader) -> pa.Table:
    """Return all rows at once."""
    return batches.read_all().combine_chunks()


def _batches(
    chunks: Sequence[Chunk], vectors: Vectors, first: int = 0, columns: Sequence[str] | None = None
) -> pa.RecordBatchReader:
    """Return a reader that creates batches of rows on demand. Row numbers begin at `first`; None in `columns` means all
    columns.
    """
    import pyarrow as pa

    rows = {chunk.id: row for row, chunk in enumerate(chunks, first)}
    schema = _schema(vectors.shape[1])
    if columns is not None:
        schema = pa.schema([schema.field(column) for column in columns])

    def made() -> Iterator[pa.RecordBatch]:
        for begin in range(0, len(chunks), _ROWS_PER_BATCH):
            part = slice(begin, begin + _ROWS_PER_BATCH)
            yield _batch(schema, chunks[part], vectors[part], first + begin, rows)

    return pa.RecordBatchReader.from_batches(schema, made())


def _schema(dimensions: int) -> pa.Schema:
    import pyarrow as pa

    fields = [
        pa.field(column, _arrow_type(field), metadata=_COMPRESSED if field in _COMPRESSED_FIELDS else None)
        for column, field in _COLUMNS.items()
    ]
    fields += [pa.field("row", pa.uint32()), pa.field("parentRow", pa.uint32())]
    return pa.schema([*fields, pa.field("vector", pa.list_(pa.int8(), dimensions))])


def _batch(schema: pa.Schema, chunks: Sequence[Chunk], vectors: Vectors, begin: int, rows: dict[str, int]) -> pa.RecordBatch:
    import pyarrow as pa

    made: dict[str, Callable[[], pa.Array]] = {
        "row": lambda: pa.array(np.arange(begin, begin + len(chunks), dtype=np.uint32)),
        "parentRow": lambda: pa.array([rows.get(chunk.parent_chunk_id or "") for chunk in chunks], pa.uint32()),
        "vector": lambda: pa.FixedSizeListArray.from_arrays(pa.array(packed(vectors).ravel()), vectors.shape[1]),
    }

    def column(name: str) -> pa.Array:
        if name in made:
            return made[name]()
        field = _COLUMNS[name]
        return pa.array([_stored(chunk, field) for chunk in chunks], _arrow_type(field))

    return pa.RecordBatch.from_arrays([column(name) for name in schema.names], schema=schema)


def _stored(chunk: Chunk, field: str) -> Any:
    """Return the stored value of a field. An embedding text that equals the source is not stored."""
    return None if field == "embedding_text" and not chunk.collapsed else getattr(chunk, field)


def _arrow_type(field: str) -> pa.DataType:
    import pyarrow as pa

    kinds: dict[str, Callable[[], pa.DataType]] = {
        "depth": pa.int32,
        "start_line": pa.int32,
        "end_line": pa.int32,
        "last_modified": pa.int64,
        "exported": pa.bool_,
        "is_test": pa.bool_,
        "child_chunk_ids": lambda: pa.list_(pa.string()),
        "relevant_imports": lambda: pa.list_(pa.string()),
    }
    return kinds.get(field, pa.string)()
