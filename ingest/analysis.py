"""Source files to everything the stores hold: reads, parses, resolves, and gives symbols their identity."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import msgspec

from ..schema.identity import symbol_id
from ..schema.records import Chunk, FileRecord, GraphContent, Problem, Symbol
from ..schema.settings import Settings
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


class Analysis(msgspec.Struct, frozen=True):
    """What an indexing run found."""

    content: GraphContent
    chunks: list[Chunk]


class _Read(msgspec.Struct, frozen=True):
    """A file as it was read, with its facts."""

    file: SourceFile
    data: bytes
    content_hash: str
    facts: FileFacts
    #: False when its bytes could not be read.
    readable: bool


def analyse(root: Path, discovery: Discovery, settings: Settings, progress: Progress) -> Analysis:
    """Everything there is to know of the discovered files. A file that cannot be read is kept, with the reason as its problem."""
    reads = _read_and_parse(root, discovery.files, settings, progress)
    resolver = ModuleResolver(root, [read.file.relative_path for read in reads], discovery.configuration_files)
    program = Program({read.file.relative_path: read.facts for read in reads}, resolver.resolve, runtime_facts())
    identities = [symbol_identities(unit.path, unit.facts.symbols) for unit in program.units]

    def identity(unit: Unit, symbol: int) -> str:
        return identities[unit.index][1][symbol]

    edges = Edges(Engine(program), identity)
    edges.collect(program.units, lambda done: progress("resolve", done, len(program.units)))
    modules = read_modules(root, discovery.configuration_files)
    symbols: list[Symbol] = []
    chunks: list[Chunk] = []
    for read, (names, ids) in zip(reads, identities, strict=True):
        file_symbols = _symbols(read, names, ids)
        symbols += file_symbols
        chunks += _chunks(read, file_symbols)
    content = GraphContent(
        repository_name=modules.modules[0].name if modules.modules else root.name,
        git_head=git_head(root),
        modules=modules.modules,
        dependencies=modules.dependencies,
        files=[_file_record(read) for read in reads],
        file_modules=[modules.module_of(read.file.relative_path) for read in reads],
        symbols=symbols,
        externals=edges.externals,
        imports=edges.imports,
        external_imports=edges.external_imports,
        exports=edges.exports,
        calls=edges.calls,
        external_calls=edges.external_calls,
        unresolved_calls=edges.unresolved_calls,
        references=edges.references,
        heritage=edges.heritage,
        overrides=edges.overrides,
        type_flows=edges.type_flows,
    )
    return Analysis(content, chunks)


# -------------------------------------------------------------------- reading


def _read_and_parse(root: Path, files: list[SourceFile], settings: Settings, progress: Progress) -> list[_Read]:
    jobs: list[ParseJob] = []
    unreadable: dict[str, FileFacts] = {}
    for file in files:
        try:
            jobs.append(ParseJob(file.relative_path, file.language, (root / file.relative_path).read_bytes()))
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            unreadable[file.relative_path] = unread_facts(file.language, [Problem(1, f"cannot be read: {reason}")])
    progress("parse", 0, len(jobs))
    parsed: dict[str, tuple[bytes, FileFacts]] = {}
    for job, facts in parse_files(jobs, settings.workers, lambda done: progress("parse", done, len(jobs))):
        parsed[job.path] = (job.data, facts)
    reads = []
    for file in files:
        path = file.relative_path
        if path in parsed:
            data, facts = parsed[path]
            reads.append(_Read(file, data, sha256(data).hexdigest(), facts, True))
        else:
            reads.append(_Read(file, b"", "", unreadable[path], False))
    return reads


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


def _file_record(read: _Read) -> FileRecord:
    file, problems = read.file, read.facts.problems
    has_structure = bool(read.facts.symbols) or not problems
    status = "ok" if not problems else "recovered" if has_structure and read.readable else "failed"
    return FileRecord(
        relative_path=file.relative_path,
        language=file.language,
        content_hash=read.content_hash,
        mtime=file.mtime,
        size=len(read.data) if read.readable else file.size,
        lines=read.facts.lines,
        parse_status=status,
        problems=tuple(problems),
        is_test=is_test_path(file.relative_path),
    )


# -------------------------------------------------------------------- symbols and chunks


def symbol_identities(path: str, facts: list[SymbolFact]) -> tuple[list[tuple[str, int, str]], list[str]]:
    """(qualified name, ordinal, breadcrumb) of each symbol of a file, and its id."""
    qualified: list[str] = [""] * len(facts)
    crumbs: list[str] = [""] * len(facts)
    order = sorted(range(len(facts)), key=lambda index: facts[index].depth)
    for index in order:
        fact = facts[index]
        if fact.parent < 0:
            qualified[index], crumbs[index] = fact.name, f"{path} > {fact.name}"
        else:
            qualified[index] = f"{qualified[fact.parent]}.{fact.name}"
            crumbs[index] = f"{crumbs[fact.parent]} > {fact.name}"
    seen: dict[tuple[str, str], int] = {}
    names: list[tuple[str, int, str]] = []
    ids: list[str] = []
    for index, fact in enumerate(facts):
        key = (fact.kind, qualified[index])
        ordinal = seen.get(key, 0)
        seen[key] = ordinal + 1
        names.append((qualified[index], ordinal, crumbs[index]))
        ids.append(symbol_id(path, fact.kind, qualified[index], ordinal))
    return names, ids


def _symbols(read: _Read, names: list[tuple[str, int, str]], ids: list[str]) -> list[Symbol]:
    path = read.file.relative_path
    counts: dict[int, int] = {}
    made = []
    for fact, (qualified, ordinal, breadcrumb), identifier in zip(read.facts.symbols, names, ids, strict=True):
        position = counts.get(fact.parent, 0)
        counts[fact.parent] = position + 1
        made.append(
            Symbol(
                identifier,
                fact.name,
                qualified,
                fact.kind,
                path,
                fact.depth,
                ordinal,
                fact.start_line,
                fact.end_line,
                fact.declaration_line,
                fact.name_line,
                fact.signature,
                fact.doc,
                tuple(fact.modifiers),
                fact.exported,
                breadcrumb,
                fact.is_chunk,
                ids[fact.parent] if fact.parent >= 0 else None,
                position,
            )
        )
    return made


def _chunks(read: _Read, symbols: list[Symbol]) -> list[Chunk]:
    """Retrieval units of a file. Their text is that of the file as it was decoded for the parser."""
    facts = read.facts
    if not facts.chunks:
        return []
    source = decode_source(read.data)
    starts = [*source.line_starts, len(source.data)]
    children: dict[int, list[str]] = {}
    for entry in facts.chunks:
        children.setdefault(facts.symbols[entry.symbol].parent, []).append(symbols[entry.symbol].id)
    file, is_test = read.file, is_test_path(read.file.relative_path)
    made = []
    for entry in facts.chunks:
        symbol, fact = symbols[entry.symbol], facts.symbols[entry.symbol]
        text = source.data[starts[fact.start_line - 1] : starts[fact.end_line]].decode("utf-8", "replace").rstrip("\r\n")
        parent = facts.symbols[fact.parent] if fact.parent >= 0 else None
        made.append(
            Chunk(
                id=symbol.id,
                relative_path=file.relative_path,
                language=file.language,
                node_kind=fact.kind,
                name=fact.name,
                parent_name=parent.name if parent is not None else None,
                parent_chunk_id=symbol.parent_id if parent is not None and parent.is_chunk else None,
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
                content_hash=read.content_hash,
                last_modified=file.mtime,
                exported=fact.exported,
                is_test=is_test,
            )
        )
    return made
