"""The answer for a document: its sections with their subjects, the named code, and broken references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....graphdb.queries.documents.sections import document_paths, named_in, parts_of_document
from ....retrieval.lookup.fuzzy_names import like
from ..scopes.running import Nothing
from .records import Entry, GraphAnswer

if TYPE_CHECKING:
    from ...stores.readers import Readers

_LAST_LINE = 2**31 - 1
_SUGGESTIONS = 5


def document(readers: Readers, path: str) -> GraphAnswer:
    """Return the outline and the references of a document; an answer with similar paths if there is no such document."""
    known = document_paths(readers.graph)
    if path not in known:
        near = sorted(like(known, path).items(), key=lambda each: -each[1])[:_SUGGESTIONS]
        entries = tuple(Entry(each, "document", each, score=round(score, 3)) for each, score in near)
        message = f'No indexed document has the path "{path[:120]}".'
        return GraphAnswer(sections={"candidates": entries}, nothing=Nothing("doc", "absent", message))
    parts = parts_of_document(readers.graph, path)
    named = named_in(readers.graph, path, 0, _LAST_LINE)
    found: dict[tuple[str, str, str], list[int]] = {}
    for each in named:
        found.setdefault((each.name, each.kind, each.place), []).append(each.line)
    candidates = {each.name: each.candidates for each in named if each.candidates}
    told = [
        Entry(
            *key,
            reason=f"named in line {', '.join(map(str, dict.fromkeys(lines)))}",
            links=() if key[2] else candidates.get(key[0], ()),
        )
        for key, lines in found.items()
    ]
    return GraphAnswer(
        subject=Entry(path, "document", path),
        summary={
            "sections": sum(part.kind != "step" for part in parts),
            "steps": sum(part.kind == "step" for part in parts),
            "named": sum(bool(entry.at) for entry in told),
        },
        sections={
            "sections": tuple(
                Entry(part.name, part.kind, f"lines {part.line}-{part.end_line}", distance=part.depth, through=part.modifiers)
                for part in parts
            ),
            "linkedSymbols": tuple(entry for entry in told if entry.at),
            "notFound": tuple(entry for entry in told if not entry.at),
        },
    )
