"""The part of a map about imports: the graph, its cycles, and files that nothing imports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from ...graphdb.queries.map import IMPORT_KINDS, FileEntry, ImportLink
from ...schema.languages import is_resolved_path
from .import_cycles import circles_closed_by, distances_from_roots, import_cycles, imports_by_file
from .records import GraphModule, GraphStats, ImportCycle, MapRequest, ModuleGraph

#: Maximum number of listed imports and importers of a file; the others are counted.
_MAX_NEIGHBOURS = 25


def module_graph(request: MapRequest, files: Sequence[FileEntry], links: Sequence[ImportLink]) -> ModuleGraph:
    """Return the whole graph among the given files, in the order of the files; the links are those of the repository."""
    known = {file.path for file in files}
    inner = [link for link in links if link.from_path in known and link.to_path in known]
    imports = imports_by_file(inner)
    cycles = reported_cycles(inner)
    orphans = orphaned_files(files, links)
    return ModuleGraph(
        GraphStats(len(files), len(inner), len(cycles), len(orphans)),
        _modules(files, imports) if request.include_graph else {},
        tuple(cycles) if request.detect_circular else (),
        tuple(orphans) if request.find_orphans else (),
    )


def reported_cycles(links: Sequence[ImportLink]) -> list[ImportCycle]:
    """Return the cycles among the links: cycles of loading, then those that only lazy imports close, then cycles of types.

    Short ones come first in each kind.
    """
    found: list[ImportCycle] = []
    for rank, kind in enumerate(IMPORT_KINDS):
        closing = sorted((link.from_path, link.to_path) for link in links if link.kind == kind)
        imports = imports_by_file(link for link in links if link.kind in IMPORT_KINDS[: rank + 1])
        # Lazy imports are few, and a search in depth may take a longer way around all of them.
        cycles = circles_closed_by(imports, closing) if kind == "lazy" else import_cycles(imports) if closing else ()
        pairs = set(closing)
        made = [
            ImportCycle(chain, "warning" if kind == "load" else "info", kind)
            for chain in ((*cycle, cycle[0]) for cycle in cycles)
            if any(pair in pairs for pair in pairwise(chain))
        ]
        found += sorted(made, key=lambda cycle: (len(cycle.chain), cycle.chain))
    return found


def orphaned_files(files: Sequence[FileEntry], links: Sequence[ImportLink]) -> list[str]:
    """Return the files, tests aside, that no other file imports: entry points, and files that may be forgotten."""
    imported = {link.to_path for link in links if link.from_path != link.to_path}
    # Imports of other languages are known in part: who imports a file that seems alone cannot be told.
    return [file.path for file in files if not file.is_test and file.path not in imported and is_resolved_path(file.path)]


def _modules(files: Sequence[FileEntry], imports: dict[str, list[str]]) -> dict[str, GraphModule]:
    importers: dict[str, list[str]] = defaultdict(list)
    for path, targets in imports.items():
        for target in targets:
            importers[target].append(path)
    paths = [file.path for file in files]
    distances = distances_from_roots(imports, sorted(paths))
    return {
        path: GraphModule(
            imports=tuple(imports.get(path, ())[:_MAX_NEIGHBOURS]),
            more_imports=max(0, len(imports.get(path, ())) - _MAX_NEIGHBOURS),
            imported_by=tuple(importers[path][:_MAX_NEIGHBOURS]),
            more_imported_by=max(0, len(importers[path]) - _MAX_NEIGHBOURS),
            depth=distances[path],
        )
        for path in paths
    }
