"""Find the statements in the body of a function, a procedure or a trigger."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .tokens import tokens_of

#: Words behind a `WITH` that begins no statement: `timestamp with time zone`, `RECONFIGURE WITH OVERRIDE`.
_OPTIONS: Final = frozenset(("TIME", "OVERRIDE", "NOWAIT"))
#: Maximum number of characters from the beginning of `WITH` to such a word.
_NEAR: Final = 10
_VERBS: Final = frozenset(("SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "PERFORM", "MERGE", "TRUNCATE"))


def statements_of_routine(body: str) -> Iterator[tuple[int, str]]:
    """Yield each statement that uses tables, from its verb to its semicolon, with its offset in the body."""
    start = -1
    opening = ""
    depth = 0
    for token in tokens_of(body):
        word = token.word
        if start < 0 and word in _VERBS:
            start, opening, depth = token.start, word, 0
        elif opening == "WITH" and word in _OPTIONS and start >= 0 and token.start - start <= _NEAR:
            start = -1
        elif start >= 0:
            depth += (word == "(") - (word == ")")
            if word == ";" or depth < 0 or (word in ("LOOP", "THEN") and depth == 0 and opening == "SELECT"):
                text = body[start : token.start]
                yield start, "SELECT" + text[7:] if opening == "PERFORM" else text
                start = -1
    if start >= 0:
        yield start, body[start:].rstrip().removesuffix("END").rstrip()
