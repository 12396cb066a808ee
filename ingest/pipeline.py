"""Read, parse and resolve source files, and pass the results to the stores."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from ..schema.graph_content import GraphContent, GraphPart
from ..schema.records import FileContent, FileRecord, Symbol
from ..schema.settings import Settings
from .data.schemas.edges import data_edges
from .facts.cache import FactCache
from .facts.data import ModelQuery
from .facts.faults import FAULTS, fault_in
from .facts.given import Given, GivenArguments
from .facts.model import FileFacts
from .files.discovery import Discovery
from .files.git_head import git_head
from .files.workspace_files import WorkspaceFiles
from .incremental.file_links import (
    FileLinks,
    Links,
    count_names,
    exceed_read_limit,
    have_tables,
    link_file,
    names_in,
    stamps_of,
    with_data,
)
from .languages.import_resolution import ImportResolver
from .languages.installed_files import InstalledFiles
from .languages.mapped_schemas import mapped_schemas
from .languages.typescript.installed_declarations import InstalledDeclarations
from .languages.typescript.module_resolution import ModuleResolver
from .languages.typescript.module_resolution.compiler_programs import CompilerPrograms
from .languages.typescript.project_structure import compiler_projects
from .languages.typescript.resolve.edges.edges import Edges
from .languages.typescript.resolve.engine import Engine
from .languages.typescript.resolve.model.program import Program
from .languages.typescript.resolve.model.unit import Unit
from .languages.typescript.runtime_facts import cached_runtime_facts
from .languages.workspace_modules import read_modules
from .resolution.api_sources import api_edges
from .resolution.document_edges import DocumentEdges
from .resolution.nominal_files import InstalledPackages, NominalFiles, outline_of
from .resolution.repository_edges import RepositoryEdges
from .workers.file_reading import FileRead, FileReader, Progress
from .workers.forked_resolution import Resolution, copies_for
from .workers.gc_pause import paused_collector
from .workers.parse_process import ParseProcesses

#: Maximum number of parts with symbols. Each part reads the nesting of the parts before it again.
_SYMBOL_PARTS = 4
#: Minimum number of symbols in all parts but the last one.
_MIN_SYMBOLS = 10_000


_T = TypeVar("_T")


class IndexSink(Protocol):
    """Receives the results of an analysis as soon as they are known, so that stores work while names are still
    resolved."""

    def add_file(self, content: FileContent) -> None:
        """Add the text and the chunks of one file."""

    def end_files(self) -> None:
        """Announce that no more files follow."""

    def add_graph(self, *parts: GraphPart) -> None:
        """Add parts of the graph.

        The order is: files and symbols, then edges that only names determine, then calls and references, and constructs last.
        """


class Analysis(msgspec.Struct, frozen=True):
    """The results of an analysis besides the parts that the sink received."""

    records: list[FileRecord]
    #: Records about the files for later updates.
    links: Links
    #: Number of files that were not in the cache.
    parsed: int


def analyse(
    root: Path,
    discovery: Discovery,
    settings: Settings,
    progress: Progress,
    sink: IndexSink,
    *,
    cache: FactCache | None = None,
    contents_of: Collection[str] | None = None,
    processes: ParseProcesses | None = None,
) -> Analysis:
    """Pass all results about the discovered files to the sink.

    If `contents_of` is not None, text and chunks are passed only for these paths. `processes` are parse processes
    that are already running. A file that cannot be read is kept, with the reason as its problem. A file that the cache
    knows is not parsed.
    """
    with paused_collector():
        reader = FileReader(root, settings, cache, processes)

        def take(content: FileContent) -> None:
            if contents_of is None or content.relative_path in contents_of:
                sink.add_file(content)

        reads = reader.read(discovery.files, progress, take)
        sink.end_files()
        paths = [file.relative_path for file in discovery.files]
        files = WorkspaceFiles(root, paths, discovery.configuration_files, discovery.data_files, settings.python_environment)
        modules = read_modules(files)
        records = [read.record for read in reads]
        first, *others = _symbol_parts(reads)
        sink.add_graph(
            GraphContent(
                repository_name=modules.root_name or root.name or "repository",
                git_head=git_head(root),
                modules=modules.modules,
                files=records,
                file_modules=[modules.module_of(record.relative_path) for record in records],
                symbols=first,
            )
        )
        for symbols in others:
            sink.add_graph(GraphContent(symbols=symbols))
        typescript = ModuleResolver(files)
        resolver = ImportResolver(files, {"typescript": typescript})
        projects, project_files = compiler_projects(typescript.projects, paths)
        installed = InstalledFiles(root)
        engine = _engine(resolver, typescript.programs, installed, reads, cached_runtime_facts(cache))
        links = _links(engine.program.units, resolver, typescript.programs.digest(), reads)
        edges = _edges(engine, resolver, reads, links, cache, InstalledPackages(files, installed))
        named = edges.of_names(edges.units)
        sink.add_graph(
            msgspec.structs.replace(named, dependencies=modules.dependencies, projects=projects, project_files=project_files)
        )
        copies = copies_for(edges, settings.workers)
        with Resolution(edges, installed, copies, lambda done: progress("resolve", done, len(reads))) as resolution:
            arguments = resolution.arguments()
            sink.add_graph(*resolution.calls())
            parts, noticed = resolution.constructs()  # this runs while the store loads the calls
            sink.add_graph(*parts)
        faults = list(noticed.faults)
        no_data: dict[str, GraphContent] = {}
        no_contracts: list[GraphContent] = []
        data = _isolated("files with data", lambda: _data_edges(reads, resolution.queries()), no_data, faults)
        if parts := [*data.values(), *_isolated("contracts", lambda: _api_edges(reads, links), no_contracts, faults)]:
            sink.add_graph(*parts)
        _report_faults(faults)
        read = stamps_of(root, noticed.installed)
        is_whole = not (noticed.left_out or exceed_read_limit(read) or faults)
        edges.release()
    links = msgspec.structs.replace(
        links,
        files=_with_data(_with_arguments(links.files, arguments, resolution.sources()), resolution.queries(), data),
        installed=read,
        complete=is_whole,
    )
    return Analysis(records, links, reader.parsed)


def _symbol_parts(reads: Sequence[FileRead]) -> list[list[Symbol]]:
    """Return the symbols of all files, in a few parts if there are many, because a part is encoded and decoded as a whole."""
    least = max(_MIN_SYMBOLS, sum(len(read.symbols) for read in reads) // _SYMBOL_PARTS)
    parts: list[list[Symbol]] = [[]]
    for read in reads:
        if len(parts[-1]) > least:
            parts.append([])
        parts[-1] += read.symbols
    return parts


def _with_arguments(
    files: Mapping[str, FileLinks], arguments: Mapping[str, list[Given]], sources: Mapping[str, list[str]]
) -> dict[str, FileLinks]:
    """Return links with the arguments from the call sites of each file."""
    return {
        path: msgspec.structs.replace(entry, arguments=GivenArguments(arguments[path], sources.get(path, [])))
        if path in arguments
        else entry
        for path, entry in files.items()
    }


def _with_data(
    files: Mapping[str, FileLinks], queries: Mapping[str, list[ModelQuery]], edges: Mapping[str, GraphContent]
) -> dict[str, FileLinks]:
    """Return the links of all files with the calls of object mappers that use tables, and with the digests of the data edges."""
    return {
        path: with_data(entry, queries.get(path, []), edges.get(path)) if path in queries or path in edges else entry
        for path, entry in files.items()
    }


def _data_edges(reads: Sequence[FileRead], queries: Mapping[str, list[ModelQuery]]) -> dict[str, GraphContent]:
    """Return the edges of schemas and of the code that uses them, by path of the file in which they begin."""
    ids = {read.record.relative_path: read.symbols for read in reads if read.facts.data is not None}
    facts = {read.record.relative_path: read.facts.data for read in reads if read.facts.data is not None}
    return data_edges(facts, lambda path, symbol: ids[path][symbol].id, mapped_schemas(facts), queries) if facts else {}


def _api_edges(reads: Sequence[FileRead], links: Links) -> list[GraphContent]:
    """Return the edges from the operations of contracts, and from requests, to the code that implements them."""
    by_path = {read.record.relative_path: read for read in reads}
    return list(api_edges(links.files, lambda path: by_path[path].facts.api, lambda path: by_path[path].symbols).values())


def _isolated(what: str, edges: Callable[[], _T], nothing: _T, faults: list[str]) -> _T:
    """Return edges that several files have together; `nothing` after a fault, which is noted."""
    try:
        return edges()
    except FAULTS as fault:
        faults.append(fault_in(what, fault))
        return nothing


def _report_faults(faults: Sequence[str]) -> None:
    if faults:
        logging.getLogger("astrolabe").warning(
            "%s about code failed and count as unresolved, the first in %s. Please report this.",
            "1 question" if len(faults) == 1 else f"{len(faults)} questions",
            faults[0],
        )


def _engine(
    resolver: ImportResolver, programs: CompilerPrograms, installed: InstalledFiles, reads: list[FileRead], runtime: FileFacts
) -> Engine:
    facts = {read.record.relative_path: outline_of(read.facts) for read in reads}
    return Engine(Program(facts, resolver.resolve, runtime, InstalledDeclarations(installed).facts, None, programs))


def _edges(
    engine: Engine,
    resolver: ImportResolver,
    reads: list[FileRead],
    links: Links,
    cache: FactCache | None,
    packages: InstalledPackages,
) -> RepositoryEdges:
    ids = [[symbol.id for symbol in read.symbols] for read in reads]
    places = {read.record.relative_path: place for place, read in enumerate(reads)}

    def identity(unit: Unit, symbol: int) -> str:
        return ids[unit.index][symbol]

    nominal = NominalFiles(places, lambda path: reads[places[path]].facts, resolver.resolve, identity, cache, packages)
    nominal.prepare(engine.program.units)
    documents = DocumentEdges(
        lambda: {path: entry.declared for path, entry in links.files.items()},
        lambda path: reads[places[path]].facts,
        lambda path: reads[places[path]].symbols,
        resolver.resolve,
        lambda: [path for path, entry in links.files.items() if entry.ambient],
        cache,
    )
    return RepositoryEdges(
        engine, Edges(engine, identity, names_in(links)), nominal, documents, has_tables=have_tables(links.files.values())
    )


def _links(units: Sequence[Unit], resolver: ImportResolver, programs: str, reads: Sequence[FileRead]) -> Links:
    members, methods = count_names(units)
    files = {
        unit.path: link_file(unit, read.facts, read.record.content_hash, resolver.resolve)
        for unit, read in zip(units, reads, strict=True)
    }
    return Links(files, members, methods, {}, False, programs)
