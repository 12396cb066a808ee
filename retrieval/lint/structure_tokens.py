"""Source text as the numbers of its tokens, in which every name is one number and every literal another.

Code that differs in names and literals alone gives the same numbers; keywords and punctuation, which make the structure, stay
apart. This runs when duplicates are asked for, over the indexed text: fingerprints stored while indexing would cost every
index what few questions need.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

NAME, LITERAL = 1, 2
_FIRST_WORD = 3
_KEYWORD_TEXT = """
    async await break case catch class const continue debugger default delete do else enum export extends false finally for
    function if implements import in instanceof interface let new null of private protected public readonly return static
    super switch this throw true try type typeof undefined var void while with yield abstract as satisfies keyof infer is
    namespace declare override get set
"""
KEYWORDS = frozenset(_KEYWORD_TEXT.split())
#: Behind these a slash begins a regular expression; behind an operand it divides.
_REGEX = r"(?<=[(,=:\[!&|?{};+\-*%~^<>])\s*/(?![*/])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*"
_TOKEN = re.compile(
    r"""
    (?P<blank>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<literal>`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\d[\w.]*|\.\d[\w]*)
  | (?P<word>\#?[^\W\d][\w$]*|\$[\w$]*)
  | (?P<mark>=>|\?\.|\?\?=?|\.\.\.|===|!==|==|!=|<=|>=|&&=?|\|\|=?|\+\+|--|\*\*=?|[-+*/%&|^]=|[^\s\w])
    """,
    re.VERBOSE | re.DOTALL,
)
_REGEX_TOKEN = re.compile(_REGEX)


class Token(NamedTuple):
    """A token: its number as structure, its text, and the offset of its first character."""

    number: int
    text: str
    start: int


def structure_tokens(source: str) -> array[int]:
    """The numbers of the tokens of a piece of source."""
    return array("q", (token.number for token in located_tokens(source)))


def located_tokens(source: str) -> Iterator[Token]:
    """The tokens of a piece of source. The text of a regular expression is that of any other."""
    # A quote inside a regular expression would open a string. As many characters keep the offsets.
    for match in _TOKEN.finditer(_REGEX_TOKEN.sub(_filled, source)):
        kind = match.lastgroup
        if kind == "blank":
            continue
        text = match.group()
        if kind == "literal":
            yield Token(LITERAL, text, match.start())
        elif kind == "word":
            yield Token(_number(text) if text in KEYWORDS else NAME, text, match.start())
        elif text != ";":  # Semicolons are a matter of style.
            yield Token(_number(text), text, match.start())


def _filled(regex: re.Match[str]) -> str:
    """A number as long as a regular expression, behind the blanks that stood before it."""
    blanks = len(regex.group()) - len(regex.group().lstrip())
    return regex.group()[:blanks] + "0" * (len(regex.group()) - blanks)


@cache
def _number(text: str) -> int:
    """A number for a keyword or mark that is the same in every process."""
    value = 0
    for character in text:
        value = value * 1_114_112 % 2_147_483_647 + ord(character)
    return _FIRST_WORD + value
