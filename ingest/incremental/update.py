"""Compute the update of an index after some files changed: their content, and the edges of all affected files."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from ...schema.graph_content import GraphContent, joined
from ...schema.manifest import LoggedChanges
from ...schema.process.stage_times import StageTimes
from ...schema.records import FileContent
from ...schema.settings import Settings
from ..facts.cache import FactCache
from ..facts.faults import FAULTS
from ..facts.given import Given, GivenLookup
from ..files.discovery import Discovery, SourceFile
from ..files.git_head import git_head
from ..files.path_roles import JAVASCRIPT_EXTENSIONS, TYPESCRIPT_EXTENSIONS
from ..files.workspace_files import WorkspaceFiles
from ..languages.import_resolution import ImportResolver
from ..languages.installed_files import InstalledFiles
from ..languages.registry import infers, language
from ..languages.typescript.installed_declarations import InstalledDeclarations
from ..languages.typescript.module_resolution import ModuleResolver
from ..languages.typescript.project_structure import compiler_projects
from ..languages.typescript.resolve.edges.edges import Edges, externals_of
from ..languages.typescript.resolve.engine import Engine
from ..languages.typescript.resolve.model.program import OtherFiles, Program
from ..languages.typescript.resolve.model.unit import Unit
from ..languages.typescript.runtime_facts import cached_runtime_facts
from ..languages.workspace_modules import read_modules
from ..resolution.api_sources import BEGINNINGS
from ..resolution.document_edges import DocumentEdges
from ..resolution.nominal_files import InstalledPackages, NominalFiles
from ..resolution.repository_edges import RepositoryEdges
from ..workers.file_reading import FileRead, FileReader, Progress, file_record
from ..workers.file_symbols import file_symbols
from ..workers.gc_pause import paused_collector
from .affected import AmbientChange
from .affected_files import AffectedFiles
from .argument_changes import ArgumentChanges
from .file_links import (
    Links,
    count_names,
    derived_again,
    exceed_read_limit,
    have_tables,
    imports_among_ambient,
    link_file,
    names_in,
    relinked,
    stamps_of,
    takes_auto_imports,
    with_data,
)
from .file_states import FileStates
from .global_names import GlobalNames
from .memory import UpdateMemory
from .refusals import UpdateRefused

#: Number of affected files that is always allowed.
MIN_AFFECTED_LIMIT = 8


class IndexUpdate(NamedTuple):
    """All changes of an index."""

    #: The repository, modules and dependencies; the new and changed files, and the edges of all resolved files.
    graph: GraphContent
    #: Files whose stored content and edges `graph` replaces.
    replaced: LoggedChanges
    #: Module that contains each file, by path.
    homes: dict[str, str | None]
    #: Text and chunks of the new and changed files.
    contents: list[FileContent]
    links: Links
    #: Edges of the files whose edges are replaced, for the next update.
    edges: dict[str, GraphContent]
    parsed: int
    #: Number of files whose edges were resolved for this update.
    resolved: int


class Changes(NamedTuple):
    """The result of a scan."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    #: Earlier changes that must be part of the update, too.
    earlier: LoggedChanges
    #: Whether specifiers may resolve differently although no file moved, because data files, ignore rules, tsconfigs or
    #: manifests changed.
    relinks: bool

    @property
    def stale_files(self) -> tuple[str, ...]:
        """Paths whose current state the index does not contain."""
        return (*self.added, *self.changed, *self.removed)

    @property
    def moved(self) -> bool:
        """Whether specifiers may resolve differently, and files may belong to another module."""
        return bool(self.added or self.removed) or self.relinks


def update(
    root: Path,
    discovery: Discovery,
    settings: Settings,
    progress: Progress,
    cache: FactCache,
    before: Links,
    changes: Changes,
    memory: UpdateMemory,
    stages: StageTimes,
    max_affected_share: float,
) -> IndexUpdate:
    """Return the update for the changes.

    Raises `UpdateRefused` if everything must be analyzed. Raises `TooMuchForUpdate` if more files are affected than the
    share `max_affected_share` of all files plus `MIN_AFFECTED_LIMIT`.
    """
    with paused_collector():
        if not before.complete:
            raise UpdateRefused("some installed declarations were not read, or some types could not be resolved")
        if stamps_of(root, before.installed) != before.installed:
            raise UpdateRefused("installed declarations changed")
        updater = _Updater(root, discovery, settings, progress, cache, before, changes, memory, stages, max_affected_share)
        try:
            return _run(updater)
        except UpdateRefused as refusal:
            refusal.parsed = updater.parsed
            raise


