"""Files as the parser and the chunker see them, each by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from astrolabe.ingest.files.discovery import SourceFile
from astrolabe.ingest.files.source_text import decode_source, source_bytes
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.workers.file_reading import file_record
from astrolabe.ingest.workers.file_symbols import file_content, file_symbols
from astrolabe.schema.languages import language_of, language_of_indexed
from astrolabe.schema.records import Chunk, Problem, Symbol
from astrolabe.schema.text_lines import TextLines

#: Folders whose files are not a repository's own.
_FOREIGN = frozenset(("node_modules", ".git"))


@dataclass
class FileReading:
    """A file as the index sees it."""

    path: str
    data: bytes
    lines: list[str]
    symbols: list[Symbol]
    chunks: list[Chunk]
    #: "ok", "recovered" or "failed".
    status: str = "ok"
    problems: tuple[Problem, ...] = ()
    by_id: dict[str, Symbol] = field(init=False)
    chunk_by_id: dict[str, Chunk] = field(init=False)
    _text: TextLines = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.by_id = {symbol.id: symbol for symbol in self.symbols}
        self.chunk_by_id = {chunk.id: chunk for chunk in self.chunks}
        self._text = TextLines(source_bytes(self.data))

    def source_of(self, chunk: Chunk) -> str:
        """The text of a chunk's lines."""
        return self._text.between(chunk.start_line, chunk.end_line)

    @property
    def roots(self) -> list[Symbol]:
        """Symbols of depth 0."""
        return [symbol for symbol in self.symbols if symbol.depth == 0]

    @property
    def language(self) -> str:
        """The language that the file's name tells."""
        return language_of_indexed(Path(self.path).name) or "typescript"


def read_source(path: str, data: bytes) -> FileReading:
    """The symbols and chunks of one file; `path` decides its language."""
    language = language_of_indexed(Path(path).name)
    assert language is not None, path
    facts = extract_facts(data, language)
    record = file_record(SourceFile(path, language, len(data), 0), data, facts, "", len(data))
    symbols = file_symbols(path, facts.symbols)
    chunks = list(file_content(record, source_bytes(data), facts, symbols).chunks) if facts.lines else []
    lines = lines_of(data) if facts.lines else []
    return FileReading(path, data, lines, symbols, chunks, record.parse_status, record.problems)


def lines_of(data: bytes) -> list[str]:
    """The lines of a file without their ends."""
    source = decode_source(data)
    ends = [*source.line_starts[1:], len(source.data)]
    return [
        source.data[start:end].decode("utf-8", "replace").rstrip("\r\n")
        for start, end in zip(source.line_starts, ends, strict=True)
    ]


def source_files(folder: Path) -> Iterator[Path]:
    """Every TypeScript and JavaScript file below a folder, in order of paths."""
    for path in sorted(folder.rglob("*")):
        if language_of(path.name) and not _FOREIGN & set(path.parts) and path.is_file() and not path.is_symlink():
            yield path
