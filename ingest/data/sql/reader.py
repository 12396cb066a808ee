"""Read the tokens of one statement in order: words, names, parentheses, expressions."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from ...facts.data import ObjectName
from .tokens import Kind, Token

_END: Final = Token(Kind.SIGN, "", 0, 0)


class TokenReader:
    """Reads the tokens of a statement from a current position. Past the end, the next token has no text."""

    def __init__(self, text: str, tokens: list[Token], *, folds: bool) -> None:
        """`folds` is true if names without quotes become lower case, as in PostgreSQL."""
        self.text = text
        self.tokens = tokens
        self.at = 0
        self._folds = folds

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.at] if self.at < len(self.tokens) else _END

    @property
    def word(self) -> str:
        """The next token in upper case if it is a word or a sign."""
        return self.token.word

    @property
    def has_more(self) -> bool:
        """Whether tokens are left."""
        return self.at < len(self.tokens)

    def peek(self, ahead: int) -> str:
        """Return the word that is `ahead` tokens after the next token; "" past the end."""
        place = self.at + ahead
        return self.tokens[place].word if place < len(self.tokens) else ""

    def skip(self, *words: str) -> bool:
        """Skip some words if they are next, in order. Return whether they are."""
        for ahead, word in enumerate(words):
            if self.peek(ahead) != word:
                return False
        self.at += len(words)
        return True

    def skip_any(self, words: Collection[str]) -> str:
        """Skip and return the next word if it is one of `words`; otherwise return ""."""
        word = self.word
        if word in words:
            self.at += 1
            return word
        return ""

    def name(self) -> str:
        """Read an identifier; "" if none is next."""
        token = self.token
        if not token.is_name:
            return ""
        self.at += 1
        return self.folded(token)

    def folded(self, token: Token) -> str:
        """Return the name in a token."""
        return token.text.lower() if self._folds and token.kind == Kind.WORD else token.text

    def object_name(self) -> ObjectName | None:
        """Read a name with its schema; None if none is next. A database before the schema is left out."""
        parts: list[str] = []
        while self.token.is_name or self.token.kind == Kind.STRING:
            start = self.token.start
            part = self.name() or self._string()
            # BigQuery puts the whole path into accents: `project.harbour.boats`.
            parts += part.split(".") if self.text.startswith("`", start) else [part]
            if not self.skip("."):
                break
        if not parts:
            return None
        return ObjectName(parts[-1], parts[-2] if len(parts) > 1 else "")

    def _string(self) -> str:
        token = self.token
        self.at += 1
        return token.text.strip("'")

    def skip_group(self) -> tuple[int, int]:
        """Skip a group in parentheses, and return the start and the end (exclusive) of the tokens inside."""
        start = self.at + 1
        depth = 0
        while self.has_more:
            word = self.word
            self.at += 1
            if word in ("(", "["):
                depth += 1
            elif word in (")", "]"):
                depth -= 1
                if depth <= 0:
                    return start, self.at - 1
        return start, self.at

    def skip_listed(self) -> None:
        """Skip the rest of an item of a list in parentheses, and the comma behind it."""
        while self.has_more and self.word not in (",", ")"):
            self.skip_expression(())
            if self.has_more and self.word not in (",", ")"):
                self.at += 1
        self.skip(",")

    def skip_expression(self, stops: Collection[str]) -> tuple[int, int]:
        """Skip tokens up to a comma, a closing parenthesis or a stop word, and return their start and their end (exclusive)."""
        start = self.at
        while self.has_more:
            word = self.word
            if word in (",", ")") or (word in stops and self.at > start):
                break
            if word in ("(", "["):
                self.skip_group()
            elif word == "CASE":
                self._skip_case()
            else:
                self.at += 1
        return start, self.at

    def _skip_case(self) -> None:
        depth = 0
        while self.has_more:
            word = self.word
            self.at += 1
            depth += (word == "CASE") - (word == "END")
            if depth == 0:
                return

    def skip_item(self) -> None:
        """Skip to the next comma outside of parentheses, or to the end."""
        while self.has_more and self.word != ",":
            if self.word == "(":
                self.skip_group()
            else:
                self.at += 1

    def source(self, start: int, end: int) -> str:
        """Return the text of some tokens, with single blanks."""
        if start >= end:
            return ""
        return " ".join(self.text[self.tokens[start].start : self.tokens[end - 1].end].split())

    def columns(self) -> list[str]:
        """Read columns in parentheses; "" for an expression."""
        if self.word != "(":
            return []
        start, end = self.skip_group()
        after = self.at
        self.at = start
        found: list[str] = []
        while self.at < end:
            first = self.at
            name = self.name()
            is_column = bool(name) and self.word != "(" and self.word not in ("::", "->", "->>", "||", "+", "-", ".", "[")
            if not name and self.word == "(" and self.tokens[self.at + 1 : self.at + 2] and self.peek(2) == ")":
                name, is_column = self.folded(self.tokens[self.at + 1]), self.tokens[self.at + 1].is_name
            if name and self.word == "(" and self.peek(1).isdigit():
                is_column = True
            if name and self.word == "(" and self.at + 1 < end and self.tokens[self.at + 1].kind == Kind.NUMBER:
                is_column = True  # the length of a prefix in MySQL: `name(20)`
            found.append(name if is_column else "")
            self.at = max(self.at, first)
            while self.at < end and self.word != ",":
                if self.word == "(":
                    self.skip_group()
                else:
                    self.at += 1
            self.at += 1
        self.at = after
        return found
