"""What the mentions of a document ask for: paths and modules to resolve, and names and anchors that other files declare."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...schema.records import Symbol
from ...schema.symbol_kinds import DOCUMENT_KINDS, STATEMENTS
from ..documents.names import read_name
from ..facts.document_facts import MentionFact
from ..facts.model import FileFacts
from ..languages.document_paths import CODE, path_in_code, path_of_link, repository_url, specifier_of_link

#: Begins an anchor among the names that a file declares.
ANCHOR: Final = "#"


def specifier_of(mention: MentionFact) -> str | None:
    """Return what resolves to the file that a mention means; None if the mention names no other file."""
    if mention.form == "import":
        return f"{mention.extension}:{mention.text}"
    if mention.form == "link":
        return specifier_of_link(mention.text)
    if mention.form in ("code", "diagram"):
        path = path_in_code(mention.text)
        return f"{CODE}{path}" if path else None
    return None


def anchor_of(mention: MentionFact) -> str:
    """Return the anchor that a link leads to; "" for none, and for a link that is no path."""
    if mention.form != "link" or (path_of_link(mention.text) is None and repository_url(mention.text) is None):
        return ""
    return mention.text.partition("#")[2]


def specifiers(facts: FileFacts) -> set[str]:
    """Return what a document names by path or as a module."""
    return {found for mention in facts.mentions if (found := specifier_of(mention)) is not None}


def wanted_names(facts: FileFacts) -> set[str]:
    """Return the names and anchors whose declarations decide the edges of a document."""
    found: set[str] = set()
    for mention in facts.mentions:
        if mention.form == "link":
            if anchor := anchor_of(mention):
                found.add(f"{ANCHOR}{anchor}")
        elif mention.form == "import":
            found.update(mention.names)
        elif mention.form != "image" and (name := read_name(mention.text)) is not None:
            found.update(name.parts)
    return found


def declared_names(facts: FileFacts) -> set[str]:
    """Return the names that documents may mean by the symbols of a file, and its anchors."""
    names = {symbol.name for symbol in facts.symbols if symbol.kind not in STATEMENTS and symbol.kind not in DOCUMENT_KINDS}
    return names | {f"{ANCHOR}{anchor}" for anchor in facts.anchors}


def meanings(symbols: Sequence[Symbol], facts: FileFacts) -> dict[str, list[object]]:
    """Return what the edges of documents see of each name and anchor of a file."""
    found: dict[str, list[object]] = {}
    for symbol in symbols:
        if symbol.kind not in STATEMENTS and symbol.kind not in DOCUMENT_KINDS:
            found.setdefault(symbol.name, []).append((symbol.id, symbol.exported, symbol.parent_id))
    for anchor, place in facts.anchors.items():
        found.setdefault(f"{ANCHOR}{anchor}", []).append(symbols[place].id if place >= 0 else "")
    return found
