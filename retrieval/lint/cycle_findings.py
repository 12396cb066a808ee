"""Circular imports, and the imports whose removal breaks the most cycles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from ...graphdb.queries.map import ImportLink
from ...schema.languages import is_resolved_path
from ..map.graph_section import reported_cycles
from ..map.records import ImportCycle
from .model.findings import BreakingImport, CircularDependency

#: Maximum number of imports that are proposed for removal.
_MAX_PROPOSED = 5


def circular_dependencies(
    links: Sequence[ImportLink], admits: Callable[[str], bool]
) -> tuple[list[CircularDependency], list[BreakingImport]]:
    """Return the cycles that contain an admitted file, and the imports to remove first. Cycles at run time come first."""
    cycles = [cycle for cycle in reported_cycles(links) if any(map(admits, cycle.chain))]
    proposed = breaking_imports([cycle.chain for cycle in cycles if cycle.severity == "warning"])
    best = {(each.importer, each.imported): each for each in proposed}
    made = []
    for cycle in cycles:
        if cycle.severity == "info":
            suggestion = _kind_of_cycle(cycle)
        else:
            edge = next((best[pair] for pair in pairwise(cycle.chain) if pair in best), None)
            start, end = (edge.importer, edge.imported) if edge else (cycle.chain[-2], cycle.chain[-1])
            suggestion = f"Remove the import of {end} in {start}, or move what both need into a module of its own."
        made.append(CircularDependency(cycle.chain, cycle.severity, suggestion, cycle.kind))
    return made, proposed


def _kind_of_cycle(cycle: ImportCycle) -> str:
    if cycle.kind == "lazy":
        return "Only an import that runs after loading closes it: nothing fails while the files load."
    if is_resolved_path(cycle.chain[0]):
        return "Imports of types alone close it: none exists at run time."
    return "It is not closed while the files load: nothing fails because of it."


def breaking_imports(chains: Sequence[tuple[str, ...]]) -> list[BreakingImport]:
    """Return imports to remove in order. Each import is part of at least as many remaining cycles as any other import."""
    left = list(chains)
    proposed: list[BreakingImport] = []
    while left and len(proposed) < _MAX_PROPOSED:
        counts = Counter(pair for chain in left for pair in pairwise(chain))
        pair, circles = min(counts.items(), key=lambda item: (-item[1], item[0]))
        proposed.append(BreakingImport(*pair, circles))
        left = [chain for chain in left if pair not in pairwise(chain)]
    return proposed
