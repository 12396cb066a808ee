"""Convert source text to the numbers of its tokens: all names have one number, and all literals have another number.

Each keyword and each punctuation mark has its own number. The numbers are computed when duplicates are requested: stored
fingerprints would slow down every index for a rare request.
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
#: Texts after which a slash begins a regular expression. After an operand, a slash is a division.
_REGEX = r"(?<=[(,=:\[!&|?{};+\-*%~^<>])\s*/(?![*/])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,300}\]){1,500}/[a-z]*"
#: A comment without an end reaches to the end of the file: otherwise, each beginning of a comment would be followed to the end.
_TOKEN = re.compile(
    r"""
    (?P<blank>\s+|//[^\n]*|/\*.*?(?:\*/|\Z))
  | (?P<literal>`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\d[\w.]*|\.\d[\w]*)
  | (?P<word>\#?[^\W\d][\w$]*|\$[\w$]*)
  | (?P<mark>=>|\?\.|\?\?=?|\.\.\.|===|!==|==|!=|<=|>=|&&=?|\|\|=?|\+\+|--|\*\*=?|[-+*/%&|^]=|[^\s\w])
    """,
    re.VERBOSE | re.DOTALL,
)
_REGEX_TOKEN = re.compile(_REGEX)
#: Syntax of other languages: strings of several lines, such as Python docstrings, and comments after `#` and `--`. `$#` and
#: `${#name}` in shell scripts are not comments.
_TEXT_BLOCK = r"(?P<block>\"{3}.*?\"{3}|'{3}.*?'{3})"
_COMMENTS = {"#": r"(?<![${\w])\#[^\n]*", "--": r"--(?:\[\[.*?(?:\]\]|\Z)|[^\n]*)"}


class Token(NamedTuple):
    """A token: the number of its structure, its text, and the offset of its first character."""

    number: int
    text: str
    start: int


def structure_tokens(source: str, path: str = "") -> array[int]:
    """Return the number of each token in a piece of source, as in `Token`."""
    return array("q", (token.number for token in located_tokens(source, path)))


def located_tokens(source: str, path: str = "") -> Iterator[Token]:
    """Yield the tokens in a piece of source. The text of a regular expression is compared like any other text."""
    language = language_of(path) or ""
    if language in BY_NAME and language not in RESOLVED:
        pattern = _pattern(language)
    else:
        # Regular expressions may contain quotes. The replacement has the same length, so offsets stay valid.
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
        # `//` is integer division in Python and Lua.
        tokens = tokens.replace(r"\s+|//[^\n]*|/\*.*?(?:\*/|\Z)", r"\s+")
        tokens = f"(?P<comment>{_COMMENTS[comment]})|{tokens}"
    return re.compile(f"{_TEXT_BLOCK}|{tokens}", re.VERBOSE | re.DOTALL)


def _filled(regex: re.Match[str]) -> str:
    """Return a numeric literal of the same length as the matched regular expression, after the blanks before it."""
    blanks = len(regex.group()) - len(regex.group().lstrip())
    return regex.group()[:blanks] + "0" * (len(regex.group()) - blanks)


@cache
def _number(text: str) -> int:
    """Return the number of a keyword or punctuation mark. The number is the same in every process."""
    value = 0
    for character in text:
        value = value * 1_114_112 % 2_147_483_647 + ord(character)
    return _FIRST_WORD + value
