"""Compute the update of an index after some files changed: their content, and the edges of all files that they affect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec

from ...schema.graph_content import GraphContent, joined
from ...schema.manifest import LoggedChanges
from ...schema.process.stage_times import StageTimes
from ...schema.records import FileContent, Symbol
from ...schema.settings import Settings
from ..data.schemas.edges import data_edges
from ..facts.api import ApiFacts
from ..facts.cache import FactCache, FactKey
from ..facts.data import ModelQuery
from ..facts.given import Given, GivenLookup
from ..facts.model import FileFacts
from ..files.discovery import Discovery, SourceFile
from ..files.git_head import git_head
from ..files.workspace_files import WorkspaceFiles
from ..languages.import_resolution import ImportResolver
from ..languages.installed_files import InstalledFiles
from ..languages.mapped_schemas import mapped_schemas
from ..languages.registry import infers, is_nominal
from ..languages.typescript.installed_declarations import InstalledDeclarations
from ..languages.typescript.module_resolution import ModuleResolver
from ..languages.typescript.project_structure import compiler_projects
from ..languages.typescript.resolve.edges.edges import Edges, externals_of
from ..languages.typescript.resolve.engine import Engine
from ..languages.typescript.resolve.model.program import OtherFiles, Program, Unit
from ..languages.typescript.runtime_facts import cached_runtime_facts
from ..languages.workspace_modules import read_modules
from ..resolution.api_sources import CONTRACT, api_edges
from ..resolution.document_edges import DocumentEdges
from ..resolution.mentioned import meanings
from ..resolution.nominal_files import InstalledPackages, NominalFiles
from ..resolution.repository_edges import RepositoryEdges
from ..workers.file_reading import FileRead, FileReader, Progress, file_record, file_symbols
from ..workers.gc_pause import paused_collector
from .affected import AmbientChange, Spread, changed_globals, changed_names
from .argument_changes import ArgumentChanges
from .file_links import FileLinks, Links, all_literals, count_names, exceed_read_limit, link_file, names_in, relinked, stamps_of
from .global_names import GlobalNames
from .memory import KnownFile, UpdateMemory
from .nominal_imports import NominalImports
from .package_changes import files_of_changed_packages, shares_packages
from .surface import Surface
from .taken_names import TakenImport, taken_imports

#: Number of files that may be affected in a repository of any size.
MIN_AFFECTED_LIMIT = 8


class IndexUpdate(NamedTuple):
    """All changes of an index."""

    #: The repository, modules and dependencies; the new and changed files; the edges of all resolved files.
    graph: GraphContent
    #: Files and edges that the content of `graph` replaces.
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
    #: Changes before these that must be part of the update.
    earlier: LoggedChanges
    #: Whether specifiers may resolve differently although no file moved, because data files, ignore rules, tsconfigs or
    #: manifests changed.
    relinks: bool

    @property
    def stale_files(self) -> tuple[str, ...]:
        """Paths whose current state the index does not show."""
        return (*self.added, *self.changed, *self.removed)

    @property
    def moved(self) -> bool:
        """Whether specifiers may resolve differently, and files may belong to another module."""
        return bool(self.added or self.removed) or self.relinks


class UpdateRefused(Exception):
    """Raised if everything must be analyzed. The message gives people the reason."""


class TooMuchForUpdate(UpdateRefused):
    """Raised if an update would affect too many files or write too much."""


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
        try:
            return _Updater(root, discovery, settings, progress, cache, before, changes, memory, stages, max_affected_share).run()
        except AmbientChange as change:
            raise UpdateRefused(f"{change} declares something for all files") from change


class _Resolver(NamedTuple):
    """What resolves files in their current state."""

    program: Program
    edges: RepositoryEdges
    links: Links
    installed: InstalledFiles


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
        self._max_affected = int(max_affected_share * len(self._paths)) + MIN_AFFECTED_LIMIT
        environment = settings.python_environment
        self._workspace = WorkspaceFiles(root, self._paths, discovery.configuration_files, discovery.data_files, environment)
        self._typescript = ModuleResolver(self._workspace)
        self._resolver = ImportResolver(self._workspace, {"typescript": self._typescript})
        self._links: dict[str, FileLinks] = {}
        self._files: dict[str, KnownFile] = {}
        #: Files of which other files see something else than before.
        self._changed_files: set[str] = set()
        self._arguments = ArgumentChanges(
            {path: links.arguments for path, links in before.files.items() if links.arguments is not None}, set(self._paths)
        )

    def run(self) -> IndexUpdate:
        contents: list[FileContent] = []
        changes, earlier = self._changes, self._changes.earlier
        rewritten = {*changes.added, *changes.changed}
        reader = FileReader(self._root, self._settings, self._cache)
        files = {file.relative_path: file for file in self._discovery.files}
        new = [files[path] for path in sorted(rewritten)]
        reads = reader.read(new, self._progress, contents.append)
        self._files = {read.record.relative_path: self._kept(read) for read in reads}
        self._stages.end("parse")
        self._relink(reads)
        affected = self._affected(rewritten)
        edges = self._repository_edges(rewritten)
        affected |= self._arguments_of(affected, edges)
        resolved = sorted(affected.union(path for path in (*earlier.resolved, *earlier.rewritten) if path in files))
        self._refuse_many(len(resolved))
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
        self._stages.end("resolve")
        graph, homes = self._nodes(reads, replaced.moved)
        content = {**kept, **found}
        graph = joined([graph, *(content[path] for path in resolved if path in content)])
        return IndexUpdate(graph, replaced, homes, contents, links, content, reader.parsed, len(found))

    def _refuse_many(self, affected: int) -> None:
        if affected > self._max_affected:
            raise TooMuchForUpdate(f"more than {self._max_affected:,} files are affected")

    def _known(self, file: SourceFile) -> FileRead:
        """Return a file as it was read before."""
        facts = self._facts_of(file.relative_path)
        record = file_record(file, b"", facts, self._links[file.relative_path].content_hash)
        record = msgspec.structs.replace(record, size=file.size)
        return FileRead(record, facts, file_symbols(file.relative_path, facts.symbols))

    def _kept(self, read: FileRead) -> KnownFile:
        """Keep a new or changed file for the next update, and return it."""
        known = KnownFile(read.record.relative_path, read.facts)
        if read.record.content_hash:
            self._memory.keep(FactKey.of(read.record.content_hash, read.record.language), known)
        return known

    # ------------------------------------------------------------------ what is affected

    def _relink(self, reads: list[FileRead]) -> None:
        resolve = self._resolver.resolve
        for path in self._paths:
            known = self._before.files.get(path)
            if known is not None and path not in self._files:
                self._links[path] = relinked(known, path, resolve) if self._changes.moved else known
            elif path not in self._files:
                raise UpdateRefused(f"the index has no record of {path}")
        for read in reads:
            path = read.record.relative_path
            self._links[path] = link_file(Unit(0, path, self._files[path].outline), read.facts, read.record.content_hash, resolve)

    def _affected(self, rewritten: Collection[str]) -> set[str]:
        runtime = cached_runtime_facts(self._cache)
        globals_ = GlobalNames(self._root, self._links, self._before.installed, runtime, self._file)
        spread = Spread(self._links, self._file, self._imports, self._refuse_many, globals_.spread)
        for path in sorted({*rewritten, *self._changes.removed}):
            before, after = self._old_surface(path), self._surface(path) if path in self._links else None
            if (before.ambient if before else None) != (after.ambient if after else None):
                globals_.spread(spread, path, changed_globals(before, after), before)
            spread.from_names(path, changed_names(before, after))
        relinked_paths: set[str] = set()
        for path, links in self._links.items():
            known = self._before.files.get(path)
            if known is None or links is known:
                continue  # a rewritten file is handled above: its exports may look the same but come from elsewhere
            differing = links.differing(known)
            if links.linked != known.linked:
                spread.affected.add(path)
            if not differing:
                continue
            augmented = {scope.ambient for scope in self._outline_of(path).scopes.values()} if links.ambient else set()
            if augmented & differing & known.resolved.keys():
                raise AmbientChange(path)
            spread.from_imports(path, differing)
            relinked_paths.add(path)
        self._changed_files = spread.changed_files
        found = spread.affected | set(rewritten) | self._comparing(rewritten) | self._of_packages(rewritten, relinked_paths)
        return found | self._of_data(rewritten) | self._of_apis() | self._mentioning(rewritten)

    def _of_data(self, rewritten: Collection[str]) -> set[str]:
        """Return the files whose edges of data a change affects: any table may be used or altered anywhere."""
        if not any(self._changes_data(path) for path in {*rewritten, *self._changes.removed}):
            return set()
        before = self._data_of(self._before.files, self._old_file, _queries_of(self._before.files))
        after = self._data_of(self._links, self._file, _queries_of(self._links))
        found = {path for path in after.keys() | before.keys() if after.get(path) != before.get(path) and path in self._links}
        self._refuse_many(len(found))
        return found

    def _changes_data(self, path: str) -> bool:
        """Return whether a new, changed or removed file says something else about data than before, or of other symbols."""
        if not any(links is not None and links.has_data for links in (self._before.files.get(path), self._links.get(path))):
            return False
        before, after = self._old_file(path), self._file(path) if path in self._links else None
        if before is None or after is None:
            return True
        return before.facts.data != after.facts.data or before.ids != after.ids

    def _data_of(
        self,
        links: Mapping[str, FileLinks],
        file: Callable[[str], KnownFile | None],
        queries: Mapping[str, list[ModelQuery]],
    ) -> dict[str, GraphContent]:
        """Return the edges of data over one state of the repository, by the path of the file that they begin in.

        `queries` has what calls do with the tables of models, by path.
        """
        files = {path: known for path, entry in links.items() if entry.has_data and (known := file(path)) is not None}
        facts = {path: known.facts.data for path, known in files.items() if known.facts.data is not None}
        state = tuple([(path, links[path].key) for path in facts])
        schemas = self._memory.schemas(state)
        if schemas is None:
            schemas = mapped_schemas(facts)
            self._memory.keep_schemas(state, schemas)
        return data_edges(facts, lambda path, symbol: files[path].ids[symbol], schemas, queries)

    def _of_apis(self) -> set[str]:
        """Return the contracts whose edges to code differ: any file may declare a handler that another one registers."""
        before = api_edges(self._before.files, self._old_api, self._old_symbols)
        after = self._apis
        found = {path for path in after.keys() | before.keys() if after.get(path) != before.get(path) and path in self._links}
        self._refuse_many(len(found))
        return found

    def _old_api(self, path: str) -> ApiFacts | None:
        known = self._old_file(path)
        return known.facts.api if known is not None else None

    def _old_symbols(self, path: str) -> Sequence[Symbol]:
        known = self._old_file(path)
        return known.symbols if known is not None else ()

    @cached_property
    def _apis(self) -> dict[str, GraphContent]:
        """The edges from all contracts to code in the current state, by the path of the contract."""
        return api_edges(self._links, lambda path: self._file(path).facts.api, lambda path: self._file(path).symbols)

    def _of_packages(self, rewritten: Collection[str], relinked_paths: Collection[str]) -> set[str]:
        """Return the files that changes affect because the files of their packages share one scope."""
        changed = []
        for path in sorted({*rewritten, *self._changes.removed}):
            links = self._links.get(path) or self._before.files.get(path)
            if links is None or not shares_packages(links.language):
                continue
            before = self._old_file(path)
            after = self._file(path) if path in self._links else None
            changed.append((path, before.facts if before is not None else None, after.facts if after is not None else None))
        found = files_of_changed_packages(changed, relinked_paths, self._links)
        self._refuse_many(len(found))
        return found

    def _mentioning(self, rewritten: Collection[str]) -> set[str]:
        """Return the documents that mention a name or an anchor whose declarations changed."""
        mentioned = {path: entry.mentioned.split("\n") for path, entry in self._links.items() if entry.mentioned}
        if not mentioned:
            return set()
        changed: set[str] = set()
        for path in {*rewritten, *self._changes.removed}:
            before = self._old_file(path)
            after = self._file(path) if path in self._links else None
            old, new = (meanings(file.symbols, file.facts) if file is not None else {} for file in (before, after))
            changed |= {name for name in {*old, *new} if old.get(name) != new.get(name)}
        found = {path for path, names in mentioned.items() if not changed.isdisjoint(names)}
        self._refuse_many(len(found))
        return found

    def _comparing(self, rewritten: Collection[str]) -> set[str]:
        """Return the files that compare a member whose declared literals changed: their checks may narrow types by it."""
        old, new = all_literals(self._before.files.values()), all_literals(self._links.values())
        differing = {name for name in {*old, *new} if old.get(name) != new.get(name)}
        found = {path for path, links in self._links.items() if not differing.isdisjoint(links.compared)} if differing else set()
        self._refuse_many(len(found))
        return found

    def _old_surface(self, path: str) -> Surface | None:
        known = self._old_file(path)
        return known.surface if known is not None else None

    def _old_file(self, path: str) -> KnownFile | None:
        links = self._before.files.get(path)
        return self._cached(path, links) if links is not None else None

    def _file(self, path: str) -> KnownFile:
        known = self._files.get(path)
        if known is None:
            known = self._files[path] = self._cached(path, self._links[path])
        return known

    def _facts_of(self, path: str) -> FileFacts:
        return self._file(path).facts

    def _outline_of(self, path: str) -> FileFacts:
        return self._file(path).outline

    def _cached(self, path: str, links: FileLinks) -> KnownFile:
        key = links.key
        known = self._memory.file(path, key)
        if known is None:
            known = KnownFile(path, self._kept_facts(path, key))
            self._memory.keep(key, known)
        return known

    def _kept_facts(self, path: str, key: FactKey) -> FileFacts:
        facts = self._cache.get(key)
        if facts is None:
            raise UpdateRefused(f"the cache has no facts of {path}")
        return facts

    def _imports(self, path: str) -> tuple[TakenImport, ...]:
        key = self._links[path].key
        known = self._memory.imports(path, key)
        if known is None:
            # The facts are released at once: hundreds of files may import one file, and few of them are affected.
            file = self._files.get(path) or self._memory.file(path, key)
            facts = file.facts if file is not None else self._kept_facts(path, key)
            known = NominalImports(facts).taken() if is_nominal(facts) else taken_imports(facts)
            self._memory.keep_imports(path, key, known)
        return known

    def _surface(self, path: str) -> Surface:
        return self._file(path).surface

    # ------------------------------------------------------------------ what is new

    def _nodes(self, reads: list[FileRead], moved: bool) -> tuple[GraphContent, dict[str, str | None]]:
        modules = read_modules(self._root, self._discovery)
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

    def _repository_edges(self, rewritten: Collection[str]) -> _Resolver:
        """Return what resolves files in their current state."""
        eager = {path: self._outline_of(path) for path in self._paths if self._links[path].ambient}
        places = {path: place for place, path in enumerate(self._paths)}
        installed = InstalledFiles(self._root)
        declarations = InstalledDeclarations(installed)
        others = OtherFiles(places, self._outline_of)
        program = Program(eager, self._resolver.resolve, cached_runtime_facts(self._cache), declarations.facts, others)
        members, methods = self._counted_names(rewritten)
        links = Links(self._links, members, methods, self._before.installed, True)
        engine = Engine(program)
        packages = InstalledPackages(self._workspace, installed)
        nominal = NominalFiles(places, self._facts_of, self._resolver.resolve, self._symbol_id, self._cache, packages)
        documents = DocumentEdges(
            lambda: {path: entry.declared for path, entry in self._links.items()},
            self._facts_of,
            lambda path: self._file(path).symbols,
            self._resolver.resolve,
        )
        edges = RepositoryEdges(engine, Edges(engine, self._symbol_id, names_in(links)), nominal, documents)
        return _Resolver(program, edges, links, installed)

    def _arguments_of(self, affected: Collection[str], resolver: _Resolver) -> set[str]:
        """Read the call sites of affected files again. Return the files whose inferred types change.

        Types are inferred from other files than those that a file imports: those of the values that it is given.
        """
        readers = self._arguments.readers_of(self._changed_files)
        paths = {path for path in {*affected, *readers} if infers(self._facts_of(path))}

        def given_by(path: str, received: GivenLookup | None) -> Given:
            self._refuse_many(len(self._arguments.dirty))
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
            raise UpdateRefused("some types cannot be resolved")
        read = {**self._before.installed, **stamps_of(self._root, installed.paths)}
        if installed.left_out or exceed_read_limit(read):
            raise UpdateRefused("the installed declarations are larger than one run reads")
        queries = edges.queries_of(units)
        uses_data = any(self._links[path].has_data or path in queries for path in paths)
        data = self._data_of(self._links, self._file, queries) if uses_data else {}
        apis = self._apis if any(self._links[path].api == CONTRACT for path in paths) else {}
        found = {
            unit.path: _with_externals(joined([*of_unit, *(each[unit.path] for each in (data, apis) if unit.path in each)]))
            for unit, *of_unit in zip(units, *parts, strict=True)
        }
        files = dict(self._links)
        for path in paths:
            if files[path].queries != queries.get(path, []):
                files[path] = msgspec.structs.replace(files[path], queries=queries.get(path, []))
        for path in {*sources, *self._arguments.dirty}:
            arguments = self._arguments.arguments(path, sources.get(path, []))
            files[path] = msgspec.structs.replace(files[path], arguments=arguments)
        return msgspec.structs.replace(resolver.links, files=files, installed=read), found

    def _counted_names(self, rewritten: Collection[str]) -> tuple[dict[str, int], dict[str, int]]:
        """Return the current number of files in which each name occurs."""
        old = {
            path: known.outline for path in (*rewritten, *self._changes.removed) if (known := self._old_file(path)) is not None
        }
        added = count_names(Unit(0, path, self._outline_of(path)) for path in rewritten)
        taken = count_names(Unit(0, path, facts) for path, facts in old.items())
        return (
            _recounted(self._before.members, added[0], taken[0]),
            _recounted(self._before.methods, added[1], taken[1]),
        )

    def _symbol_id(self, unit: Unit, symbol: int) -> str:
        return self._file(unit.path).ids[symbol]


def _queries_of(files: Mapping[str, FileLinks]) -> dict[str, list[ModelQuery]]:
    """Return what the calls of files do with the tables of models, as far as that is known, by path."""
    return {path: links.queries for path, links in files.items() if links.queries}


def _with_externals(edges: GraphContent) -> GraphContent:
    """Return edges with all externals that they lead to, independent of other parts."""
    return msgspec.structs.replace(edges, externals=externals_of(edges))


def _recounted(counts: Mapping[str, int], added: Counter[str], taken: Counter[str]) -> dict[str, int]:
    found = dict(counts)
    for name in {*added, *taken}:
        found[name] = found.get(name, 0) + added[name] - taken[name]
        if not found[name]:
            del found[name]
    return found
