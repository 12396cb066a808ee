"""Source files to everything the stores hold: reads, parses, resolves, and gives symbols their identity."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Protocol

import msgspec

from ..schema.identity import symbol_id
from ..schema.records import Chunk, FileRecord, GraphContent, Problem, Symbol
from ..schema.settings import Settings
from .collector_pause import paused_collector
from .discovery import Discovery, SourceFile
from .extraction import unread_facts
from .facts import FileFacts, SymbolFact
from .languages import is_test_path
from .module_resolution import ModuleResolver, read_modules
from .parse_pool import ParseJob, parse_files
from .resolve.edges import Edges
from .resolve.engine import Engine
from .resolve.program import Program, Unit
from .runtime_facts import runtime_facts
from .source_text import decode_source

#: Told the stage ("parse", "resolve"), the files done and the files in all.
Progress = Callable[[str, int, int], None]


class IndexSink(Protocol):
    """Takes what an analysis finds, as soon as it is known: the stores can work while names are still being resolved."""

    def add_chunks(self, chunks: Sequence[Chunk]) -> None:
        """The chunks of one file."""

    def end_chunks(self) -> None:
        """There are no more chunks."""

    def add_graph(self, part: GraphContent) -> None:
        """A part of the graph: first files and symbols, then what names say of them, last calls and references."""


class _Read(msgspec.Struct, frozen=True):
    """A file as it was read: what is kept of it once its chunks are on their way."""

    record: FileRecord
    facts: FileFacts
    symbols: list[Symbol]


def analyse(root: Path, discovery: Discovery, settings: Settings, progress: Progress, sink: IndexSink) -> list[FileRecord]:
    """Gives the sink everything there is to know of the discovered files, and returns their records.

    A file that cannot be read is kept, with the reason as its problem.
    """
    with paused_collector():
        reads = _read_and_parse(root, discovery.files, settings, progress, sink)
        modules = read_modules(root, discovery.configuration_files)
        records = [read.record for read in reads]
        sink.add_graph(
            GraphContent(
                repository_name=(modules.modules[0].name if modules.modules else "") or root.name or "repository",
                git_head=git_head(root),
                modules=modules.modules,
                files=records,
                file_modules=[modules.module_of(record.relative_path) for record in records],
                symbols=[symbol for read in reads for symbol in read.symbols],
            )
        )
        edges = _edges(root, discovery, reads)
        sink.add_graph(msgspec.structs.replace(edges.of_names(), dependencies=modules.dependencies))
        sink.add_graph(edges.of_calls(lambda done: progress("resolve", done, len(reads))))
        edges.release()
    return records


def _edges(root: Path, discovery: Discovery, reads: list[_Read]) -> Edges:
    paths = [read.record.relative_path for read in reads]
    resolver = ModuleResolver(root, paths, discovery.configuration_files)
    program = Program({path: read.facts for path, read in zip(paths, reads, strict=True)}, resolver.resolve, runtime_facts())
    ids = [[symbol.id for symbol in read.symbols] for read in reads]

    def identity(unit: Unit, symbol: int) -> str:
        return ids[unit.index][symbol]

    return Edges(Engine(program), identity)


# -------------------------------------------------------------------- reading


def _read_and_parse(root: Path, files: list[SourceFile], settings: Settings, progress: Progress, sink: IndexSink) -> list[_Read]:
    jobs: list[ParseJob] = []
    done: dict[str, _Read] = {}
    by_path = {file.relative_path: file for file in files}
    for file in files:
        try:
            jobs.append(ParseJob(file.relative_path, file.language, (root / file.relative_path).read_bytes()))
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            facts = unread_facts(file.language, [Problem(1, f"cannot be read: {reason}")])
            done[file.relative_path] = _Read(file_record(file, None, facts), facts, [])
    progress("parse", 0, len(jobs))
    for job, facts in parse_files(jobs, settings.workers, lambda count: progress("parse", count, len(jobs))):
        file = by_path[job.path]
        record = file_record(file, job.data, facts)
        symbols = file_symbols(job.path, facts.symbols)
        sink.add_chunks(file_chunks(record, job.data, facts, symbols))
        done[job.path] = _Read(record, facts, symbols)
    sink.end_chunks()
    return [done[file.relative_path] for file in files]


def git_head(root: Path) -> str:
    """The commit that HEAD names; "" outside Git, before the first commit, and where git is not installed."""
    if not any((folder / ".git").exists() for folder in (root, *root.parents)):
        return ""
    try:
        done = subprocess.run(
            ["git", "rev-parse", "--verify", "--quiet", "HEAD"], cwd=root, capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def file_record(file: SourceFile, data: bytes | None, facts: FileFacts) -> FileRecord:
    """The record of a file; `data` is None for one that could not be read."""
    failed = bool(facts.problems) and (data is None or not facts.symbols)
    status = "failed" if failed else "recovered" if facts.problems else "ok"
    return FileRecord(
        relative_path=file.relative_path,
        language=file.language,
        content_hash=sha256(data).hexdigest() if data is not None else "",
        mtime=file.mtime,
        size=len(data) if data is not None else file.size,
        lines=facts.lines,
        parse_status=status,
        problems=tuple(facts.problems),
        is_test=is_test_path(file.relative_path),
    )


# -------------------------------------------------------------------- symbols and chunks


def file_symbols(path: str, facts: list[SymbolFact]) -> list[Symbol]:
    """The symbols of a file, in the order of its facts, with their identity."""
    qualified: list[str] = [""] * len(facts)
    crumbs: list[str] = [""] * len(facts)
    ids: list[str] = [""] * len(facts)
    ordinals: list[int] = [0] * len(facts)
    seen: dict[tuple[str, str], int] = {}
    for index in sorted(range(len(facts)), key=lambda index: facts[index].depth):
        fact = facts[index]
        if fact.parent < 0:
            qualified[index], crumbs[index] = fact.name, f"{path} > {fact.name}"
        else:
            qualified[index] = f"{qualified[fact.parent]}.{fact.name}"
            crumbs[index] = f"{crumbs[fact.parent]} > {fact.name}"
        key = (fact.kind, qualified[index])
        ordinals[index] = seen.get(key, 0)
        seen[key] = ordinals[index] + 1
        ids[index] = symbol_id(path, fact.kind, qualified[index], ordinals[index])
    counts: dict[int, int] = {}
    made = []
    for index, fact in enumerate(facts):
        position = counts.get(fact.parent, 0)
        counts[fact.parent] = position + 1
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
                breadcrumb=crumbs[index],
                is_chunk=fact.is_chunk,
                parent_id=ids[fact.parent] if fact.parent >= 0 else None,
                position=position,
            )
        )
    return made


def file_chunks(record: FileRecord, data: bytes, facts: FileFacts, symbols: list[Symbol]) -> list[Chunk]:
    """Retrieval units of a file. Their text is that of the file as it was decoded for the parser."""
    if not facts.chunks:
        return []
    source = decode_source(data)
    starts = [*source.line_starts, len(source.data)]
    children: dict[int, list[str]] = {}
    for entry in facts.chunks:
        children.setdefault(entry.parent, []).append(symbols[entry.symbol].id)
    made = []
    for entry in facts.chunks:
        symbol, fact = symbols[entry.symbol], facts.symbols[entry.symbol]
        text = source.data[starts[fact.start_line - 1] : starts[fact.end_line]].decode("utf-8", "replace").rstrip("\r\n")
        parent = facts.symbols[fact.parent] if fact.parent >= 0 else None
        made.append(
            Chunk(
                id=symbol.id,
                relative_path=record.relative_path,
                language=record.language,
                node_kind=fact.kind,
                name=fact.name,
                parent_name=parent.name if parent is not None else None,
                parent_chunk_id=symbols[entry.parent].id if entry.parent >= 0 else None,
                child_chunk_ids=tuple(children.get(entry.symbol, ())),
                depth=fact.depth,
                signature=fact.signature,
                full_source=text,
                start_line=fact.start_line,
                end_line=fact.end_line,
                jsdoc=fact.doc or None,
                relevant_imports=tuple(facts.symbols[index].signature for index in entry.imports),
                embedding_text=text if entry.embedding_text is None else entry.embedding_text,
                breadcrumb=symbol.breadcrumb,
                content_hash=record.content_hash,
                last_modified=record.mtime,
                exported=fact.exported,
                is_test=record.is_test,
                cuts=tuple(entry.cuts),
            )
        )
    return made
