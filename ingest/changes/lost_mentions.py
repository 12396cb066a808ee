"""Find where documents name declarations that are gone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ...schema.languages import DOCUMENTS, language_of
from ..incremental.tree_state import TreeState
from .records import SymbolSide


class LostMention(NamedTuple):
    """A span of code in a document that names a lost declaration."""

    path: str
    line: int
    #: Qualified name of the section around it.
    section: str
    #: Qualified name of the declaration.
    name: str


def lost_mentions(after: TreeState, lost: Mapping[str, SymbolSide], paths: Iterable[str]) -> list[LostMention]:
    """Return where documents of the new state name lost declarations, by their own or their qualified name.

    `paths` are those of the files that have one of their names. A name that several lost declarations share is only found with
    the name of what is around it.
    """
    spelled: dict[str, set[str]] = {}
    for side in lost.values():
        for text in (side.name, side.qualified_name):
            spelled.setdefault(text, set()).add(side.qualified_name)
    names = {text: next(iter(meant)) for text, meant in spelled.items() if len(meant) == 1}
    found: list[LostMention] = []
    for path in sorted(paths):
        language = language_of(path)
        facts = after.facts(path) if language in DOCUMENTS else None
        if facts is None:
            continue
        sections = after.symbols(path)
        for mention in facts.mentions:
            name = names.get(mention.text.removesuffix("()")) if mention.form == "code" else None
            if name is not None:
                found.append(LostMention(path, mention.line, sections[mention.symbol].qualified_name, name))
    return found
