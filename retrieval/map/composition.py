"""Compose a map within its budget: packages, cycles and orphans first, then files by importance, then counts of omitted files."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from posixpath import dirname

import msgspec

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.map import (
    FileEntry,
    ImportLink,
    PackageEntry,
    all_files,
    all_packages,
    export_counts,
    export_kinds,
    import_links,
)
from ...schema.errors import UsageError
from ..lookup.path_hints import what_would_match
from ..query.path_filter import path_filter
from ..text.json_budget import Item, characters, fitting
from ..text.tokens import tokens_of_characters
from .budget import folded
from .file_entries import FileEntries
from .graph_section import module_graph
from .records import (
    KINDS,
    CodebaseMap,
    GraphModule,
    LeftOut,
    MappedFile,
    MappedFolder,
    MappedPackage,
    MapRequest,
    MapSummary,
    ModuleGraph,
)

#: Number of characters for root, summary (without the kinds of exports), hint and counts.
_ENVELOPE = 500
#: Minimum number of characters of a file's entry, for each depth of the map. This number limits how many files are fetched.
_MIN_ENTRY_LENGTH = (12, 60, 90, 90)
# Maximum share of the budget for each part of a map, in percent.
_PACKAGES = 12
_CIRCLES = 15
_ORPHANS = 8
_GRAPH = 35
_FOLDERS = 12


def compose_map(graph: GraphDatabase, root: str, request: MapRequest) -> CodebaseMap:
    """Return the requested map. Raises UsageError for an invalid glob, and for a path or filter that no file matches."""
    every = all_files(graph)
    files = _admitted(graph, request, every)
    packages = all_packages(graph)
    needs_links = request.include_graph or request.detect_circular or request.find_orphans or len(packages) > 1
    home = graph.once(_homes)
    return _Composition(graph, request, files, packages, home, import_links(graph) if needs_links else []).compose(root)


def _admitted(graph: GraphDatabase, request: MapRequest, files: Sequence[FileEntry]) -> list[FileEntry]:
    within, matches = path_filter(request.path), path_filter(request.filter)
    inside = [file for file in files if within(file.path)]
    if not inside:
        raise UsageError(f'No indexed file matches the path "{request.path}".{what_would_match(graph, [request.path])}')
    admitted = [file for file in inside if matches(file.path)]
    if not admitted:
        where = f' within "{request.path}"' if request.path else ""
        raise UsageError(
            f'No indexed file{where} matches the filter "{request.filter}".{what_would_match(graph, [request.filter])}'
        )
    return admitted


def _homes(graph: GraphDatabase) -> dict[str, str]:
    return homes([file.path for file in all_files(graph)], all_packages(graph))


class _Composition:
    """Composes one map; `_room` is the unused part of its budget, in characters."""

    def __init__(
        self,
        graph: GraphDatabase,
        request: MapRequest,
        files: Sequence[FileEntry],
        packages: Sequence[PackageEntry],
        home: Mapping[str, str],
        links: Sequence[ImportLink],
    ) -> None:
        self._graph = graph
        self._request = request
        self._files = files
        self._packages = packages
        self._links = links
        self._budget = request.budget * 4
        self._room = self._budget - _ENVELOPE
        #: Folder of the package of each file, by path, including files outside of the map.
        self._home = home

    def compose(self, root: str) -> CodebaseMap:
        exports = export_counts(self._graph, KINDS[self._request.kind])
        summary = self._summary(exports)
        self._room -= characters(summary.exports_by_kind)
        all_packages = self._mapped_packages() if len(self._packages) > 1 else []
        packages = self._take(all_packages, _PACKAGES)
        graph, whole = self._graph_section()
        reserve = self._share(_FOLDERS)
        shown = self._shown_files(reserve)
        left_files = {file.path for file in self._files} - {file.path for file, _ in shown}
        left_out = LeftOut(
            hint=_HINT,
            files=len(left_files),
            exports=sum(exports.get(path, 0) for path in left_files) + sum(entry.more_exports for _, entry in shown),
            folders=tuple(folded(left_files, min(reserve, self._room))),
            graph_modules=len(whole.modules) - len(graph.modules) if graph and whole else 0,
            circular=len(whole.circular) - len(graph.circular) if graph and whole else 0,
            orphans=len(whole.orphans) - len(graph.orphans) if graph and whole else 0,
            packages=len(all_packages) - len(packages),
        )
        is_tree = self._request.format == "tree"
        entries = [(file.path, self._shown_as(entry)) for file, entry in sorted(shown, key=lambda pair: pair[0].path)]
        made = CodebaseMap(
            root,
            summary,
            packages=tuple(packages),
            structure=tuple(_folders(entries)) if is_tree else (),
            files=() if is_tree else tuple(entry for _, entry in entries),
            graph=graph,
            left_out=left_out if left_out != LeftOut(hint=_HINT) else None,
        )
        return msgspec.structs.replace(made, tokens=tokens_of_characters(characters(made)))

    def _shown_as(self, entry: MappedFile) -> MappedFile | str:
        return entry if self._request.depth else entry.file

    def _shown_files(self, reserve: int) -> list[tuple[FileEntry, MappedFile]]:
        """Return all files if they fit; else the most important files, with `reserve` characters left for counts of the other
        files.
        """
        most = self._room // _MIN_ENTRY_LENGTH[self._request.depth]
        files = by_importance(self._files, self._home)[:most]
        entries = FileEntries(self._graph, self._request, files)
        shown = entries.fitting(self._room) if len(files) == len(self._files) else []
        if len(shown) < len(self._files):
            shown = entries.fitting(self._room - reserve)
        self._room -= sum(characters(entry) for _, entry in shown)
        return shown

    def _graph_section(self) -> tuple[ModuleGraph | None, ModuleGraph | None]:
        """Return the part of the graph that fits the budget, and the whole graph."""
        request = self._request
        if not (request.include_graph or request.detect_circular or request.find_orphans):
            return None, None
        whole = module_graph(request, self._files, self._links)
        circular = self._take(whole.circular, _CIRCLES)
        orphans = self._take(whole.orphans, _ORPHANS)
        ranked = by_importance(self._files, self._home) if whole.modules else []
        modules = self._take([_Module(file.path, whole.modules[file.path]) for file in ranked], _GRAPH)
        shown = {module.path: module.module for module in sorted(modules, key=lambda module: module.path)}
        return ModuleGraph(whole.stats, shown, tuple(circular), tuple(orphans)), whole

    def _mapped_packages(self) -> list[MappedPackage]:
        """Return the packages that contain files of the map, the largest package first."""
        sizes = Counter(self._home[file.path] for file in self._files)
        known = {file.path for file in self._files}
        uses: dict[str, set[str]] = defaultdict(set)
        for link in self._links:
            start, end = self._home[link.from_path], self._home[link.to_path]
            if start != end and link.from_path in known:
                uses[start].add(end)
        mapped = [
            MappedPackage(package.name or folder, folder, sizes[folder], tuple(sorted(uses[folder])))
            for package in self._packages
            if sizes[folder := package.folder]
        ]
        return sorted(mapped, key=lambda package: (-package.files, package.path))

    def _summary(self, exports: dict[str, int]) -> MapSummary:
        counted = self._request.include_stats
        return MapSummary(
            total_files=len(self._files),
            total_dirs=len({dirname(file.path) for file in self._files}),
            total_exports=sum(exports.get(file.path, 0) for file in self._files),
            exports_by_kind=export_kinds(self._graph, {file.path for file in self._files}, KINDS[self._request.kind]),
            total_lines=sum(file.lines for file in self._files) if counted else None,
            total_problems=sum(file.problems for file in self._files) if counted else None,
        )

    def _share(self, percent: int) -> int:
        return self._budget * percent // 100

    def _take(self, items: Sequence[Item], percent: int) -> list[Item]:
        shown, used = fitting(items, min(self._share(percent), self._room))
        self._room -= used
        return shown


class _Module(msgspec.Struct, frozen=True):
    """A module of the graph with its path, as JSON contains them. The record serves to compute the length of an entry."""

    path: str
    module: GraphModule


_HINT = "Narrow with `path` or `filter`, or raise the budget; most important first."


def homes(paths: Collection[str], packages: Sequence[PackageEntry]) -> dict[str, str]:
    """Return the folder of the innermost package around each file, by path; "" for a file outside of all packages."""
    folders = {package.folder for package in packages}
    found = {"": "." if "." in folders else ""}
    for path in paths:
        folder, chain = dirname(path), []
        while folder not in found and folder not in folders:
            chain.append(folder)
            folder = dirname(folder)
        found.update(dict.fromkeys(chain, found.setdefault(folder, folder)))
    return {path: found[dirname(path)] for path in paths}


def by_importance(files: Iterable[FileEntry], home: Mapping[str, str]) -> list[FileEntry]:
    """Return the most important files first. Importance is divided by the square root of the file's rank in its package."""
    ranked = sorted(files, key=lambda file: (-file.importance, file.path))
    seen: Counter[str] = Counter()
    weights: dict[str, float] = {}
    for file in ranked:
        seen[home[file.path]] += 1
        weights[file.path] = file.importance / seen[home[file.path]] ** 0.5
    return sorted(ranked, key=lambda file: (-weights[file.path], file.path))


def _folders(entries: Sequence[tuple[str, MappedFile | str]]) -> list[MappedFolder]:
    by_folder: dict[str, list[MappedFile | str]] = defaultdict(list)
    for path, entry in entries:
        by_folder[dirname(path)].append(entry)
    return [MappedFolder(f"{folder}/" if folder else ".", tuple(by_folder[folder])) for folder in sorted(by_folder)]
