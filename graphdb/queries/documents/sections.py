"""The fields of sections, the steps in them, and the code that they name."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ...database import GraphDatabase, shared
from ...symbols.id_batches import rows_for_ids

#: Languages of documents with sections, as `File.language` has them.
_MARKUPS = ("markdown", "restructuredtext", "asciidoc")


class TypedSection(msgspec.Struct, frozen=True, gc=False):
    """The fields of a section with a type. `SECTION_FIELDS` in `graph.cypher` documents the last four."""

    id: str
    name: str
    breadcrumb: str
    path: str
    line: int
    end_line: int
    type: str
    form: str
    #: The fields as a JSON object.
    fields: str
    reason: str


class Named(msgspec.Struct, frozen=True, gc=False):
    """A target that a section, a step or a node of a diagram names."""

    #: Line of the section, step or node, and a line with the name.
    owner_line: int
    line: int
    name: str
    #: Kind of the symbol; "file" for a file, and "" if the target is not known.
    kind: str
    #: Path, with the line of a symbol; "" if the target is not known.
    place: str
    evidence: str
    #: Why the target is not known; "" if it is known.
    reason: str
    #: The symbols that an ambiguous name may mean, each with its place: `Cart.total (src/cart.ts:12)`.
    candidates: tuple[str, ...] = ()


@shared
def document_paths(database: GraphDatabase) -> tuple[str, ...]:
    """Return the paths of all documents with sections, in order."""
    statement = "MATCH (f:File) WHERE f.language IN $languages RETURN f.relativePath ORDER BY f.relativePath"
    return tuple(path for (path,) in database.rows(statement, {"languages": list(_MARKUPS)}))


def typed_sections(database: GraphDatabase, types: Iterable[str], paths: Iterable[str] | None = None) -> list[TypedSection]:
    """Return the sections that have one of the types, in some files or in all files, by file and line."""
    only = "" if paths is None else " AND s.relativePath IN $paths"
    statement = f"""
        MATCH (s:Symbol)-[f:SECTION_FIELDS]->(:File) WHERE f.type IN $types{only}
        RETURN s.id, s.name, s.breadcrumb, s.relativePath, s.startLine, s.endLine, f.type, f.form, f.fields, f.reason
        ORDER BY s.relativePath, s.startLine, f.type"""
    parameters = {"types": list(types), **({} if paths is None else {"paths": list(paths)})}
    return [TypedSection(*row) for row in database.rows(statement, parameters)]


def named_in(database: GraphDatabase, path: str, start_line: int, end_line: int) -> list[Named]:
    """Return the targets that a range of lines in a document names, in the order of the lines."""
    where = "WHERE s.relativePath = $path AND s.startLine >= $first AND s.endLine <= $last"
    begin = f"MATCH (s:Symbol)-[m:MENTIONS]->%s {where} RETURN s.declarationLine, m.lines[1],"
    parameters = {"path": path, "first": start_line, "last": end_line}
    symbols = database.rows(
        f"{begin % '(t:Symbol)'} t.qualifiedName, t.kind, t.relativePath, t.startLine, m.evidence", parameters
    )
    files = database.rows(f"{begin % '(t:File)'} t.relativePath, m.evidence", parameters)
    unknown = database.rows(f"{begin % '(t:UnresolvedSpecifier)'} t.specifier, m.evidence, m.reason, m.candidates", parameters)
    meant = _places_of(database, {each for *_, candidates in unknown for each in candidates})
    found = [
        Named(owner, line, name, kind, f"{target}:{start}", evidence, "")
        for owner, line, name, kind, target, start, evidence in symbols
    ]
    found += [Named(owner, line, target, "file", target, evidence, "") for owner, line, target, evidence in files]
    found += [
        Named(owner, line, name, "", "", evidence, reason, tuple(meant[each] for each in candidates if each in meant))
        for owner, line, name, evidence, reason, candidates in unknown
    ]
    return sorted(found, key=lambda each: (each.line, each.owner_line, each.name))


def _places_of(database: GraphDatabase, ids: Iterable[str]) -> dict[str, str]:
    """Return the qualified name of each symbol with its place, by id."""
    statement = "MATCH (s:Symbol) WHERE s.id IN $ids RETURN s.id, s.qualifiedName, s.relativePath, s.startLine"
    rows = rows_for_ids(database, statement, sorted(ids))
    return {key: f"{name} ({path}:{line})" for key, name, path, line in rows}


class DocumentPart(msgspec.Struct, frozen=True, gc=False):
    """A section, a step or another part of a document."""

    name: str
    kind: str
    line: int
    end_line: int
    #: Number of enclosing parts.
    depth: int
    #: Subjects of the section, and the state of a step.
    modifiers: tuple[str, ...]


def parts_of_document(database: GraphDatabase, path: str) -> list[DocumentPart]:
    """Return the parts of a document in the order of its lines, without the nodes of its diagrams."""
    statement = """
        MATCH (s:Symbol) WHERE s.relativePath = $path AND s.kind <> 'diagramNode'
        RETURN s.name, s.kind, s.startLine, s.endLine, s.depth, s.modifiers ORDER BY s.startLine, s.depth"""
    return [
        DocumentPart(name, kind, line, end, depth, tuple(modifiers))
        for name, kind, line, end, depth, modifiers in database.rows(statement, {"path": path})
    ]
