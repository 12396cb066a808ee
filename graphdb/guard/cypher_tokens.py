"""Split Cypher into the same tokens as the lexer of the engine.

If this tokenizer and the engine might disagree about what is code and what is text, the statement is refused. Examples are a pair
of `*` inside a comment, an unknown escape, and a carriage return without a line feed after `//`. The rules follow the engine's
grammar (Cypher.g4).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ...schema.errors import QueryRejected

_SPACE = r" \t\n\x0b\f\r\x1c\x1d\x1e\x1f\u1680\u180e\u2000-\u200a\u2028\u2029\u205f\u3000\u00a0\u202f"
_ESCAPE = r"\\(?:[\\'\"BbFfNnRrTt]|[Xx][0-9A-Fa-f]{2}|[Uu][0-9A-Fa-f]{4}(?:[0-9A-Fa-f]{4})?)"
_TOKEN = re.compile(
    rf"""
    (?P<space>[{_SPACE}]+)
  | (?P<comment>/\*(?:[^*]|\*[^*/])*\*/|//[^\n\r]*(?:\r?\n|\Z))
  | (?P<string>"(?:[^"\\]|{_ESCAPE})*"|'(?:[^'\\]|{_ESCAPE})*')
  | (?P<number>(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)[Ee]-?[0-9]+|[0-9]*\.[0-9]+|[0-9]+)
  | (?P<quoted>(?:`[^`]*`)+)
  | (?P<parameter>\$(?:[0-9]+|[^\W\d]\w*))
  | (?P<word>[^\W\d]\w*)
  | (?P<symbol>\.\.|<>|<=|>=|=~|[-+*/%^=<>()\[\]{{}},.:|;&])
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """`kind` is string, number, quoted, parameter, word or symbol.

    `text` is the source text, without the quotes of a quoted name.
    """

    kind: str
    text: str
    #: Offset in the statement.
    start: int

    @property
    def keyword(self) -> str:
        """The token in capitals if it is an unquoted ASCII word, else "".

        All keywords are ASCII words.
        """
        return self.text.upper() if self.kind == "word" and self.text.isascii() else ""


def tokenize(statement: str) -> list[Token]:
    """Return the tokens without blanks and comments. Raises QueryRejected at the first character that begins no token."""
    tokens: list[Token] = []
    position = 0
    while position < len(statement):
        match = _TOKEN.match(statement, position)
        if match is None or not _is_name(match):
            message = f"The query cannot be read at character {position + 1}: {_excerpt(statement, position)}"
            raise QueryRejected(message, position)
        kind = str(match.lastgroup)
        if kind not in ("space", "comment"):
            text = match.group()
            tokens.append(Token(kind, text[1:-1].replace("``", "`") if kind == "quoted" else text, position))
        position = match.end()
    return tokens


def parameter_names(statement: str) -> set[str]:
    """Return the names after `$` in the statement, outside of strings and comments."""
    return {token.text[1:] for token in tokenize(statement) if token.kind == "parameter"}


def _is_name(match: re.Match[str]) -> bool:
    # `\w` admits a few characters, such as a raised 2, that no identifier has.
    return match.lastgroup != "word" or match.group().isidentifier()


def _excerpt(statement: str, position: int) -> str:
    rest = statement[position : position + 30].split("\n")[0]
    return rest or "end of text"
