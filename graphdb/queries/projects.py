"""Compiler projects and ambient declarations."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

import msgspec

from ...schema.edges import CompilerProject
from ...schema.records import Symbol
from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids
from ..symbols.symbol_table import symbols_of


class AmbientSymbol(msgspec.Struct, frozen=True, gc=False):
    """An ambient symbol: a `declare global` or `declare module` block, or a declaration in a declaration file."""

    symbol: Symbol
    #: Whether the file of the symbol has imports or exports, and thus is a module.
    in_module: bool
    #: Path of the module of the repository that a block augments; "" for none.
    augments: str


_DECLARATION_FILE = "f.relativePath =~ '.*\\\\.d\\\\.[cm]?ts'"
#: A `declare module` block has a quoted name, a `declare global` block has none.
_BLOCK = (
    "s.kind = 'namespace' AND (s.signature = 'declare global' OR starts_with(s.signature, 'module \"') "
    'OR starts_with(s.signature, "module \'"))'
)
_DECLARED = "s.kind IN ['function', 'const', 'variable', 'interface', 'type', 'class', 'enum', 'namespace']"


def compiler_projects(database: GraphDatabase) -> list[CompilerProject]:
    """Return every tsconfig and jsconfig file, by path."""
    rows = database.rows(
        "MATCH (:Repository)-[p:COMPILER_PROJECT]->(:Repository) RETURN p.path, p.role, p.composite, p.outDir, p.rootDir, "
        "p.extends, p.references ORDER BY p.path"
    )
    return [CompilerProject(*row) for row in rows]


def project_files(database: GraphDatabase) -> dict[str, tuple[str, ...]]:
    """Return the source files of each project, in order."""
    found: dict[str, list[str]] = {}
    # Sorting these few texts in Python is faster than in the engine.
    for project, path in sorted(database.rows("MATCH (:Repository)-[p:PROJECT_FILE]->(f:File) RETURN p.project, f.relativePath")):
        found.setdefault(project, []).append(path)
    return {project: tuple(paths) for project, paths in found.items()}


def projects_of_files(database: GraphDatabase, paths: Iterable[str]) -> dict[str, list[str]]:
    """Return the projects of each of the given files, in order."""
    found: dict[str, list[str]] = {}
    statement = (
        "MATCH (f:File)<-[p:PROJECT_FILE]-(:Repository) WHERE f.relativePath IN $ids RETURN f.relativePath, p.project "
        "ORDER BY f.relativePath, p.project"
    )
    for path, project in rows_for_ids(database, statement, paths):
        found.setdefault(path, []).append(project)
    return found


def ambient_blocks(database: GraphDatabase) -> list[AmbientSymbol]:
    """Return every `declare global` and `declare module` block, by file and line."""
    return _ambient(database, f"MATCH (s:Symbol) WHERE {_BLOCK}")


def ambient_declarations(database: GraphDatabase) -> list[AmbientSymbol]:
    """Return root declarations of declaration files, without ambient blocks, by file and line."""
    pattern = f"MATCH (f:File)-[:CONTAINS]->(s:Symbol) WHERE {_DECLARATION_FILE} AND {_DECLARED} AND NOT ({_BLOCK})"
    return _ambient(database, pattern)


def blocks_that_augment(database: GraphDatabase, paths: Iterable[str]) -> list[AmbientSymbol]:
    """Return the `declare module` blocks that augment the given files, by file and line."""
    statement = "MATCH (f:File)<-[:AUGMENTS]-(s:Symbol) WHERE f.relativePath IN $ids RETURN offset(id(s)), f.relativePath"
    rows = rows_for_ids(database, statement, paths)
    blocks = symbols_of(database).symbols_at([row[0] for row in rows])
    found = [AmbientSymbol(block, True, path) for block, (_, path) in zip(blocks, rows, strict=True)]
    return sorted(found, key=lambda block: (block.symbol.relative_path, block.symbol.start_line))


def added_declarations(database: GraphDatabase, ids: Iterable[str]) -> list[Symbol]:
    """Return the declarations that `declare module` blocks of other files add to the given files, by file and line."""
    blocks = database.once(_augmenting_blocks)
    table = symbols_of(database)
    given = [symbol for symbol in table.symbols(ids).values() if not symbol.depth and symbol.relative_path in blocks]
    wanted = {(symbol.relative_path, symbol.name) for symbol in given}
    paths = {block: symbol.relative_path for symbol in given for block in blocks[symbol.relative_path]}
    inside = table.children(paths)
    found = {inner.id: inner for block, within in inside.items() for inner in within if (paths[block], inner.name) in wanted}
    return sorted(found.values(), key=lambda symbol: (symbol.relative_path, symbol.start_line))


class AmbientHome(NamedTuple):
    """Where a declaration in an ambient block belongs."""

    #: The file that the block augments, else the name of the block.
    module: str
    #: The names of the symbols in the block that enclose the declaration, outermost first.
    holders: tuple[str, ...]


def ambient_homes(database: GraphDatabase, ids: Iterable[str]) -> dict[str, AmbientHome]:
    """Map the symbols in ambient blocks, at any depth, to the modules that they belong to."""
    table = symbols_of(database)
    around = table.enclosing(ids)
    known = table.symbols({outer.id for chain in around.values() for outer in chain if outer.kind == "namespace"})
    found: dict[str, tuple[Symbol, tuple[str, ...]]] = {}
    for id, chain in around.items():
        for place, outer in enumerate(chain):
            if outer.id in known and _is_block(known[outer.id]):
                found[id] = known[outer.id], tuple(holder.name for holder in chain[place + 1 :])
    targets = _targets(database, {block.id for block, _ in found.values()})
    return {id: AmbientHome(targets.get(block.id, block.name), holders) for id, (block, holders) in found.items()}


def _is_block(symbol: Symbol) -> bool:
    """Return whether a symbol is an ambient block, by the same rule as `_BLOCK`."""
    written = symbol.signature
    return symbol.kind == "namespace" and (written == "declare global" or written.startswith(('module "', "module '")))


def _targets(database: GraphDatabase, blocks: Collection[str]) -> dict[str, str]:
    """Map blocks to the file of the repository that they augment."""
    return {id: path for path, ids in database.once(_augmenting_blocks).items() for id in ids if id in blocks}


def _augmenting_blocks(database: GraphDatabase) -> dict[str, list[str]]:
    """Map the paths of files to the ids of the `declare module` blocks that augment them. A repository has few such blocks."""
    found: dict[str, list[str]] = {}
    for path, block in database.rows("MATCH (f:File)<-[:AUGMENTS]-(s:Symbol) RETURN f.relativePath, s.id"):
        found.setdefault(path, []).append(block)
    return found


def _ambient(database: GraphDatabase, pattern: str) -> list[AmbientSymbol]:
    rows = database.rows(f"{pattern} RETURN offset(id(s)) ORDER BY s.relativePath, s.startLine, s.id")
    symbols = symbols_of(database).symbols_at([offset for (offset,) in rows])
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
