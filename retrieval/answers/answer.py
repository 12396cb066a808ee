"""The answer to a query or a symbol lookup, as plain records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...graphdb.database import GraphDatabase
from ...graphdb.symbols.symbol_table import symbols_of
from ..context.connection_graph import summary_line
from ..text.tokens import count_tokens, shortened, tokens_of_characters

#: Minimum difference between successive priorities. Priorities decrease even if scores are equal or out of order.
_PRIORITY_STEP = 0.001
#: Maximum number of characters of a result's signature or doc comment.
_MAX_TEXT_LENGTH = 200


@dataclass(frozen=True, slots=True)
class RankedResult:
    """A symbol that answers the query. Lines are 1-based and inclusive."""

    id: str
    #: Path with forward slashes, relative to the workspace root.
    file: str
    start_line: int
    end_line: int
    name: str
    kind: str
    breadcrumb: str
    #: Probability of being relevant, 0 to 1.
    score: float
    #: Tokens of the shown source of the result.
    tokens: int
    signature: str = ""
    #: First paragraph of the result's doc comment.
    context: str = ""


@dataclass(frozen=True, slots=True)
class AnswerText:
    """A part of the answer. `priority` is 1 for the connection graph, and lower for each following part."""

    text: str
    priority: float


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """Results, best first, and the texts that show them: the connection graph, then one excerpt per file."""

    query: str
    results: tuple[RankedResult, ...]
    #: Tokens of all texts, or of the hint if there are no texts.
    tokens: int
    #: Budget of the answer in tokens; None if the answer has no budget.
    budget: int | None
    texts: tuple[AnswerText, ...]
    #: Why there are no results, and what to try next; None if there are results.
    hint: str | None
    #: Number of ranked symbols; 0 for a lookup.
    total_candidates: int = 0
    search_time_ms: float = 0.0


def described(graph: GraphDatabase, results: Sequence[RankedResult]) -> tuple[RankedResult, ...]:
    """Return the results with signatures and doc comments; results that are files stay unchanged."""
    details = symbols_of(graph).symbols(result.id for result in results if result.kind != "file")
    return tuple(
        replace(
            result,
            signature=shortened(details[result.id].signature, _MAX_TEXT_LENGTH),
            context=shortened(details[result.id].doc.split("\n\n")[0], _MAX_TEXT_LENGTH),
        )
        if result.id in details
        else result
        for result in results
    )


def empty_answer(query: str, hint: str, budget: int | None) -> SearchAnswer:
    """Return an answer without results."""
    return SearchAnswer(query, (), count_tokens(hint), budget, (), hint)


def assembled_answer(
    query: str,
    results: Sequence[RankedResult],
    graph_text: str,
    snapshots: Sequence[tuple[str, float]],
    budget: int | None,
) -> SearchAnswer:
    """Return an answer with a summary line. `snapshots` are the excerpts with their scores, best first."""
    characters = len(graph_text) + len("\n\n") + sum(len(text) for text, _ in snapshots)
    files = len({result.file for result in results})
    summary = summary_line(query, len(results), files, characters, budget)
    texts = [AnswerText(f"{summary}\n\n{graph_text}", 1.0)]
    for text, score in snapshots:
        texts.append(AnswerText(text, round(max(min(score, texts[-1].priority - _PRIORITY_STEP), 0.0), 3)))
    tokens = tokens_of_characters(sum(len(text.text) for text in texts))
    return SearchAnswer(query, tuple(results), tokens, budget, tuple(texts), None)


def noted(answer: SearchAnswer, notices: Sequence[str]) -> SearchAnswer:
    """Put the notices about the index at the top of the answer. The token count in the summary includes them."""
    if not notices:
        return answer
    head = "".join(f"{notice}\n\n" for notice in notices)
    if not answer.texts:
        hint = head + (answer.hint or "")
        return replace(answer, hint=hint, tokens=count_tokens(hint))
    first, *others = answer.texts
    graph_text = first.text.split("\n\n", 1)[1]
    files = len({result.file for result in answer.results})
    characters = len(head) + len("\n\n") + len(graph_text) + sum(len(text.text) for text in others)
    summary = summary_line(answer.query, len(answer.results), files, characters, answer.budget)
    texts = (replace(first, text=f"{head}{summary}\n\n{graph_text}"), *others)
    return replace(answer, tokens=tokens_of_characters(sum(len(text.text) for text in texts)), texts=texts)