def _run(updater: _Updater) -> IndexUpdate:
    """Run an update. Raises `UpdateRefused` instead of all other exceptions after which everything must be analyzed."""
    try:
        return updater.run()
    except AmbientChange as change:
        raise UpdateRefused(f"{change} declares something for all files") from change
    except FAULTS as fault:  # the analysis of everything isolates such a fault
        logging.getLogger("astrolabe").warning(
            "an update failed, so that everything is analyzed again: %s: %s. Please report this.", type(fault).__name__, fault
        )
        raise UpdateRefused(f"an update failed ({type(fault).__name__})") from fault


class _Resolver(NamedTuple):
    """Resolves files in their current state."""

    program: Program
    edges: RepositoryEdges
    links: Links
    installed: InstalledFiles


class _CountedNames(NamedTuple):
    """The current number of files in which each name occurs that may be the name of a member, and of a method."""

    members: dict[str, int]
    methods: dict[str, int]


class _Updater:
    def __init__(
        self,
        root: Path,
        discovery: Discovery,
        settings: Settings,
        progress: Progress,
        cache: FactCache,
        before: Links,
        changes: Changes,
        memory: UpdateMemory,
        stages: StageTimes,
        max_affected_share: float,
    ) -> None:
        self._root = root
        self._discovery = discovery
        self._settings = settings
        self._progress = progress
        self._cache = cache
        self._before = before
        self._changes = changes
        self._memory = memory
        self._stages = stages
        self._paths = [file.relative_path for file in discovery.files]
        environment = settings.python_environment
        self._workspace = WorkspaceFiles(root, self._paths, discovery.configuration_files, discovery.data_files, environment)
        self._typescript = ModuleResolver(self._workspace)
        self._resolver = ImportResolver(self._workspace, {"typescript": self._typescript})
        self._programs = before.programs
        self._states = FileStates(cache, before, memory)
        self._rewritten = {*changes.added, *changes.changed}
        self._reader = FileReader(root, settings, cache)
        limit = int(max_affected_share * len(self._paths)) + MIN_AFFECTED_LIMIT
        self._affected = AffectedFiles(self._states, before, self._rewritten, changes.removed, changes.relinks, limit)
        self._arguments = ArgumentChanges(
            {path: links.arguments for path, links in before.files.items() if links.arguments is not None}, set(self._paths)
        )

    @property
    def parsed(self) -> int:
        """Number of files that were parsed so far."""
        return self._reader.parsed

    def run(self) -> IndexUpdate:
        contents: list[FileContent] = []
        changes, earlier = self._changes, self._changes.earlier
        rewritten = self._rewritten
        files = {file.relative_path: file for file in self._discovery.files}
        new = [files[path] for path in sorted(rewritten)]
        reads = self._reader.read(new, self._progress, contents.append)
        for read in reads:
            self._states.keep(read)
        self._stages.end("parse")
        self._relink(reads)
        self._refuse_other_scopes()
        if have_tables(self._before.files.values()) != have_tables(self._states.links.values()):
            raise UpdateRefused("the first models of object mappers came, or the last ones went")
        runtime = cached_runtime_facts(self._cache)
        names = self._counted_names(rewritten)
        affected = self._affected.find(
            GlobalNames(self._root, self._states.links, self._before.installed, runtime, self._states.after), names.members.keys()
        )
        edges = self._repository_edges(names)
        affected |= self._arguments_of(affected, edges)
        resolved = sorted(affected.union(path for path in (*earlier.resolved, *earlier.rewritten) if path in files))
        self._affected.refuse_many(len(resolved))
        reads += [self._known(files[path]) for path in earlier.rewritten if path in files and path not in rewritten]
        replaced = LoggedChanges(
            rewritten=sorted(read.record.relative_path for read in reads),
            removed=sorted({*changes.removed, *earlier.removed} - files.keys()),
            resolved=resolved,
            moved=earlier.moved or changes.moved,
        )
        self._stages.end("link")
        known = self._memory.edges(self._before)
        kept = {path: known[path] for path in resolved if path in known and path not in affected}
        links, found = self._resolve([path for path in resolved if path not in kept], edges)
        others = self._states.given_other_models(found, links.files)
        if others:
            resolved = sorted({*resolved, *others})
            self._affected.refuse_many(len(resolved))
            replaced = msgspec.structs.replace(replaced, resolved=resolved)
            self._states.links = dict(links.files)
            links, more = self._resolve(others, self._repository_edges(names))
            found.update(more)
        self._stages.end("resolve")
        graph, homes = self._nodes(reads, replaced.moved)
        content = {**kept, **found}
        graph = joined([graph, *(content[path] for path in resolved if path in content)])
        return IndexUpdate(graph, replaced, homes, contents, links, content, self.parsed, len(found))

    def _relink(self, reads: list[FileRead]) -> None:
        """Resolve the imports of the new and changed files again; if files moved, the imports of all files."""
        resolve = self._resolver.resolve
        rewritten = {read.record.relative_path for read in reads}
        # A changed file may export other names, which a framework imports into the files that use them.
        renames = any(path.endswith((*TYPESCRIPT_EXTENSIONS, *JAVASCRIPT_EXTENSIONS)) for path in rewritten)
        for path in self._paths:
            known = self._before.files.get(path)
            if known is not None and path not in rewritten:
                may_differ = self._changes.moved or (renames and known.auto_imports)
                links = self._states.links[path] = relinked(known, path, resolve) if may_differ else known
                # A module that became a package has submodules, and a framework may come to give names to the file.
                is_renewed = links is not known and language(links.language).nominal is not None
                if is_renewed or (self._changes.relinks and takes_auto_imports(path, resolve) != known.takes_auto_imports):
                    unit = Unit(0, path, self._states.outline(path))
                    self._states.links[path] = derived_again(links, unit, self._states.facts(path), resolve)
            elif path not in rewritten:
                raise UpdateRefused(f"the index has no record of {path}")
        for read in reads:
            path = read.record.relative_path
            self._states.links[path] = link_file(
                Unit(0, path, self._states.outline(path)), read.facts, read.record.content_hash, resolve
            )

    def _refuse_other_scopes(self) -> None:
        """Raise UpdateRefused if files may see other global names than before although no declaration of them changed."""
        if self._changes.relinks:
            self._programs = self._typescript.programs.digest()
        is_shared = any(links.ambient for links in self._states.links.values())
        if is_shared and self._programs != self._before.programs:
            raise UpdateRefused("the files that share global names changed")
        if imports_among_ambient(self._before.files) != imports_among_ambient(self._states.links):
            raise UpdateRefused("files that declare something for all files import other files")

    def _known(self, file: SourceFile) -> FileRead:
        """Return a file as it was before the change."""
        facts = self._states.facts(file.relative_path)
        record = file_record(file, b"", facts, self._states.links[file.relative_path].content_hash)
        record = msgspec.structs.replace(record, size=file.size)
        return FileRead(record, facts, file_symbols(file.relative_path, facts.symbols))

    def _nodes(self, reads: list[FileRead], moved: bool) -> tuple[GraphContent, dict[str, str | None]]:
        modules = read_modules(self._workspace)
        homes = {path: modules.module_of(path) for path in self._paths} if moved else {}
        records = [read.record for read in reads]
        projects, project_files = compiler_projects(self._typescript.projects, self._paths) if moved else ([], [])
        content = GraphContent(
            repository_name=modules.root_name or self._root.name or "repository",
            git_head=git_head(self._root),
            modules=modules.modules,
            dependencies=modules.dependencies,
            files=records,
            file_modules=[modules.module_of(record.relative_path) for record in records],
            symbols=[symbol for read in reads for symbol in read.symbols],
            projects=projects,
            project_files=project_files,
        )
        return content, homes

    def _repository_edges(self, names: _CountedNames) -> _Resolver:
        """Return the resolver of files in their current state."""
        eager = {path: self._states.outline(path) for path in self._paths if self._states.links[path].ambient}
        places = {path: place for place, path in enumerate(self._paths)}
        installed = InstalledFiles(self._root)
        declarations = InstalledDeclarations(installed)
        others = OtherFiles(places, self._states.outline)
        runtime = cached_runtime_facts(self._cache)
        programs = self._typescript.programs
        program = Program(eager, self._resolver.resolve, runtime, declarations.facts, others, programs)
        links = Links(self._states.links, names.members, names.methods, self._before.installed, True, self._programs)
        engine = Engine(program)
        packages = InstalledPackages(self._workspace, installed)
        nominal = NominalFiles(places, self._states.facts, self._resolver.resolve, self._states.symbol_id, self._cache, packages)
        documents = DocumentEdges(
            lambda: {path: entry.declared for path, entry in self._states.links.items()},
            self._states.facts,
            lambda path: self._states.after(path).symbols,
            self._resolver.resolve,
            lambda: [path for path, entry in self._states.links.items() if entry.ambient],
            self._cache,
        )
        edges = RepositoryEdges(
            engine,
            Edges(engine, self._states.symbol_id, names_in(links)),
            nominal,
            documents,
            has_tables=have_tables(self._states.links.values()),
        )
        return _Resolver(program, edges, links, installed)

    def _arguments_of(self, affected: Collection[str], resolver: _Resolver) -> set[str]:
        """Read the call sites of affected files again.

        Return the files whose inferred types change. Inferred types of a file depend also on the files whose calls pass arguments
        to its parameters.
        """
        readers = self._arguments.readers_of(self._affected.changed_files)
        paths = {path for path in {*affected, *readers} if infers(self._states.facts(path))}

        def given_by(path: str, received: GivenLookup | None) -> Given:
            self._affected.refuse_many(len(self._arguments.dirty))
            unit = resolver.program.unit_at(path)
            return resolver.edges.given_by([unit], received).get(path, {}) if unit is not None else {}

        resolver.edges.receive(self._arguments.run(paths, given_by))
        return self._arguments.dirty

    def _resolve(self, paths: list[str], resolver: _Resolver) -> tuple[Links, dict[str, GraphContent]]:
        """Return the current links, and the edges of some files."""
        edges, installed = resolver.edges, resolver.installed
        units = [unit for path in paths if (unit := resolver.program.unit_at(path)) is not None]
        parts = [[edges.of_names([unit]) for unit in units], [edges.of_annotations([unit]) for unit in units], []]
        for done, unit in enumerate(units, 1):
            parts[-1].append(edges.of_calls([unit], lambda _: None))
            self._progress("resolve", done, len(units))
        parts.append([edges.of_constructs([unit]) for unit in units])
        has_faults = bool(edges.faults)
        sources = edges.sources_of(units)
        edges.release()
        if has_faults:
            raise UpdateRefused("some code cannot be resolved")
        read = {**self._before.installed, **stamps_of(self._root, installed.paths)}
        if installed.left_out or exceed_read_limit(read):
            raise UpdateRefused("the installed declarations are larger than one run reads")
        queries = edges.queries_of(units)
        data = self._states.data_after(paths, queries)
        apis = self._states.apis if any(self._states.links[path].api in BEGINNINGS for path in paths) else {}
        found = {
            unit.path: _with_externals(joined([*of_unit, *(each[unit.path] for each in (data, apis) if unit.path in each)]))
            for unit, *of_unit in zip(units, *parts, strict=True)
        }
        files = dict(self._states.links)
        for path in paths:
            files[path] = with_data(files[path], queries.get(path, []), data.get(path))
        for path in {*sources, *self._arguments.dirty}:
            arguments = self._arguments.arguments(path, sources.get(path, []))
            files[path] = msgspec.structs.replace(files[path], arguments=arguments)
        return msgspec.structs.replace(resolver.links, files=files, installed=read), found

    def _counted_names(self, rewritten: Collection[str]) -> _CountedNames:
        old = {
            path: known.outline
            for path in (*rewritten, *self._changes.removed)
            if (known := self._states.before(path)) is not None
        }
        added = count_names(Unit(0, path, self._states.outline(path)) for path in rewritten)
        taken = count_names(Unit(0, path, facts) for path, facts in old.items())
        return _CountedNames(
            _recounted(self._before.members, added[0], taken[0]),
            _recounted(self._before.methods, added[1], taken[1]),
        )


def _with_externals(edges: GraphContent) -> GraphContent:
    """Return edges with all externals that they target, so that the edges are independent of other parts."""
    return msgspec.structs.replace(edges, externals=externals_of(edges))


def _recounted(counts: Mapping[str, int], added: Counter[str], taken: Counter[str]) -> dict[str, int]:
    found = dict(counts)
    for name in {*added, *taken}:
        found[name] = found.get(name, 0) + added[name] - taken[name]
        if not found[name]:
            del found[name]
    return found
