"""Source text as the numbers of its tokens, in which every name is one number and every literal another.

Code that differs in names and literals alone gives the same numbers; keywords and punctuation, which make the structure, stay
apart. This runs when duplicates are asked for, over the indexed text: fingerprints stored while indexing would cost every
index what few questions need.
"""

from __future__ import annotations

import re
from array import array
from functools import cache

_NAME, _LITERAL = 1, 2
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


def structure_tokens(source: str) -> array[int]:
    """The tokens of a piece of source."""
    # A quote inside a regular expression would open a string.
    numbers = array("q")
    for match in _TOKEN.finditer(_REGEX_TOKEN.sub("0", source)):
        kind = match.lastgroup
        if kind == "blank":
            continue
        text = match.group()
        if kind == "literal":
            numbers.append(_LITERAL)
        elif kind == "word":
            numbers.append(_number(text) if text in KEYWORDS else _NAME)
        elif text != ";":  # Semicolons are a matter of style.
            numbers.append(_number(text))
    return numbers


@cache
def _number(text: str) -> int:
    """A number for a keyword or mark that is the same in every process."""
    value = 0
    for character in text:
        value = value * 1_114_112 % 2_147_483_647 + ord(character)
    return _FIRST_WORD + value
