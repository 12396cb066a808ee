"""Links in doc comments: the code that the doc comment of a symbol mentions, in the notation of the language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..facts.document_facts import MentionFact
from ..facts.model import FileFacts, SymbolFact

#: Form of the mentions.
COMMENT = "comment"


@dataclass(frozen=True, slots=True)
class DocLinks:
    """The notation of links in doc comments of a language."""

    #: Matches a link; one of the groups contains the name.
    pattern: re.Pattern[str]
    #: Whether the comment is in the body of the declaration, as docstrings are, and not above it.
    is_inside: bool = False
    #: Whether the links are in tags, which the text of the comment does not have.
    is_in_tags: bool = False


def add_doc_links(facts: FileFacts, text: bytes, links: DocLinks) -> None:
    """Add a mention for each link in the doc comments of a file's symbols."""
    if links.is_in_tags:  # a comment that consists of tags has no text
        linking = [place for place, symbol in enumerate(facts.symbols) if symbol.start_line < symbol.declaration_line]
    else:
        linking = [place for place, symbol in enumerate(facts.symbols) if symbol.doc and links.pattern.search(symbol.doc)]
    if not linking:
        return
    lines = text.decode("utf-8", "replace").split("\n")
    found = [each for place in linking for each in _of_symbol(place, facts.symbols[place], lines, links)]
    facts.mentions = [*facts.mentions, *found]


def _of_symbol(place: int, symbol: SymbolFact, lines: list[str], links: DocLinks) -> Iterator[MentionFact]:
    wanted = -1 if links.is_in_tags else sum(1 for _ in links.pattern.finditer(symbol.doc))
    first, last = symbol.start_line, symbol.declaration_line - 1
    if links.is_inside:
        first, last = symbol.name_line, symbol.end_line
    for number in range(first, min(last, len(lines)) + 1):
        for match in links.pattern.finditer(lines[number - 1]):
            name = match[match.lastgroup or 0]
            yield MentionFact(place, COMMENT, name, number, match.start(match.lastgroup or 0) + 1)
            wanted -= 1
            if not wanted:
                return
