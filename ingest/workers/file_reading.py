"""Read files into facts, symbols and chunks: parse files that the cache lacks, and assign ids to symbols."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from ...schema.records import FileContent, FileRecord, Problem, Symbol
from ...schema.settings import Settings
from ..facts.cache import FactCache, FactKey
from ..facts.model import FileFacts
from ..files.discovery import SourceFile
from ..files.path_roles import is_test_path
from ..files.sql_dialects import SqlDialects
from ..languages.extraction import condensing, indexed_text, unread_facts
from .file_symbols import file_content, file_symbols
from .parse_pool import ParseJob, parse_files
from .parse_process import ParseProcesses

#: Minimum size of a file that is read in blocks if its language can shorten it, and size of the blocks, in bytes.
_LARGE: Final = 1_000_000
_BLOCK: Final = 1_000_000
#: Receives the stage ("parse", "resolve"), the number of files done and the number of all files.
Progress = Callable[[str, int, int], None]


class FileRead(msgspec.Struct, frozen=True):
    """The parts of a file that are kept in memory after the file was read and its chunks were stored."""

    record: FileRecord
    facts: FileFacts
    symbols: list[Symbol]


class FileReader:
    """Reads files of a workspace."""

    def __init__(self, root: Path, settings: Settings, cache: FactCache | None, processes: ParseProcesses | None = None) -> None:
        """`processes` are parse processes that are already running."""
        self._processes = processes
        self._root = root
        self._settings = settings
        self._cache = cache
        #: Number of read files that were not in the cache.
        self.parsed = 0

    def read(
        self, files: Sequence[SourceFile], progress: Progress, take_content: Callable[[FileContent], None]
    ) -> list[FileRead]:
        """Read files, and pass the text and the chunks of each file on as soon as they are known.

        A file that cannot be read is kept, with the reason as its problem.
        """
        jobs: list[ParseJob] = []
        done: dict[str, FileRead] = {}
        dialects = SqlDialects(self._settings.sql_dialect)
        by_path = {file.relative_path: file for file in files}

        sizes: dict[str, int] = {}

        def take(path: str, data: bytes, facts: FileFacts, content_hash: str) -> None:
            record = file_record(by_path[path], data, facts, content_hash, sizes[path])
            symbols = file_symbols(path, facts.symbols)
            if facts.lines:
                take_content(file_content(record, indexed_text(data, record.language), facts, symbols))
            facts.chunks = []  # only the content needs them
            done[path] = FileRead(record, facts, symbols)

        for file in files:
            path = file.relative_path
            try:
                data, content_hash, sizes[path] = _content(self._root / path, file)
            except OSError as error:
                done[path] = _unreadable(file, error)
                continue
            dialect = dialects.of(path)
            known = self._cache.get(FactKey.of(content_hash, file.language, dialect)) if self._cache is not None else None
            if known is None:
                jobs.append(ParseJob(path, file.language, data, content_hash, dialect))
            else:
                take(path, data, known, content_hash)
        self.parsed += len(jobs)
        progress("parse", 0, len(jobs))
        parsed = parse_files(jobs, self._settings.workers, lambda count: progress("parse", count, len(jobs)), self._processes)
        for job, facts, encoded in parsed:
            if self._cache is not None and encoded is not None:
                self._cache.put_encoded(FactKey.of(job.content_hash, job.language, job.sql_dialect), encoded)
            take(job.path, job.data, facts, job.content_hash)
        return [done[file.relative_path] for file in files]


def _unreadable(file: SourceFile, error: OSError) -> FileRead:
    reason = os.strerror(error.errno) if error.errno else str(error)
    facts = unread_facts(file.language, [Problem(1, f"cannot be read: {reason}")])
    return FileRead(file_record(file, None, facts, ""), facts, [])


def _content(path: Path, file: SourceFile) -> tuple[bytes, str, int]:
    """Return the content of a file, or the part of a large file that is read, with the hash and the size of the whole file."""
    condense = condensing(file.language) if file.size >= _LARGE else None
    if condense is None:
        data = path.read_bytes()
        return data, sha256(data).hexdigest(), len(data)
    digest, sizes = sha256(), []

    def blocks() -> Iterator[bytes]:
        with path.open("rb") as handle:
            while block := handle.read(_BLOCK):
                digest.update(block)
                sizes.append(len(block))
                yield block

    data = condense(blocks())
    return data, digest.hexdigest(), sum(sizes)


def file_record(file: SourceFile, data: bytes | None, facts: FileFacts, content_hash: str, size: int = 0) -> FileRecord:
    """Return the record of a file.

    `size` is the number of bytes of the file, if it has content.

    If the file could not be read, `data` is None and the hash is empty.
    """
    failed = bool(facts.problems) and (data is None or not facts.symbols)
    status = "failed" if failed else "recovered" if facts.problems else "ok"
    return FileRecord(
        relative_path=file.relative_path,
        language=file.language,
        content_hash=content_hash,
        mtime=file.mtime,
        size=size if data is not None else file.size,
        lines=facts.lines,
        parse_status=status,
        problems=tuple(facts.problems),
        is_test=is_test_path(file.relative_path),
    )
