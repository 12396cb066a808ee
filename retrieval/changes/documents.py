"""Find the sections of documents about the changed symbols."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...graphdb.database import GraphDatabase
from ...graphdb.traversal.walk import refs_by_offset
from ...ingest.changes.changed_symbols import ChangedSymbol
from ...ingest.changes.lost_mentions import LostMention
from .records import Document

#: Kinds of changes that may make a document wrong, the most serious first.
_TELLING: Final = ("removed", "renamed", "moved", "signature", "body")

_MENTIONS: Final = """
    MATCH (s:Symbol)-[r:MENTIONS]->(o:Symbol) WHERE o.id IN $ids AND r.kind <> 'comment'
    RETURN offset(id(s)), o.id, r.lines"""


def documents_of(graph: GraphDatabase, changed: Sequence[ChangedSymbol], lost: Sequence[LostMention]) -> list[Document]:
    """Return the sections that name changed symbols; sections about removed, renamed or retyped symbols come first.

    `lost` are places in documents that name removed symbols, and for which an index of the new state has no mentions.
    """
    names: dict[str, tuple[int, str]] = {}
    for each in changed:
        rank = min((_TELLING.index(kind) for kind in each.changes if kind in _TELLING), default=-1)
        for side in (each.old, each.new) if rank >= 0 else ():
            if side is not None:
                names[side.id] = (rank, side.qualified_name)
    found: dict[tuple[str, str], set[tuple[int, str, int]]] = {}
    for mention in lost:
        found.setdefault((mention.path, mention.section), set()).add((0, mention.name, mention.line))
    rows = graph.rows(_MENTIONS, {"ids": list(names)}) if names else []
    sections = refs_by_offset(graph, {row[0] for row in rows})
    for offset, id, lines in rows:
        section = sections[offset]
        found.setdefault((section.relative_path, section.qualified_name), set()).add((*names[id], lines[0]))
    documents = [
        (
            min(mentions)[0],
            Document(
                section=section,
                at=f"{path}:{min(line for _, _, line in mentions)}",
                names=tuple(dict.fromkeys(name for _, name, _ in sorted(mentions))),
            ),
        )
        for (path, section), mentions in found.items()
    ]
    return [document for _, document in sorted(documents, key=lambda one: (one[0], -len(one[1].names), one[1].at))]
