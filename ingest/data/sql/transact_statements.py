"""Find the statements in a batch of Transact-SQL, where semicolons between statements are optional.

The source of the rules is the syntax of each statement in the reference of Transact-SQL.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from .tokens import Kind, Token, tokens_of

_VERBS: Final = frozenset(("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE"))
#: Reserved words that end a statement which uses tables, because none of its clauses begins with them.
_ENDS: Final = frozenset(
    (
        "ALTER", "BEGIN", "BREAK", "CLOSE", "COMMIT", "CONTINUE", "CREATE", "DEALLOCATE", "DECLARE", "DENY", "DROP", "ELSE",
        "END", "EXEC", "EXECUTE", "GOTO", "GRANT", "IF", "OPEN", "PRINT", "RAISERROR", "RETURN", "REVOKE", "ROLLBACK", "SAVE",
        "THROW", "USE", "WAITFOR", "WHILE",
    )
)  # fmt: skip
#: Words before a verb that is a part of the statement around it.
_JOINING: Final = frozenset(("UNION", "ALL", "EXCEPT", "INTERSECT", "THEN", "FOR", "AFTER", "OF", "ON"))
#: Words before a keyword that is a name: `t.end`, `1 AS open`.
_NAMING: Final = frozenset((".", "AS"))
#: Words behind a verb that begins no statement: `UPDATE STATISTICS t`, `GRANT SELECT ON t`, `ON DELETE CASCADE`.
_NO_TARGETS: Final = frozenset(("STATISTICS", "ON", ",", "AS", "CASCADE", "NO", "RESTRICT", "SET"))
#: Words before hints in parentheses.
_HINTS: Final = frozenset(("WITH", "OPTION"))
#: Signs before the `=` of an assignment that also computes.
_OPERATORS: Final = frozenset(("+", "-", "*", "/", "%", "&", "|", "^"))


def _without_hints(text: str, tokens: Sequence[Token]) -> str:
    """Return a batch in which blanks replace what sqlglot does not read: hints (`WITH (…)`, `OPTION (…)`), and the first sign of
    `+=`.
    """
    parts: list[str] = []
    copied = depth = opened = 0
    for at, token in enumerate(tokens):
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        start = end = -1
        if opened:
            depth += (token.word == "(") - (token.word == ")")
            if depth == 0 and token.word == ")":
                start, end, opened = copied, token.end, 0
        elif after is None:
            break
        elif token.word in _HINTS and after.word == "(":
            parts.append(text[copied : token.start])
            copied, opened = token.start, 1
        elif token.word in _OPERATORS and after.word == "=" and after.start == token.end:
            parts.append(text[copied : token.start])
            start, end = token.start, token.end
        if start >= 0:
            parts.append(" " * (end - start))
            copied = end
    parts.append(text[copied:])
    return "".join(parts)


class _Batch:
    def __init__(self, text: str) -> None:
        self._tokens = [token for token in tokens_of(text) if token.kind != Kind.COMMENT]
        self._text = _without_hints(text, self._tokens)
        #: Offset of the open statement; -1 if there is none.
        self._start = -1
        #: The verbs and clauses of the open statement that may occur once.
        self._seen: set[str] = set()
        self._cases = 0

    def statements(self) -> Iterator[tuple[int, str]]:
        depth = 0
        for at, token in enumerate(self._tokens):
            word = token.word
            if word in ("(", ")"):
                depth = max(depth + (1 if word == "(" else -1), 0)
                continue
            if depth or not word or self._word(at - 1) in _NAMING or self._is_of_case(word):
                continue
            if self._start >= 0 and self._ends(at, word):
                yield self._start, self._statement(token.start, word)
                self._start = -1
            if self._start < 0 and self._begins(at, word):
                self._start, self._seen = token.start, set()
            self._seen.add(word)
        if self._start >= 0:
            yield self._start, self._statement(len(self._text), "")

    def _word(self, at: int) -> str:
        return self._tokens[at].word if 0 <= at < len(self._tokens) else ""

    def _is_of_case(self, word: str) -> bool:
        """Return whether a word belongs to an expression with CASE."""
        if word == "CASE":
            self._cases += 1
        elif word == "END" and self._cases:
            self._cases -= 1
            return True
        return self._cases > 0

    def _begins(self, at: int, word: str) -> bool:
        if word == "WITH":
            return self._is_named_query(at)
        after = self._word(at + 1)
        return word in _VERBS and after not in _NO_TARGETS and not (word == "UPDATE" and after == "(")

    def _is_named_query(self, at: int) -> bool:
        """Return whether `WITH` begins common table expressions, and not hints or namespaces."""
        name = self._tokens[at + 1] if at + 1 < len(self._tokens) else None
        is_name = name is not None and name.is_name and name.text.upper() != "XMLNAMESPACES"
        return is_name and self._word(at + 2) in ("AS", "(")

    def _ends(self, at: int, word: str) -> bool:
        """Return whether the open statement ends before a word."""
        if word == ";" or word in _ENDS:
            return True
        if word == "FETCH":
            return self._word(at - 1) not in ("ROW", "ROWS")
        if word == "SET":
            return "UPDATE" not in self._seen or ("SET" in self._seen and "MERGE" not in self._seen)
        if word == "WITH":
            return self._is_named_query(at)
        if word not in _VERBS or self._word(at - 1) in _JOINING:
            return False
        if word == "SELECT" and "INSERT" in self._seen:
            return bool(self._seen & {"SELECT", "VALUES"})
        return not ("WITH" in self._seen and not self._seen & _VERBS)

    def _statement(self, end: int, word: str) -> str:
        text = self._text[self._start : end].rstrip()
        # The rows come from a procedure, whose columns are not known.
        is_headless = "INSERT" in self._seen and word in ("EXEC", "EXECUTE") and not self._seen & {"SELECT", "VALUES"}
        return f"{text} VALUES (NULL)" if is_headless else text


def transact_statements(batch: str) -> Iterator[tuple[int, str]]:
    """Yield each statement that uses tables with its offset in the batch."""
    return _Batch(batch).statements()
