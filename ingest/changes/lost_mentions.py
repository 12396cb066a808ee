"""Find the places where documents name lost declarations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ...schema.languages import DOCUMENTS, language_of
from ..incremental.tree_state import TreeState


class LostMention(NamedTuple):
    """A span of code in a document that names a lost declaration."""

    path: str
    line: int
    #: Qualified name of the enclosing section.
    section: str
    #: Qualified name of the declaration.
    name: str


def lost_mentions(after: TreeState, lost: Iterable[tuple[str, str]], paths: Iterable[str]) -> list[LostMention]:
    """Return the places where documents of the new state name lost declarations.

    `lost` maps texts by which a document may name a declaration to the qualified name of the declaration. Ambiguous texts are
    left out. `paths` are the files that contain one of the names.
    """
    spelled: dict[str, set[str]] = {}
    for text, qualified_name in lost:
        spelled.setdefault(text, set()).add(qualified_name)
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
