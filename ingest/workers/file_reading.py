"""Read files to facts, symbols and chunks: parse what the cache lacks, and give symbols their ids."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec

from ...schema.records import Chunk, FileContent, FileRecord, Problem, Symbol
from ...schema.settings import Settings
from ...schema.symbol_id import symbol_id
from ...schema.text_lines import TextLines
from ..data.dbt.folders import makes_relation
from ..facts.cache import FactCache, FactKey
from ..facts.cells import int_array
from ..facts.model import FileFacts, SymbolFact
from ..files.discovery import SourceFile
from ..files.path_roles import is_test_path
from ..languages.extraction import indexed_text, unread_facts
from .parse_pool import ParseJob, parse_files
from .parse_process import ParseProcesses

#: Receives the stage ("parse", "resolve"), the number of files done and the number of all files.
Progress = Callable[[str, int, int], None]


class FileRead(msgspec.Struct, frozen=True):
    """A file as it was read: what is kept after its chunks were handed on."""

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
        #: Number of files that were not in the cache.
        self.parsed = 0

    def read(
        self, files: Sequence[SourceFile], progress: Progress, take_content: Callable[[FileContent], None]
    ) -> list[FileRead]:
        """Read files, and hand on the text and the chunks of each as soon as they are known.

        A file that cannot be read is kept, with the reason as its problem.
        """
        jobs: list[ParseJob] = []
        done: dict[str, FileRead] = {}
        by_path = {file.relative_path: file for file in files}

        def take(path: str, data: bytes, facts: FileFacts, content_hash: str) -> None:
            record = file_record(by_path[path], data, facts, content_hash)
            symbols = file_symbols(path, facts.symbols)
            if facts.lines:
                take_content(file_content(record, indexed_text(data, record.language), facts, symbols))
            done[path] = FileRead(record, facts, symbols)

        for file in files:
            path = file.relative_path
            try:
                data = (self._root / path).read_bytes()
            except OSError as error:
                done[path] = _unreadable(file, error)
                continue
            content_hash = sha256(data).hexdigest()
            known = self._cache.get(FactKey.of(content_hash, file.language)) if self._cache is not None else None
            if known is None:
                jobs.append(ParseJob(path, file.language, data, content_hash))
            else:
                take(path, data, known, content_hash)
        self.parsed += len(jobs)
        progress("parse", 0, len(jobs))
        parsed = parse_files(jobs, self._settings.workers, lambda count: progress("parse", count, len(jobs)), self._processes)
        for job, facts, encoded in parsed:
            if self._cache is not None and encoded is not None:
                self._cache.put_encoded(FactKey.of(job.content_hash, job.language), encoded)
            take(job.path, job.data, facts, job.content_hash)
        return [done[file.relative_path] for file in files]


def _unreadable(file: SourceFile, error: OSError) -> FileRead:
    reason = os.strerror(error.errno) if error.errno else str(error)
    facts = unread_facts(file.language, [Problem(1, f"cannot be read: {reason}")])
    return FileRead(file_record(file, None, facts, ""), facts, [])


def file_record(file: SourceFile, data: bytes | None, facts: FileFacts, content_hash: str) -> FileRecord:
    """Return the record of a file.

    If the file could not be read, `data` is None and the hash is empty.
    """
    failed = bool(facts.problems) and (data is None or not facts.symbols)
    status = "failed" if failed else "recovered" if facts.problems else "ok"
    return FileRecord(
        relative_path=file.relative_path,
        language=file.language,
        content_hash=content_hash,
        mtime=file.mtime,
        size=len(data) if data is not None else file.size,
        lines=facts.lines,
        parse_status=status,
        problems=tuple(facts.problems),
        is_test=is_test_path(file.relative_path),
    )


# -------------------------------------------------------------------- symbols and chunks


def file_symbols(path: str, facts: list[SymbolFact]) -> list[Symbol]:
    """Return the symbols of a file with their ids, in the order of its facts.

    A component or a view without a name of its own gets that of its file, here and in its facts.
    """
    for fact in facts:
        if fact.name:
            continue
        if fact.kind == "component":
            fact.name = component_name(path)
            fact.signature = f"{fact.signature} {fact.name}"
        elif fact.kind == "view":
            fact.name = component_name(path)
            if not makes_relation(path):
                fact.kind = "query"
    qualified: list[str] = [""] * len(facts)
    crumbs: list[str] = [""] * len(facts)
    ids: list[str] = [""] * len(facts)
    ordinals: list[int] = [0] * len(facts)
    seen: dict[tuple[str, str], int] = {}
    for index in sorted(range(len(facts)), key=lambda index: facts[index].depth):
        fact = facts[index]
        name = f"{fact.owner}.{fact.name}" if fact.owner else fact.name
        crumb = f"{fact.owner} > {fact.name}" if fact.owner else fact.name
        if fact.parent < 0:
            qualified[index], crumbs[index] = name, f"{path} > {crumb}"
        else:
            qualified[index] = f"{qualified[fact.parent]}.{name}"
            crumbs[index] = f"{crumbs[fact.parent]} > {crumb}"
        key = (fact.kind, qualified[index])
        ordinals[index] = seen.get(key, 0)
        seen[key] = ordinals[index] + 1
        ids[index] = symbol_id(path, fact.kind, qualified[index], ordinals[index])
    made = []
    for index, fact in enumerate(facts):
        made.append(
            Symbol(
                id=ids[index],
                name=fact.name,
                qualified_name=qualified[index],
                kind=fact.kind,
                relative_path=path,
                depth=fact.depth,
                ordinal=ordinals[index],
                start_line=fact.start_line,
                end_line=fact.end_line,
                declaration_line=fact.declaration_line,
                name_line=fact.name_line,
                signature=fact.signature,
                doc=fact.doc,
                modifiers=tuple(fact.modifiers),
                exported=fact.exported,
                captures=tuple(fact.captures),
                comment_imports=tuple(fact.comment_imports),
                breadcrumb=crumbs[index],
                is_chunk=fact.is_chunk,
                parent_id=ids[fact.parent] if fact.parent >= 0 else None,
            )
        )
    return made


def component_name(path: str) -> str:
    """Return the name of the component that a file is: `src/cart/Line.vue` -> `Line`."""
    return path.rpartition("/")[2].partition(".")[0] or path


def file_content(record: FileRecord, text: bytes, facts: FileFacts, symbols: list[Symbol]) -> FileContent:
    """Return what search keeps of a file; `text` is its source as decoded for the parser."""
    lines = TextLines(text, [*int_array(facts.line_starts), len(text)])
    children: dict[int, list[str]] = {}
    for entry in facts.chunks:
        children.setdefault(entry.parent, []).append(symbols[entry.symbol].id)
    made = []
    for entry in facts.chunks:
        symbol, fact = symbols[entry.symbol], facts.symbols[entry.symbol]
        parent = facts.symbols[fact.parent] if fact.parent >= 0 else None
        made.append(
            Chunk(
                id=symbol.id,
                relative_path=record.relative_path,
                language=record.language,
                node_kind=fact.kind,
                name=fact.name,
                parent_name=fact.owner or (parent.name if parent is not None else None),
                parent_chunk_id=symbols[entry.parent].id if entry.parent >= 0 else None,
                child_chunk_ids=tuple(children.get(entry.symbol, ())),
                depth=fact.depth,
                signature=fact.signature,
                start_line=fact.start_line,
                end_line=fact.end_line,
                jsdoc=fact.doc or None,
                relevant_imports=tuple(facts.symbols[index].signature for index in entry.imports),
                embedding_text=lines.between(fact.start_line, fact.end_line)
                if entry.embedding_text is None
                else entry.embedding_text,
                breadcrumb=symbol.breadcrumb,
                content_hash=record.content_hash,
                last_modified=record.mtime,
                exported=fact.exported,
                is_test=record.is_test or entry.is_test,
                cuts=tuple(entry.cuts),
                collapsed=entry.embedding_text is not None,
            )
        )
    return FileContent(record.relative_path, text, tuple(made))
