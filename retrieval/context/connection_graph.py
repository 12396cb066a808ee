"""The connection graph: the text at the beginning of an answer that describes how the results are connected.

The text has a topology, patterns, and the details of each result. A single result needs neither topology nor patterns, because
its details list its calls and callers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...schema.symbol_kinds import MEMBER_KINDS
from ..text.tokens import lines_that_fit, tokens_of_characters
from ..text.words import one_line
from .details_section import INDENT, detail_block
from .graph_section import chain_lines, read_topology, tree_lines
from .patterns_section import chain_edges, pattern_lines, result_graph
from .result_context import ResultStructure

#: Maximum number of characters of the query in the summary line.
MAX_QUERY_LENGTH = 80


def connection_graph(results: Sequence[ResultStructure], *, notes: Sequence[str] = ()) -> str:
    """Return the connection graph of one or more results, without the summary line. The notes are its last lines."""
    sections = _single(results[0]) if len(results) == 1 else _several(results)
    if notes:
        sections.append(list(notes))
    return "\n\n".join("\n".join(lines) for lines in sections if lines)


def first_details(text: str, characters: int) -> str:
    """Return as many lines of a connection graph as fit, at least one, and a line with the number of missing lines."""
    lines = text.split("\n")
    shown = lines_that_fit(lines, characters - len(_missing(len(lines))))
    shown = max(shown, 1)
    return "\n".join([*lines[:shown], _missing(len(lines) - shown)])


def _missing(lines: int) -> str:
    return f"{INDENT}… {lines} more line{'' if lines == 1 else 's'} beyond the token budget"


def _single(result: ResultStructure) -> list[list[str]]:
    trees = tree_lines(read_topology([result])) if result.call_tree or result.caller_tree else []
    return [["Graph:", *trees] if trees else [], detail_block(result, None)]


def _several(results: Sequence[ResultStructure]) -> list[list[str]]:
    topology = read_topology(results)
    graph = result_graph(topology)
    has_trees = any(result.call_tree for result in results)
    topology_lines = tree_lines(topology) if has_trees else chain_lines(topology, chain_edges(topology, graph))
    patterns = pattern_lines(topology, graph)
    details = [detail_block(result, place + 1) for place, result in enumerate(_with_heritage_once(results))]
    return [["Graph:", *topology_lines], ["Patterns:", *patterns] if patterns else [], *details]


def _with_heritage_once(results: Sequence[ResultStructure]) -> Iterator[ResultStructure]:
    """Yield the results; only the first result of a class keeps the types that the class extends and implements."""
    seen: set[tuple[str, str]] = set()
    for result in results:
        owner = result.symbol.label if result.symbol.kind in MEMBER_KINDS else result.symbol.label.rpartition(".")[0]
        is_known = owner != result.symbol.label and (result.symbol.path, owner) in seen
        seen.add((result.symbol.path, owner))
        yield replace(result, extends=(), implements=()) if is_known else result


def summary_line(query: str, results: int, files: int, characters: int, budget: int | None) -> str:
    """Return `Search: "…" | 5 results across 4 files | 3,240/8,000 tokens`.

    `characters` is the length of the rest of the answer. The shown number of tokens includes this line.
    """
    shown = one_line(query)
    shown = shown if len(shown) <= MAX_QUERY_LENGTH else shown[: MAX_QUERY_LENGTH - 1] + "…"
    across = f" across {files} file{'' if files == 1 else 's'}" if results > 1 else ""
    head = f'Search: "{shown}" | {results} result{"" if results == 1 else "s"}{across} | '
    tail = " tokens" if budget is None else f"/{budget:,} tokens"
    line = head + "0" + tail
    # The digits of the number of tokens count, too. The number is stable after two or three iterations.
    while (counted := f"{head}{tokens_of_characters(characters + len(line)):,}{tail}") != line:
        line = counted
    return line
