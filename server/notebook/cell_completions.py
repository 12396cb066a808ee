"""Completions in the cells `%%cypher` and `%%astrolabe query`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..api.completions.chains import chain_completions
from ..api.completions.completion import Completions
from ..api.completions.cypher import cypher_completions

if TYPE_CHECKING:
    from IPython.core.completer import CompletionContext, SimpleMatcherResult

Matcher = Callable[["CompletionContext"], "SimpleMatcherResult"]


def cell_matcher(variables: Callable[[], Mapping[str, object]]) -> Matcher:
    """Return a matcher for IPython that completes Astrolabe's cells and ignores all other cells."""
    from IPython.core.completer import SimpleCompletion, context_matcher

    def astrolabe_matcher(context: CompletionContext) -> SimpleMatcherResult:
        found = cell_completions(context.full_text, _offset(context), variables())
        if found is None:
            return {"completions": [], "matched_fragment": ""}
        completions, typed = found
        items = [SimpleCompletion(item.text, type=item.kind) for item in completions.items]
        return {"completions": items, "matched_fragment": typed, "suppress": True, "ordered": True}

    matcher: Matcher = context_matcher()(astrolabe_matcher)
    return matcher


def cell_completions(cell: str, cursor: int, variables: Mapping[str, object]) -> tuple[Completions, str] | None:
    """Return the completions in one of Astrolabe's cells, and the word before the cursor; None for any other cell."""
    first, newline, body = cell.partition("\n")
    words = first.split()
    begin = len(first) + len(newline)
    if not newline or cursor < begin or not words:
        return None
    at = cursor - begin
    if words[0] == "%%cypher":
        completions = cypher_completions(body, at, [name for name in variables if not name.startswith("_")])
    elif words[0] == "%%astrolabe" and "query" in words:
        completions = chain_completions(body, at)
    else:
        return None
    return completions, body[completions.start : at]


def _offset(context: CompletionContext) -> int:
    """Return the position of the cursor in the whole cell, in characters."""
    before = context.full_text.split("\n")[: context.cursor_line]
    position: int = context.cursor_position
    return sum(len(line) + 1 for line in before) + position
