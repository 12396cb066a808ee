"""Completions of a Cypher statement, from the schema of the graph and the allowed functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ....graphdb.guard.cypher_tokens import Token, tokenize
from ....graphdb.guard.statement_guard import CLAUSES, FUNCTIONS, TABLE_FUNCTIONS
from ....schema import ddl
from ....schema.errors import QueryRejected
from .completion import Completion, Completions, matching

_WORD = re.compile(r"\w*\Z")
#: Words that can follow an operand, with the clauses first.
_CONTINUING = (
    *("WHERE", "ORDER BY", "SKIP", "LIMIT", "AS", "AND", "OR", "XOR", "NOT", "IN", "DISTINCT"),
    *("CONTAINS", "STARTS WITH", "ENDS WITH", "IS NULL", "IS NOT NULL", "CASE", "WHEN", "THEN", "ELSE", "END"),
    *("ASC", "DESC", "UNION", "EXISTS"),
)
_KEYWORDS = ("MATCH", "OPTIONAL MATCH", "RETURN", "WITH", "UNWIND", "CALL", *_CONTINUING)
_NAMES = ("word", "quoted")


def cypher_completions(text: str, cursor: int, parameters: Iterable[str] = ()) -> Completions:
    """Return the completions at the cursor of a statement.

    `cursor` is an offset in characters. `parameters` are the names that may follow `$`. Strings, comments and numbers have no
    completions.
    """
    before = text[:cursor]
    word = _WORD.search(before)
    start = word.start() if word is not None else cursor
    try:
        tokens = tokenize(before[:start].removesuffix("$"))
    except QueryRejected:
        return Completions(cursor, ())
    typed = before[start:]
    if typed[:1].isdigit():
        return Completions(cursor, ())
    if before[:start].endswith("$"):
        return matching(typed, start, (Completion(name, "parameter") for name in parameters))
    return matching(typed, start, _candidates(tokens, _bound(_readable(text))))


def _readable(text: str) -> list[Token]:
    """Return the tokens of a statement, or of its longest prefix that consists of valid tokens."""
    try:
        return tokenize(text)
    except QueryRejected as error:
        position = error.position or 0
        return tokenize(text[:position])


def _candidates(tokens: Sequence[Token], bound: Mapping[str, set[str]]) -> Iterator[Completion]:
    last = tokens[-1] if tokens else None
    bracket = _open_bracket(tokens)
    if last is not None and last.text == "." and len(tokens) > 1 and tokens[-2].kind in _NAMES:
        yield from _properties(bound.get(tokens[-2].text, set()))
    elif last is not None and last.text in (":", "|") and bracket is not None and _is_pattern(tokens, bracket):
        yield from _edges(tokens, bracket, bound) if tokens[bracket].text == "[" else _labels()
    elif last is not None and bracket is not None and tokens[bracket].text == "{" and last.text in ("{", ","):
        yield from _properties(_labels_before(tokens, bracket))
    elif last is not None and last.keyword == "CALL":
        yield from (Completion(name.lower(), "function") for name in sorted(TABLE_FUNCTIONS))
    else:
        yield from (Completion(name, "variable", " or ".join(sorted(labels))) for name, labels in bound.items())
        if last is None or last.text == ";":
            yield from (Completion(word, "keyword") for word in _KEYWORDS if word.split()[0] in CLAUSES)
        else:
            yield from (Completion(word, "keyword") for word in _KEYWORDS)
            yield from (Completion(name.lower(), "function") for name in sorted(FUNCTIONS))


def _open_bracket(tokens: Sequence[Token]) -> int | None:
    """Return the index of the token of the innermost bracket that is open at the end."""
    open_: list[int] = []
    for position, token in enumerate(tokens):
        if token.kind == "symbol" and token.text in "([{":
            open_.append(position)
        elif token.kind == "symbol" and token.text in ")]}" and open_:
            open_.pop()
    return open_[-1] if open_ else None


def _is_pattern(tokens: Sequence[Token], bracket: int) -> bool:
    """Return whether an opening bracket begins a pattern: only a variable and labels follow it."""
    return tokens[bracket].text in "([" and all(
        token.kind in _NAMES or token.text in (":", "|") for token in tokens[bracket + 1 :]
    )


def _labels_before(tokens: Sequence[Token], bracket: int) -> set[str]:
    found: set[str] = set()
    for token in reversed(tokens[:bracket]):
        if token.kind in _NAMES:
            found.add(token.text)
        elif token.text not in (":", "|"):
            break
    return found & set(ddl.all_tables())


def _bound(tokens: Sequence[Token]) -> dict[str, set[str]]:
    """Return the variables in patterns of a statement, with the possible labels or kinds of edges of each."""
    found: dict[str, set[str]] = {}
    for position, token in enumerate(tokens):
        if token.kind != "symbol" or token.text not in "([" or position + 1 >= len(tokens):
            continue
        name = tokens[position + 1]
        if name.kind not in _NAMES:
            continue
        at, labels = position + 2, set[str]()
        while at + 1 < len(tokens) and tokens[at].text in (":", "|") and tokens[at + 1].kind in _NAMES:
            labels.add(tokens[at + 1].text)
            at += 2
        if labels & set(ddl.all_tables()):
            found.setdefault(name.text, set()).update(labels & set(ddl.all_tables()))
    return found


def _labels() -> Iterator[Completion]:
    return (Completion(table.name, "label", table.comment) for table in ddl.all_tables().values() if table.kind == "node")


def _edges(tokens: Sequence[Token], bracket: int, bound: Mapping[str, set[str]]) -> list[Completion]:
    """Return the kinds of edges. Kinds that are possible for the node before the bracket come first."""
    near = _node_before(tokens, bracket, bound)
    tables = [table for table in ddl.all_tables().values() if table.kind == "rel"]
    ordered = sorted(tables, key=lambda table: not any(near & set(ends) for ends in table.connections))
    return [Completion(table.name, "edge", table.comment) for table in ordered]


def _node_before(tokens: Sequence[Token], bracket: int, bound: Mapping[str, set[str]]) -> set[str]:
    """Return the labels of the node pattern that ends before an edge."""
    at = bracket - 1
    while at >= 0 and tokens[at].text in ("-", "<"):
        at -= 1
    if at < 0 or tokens[at].text != ")":
        return set()
    names: set[str] = set()
    while at > 0 and tokens[at].text != "(":
        at -= 1
        if tokens[at].kind in _NAMES:
            names.add(tokens[at].text)
    return (names | {label for name in names for label in bound.get(name, ())}) & set(ddl.all_tables())


def _properties(labels: set[str]) -> Iterator[Completion]:
    tables = [table for name, table in ddl.all_tables().items() if not labels or name in labels]
    for table in tables:
        for prop in table.properties:
            yield Completion(prop.name, "property", f"{prop.type} of {table.name}{f': {prop.comment}' if prop.comment else ''}")
