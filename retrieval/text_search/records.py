"""The answer of a text search."""

from __future__ import annotations

import msgspec


class LineContext(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """The line with its neighbours, whole; several lines are joined by line breaks."""

    line: str
    before: str = ""
    after: str = ""


class LineMatch(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A line that holds the text, or a symbol that a hybrid search found."""

    rank: int
    file: str
    line: int
    #: In characters, from 1; 0 for a symbol.
    column: int = 0
    #: The matched text; "" for a symbol.
    match: str = ""
    context: LineContext | None = None
    #: The innermost declaration around the line, as "Parent.child".
    symbol: str = ""
    kind: str = ""
    #: In a hybrid search.
    score: float = 0.0
    #: In a hybrid search: "semantic", "literal" or "both".
    source: str = ""
    #: In a notebook, the same place by cell: `analysis.ipynb:cell 3:12`.
    place: str = ""


class LiteralAnswer(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Matches by file and line, or by score in a hybrid search. `tokens` counts the JSON form."""

    query: str
    mode: str
    results: tuple[LineMatch, ...]
    #: Lines that match, shown or not.
    total_matches: int
    total_files: int
    search_time_ms: float
    #: Symbols that were ranked, in a hybrid search.
    total_candidates: int = 0
    #: False if the time ran out: totals then count the searched part.
    complete: bool = True
    #: Files of the request that could not be read when they were indexed, and so were not searched.
    unread_files: tuple[str, ...] = ()
    #: How to see what is not shown, or why there is no result.
    hint: str = ""
    tokens: int = 0
