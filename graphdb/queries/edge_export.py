"""All edges in the form that `astrolabe export edges` prints and other tools compare: places instead of ids."""

from __future__ import annotations

from typing import Any

import msgspec

from ..database import GraphDatabase


class ExportedCall(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """A call: `from_line` is the call site's line, `to_line` that of the callee's declaration."""

    from_file: str
    from_line: int
    from_name: str
    to_file: str
    to_line: int
    to_name: str
    form: str
    evidence: str


class ExportedImport(msgspec.Struct, frozen=True, gc=False):
    """A file that imports another."""

    from_file: str = msgspec.field(name="from")
    to_file: str = msgspec.field(name="to")


class ExportedHeritage(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """A class or interface and its base, each by the line of its declaration. `kind` is "extends" or "implements"."""

    from_file: str
    from_line: int
    from_name: str
    to_file: str
    to_line: int
    to_name: str
    kind: str


class ExportedReferences(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """Uses of a symbol: sites, sites besides import and export statements, and the files they lie in."""

    refs: int
    refs_no_imports: int
    files: tuple[str, ...]


class ExportedEdges(msgspec.Struct, frozen=True, rename="camel"):
    """Every edge inside the repository. `references` has the keys "file:line:name", with the line of the declaration."""

    calls: list[ExportedCall]
    #: What a compiler resolves.
    imports: list[ExportedImport]
    #: Of files that are not built yet: to their sources.
    built_imports: list[ExportedImport]
    heritage: list[ExportedHeritage]
    references: dict[str, ExportedReferences]


def exported_edges(database: GraphDatabase) -> ExportedEdges:
    """The whole graph's edges, each list in the order of files and lines."""
    return ExportedEdges(
        _calls(database), _imports(database, False), _imports(database, True), _heritage(database), _references(database)
    )


def _calls(database: GraphDatabase) -> list[ExportedCall]:
    rows = database.rows(
        """
        MATCH (a:Symbol)-[r:CALLS]->(b:Symbol)
        RETURN a.relativePath, r.lines, a.name, b.relativePath, b.declarationLine, b.name, r.form, r.evidence
        """
    )
    # Several sites on one line are one edge to whoever compares lines.
    sites = {(row[0], line, *row[2:]) for row in rows for line in row[1]}
    return [ExportedCall(*site) for site in sorted(sites)]


def _imports(database: GraphDatabase, built: bool) -> list[ExportedImport]:
    rows = database.rows(
        "MATCH (a:File)-[r:IMPORTS]->(b:File:DataFile) WHERE r.built = $built RETURN DISTINCT a.relativePath, b.relativePath",
        {"built": built},
    )
    return [ExportedImport(*row) for row in sorted(rows)]


def _heritage(database: GraphDatabase) -> list[ExportedHeritage]:
    found: list[tuple[Any, ...]] = []
    for table, kind in (("EXTENDS", "extends"), ("IMPLEMENTS", "implements")):
        rows = database.rows(
            f"""
            MATCH (a:Symbol)-[:{table}]->(b:Symbol)
            RETURN a.relativePath, a.declarationLine, a.name, b.relativePath, b.declarationLine, b.name
            """
        )
        found += [(*row, kind) for row in rows]
    return [ExportedHeritage(*row) for row in sorted(set(found))]


def _references(database: GraphDatabase) -> dict[str, ExportedReferences]:
    # A use of a local name for something imported counts for what is imported, as compilers have it, not for the name.
    rows = database.rows(
        """
        MATCH (o:Symbol)<-[r:REFERENCES]-(s:Symbol) WHERE r.role <> 'binding'
        RETURN o.relativePath, o.declarationLine, o.name, CAST(sum(r.count) AS INT64),
            CAST(sum(CASE WHEN NOT r.role IN ['import', 'export'] THEN r.count ELSE 0 END) AS INT64),
            collect(DISTINCT s.relativePath)
        """
    )
    return {
        f"{path}:{line}:{name}": ExportedReferences(total, without_imports, tuple(sorted(files)))
        for path, line, name, total, without_imports, files in sorted(rows)
    }
