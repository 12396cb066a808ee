"""Tokens of languages with braces, for contracts in GraphQL SDL and protobuf."""

from __future__ import annotations

import re
from typing import NamedTuple

from .records import ContractSyntaxError


class Token(NamedTuple):
    """A token: `name`, `text` for what is quoted, or the character itself."""

    kind: str
    text: str
    line: int


#: A language gives the pattern of its comments; texts of three quotes come before the others.
_REST = (
    r"|(?P<long>\"\"\"(?:[^\"\\]|\\.|\"(?!\"\"))*\"\"\")|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    r"|(?P<name>[\w$.-]+)|(?P<other>.)"
)


def pattern_of_tokens(comment: str) -> re.Pattern[str]:
    """Return the pattern of a language whose comments match a pattern."""
    return re.compile(rf"(?P<skip>[\s,\ufeff]+|{comment}){_REST}", re.DOTALL)


def tokens_of(text: str, pattern: re.Pattern[str]) -> list[Token]:
    """Return the tokens of a text without space, commas and comments.

    Raises ContractSyntaxError if a quoted text has no end.
    """
    tokens: list[Token] = []
    line = 1
    for match in pattern.finditer(text):
        kind = match.lastgroup
        taken = match[0]
        if kind == "long":
            tokens.append(Token("text", taken[3:-3].strip(), line))
        elif kind == "text":
            tokens.append(Token("text", taken[1:-1], line))
        elif kind == "name":
            tokens.append(Token("name", taken, line))
        elif kind == "other":
            if taken == '"':
                raise ContractSyntaxError(line, "the quoted text has no end")
            tokens.append(Token(taken, taken, line))
        line += taken.count("\n")
    return tokens


class TokenReader:
    """Reads tokens one after the other."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._at = 0

    @property
    def is_done(self) -> bool:
        """Whether nothing is left."""
        return self._at >= len(self._tokens)

    @property
    def kind(self) -> str:
        """The kind of the next token, or an empty text at the end."""
        return "" if self.is_done else self._tokens[self._at].kind

    @property
    def text(self) -> str:
        """The text of the next token, or an empty text at the end."""
        return "" if self.is_done else self._tokens[self._at].text

    @property
    def line(self) -> int:
        """The line of the next token, or of the last one at the end."""
        return self._tokens[min(self._at, len(self._tokens) - 1)].line if self._tokens else 1

    def next(self) -> Token:
        """Move past a token and return it."""
        if self.is_done:
            raise ContractSyntaxError(self.line, "the file ends too early")
        self._at += 1
        return self._tokens[self._at - 1]

    def take(self, kind: str) -> bool:
        """Move past a token of a kind if it stands here."""
        if self.kind != kind:
            return False
        self._at += 1
        return True

    def take_word(self, *words: str) -> str:
        """Move past a name if it is one of the words, and return it; else return an empty text."""
        if self.kind == "name" and self.text in words:
            return self.next().text
        return ""

    def expect(self, kind: str, what: str) -> Token:
        """Move past a token of a kind.

        Raises ContractSyntaxError if another one stands here.
        """
        if self.kind != kind:
            raise ContractSyntaxError(self.line, f"expected {what}, but found {self.text[:40] or 'the end'!r}")
        return self.next()

    def skip_group(self, opening: str, closing: str) -> None:
        """Move past a group in brackets, if one begins here."""
        if self.kind != opening:
            return
        line = self.line
        depth = 0
        while not self.is_done:
            kind = self.next().kind
            depth += (kind == opening) - (kind == closing)
            if not depth:
                return
        raise ContractSyntaxError(line, f"`{opening}` has no `{closing}`")
