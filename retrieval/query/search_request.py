"""The record of a search request, which Python, the command line and the MCP server create, with checks of its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

from ...schema.errors import UsageError

#: The modes of a search.
MODES = ("semantic", "literal", "hybrid")
#: Kinds of symbols by the value of `kind` in a request; no kinds for no filter. "files" keeps the first result of each file.
SEARCH_KINDS: dict[str, tuple[str, ...]] = {
    "all": (),
    "functions": ("function", "component", "method", "constructor", "getter", "setter"),
    "classes": ("class", "extension"),
    "interfaces": ("interface",),
    "types": ("type", "interface", "enum"),
    "constants": ("const", "variable", "enumMember"),
    "docs": ("section", "step", "decision", "endpoint", "milestone", "diagram"),
    "files": (),
}
#: Maximum number of lines that are shown before or after a match.
MAX_CONTEXT_LINES = 50
#: Minimum budget in tokens of a literal or hybrid search.
MIN_TEXT_BUDGET = 100


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """The query, the filters and the limits of a search. Raises UsageError for an invalid value."""

    #: In a semantic search, a question, words, or a lookup such as `symbol = Parent > Child`; otherwise a text or a pattern.
    query: str
    _: KW_ONLY
    #: "semantic" searches by meaning or name, "literal" for lines that contain the text, "hybrid" ranks both together.
    mode: str = "semantic"
    #: Files, folders or globs, relative to the root; empty for all files.
    paths: Sequence[str] = ()
    #: Names of languages; empty for all languages.
    languages: Sequence[str] = ()
    #: A key of `SEARCH_KINDS`: the kind of a symbol, or of the declaration around a line.
    kind: str = "all"
    #: Lowest score of a result, 0 to 1. None means the setting `minimum_relevance_threshold`, and in a hybrid search 0.
    min_score: float | None = None
    #: Maximum number of results, from 1.
    limit: int | None = None
    #: Budget of the answer in tokens. None means no budget for a semantic search with a limit, and else the setting
    #: `max_token_budget`.
    budget: int | None = None
    #: Whether the query is a pattern in RE2 syntax (literal and hybrid).
    is_regex: bool = False
    #: Whether case matters (literal and hybrid).
    case_sensitive: bool = False
    #: Lines shown before and after each match (literal and hybrid).
    before: int = 1
    after: int = 1

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise UsageError(f'There is no mode "{self.mode}"; it is one of {", ".join(MODES)}.')
        if self.is_semantic and not self.query.strip():
            raise UsageError("The query is empty: ask for code in words, or write `symbol = Name`.")
        if self.kind not in SEARCH_KINDS:
            raise UsageError(f'There is no kind "{self.kind}"; it is one of {", ".join(SEARCH_KINDS)}.')
        for side, lines in (("before", self.before), ("after", self.after)):
            if not 0 <= lines <= MAX_CONTEXT_LINES:
                raise UsageError(f"Lines {side} a match are a number from 0 to {MAX_CONTEXT_LINES}, not {lines}.")
        if self.limit is not None and self.limit < 1:
            raise UsageError(f"The limit must be at least 1, not {self.limit}.")
        if self.min_score is not None and not 0 <= self.min_score <= 1:
            raise UsageError(f"The lowest score is a number from 0 to 1, not {self.min_score:g}.")
        if self.budget is not None and self.is_semantic and self.budget < 1:
            raise UsageError(f"The budget must be at least 1, not {self.budget}.")
        if self.budget is not None and not self.is_semantic and self.budget < MIN_TEXT_BUDGET:
            raise UsageError(f"A literal search needs a budget of at least {MIN_TEXT_BUDGET} tokens, not {self.budget}.")

    @property
    def is_semantic(self) -> bool:
        """Whether the search finds code only by meaning or name."""
        return self.mode == "semantic"

    @property
    def node_kinds(self) -> tuple[str, ...]:
        """Kinds of the wanted symbols; empty for all kinds."""
        return SEARCH_KINDS[self.kind]
