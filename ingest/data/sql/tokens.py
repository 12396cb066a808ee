"""Split SQL into tokens, in time linear in its length, for any dialect and for broken text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple


class Kind:
    """Kinds of tokens."""

    WORD: Final = 1
    #: An identifier in quotes; the text of the token lacks the quotes.
    QUOTED: Final = 2
    STRING: Final = 3
    NUMBER: Final = 4
    SIGN: Final = 5
    #: A parameter: `$1`, `?`, `:name`, `@name`, `%(name)s`.
    PARAMETER: Final = 6
    COMMENT: Final = 7


class Token(NamedTuple):
    """A token, with its offsets in characters."""

    kind: int
    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        """The token in upper case if it is a word, its text if it is a sign, else ""."""
        return self.text.upper() if self.kind == Kind.WORD else self.text if self.kind == Kind.SIGN else ""

    @property
    def is_name(self) -> bool:
        """Whether the token may be a name."""
        return self.kind in (Kind.WORD, Kind.QUOTED)


_TOKEN: Final = re.compile(
    r"""
    (?P<space>\s++)
    |(?P<comment>--[^\n]*+)
    |(?P<block>/\*)
    |(?P<dollar>\$(?:[A-Za-z_]\w*+)?\$)
    |(?P<escaped>[eE]'(?:[^'\\]++|''|\\.)*+'?)
    |(?P<string>(?:[nNbBxX]|[uU]&)?'(?:[^']++|'')*+'?)
    |(?P<quoted>"(?:[^"]++|"")*+"?|`(?:[^`]++|``)*+`?)
    |(?P<bracket>\[[A-Za-z_][\w $.-]*+\])
    |(?P<number>\d++(?:\.\d++)?(?:[eE][+-]?\d++)?)
    |(?P<parameter>\$\d++|\?|%\(\w++\)s|(?<!:):[A-Za-z_]\w*+|@{1,2}\w++|\{\w*+\})
    |(?P<word>[^\W\d][\w$\#]*+)
    |(?P<sign>::|:=|<=|>=|<>|!=|\|\||->>?|\#>>?|.)
    """,
    re.VERBOSE | re.DOTALL,
)
#: A string in which a backslash escapes the next character, as in MySQL.
_BACKSLASHED: Final = re.compile(r"'(?:[^'\\]++|''|\\.)*+'?", re.DOTALL)


def tokens_of(
    text: str, start: int = 0, end: int | None = None, *, backslashes: bool = False, missing: set[str] | None = None
) -> Iterator[Token]:
    """Yield the tokens of SQL between two offsets, with comments.

    A token without an end extends to the end of the text. `backslashes` is true if a backslash escapes a quote in all strings.
    `missing` collects the closing delimiters that are missing in the rest of a text, so that they are searched only once.
    """
    stop = len(text) if end is None else end
    missing = set() if missing is None else missing
    at = start
    while at < stop:
        match = _TOKEN.match(text, at, stop)
        if match is None:
            return
        group, at = match.lastgroup, match.end()
        begin = match.start()
        if group == "space":
            continue
        if group == "word":
            yield Token(Kind.WORD, match[0], begin, at)
        elif group == "sign":
            yield Token(Kind.SIGN, match[0], begin, at)
        elif group == "comment":
            yield Token(Kind.COMMENT, match[0], begin, at)
        elif group in ("block", "dollar"):
            closer = "*/" if group == "block" else match[0]
            found = text.find(closer, at, stop) if closer not in missing else -1
            if found < 0:
                missing.add(closer)
                if group == "dollar":
                    yield Token(Kind.SIGN, match[0], begin, at)
                    continue
            at = found + len(closer) if found >= 0 else stop
            yield Token(Kind.COMMENT if group == "block" else Kind.STRING, text[begin:at], begin, at)
        elif group == "string" and backslashes:
            escaped = _BACKSLASHED.match(text, text.index("'", begin), stop)
            at = escaped.end() if escaped is not None else at
            yield Token(Kind.STRING, text[begin:at], begin, at)
        elif group in ("string", "escaped"):
            yield Token(Kind.STRING, match[0], begin, at)
        elif group == "quoted":
            sign = match[0][0]
            yield Token(Kind.QUOTED, match[0][1:].removesuffix(sign).replace(sign * 2, sign), begin, at)
        elif group == "bracket":
            if begin and (text[begin - 1].isalnum() or text[begin - 1] in '_]"'):
                at = begin + 1  # an array of PostgreSQL
                yield Token(Kind.SIGN, "[", begin, at)
            else:
                yield Token(Kind.QUOTED, match[0][1:-1], begin, at)
        elif group == "number":
            yield Token(Kind.NUMBER, match[0], begin, at)
        else:
            yield Token(Kind.PARAMETER, match[0], begin, at)


def string_value(token: Token) -> str:
    """Return the text of a string of SQL, without its quotes."""
    text = token.text
    if text.startswith("$"):
        mark = text[: text.index("$", 1) + 1]
        return text[len(mark) : -len(mark)]
    body = text[text.find("'") + 1 :].removesuffix("'")
    return body.replace("''", "'")
