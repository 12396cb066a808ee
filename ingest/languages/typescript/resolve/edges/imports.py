"""IMPORTS edges: the modules that a file imports, and the imported names.

Types that doc comments import do not count, since the code does not import them. Unresolved imports are kept only for resolved
languages. In other languages, imports of libraries and of files look the same.
"""

from __future__ import annotations

from typing import NamedTuple

from ......schema.edges import ImportEdge, UnresolvedImport
from ......schema.languages import RESOLVED
from ...module_resolution import AssetTarget, BuiltinTarget, GlobTarget, MissingTarget, PackageTarget, SourceTarget
from ..model.program import Program
from ..model.unit import Unit


class ImportEdges(NamedTuple):
    """The imports of a file: one for each target, specifier and form."""

    inside: list[ImportEdge]
    #: Imports of data files.
    data: list[ImportEdge]
    #: Imports of packages and of built-in modules.
    outside: list[ImportEdge]
    unresolved: list[UnresolvedImport]


def import_edges(program: Program, unit: Unit) -> ImportEdges:
    """Return the edges from a file to other files of the repository, to packages, and to unknown targets."""
    inside: dict[tuple[str, str, str], ImportEdge] = {}
    data: dict[tuple[str, str, str], ImportEdge] = {}
    outside: dict[tuple[str, str, str], ImportEdge] = {}
    missing: dict[tuple[str, str, str], ImportEdge] = {}
    resolves = unit.facts.language in RESOLVED
    for index, (entry, target) in enumerate(zip(unit.facts.imports, unit.import_targets, strict=True)):
        if entry.form == "jsdoc" or (entry.is_inner and not isinstance(target, SourceTarget)):
            continue
        is_built = False
        if isinstance(target, GlobTarget):
            line, named = unit.line(entry.position), (entry.specifier, entry.form)
            for path in filter(program.holds, target.paths):
                edge = ImportEdge(unit.path, path, entry.specifier, ("*",), entry.form, False, line, False, entry.deferred)
                inside[(path, *named)] = edge
            continue
        if isinstance(target, SourceTarget):
            edges, to, is_built = inside, target.path, target.built
            if not program.holds(to):
                continue
        elif isinstance(target, PackageTarget | BuiltinTarget):
            edges, to = outside, target.package
        elif isinstance(target, AssetTarget) and target.known:
            edges, to = data, target.path
        elif isinstance(target, MissingTarget) and resolves and not program.ambient_module(unit, index):
            edges, to = missing, target.reason or "absent"
        else:
            continue
        key = (to, entry.specifier, entry.form)
        earlier = edges.get(key)
        names = tuple(dict.fromkeys([*(earlier.names if earlier else ()), *entry.names]))
        type_only = entry.type_only and (earlier is None or earlier.type_only)
        deferred = entry.deferred and (earlier is None or earlier.deferred)
        line = earlier.line if earlier else unit.line(entry.position)
        edges[key] = ImportEdge(unit.path, to, entry.specifier, names, entry.form, type_only, line, is_built, deferred)
    unresolved = [
        UnresolvedImport(unit.path, edge.specifier, edge.names, edge.form, edge.type_only, edge.line, edge.target)
        for edge in missing.values()
    ]
    return ImportEdges(list(inside.values()), list(data.values()), list(outside.values()), unresolved)
