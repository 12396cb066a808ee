"""Compiler projects and ambient declarations: what holds for a workspace as a whole."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from .database import GraphDatabase
from .id_batches import rows_for_ids
from .symbol_queries import SymbolDetails, property_list


class ProjectConfiguration(msgspec.Struct, frozen=True, gc=False):
    """A configuration of the compiler. `COMPILER_PROJECT` in `graph.cypher` documents each property."""

    path: str
    role: str
    composite: bool
    out_dir: str
    root_dir: str
    extends: tuple[str, ...]
    references: tuple[str, ...]


class AmbientSymbol(msgspec.Struct, frozen=True, gc=False):
    """A symbol that is ambient: a `declare global` or `declare module` block, or a declaration of a declaration file."""

    symbol: SymbolDetails
    #: True when its file has imports or exports of its own, so that it is a module.
    in_module: bool
    #: Path of the module of the repository that a block adds to; "" for none.
    augments: str


_DETAILS = property_list(SymbolDetails, "s")
_DECLARATION_FILE = "f.relativePath =~ '.*\\\\.d\\\\.[cm]?ts'"
#: A `declare module` is known by its quoted name, `declare global` by having none.
_BLOCK = (
    "s.kind = 'namespace' AND (s.signature = 'declare global' OR starts_with(s.signature, 'module \"') "
    'OR starts_with(s.signature, "module \'"))'
)
_DECLARED = "s.kind IN ['function', 'const', 'variable', 'interface', 'type', 'class', 'enum', 'namespace']"


def compiler_projects(database: GraphDatabase) -> list[ProjectConfiguration]:
    """Every tsconfig and jsconfig file, by path."""
    rows = database.rows(
        "MATCH (:Repository)-[p:COMPILER_PROJECT]->(:Repository) RETURN p.path, p.role, p.composite, p.outDir, p.rootDir, "
        "p.extends, p.references ORDER BY p.path"
    )
    return [ProjectConfiguration(*row) for row in rows]


def project_files(database: GraphDatabase) -> dict[str, tuple[str, ...]]:
    """The source files of each project, in order."""
    found: dict[str, list[str]] = {}
    # To sort the few texts here is faster than to have the engine do it.
    for project, path in sorted(database.rows("MATCH (:Repository)-[p:PROJECT_FILE]->(f:File) RETURN p.project, f.relativePath")):
        found.setdefault(project, []).append(path)
    return {project: tuple(paths) for project, paths in found.items()}


def projects_of_files(database: GraphDatabase, paths: Iterable[str]) -> dict[str, list[str]]:
    """The projects that each of the given files belongs to, in order."""
    found: dict[str, list[str]] = {}
    statement = (
        "MATCH (f:File)<-[p:PROJECT_FILE]-(:Repository) WHERE f.relativePath IN $ids RETURN f.relativePath, p.project "
        "ORDER BY f.relativePath, p.project"
    )
    for path, project in rows_for_ids(database, statement, paths):
        found.setdefault(path, []).append(project)
    return found


def ambient_blocks(database: GraphDatabase) -> list[AmbientSymbol]:
    """Every `declare global` and `declare module` block, by file and line."""
    return _ambient(database, f"MATCH (s:Symbol) WHERE {_BLOCK}")


def ambient_declarations(database: GraphDatabase) -> list[AmbientSymbol]:
    """What declaration files declare at their root, blocks aside; by file and line."""
    pattern = f"MATCH (f:File)-[:CONTAINS]->(s:Symbol) WHERE {_DECLARATION_FILE} AND {_DECLARED} AND NOT ({_BLOCK})"
    return _ambient(database, pattern)


def blocks_that_augment(database: GraphDatabase, paths: Iterable[str]) -> list[AmbientSymbol]:
    """The `declare module` blocks that add to the given files, by file and line."""
    statement = f"MATCH (f:File)<-[:AUGMENTS]-(s:Symbol) WHERE f.relativePath IN $ids RETURN {_DETAILS}, f.relativePath"
    rows = rows_for_ids(database, statement, paths)
    found = [AmbientSymbol(SymbolDetails(*row[:-1]), True, row[-1]) for row in rows]
    return sorted(found, key=lambda block: (block.symbol.relative_path, block.symbol.start_line))


def added_declarations(database: GraphDatabase, ids: Iterable[str]) -> list[SymbolDetails]:
    """What `declare module` blocks of other files add to the given declarations of a module, by file and line."""
    statement = (
        "MATCH (d:Symbol)<-[:CONTAINS]-(:File)<-[:AUGMENTS]-(:Symbol)-[:CONTAINS]->(s:Symbol) "
        f"WHERE d.id IN $ids AND s.name = d.name RETURN DISTINCT {_DETAILS}"
    )
    found = [SymbolDetails(*row) for row in rows_for_ids(database, statement, ids)]
    return sorted(found, key=lambda symbol: (symbol.relative_path, symbol.start_line))


def ambient_homes(database: GraphDatabase, ids: Iterable[str]) -> dict[str, str]:
    """Where the given symbols belong that stand in an ambient block: the file that it adds to, else the block's name."""
    statement = f"MATCH (s:Symbol)-[:CONTAINS]->(c:Symbol) WHERE c.id IN $ids AND {_BLOCK} RETURN c.id, s.id, s.name"
    rows = list(rows_for_ids(database, statement, ids))
    targets = _targets(database, {block for _, block, _ in rows})
    return {id: targets.get(block, name) for id, block, name in rows}


def _targets(database: GraphDatabase, blocks: Iterable[str]) -> dict[str, str]:
    """The file that each block adds to, where it is one of the repository."""
    return dict(
        rows_for_ids(database, "MATCH (s:Symbol)-[:AUGMENTS]->(f:File) WHERE s.id IN $ids RETURN s.id, f.relativePath", blocks)
    )


def _ambient(database: GraphDatabase, pattern: str) -> list[AmbientSymbol]:
    rows = database.rows(f"{pattern} RETURN {_DETAILS} ORDER BY s.relativePath, s.startLine, s.id")
    symbols = [SymbolDetails(*row) for row in rows]
    modules = {
        row[0]
        for row in rows_for_ids(
            database,
            "MATCH (f:File)-[:CONTAINS]->(s:Symbol) WHERE f.relativePath IN $ids AND "
            "(s.exported OR s.kind IN ['import', 'export', 're-export']) RETURN DISTINCT f.relativePath",
            [symbol.relative_path for symbol in symbols],
        )
    }
    targets = _targets(database, [symbol.id for symbol in symbols if symbol.kind == "namespace"])
    return [AmbientSymbol(symbol, symbol.relative_path in modules, targets.get(symbol.id, "")) for symbol in symbols]
