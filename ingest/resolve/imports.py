"""IMPORTS edges: which file takes what from where. What doc comments name types from is no import of the code."""

from __future__ import annotations

from ...schema.records import ImportEdge
from ..module_resolution import BuiltinTarget, PackageTarget, SourceTarget
from .program import Program, Unit


def import_edges(program: Program, unit: Unit) -> tuple[list[ImportEdge], list[ImportEdge]]:
    """Edges to files of the repository and to packages, one for each target, specifier and form."""
    inside: dict[tuple[str, str, str], ImportEdge] = {}
    outside: dict[tuple[str, str, str], ImportEdge] = {}
    for entry, target in zip(unit.facts.imports, unit.import_targets, strict=True):
        if entry.form == "jsdoc":
            continue
        if isinstance(target, SourceTarget):
            edges, to = inside, target.path
            if not program.holds(to):
                continue
        elif isinstance(target, PackageTarget):
            edges, to = outside, target.package
        elif isinstance(target, BuiltinTarget):
            edges, to = outside, f"node:{target.name}"
        else:
            continue
        key = (to, entry.specifier, entry.form)
        earlier = edges.get(key)
        names = tuple(dict.fromkeys([*(earlier.names if earlier else ()), *entry.names]))
        type_only = entry.type_only and (earlier is None or earlier.type_only)
        line = earlier.line if earlier else unit.line(entry.position)
        edges[key] = ImportEdge(unit.path, to, entry.specifier, names, entry.form, type_only, line)
    return list(inside.values()), list(outside.values())
