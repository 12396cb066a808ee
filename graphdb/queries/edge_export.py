"""All edges, with paths and lines instead of ids. `astrolabe export edges` prints them for comparison with other tools."""

from __future__ import annotations

from typing import Any

import msgspec

from ..database import GraphDatabase


class ExportedCall(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """A call: `from_line` is the line of the call site, `to_line` the line of the callee's declaration."""

    from_file: str
    from_line: int
    from_name: str
    to_file: str
    to_line: int
    to_name: str
    form: str
    evidence: str


class ExportedImport(msgspec.Struct, frozen=True, gc=False):
    """A file that imports another file."""

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
    """Uses of a symbol. Compilers find symbols at identifiers, so uses with the name in quotes, `row["id"]`, count apart."""

    #: Identifiers, and those of them outside of import and export statements.
    refs: int
    refs_no_imports: int
    #: Names in quotes.
    refs_quoted: int
    #: Files with uses of any of these kinds.
    files: tuple[str, ...]


class ExportedEdges(msgspec.Struct, frozen=True, rename="camel"):
    """Every edge inside the repository. The keys of `references` are "file:line:name", with the line of the declaration."""

    calls: list[ExportedCall]
    #: Imports whose specifier is the relative path of an existing file, or the name of a package.
    imports: list[ExportedImport]
    #: Imports whose specifier is the relative path of a build output, or the name of a package. `to` is the source of the build
    #: output.
    built_imports: list[ExportedImport]
    heritage: list[ExportedHeritage]
    references: dict[str, ExportedReferences]


def exported_edges(database: GraphDatabase) -> ExportedEdges:
    """Return all edges of the graph, each list sorted by file and line."""
    return ExportedEdges(
        _calls(database), _imports(database), _built_imports(database), _heritage(database), _references(database)
    )


def _calls(database: GraphDatabase) -> list[ExportedCall]:
    rows = database.rows(
        """
        MATCH (a:Symbol)-[r:CALLS]->(b:Symbol)
        RETURN a.relativePath, r.lines, a.name, b.relativePath, b.declarationLine, b.name, r.form, r.evidence
        """
    )
    # Several sites on a line count as a single edge, because other tools compare lines.
    sites = {(row[0], line, *row[2:]) for row in rows for line in row[1]}
    return [ExportedCall(*site) for site in sorted(sites)]


def _imports(database: GraphDatabase) -> list[ExportedImport]:
    # A compiler resolves the name of a built package to its declarations, and from there to the source.
    return _imports_where(database, "NOT r.built OR NOT r.specifier STARTS WITH '.'")


def _built_imports(database: GraphDatabase) -> list[ExportedImport]:
    return _imports_where(database, "r.built")


def _imports_where(database: GraphDatabase, condition: str) -> list[ExportedImport]:
    statement = f"MATCH (a:File)-[r:IMPORTS]->(b:File:DataFile) WHERE {condition} RETURN DISTINCT a.relativePath, b.relativePath"
    return [ExportedImport(*row) for row in sorted(database.rows(statement))]


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
    # As in compilers, a use of an imported name counts for the imported symbol.
    rows = database.rows(
        """
        MATCH (o:Symbol)<-[r:REFERENCES]-(s:Symbol) WHERE r.role <> 'binding'
        RETURN o.relativePath, o.declarationLine, o.name, CAST(sum(r.count - r.quoted) AS INT64),
            CAST(sum(CASE WHEN NOT r.role IN ['import', 'export'] THEN r.count - r.quoted ELSE 0 END) AS INT64),
            CAST(sum(r.quoted) AS INT64),
            collect(DISTINCT s.relativePath)
        """
    )
    return {
        f"{path}:{line}:{name}": ExportedReferences(total, without_imports, quoted, tuple(sorted(files)))
        for path, line, name, total, without_imports, quoted, files in sorted(rows)
    }
