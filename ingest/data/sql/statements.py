"""Divide a SQL file into statements by its tokens, before the statements are parsed."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import Final, NamedTuple

from .dialects import dialect_of, has_backslashes
from .tokens import Kind, Token, tokens_of


class Statement(NamedTuple):
    """A statement of a file, without comments. Offsets are in characters."""

    tokens: list[Token]
    start: int
    end: int
    #: The comment directly before the statement, without comment markers.
    comment: str
    #: Beginning of the comment; `start` if there is none.
    comment_start: int
    #: Whether the statement reverts a migration.
    is_down: bool


#: Rows of data, up to the end of their statement.
_ROWS: Final = re.compile(r"(?:[^;'\"`\-/]++|'(?:[^'\\]++|''|\\.)*+'|\"[^\"]*+\"|`[^`]*+`|--[^\n]*+|[-/])*+", re.DOTALL)
_STANDARD_ROWS: Final = re.compile(r"(?:[^;'\"`\-/]++|'(?:[^']++|'')*+'|\"[^\"]*+\"|`[^`]*+`|--[^\n]*+|[-/])*+", re.DOTALL)
#: Comments that mark the following statements as applying or as reverting a migration.
_DIRECTION: Final = re.compile(r"--\s*(?:\+goose|\+migrate|migrate:|\+micrate|@)\s*(up|down|undo)\b", re.IGNORECASE)
_DELIMITER: Final = re.compile(r"[ \t]*(\S+)[ \t]*(?:\n|$)")
_ROUTINES: Final = frozenset(("TRIGGER", "PROCEDURE", "FUNCTION", "PROC", "EVENT", "TASK", "PACKAGE"))
#: Words after END that close a block without a counted opening word.
_UNCOUNTED_ENDS: Final = frozenset(("IF", "LOOP", "WHILE", "REPEAT", "FOR"))
#: Number of tokens at the beginning of a statement that decide whether it creates a routine.
_HEAD: Final = 14


def statements_of(text: str, dialect: str | None = None) -> Iterator[Statement]:
    """Yield the statements of a file. Rows that follow `COPY … FROM stdin` or `VALUES` have no tokens.

    `dialect` is the known dialect of the text, or "". Without it, the dialect follows from the syntax of the text.
    """
    yield from _Division(text, dialect_of(text) if dialect is None else dialect).statements()


class _Division:
    def __init__(self, text: str, dialect: str) -> None:
        self._text = text
        self._backslashes = has_backslashes(text, dialect)
        self._is_down = False
        self._delimiter = ""
        #: Closing delimiters that do not occur in the rest of the text.
        self._missing: set[str] = set()

    def statements(self) -> Iterator[Statement]:
        at = 0
        while at >= 0:
            at = yield from self._statements_from(at)

    def _statements_from(self, at: int) -> Generator[Statement, None, int]:
        """Yield statements up to an offset at which tokenizing must start again. Return the offset, or -1 at the end."""
        text = self._text
        tokens: list[Token] = []
        comments: list[Token] = []
        depth = nesting = 0
        is_routine = is_rule = False
        for token in tokens_of(text, at, backslashes=self._backslashes, missing=self._missing):
            if token.kind == Kind.COMMENT:
                if (direction := _DIRECTION.match(token.text)) is not None:
                    self._is_down = direction[1].lower() != "up"
                    comments.clear()
                elif not tokens:
                    comments.append(token)
                continue
            word = token.word
            if not tokens:
                if token.text == "\\" or word == "DELIMITER":
                    if word and (named := _DELIMITER.match(text, token.end)) is not None:
                        self._delimiter = "" if named[1] == ";" else named[1]
                    return self._line_end(token.start)
                if word == ";" or (word == "GO" and self._is_line(token)):
                    comments.clear()
                    continue
                is_routine = is_rule = False
            elif word == "GO" and self._is_line(token):
                yield self._statement(tokens, comments)
                return token.end
            if self._delimiter and token.text[:1] == self._delimiter[:1] and text.startswith(self._delimiter, token.start):
                if tokens:
                    yield self._statement(tokens, comments)
                return token.start + len(self._delimiter)
            if word == ";" and nesting <= 0 and not self._delimiter:
                yield self._statement(tokens, comments)
                after = self._after_copy(tokens, token.end)
                if after is not None:
                    return after
                tokens, comments, depth, nesting = [], [], 0, 0
                continue
            tokens.append(token)
            if word == "(":
                depth += 1
                nesting += is_rule  # several statements in the parentheses of a rule
            elif word == ")":
                depth -= 1
                nesting -= is_rule
            elif word == ";":
                depth = 0
            elif token.kind == Kind.WORD:
                if len(tokens) <= _HEAD and word in _ROUTINES and tokens[0].word in ("CREATE", "ALTER"):
                    is_routine = True
                elif word == "RULE" and tokens[0].word == "CREATE" and tokens[-2].word in ("CREATE", "REPLACE"):
                    is_rule = True
                elif is_routine and word in ("BEGIN", "CASE") and tokens[-2].word != "END":
                    nesting += 1
                elif is_routine and word == "END":
                    nesting -= 1
                elif is_routine and word in _UNCOUNTED_ENDS and tokens[-2].word == "END":
                    nesting += 1
                elif word == "VALUES" and tokens[0].word in ("INSERT", "REPLACE") and depth == 0:
                    return (yield from self._rows(tokens, comments, token.end))
        if tokens:
            yield self._statement(tokens, comments)
        return -1

    def _rows(self, tokens: list[Token], comments: list[Token], at: int) -> Generator[Statement, None, int]:
        """Yield a statement with rows of data, and return its end.

        Tokens of short rows are read, because they may contain queries.
        """
        rows = _ROWS if self._backslashes else _STANDARD_ROWS
        match = rows.match(self._text, at)
        end = match.end() if match is not None else at
        if end < len(self._text) and self._text[end] != ";":
            end = len(self._text)  # a string that is not closed
        if end - at < 4_000:
            inner = tokens_of(self._text, at, end, backslashes=self._backslashes)
            tokens += [token for token in inner if token.kind != Kind.COMMENT]
        yield self._statement(tokens, comments)._replace(end=end)
        return end + 1

    def _statement(self, tokens: list[Token], comments: list[Token]) -> Statement:
        near = self._comments_above(comments, tokens[0].start)
        comment = "\n".join(_comment_text(token.text) for token in near).strip()
        start = tokens[0].start
        return Statement(tokens, start, tokens[-1].end, comment, near[0].start if near else start, self._is_down)

    def _comments_above(self, comments: list[Token], start: int) -> list[Token]:
        """Return the comments directly above a statement, without a blank line between."""
        kept = len(comments)
        while kept and self._text.count("\n", comments[kept - 1].end, start) <= 1:
            kept -= 1
            start = comments[kept].start
        return comments[kept:]

    def _after_copy(self, tokens: list[Token], end: int) -> int | None:
        if tokens[0].word != "COPY" or not any(token.word == "STDIN" for token in tokens):
            return None
        closed = self._text.find("\n\\.", end)
        return len(self._text) if closed < 0 else self._line_end(closed + 1)

    def _line_end(self, at: int) -> int:
        end = self._text.find("\n", at)
        return len(self._text) if end < 0 else end + 1

    def _is_line(self, token: Token) -> bool:
        before, end = self._text.rfind("\n", 0, token.start) + 1, self._line_end(token.end)
        return end - before < 40 and self._text[before:end].strip(" \t\r\n;").upper() == "GO"


def _comment_text(comment: str) -> str:
    lines = comment.removeprefix("/*").removesuffix("*/").splitlines()
    return "\n".join(line.strip().lstrip("-#*!").strip() for line in lines).strip()
