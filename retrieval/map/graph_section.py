"""The part of a map about imports: the graph of imports, its cycles, and files that no other file imports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from ...graphdb.queries.map import IMPORT_KINDS, FileEntry, ImportLink
from ...schema.languages import is_resolved_path
from ...schema.paths import COMPONENT_EXTENSIONS
from .import_cycles import circles_closed_by, distances_from_roots, import_cycles, imports_by_file
from .records import GraphModule, GraphStats, ImportCycle, MapRequest, ModuleGraph

#: Maximum number of listed imports, and of listed importers, of a file. Further entries are only counted.
_MAX_NEIGHBOURS = 25


def module_graph(request: MapRequest, files: Sequence[FileEntry], links: Sequence[ImportLink]) -> ModuleGraph:
    """Return the graph of imports among some files, in the order of the files.

    `links` are the imports of the whole repository.
    """
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
    """Return the import cycles: first cycles of loading, then cycles with lazy imports, then cycles with type-only imports.

    Within each kind, short cycles come first.
    """
    # A component renders itself by importing itself.
    links = [link for link in links if link.from_path != link.to_path or not link.from_path.endswith(COMPONENT_EXTENSIONS)]
    found: list[ImportCycle] = []
    for rank, kind in enumerate(IMPORT_KINDS):
        closing = sorted((link.from_path, link.to_path) for link in links if link.kind == kind)
        imports = imports_by_file(link for link in links if link.kind in IMPORT_KINDS[: rank + 1])
        # A depth-first search may miss cycles with lazy imports. There are few lazy imports, so each is checked.
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
    """Return the files other than tests that no other file imports: entry points, and files that may be unused."""
    imported = {link.to_path for link in links if link.from_path != link.to_path}
    # In other languages, some imports are not known.
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
