"""Source text as the numbers of its tokens, in which every name is one number and every literal another.

Code that differs only in names and literals gives the same numbers; keywords and punctuation, which make the structure, stay
distinct. This runs when duplicates are requested, over the indexed text: fingerprints stored while indexing would cost every
index what few questions need.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ...schema.languages import BY_NAME, RESOLVED, language_of

NAME, LITERAL = 1, 2
_FIRST_WORD = 3
_KEYWORD_TEXT = """
    async await break case catch class const continue debugger default delete do else enum export extends false finally for
    function if implements import in instanceof interface let new null of private protected public readonly return static
    super switch this throw true try type typeof undefined var void while with yield abstract as satisfies keyof infer is
    namespace declare override get set
"""
KEYWORDS = frozenset(_KEYWORD_TEXT.split())
#: Texts after which a slash begins a regular expression; after an operand it divides.
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
#: Forms of other languages: strings of several lines, which hold the docs of Python, and comments after `#` and `--`. `$#` and
#: `${#name}` of shells are no comments.
_TEXT_BLOCK = r"(?P<block>\"{3}.*?\"{3}|'{3}.*?'{3})"
_COMMENTS = {"#": r"(?<![${\w])\#[^\n]*", "--": r"--(?:\[\[.*?\]\]|[^\n]*)"}


class Token(NamedTuple):
    """A token: its number as structure, its text, and the offset of its first character."""

    number: int
    text: str
    start: int


def structure_tokens(source: str, path: str = "") -> array[int]:
    """Return the numbers of the tokens in a piece of source."""
    return array("q", (token.number for token in located_tokens(source, path)))


def located_tokens(source: str, path: str = "") -> Iterator[Token]:
    """Yield the tokens in a piece of source. The text of a regular expression is treated like any other."""
    language = language_of(path) or ""
    if language in BY_NAME and language not in RESOLVED:
        pattern = _pattern(language)
    else:
        # A quote inside a regular expression would open a string. As many characters keep the offsets.
        pattern, source = _TOKEN, _REGEX_TOKEN.sub(_filled, source)
    for match in pattern.finditer(source):
        kind = match.lastgroup
        if kind in ("blank", "comment"):
            continue
        text = match.group()
        if kind in ("literal", "block"):
            yield Token(LITERAL, text, match.start())
        elif kind == "word":
            yield Token(_number(text) if text in KEYWORDS else NAME, text, match.start())
        elif text != ";":  # Semicolons are a matter of style.
            yield Token(_number(text), text, match.start())


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """Return the pattern for the tokens of a syntax-only language."""
    comment = BY_NAME[language].comment
    tokens = _TOKEN.pattern
    if comment != "//":
        # What divides to whole numbers in Python and Lua would hide the rest of a line.
        tokens = tokens.replace(r"\s+|//[^\n]*|/\*.*?\*/", r"\s+")
        tokens = f"(?P<comment>{_COMMENTS[comment]})|{tokens}"
    return re.compile(f"{_TEXT_BLOCK}|{tokens}", re.VERBOSE | re.DOTALL)


def _filled(regex: re.Match[str]) -> str:
    """Return a number as long as a regular expression, after the blanks before it."""
    blanks = len(regex.group()) - len(regex.group().lstrip())
    return regex.group()[:blanks] + "0" * (len(regex.group()) - blanks)


@cache
def _number(text: str) -> int:
    """Return a number for a keyword or mark that is equal in every process."""
    value = 0
    for character in text:
        value = value * 1_114_112 % 2_147_483_647 + ord(character)
    return _FIRST_WORD + value
