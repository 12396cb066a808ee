"""Records of the answer of a text search."""

from __future__ import annotations

import msgspec


class LineContext(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """The matching line, and the lines before and after it; several lines are joined by line breaks."""

    line: str
    before: str = ""
    after: str = ""


class LineMatch(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A line that contains the text, or a symbol that a hybrid search found."""

    rank: int
    file: str
    line: int
    #: Column of the match in characters, from 1; 0 for a symbol.
    column: int = 0
    #: The matched text; "" for a symbol.
    match: str = ""
    context: LineContext | None = None
    #: Qualified name of the innermost declaration around the line: "Parent.child".
    symbol: str = ""
    kind: str = ""
    #: Score in a hybrid search, 0 to 1.
    score: float = 0.0
    #: How a hybrid search found the match: "semantic", "literal" or "both".
    source: str = ""
    #: Place in a cell, if the file is a notebook: `analysis.ipynb:cell 3:12`.
    place: str = ""


class LiteralAnswer(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Matches by path and line, or by score in a hybrid search. `tokens` is the size of the JSON form."""

    query: str
    mode: str
    results: tuple[LineMatch, ...]
    #: Number of matching lines, including lines that are not shown.
    total_matches: int
    total_files: int
    search_time_ms: float
    #: Number of symbols that a hybrid search ranked.
    total_candidates: int = 0
    #: False if the time limit ended the search. Totals then only count the searched files.
    complete: bool = True
    #: Files that were not searched, because they could not be indexed.
    unread_files: tuple[str, ...] = ()
    #: How to see further matches, or why there are no matches.
    hint: str = ""
    tokens: int = 0
