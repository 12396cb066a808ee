"""Tokens of languages with braces, for contracts in GraphQL SDL and protobuf."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from .declarations import ContractSyntaxError


class Token(NamedTuple):
    """A token. Kinds are `name`, `text` (quoted), `comment`, `unclosed` with the reason as text, or the character itself."""

    kind: str
    text: str
    #: First and last line, and the offsets in the text.
    line: int
    end_line: int
    start: int
    end: int


#: Each language adds the pattern of its comments. Texts in three quotes are tried before other texts.
_REST = (
    r"|(?P<long>\"\"\"(?:[^\"\\]|\\.|\"(?!\"\"))*(?:\"\"\"|\Z))|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    r"|(?P<name>[\w$.-]+)|(?P<other>.)"
)

#: Lengths of an empty text in three quotes and of an empty comment.
_MIN_LONG: Final = 6
_MIN_COMMENT: Final = 4


def pattern_of_tokens(comment: str) -> re.Pattern[str]:
    """Return the pattern of all tokens of a language with the given pattern of comments."""
    return re.compile(rf"(?P<skip>[\s,\ufeff]+)|(?P<comment>{comment}){_REST}", re.DOTALL)


def tokens_of(text: str, pattern: re.Pattern[str]) -> list[Token]:
    """Return the tokens of a text without space and commas. An unclosed token is the last token, and has the kind `unclosed`."""
    tokens: list[Token] = []
    line = 1
    for match in pattern.finditer(text):
        kind = match.lastgroup or "other"
        taken = match[0]
        last = line + taken.count("\n")
        place = (line, last, match.start(), match.end())
        unclosed = _unclosed(kind, taken)
        if unclosed:
            tokens.append(Token("unclosed", unclosed, *place))
            break
        if kind == "long":
            tokens.append(Token("text", taken[3:-3].strip(), *place))
        elif kind == "text":
            tokens.append(Token("text", taken[1:-1], *place))
        elif kind in ("name", "comment"):
            tokens.append(Token(kind, taken, *place))
        elif kind == "other":
            tokens.append(Token(taken, taken, *place))
        line = last
    return tokens


def _unclosed(kind: str, taken: str) -> str:
    """Return the message about the missing end of a token, or an empty text."""
    if kind == "long":
        return "" if len(taken) >= _MIN_LONG and taken.endswith('"""') else "the quoted text has no end"
    if kind == "comment" and taken.startswith("/*"):
        return "" if len(taken) >= _MIN_COMMENT and taken.endswith("*/") else "the comment has no end"
    return "the quoted text has no end" if kind == "other" and taken == '"' else ""


class TokenReader:
    """Reads tokens one after the other. Comments are collected separately."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = [token for token in tokens if token.kind != "comment"]
        self._at = 0
        #: Comments that begin a line, by the number of their last line.
        self._comments: dict[int, Token] = {}
        last = 0
        for token in tokens:
            if token.kind == "comment" and token.line > last:
                self._comments[token.end_line] = token
            last = token.end_line

    @property
    def at(self) -> int:
        """The number of the next token."""
        return self._at

    @property
    def last(self) -> Token | None:
        """The token that was read last."""
        return self._tokens[self._at - 1] if self._at else None

    def token(self, number: int) -> Token:
        """Return a token by its number."""
        return self._tokens[number]

    def comments_above(self, number: int) -> list[Token]:
        """Return the comments directly above a token that begins its line, in source order."""
        line = self._tokens[number].line
        if number and self._tokens[number - 1].end_line == line:
            return []
        found: list[Token] = []
        while (comment := self._comments.get(line - 1)) is not None:
            found.append(comment)
            line = comment.line
        return found[::-1]

    @property
    def is_done(self) -> bool:
        """Whether no token is left."""
        return self._at >= len(self._tokens)

    @property
    def kind(self) -> str:
        """The kind of the next token, or "" at the end."""
        return "" if self.is_done else self._tokens[self._at].kind

    @property
    def text(self) -> str:
        """The text of the next token, or "" at the end."""
        return "" if self.is_done else self._tokens[self._at].text

    @property
    def line(self) -> int:
        """The line of the next token; at the end, the line of the last token."""
        return self._tokens[min(self._at, len(self._tokens) - 1)].line if self._tokens else 1

    def next(self) -> Token:
        """Move past a token and return it. Raises ContractSyntaxError at the end of the text, and at a token without an end."""
        if self.is_done:
            raise ContractSyntaxError(self.line, "the file ends too early")
        if self.kind == "unclosed":
            raise ContractSyntaxError(self.line, self.text)
        self._at += 1
        return self._tokens[self._at - 1]

    def drop(self) -> None:
        self._at += 1

    def take(self, kind: str) -> bool:
        """Move past a token of a kind if it is next."""
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
        """Move past a token of a kind. Raises ContractSyntaxError if another token is next."""
        if self.kind not in (kind, "unclosed"):
            raise ContractSyntaxError(self.line, f"expected {what}, but found {self.text[:40] or 'the end'!r}")
        return self.next()

    def skip_group(self, opening: str, closing: str) -> None:
        """Move past a group in brackets, if a group is next."""
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
