"""Messages about the errors of a tree: the place where the parser gave up, and the next text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tree_sitter import Node

from .....schema.records import Problem
from .containment import Culprit

#: Maximum number of listed problems; one more entry counts the rest.
MAX_PROBLEMS: Final = 20
#: Maximum number of bytes of source that a problem quotes.
_MAX_QUOTE_LENGTH: Final = 60
_NAME_NODES: Final = frozenset(
    {"identifier", "property_identifier", "type_identifier", "statement_identifier", "private_property_identifier"}
)


def syntax_problems(data: bytes, errors: Sequence[Node], culprits: Sequence[Culprit]) -> list[Problem]:
    """Return a problem for each line with an error, in order, at most `MAX_PROBLEMS` and one that counts the rest.

    `errors` are the ERROR and MISSING nodes of a tree, outer ones first. A culprit is reported at its first error. Problems quote
    text from `data`.
    """
    culprit_starts = {culprit.start for culprit in culprits}
    problems = [_unexpected(data, culprit.error, data.count(b"\n", 0, culprit.error)) for culprit in culprits]
    for node in _innermost(errors):
        if node.is_missing:
            problems.append(_missing(node))
        elif node.start_byte not in culprit_starts:
            place = _first_stray_token(node)
            problems.append(_unexpected(data, place.start_byte, place.start_point.row))
    by_line = {problem.line: problem for problem in reversed(problems)}
    ordered = sorted(by_line.values(), key=lambda problem: problem.line)
    more = len(ordered) - MAX_PROBLEMS
    if more > 0:
        rest = Problem(ordered[MAX_PROBLEMS].line, f"and {more} more lines with syntax errors, from here on")
        return [*ordered[:MAX_PROBLEMS], rest]
    return ordered


def _innermost(errors: Sequence[Node]) -> Iterator[Node]:
    """Yield the innermost errors. An outer error shows only that there is an error inside it."""
    for index, node in enumerate(errors, 1):
        if index == len(errors) or errors[index].start_byte >= node.end_byte:
            yield node


def _first_stray_token(error: Node) -> Node:
    return next((child for child in error.children if child.child_count == 0 and not child.is_extra), error)


def _missing(node: Node) -> Problem:
    kind = "a name" if node.type in _NAME_NODES else f"`{node.type}`"
    return Problem(node.start_point.row + 1, f"missing {kind}")


def _unexpected(data: bytes, offset: int, row: int) -> Problem:
    """Return the problem at an offset. `row` is counted from 0."""
    rest = data[offset : offset + _MAX_QUOTE_LENGTH]
    code = rest.lstrip()
    row += rest.count(b"\n", 0, len(rest) - len(code))
    quote = " ".join(code.split(b"\n", 1)[0].decode("utf-8", "ignore").split())
    return Problem(row + 1, f"syntax error near `{quote}`" if quote else "syntax error")
