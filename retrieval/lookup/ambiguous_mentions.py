"""The names in a part of a document that several symbols have, with the symbols that they may mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.documents.sections import named_in
from ...schema.languages import is_document_path
from ...schema.records import Symbol

#: Maximum number of names, and of symbols for one name.
_MAX_NAMES: Final = 5
_MAX_SYMBOLS: Final = 3


def ambiguous_mentions(graph: GraphDatabase, symbols: Sequence[Symbol]) -> list[str]:
    """Return a sentence for each ambiguous name in a part of a document; none for code, and for several parts."""
    if len(symbols) != 1 or not is_document_path(symbols[0].relative_path):
        return []
    part = symbols[0]
    found = {each.name: each for each in named_in(graph, part.relative_path, part.start_line, part.end_line) if each.candidates}
    sentences = []
    for name, each in list(found.items())[:_MAX_NAMES]:
        more = len(each.candidates) - _MAX_SYMBOLS
        rest = f" or {more} more" if more > 0 else ""
        sentences.append(f'"{name}" in line {each.line} is ambiguous: {", ".join(each.candidates[:_MAX_SYMBOLS])}{rest}.')
    return sentences
