"""Find where documents name declarations that are gone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from ...schema.languages import DOCUMENTS, language_of
from ..incremental.tree_state import TreeState
from ..workers.file_reading import file_symbols
from .records import SymbolSide


class LostMention(NamedTuple):
    """A span of code in a document that names a lost declaration."""

    path: str
    line: int
    #: Qualified name of the section around it.
    section: str
    #: Qualified name of the declaration.
    name: str


def lost_mentions(
    after: TreeState, lost: Mapping[str, SymbolSide], files_with: Callable[[Iterable[str]], list[str]]
) -> list[LostMention]:
    """Return where documents of the new state name lost declarations, by their own or their qualified name.

    A name that several lost declarations share is only found with the name of what is around it. `files_with` returns the paths
    of the files that have one of some words.
    """
    spelled: dict[str, set[str]] = {}
    for side in lost.values():
        for text in (side.name, side.qualified_name):
            spelled.setdefault(text, set()).add(side.qualified_name)
    names = {text: next(iter(meant)) for text, meant in spelled.items() if len(meant) == 1}
    if not names:
        return []
    found: list[LostMention] = []
    for path in sorted(files_with({side.name for side in lost.values()})):
        language = language_of(path)
        facts = after.facts(path) if language in DOCUMENTS else None
        if facts is None:
            continue
        sections = [symbol.qualified_name for symbol in file_symbols(path, facts.symbols)]
        for mention in facts.mentions:
            name = names.get(mention.text.removesuffix("()")) if mention.form == "code" else None
            if name is not None:
                found.append(LostMention(path, mention.line, sections[mention.symbol], name))
    return found
