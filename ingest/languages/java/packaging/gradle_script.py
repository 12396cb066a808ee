"""Parse Gradle scripts in Groovy and Kotlin into statements and blocks, without running them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

#: Strings, comments and names of both languages. A string without an end quote ends with its line.
_TOKEN: Final = re.compile(
    r"""
    (?P<comment> //[^\n]* | /\*.*?(?:\*/|\Z) )
    | (?P<long> \"\"\"(?P<long_double>.*?)(?:\"\"\"|\Z) | '''(?P<long_single>.*?)(?:'''|\Z) )
    | (?P<double> "(?P<in_double>(?:\\.|[^"\\\n])*)"? )
    | (?P<single> '(?P<in_single>(?:\\.|[^'\\\n])*)'? )
    | (?P<word> [A-Za-z_$][\w$]* | `[^`\n]*` )
    | (?P<number> \d[\w.]* )
    | (?P<end> [\n;] )
    | (?P<sign> [^\s] )
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
#: Signs after which a statement continues on the next line.
_OPEN_ENDS: Final = frozenset("(,=+.[:&|?")


class Token(msgspec.Struct, frozen=True, gc=False):
    """A string, name, number or sign."""

    #: "string", "word", "number" or "sign".
    kind: str
    text: str
    line: int
    #: Whether a value replaces `$name` and `${name}` in the string.
    has_values: bool = False


class Statement(msgspec.Struct):
    """Tokens up to the end of a line, and the statements of the block that may follow."""

    tokens: list[Token]
    block: list[Statement] | None = None

    @property
    def name(self) -> str:
        """The first name; "" for a statement that begins with something else."""
        return self.tokens[0].text if self.tokens and self.tokens[0].kind == "word" else ""


def parse_script(text: str) -> list[Statement]:
    """Return the statements of a script. Text that is not a script has statements without meaning."""
    top: list[Statement] = []
    blocks = [top]
    tokens: list[Token] = []
    #: Number of open parentheses in each block around the current place.
    depths = [0]

    def finish(block: list[Statement] | None = None) -> None:
        nonlocal tokens
        if tokens or block is not None:
            blocks[-1].append(Statement(tokens, block))
        tokens = []

    for token in _tokens(text):
        if token.kind == "end":
            is_open = bool(tokens) and tokens[-1].kind == "sign" and tokens[-1].text in _OPEN_ENDS
            if token.text == ";" or (depths[-1] == 0 and not is_open):
                finish()
        elif token.kind == "sign" and token.text == "{":
            inner: list[Statement] = []
            finish(inner)
            blocks.append(inner)
            depths.append(0)
        elif token.kind == "sign" and token.text == "}":
            finish()
            if len(blocks) > 1:
                blocks.pop()
                depths.pop()
        else:
            if token.kind == "sign" and token.text in "([":
                depths[-1] += 1
            elif token.kind == "sign" and token.text in ")]":
                depths[-1] = max(depths[-1] - 1, 0)
            tokens.append(token)
    finish()
    return top


def _tokens(text: str) -> Iterator[Token]:
    line, last = 1, 0
    for found in _TOKEN.finditer(text):
        line += text.count("\n", last, found.start())
        last = found.start()
        kind = found.lastgroup or ""
        if kind == "comment":
            continue
        if found["long"] is not None:
            double = found["long_double"]
            yield Token("string", double if double is not None else found["long_single"] or "", line, double is not None)
        elif found["double"] is not None:
            yield Token("string", _ESCAPE.sub(r"\1", found["in_double"]), line, True)
        elif found["single"] is not None:
            yield Token("string", _ESCAPE.sub(r"\1", found["in_single"]), line)
        elif kind == "word":
            yield Token("word", found["word"].strip("`"), line)
        else:
            yield Token(kind, found[0], line)
