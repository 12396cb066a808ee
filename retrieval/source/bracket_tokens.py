"""The brackets of source text, told by its signs alone, and what may hold brackets that are none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

#: What may hold brackets that are none (comments, text of elements, regular expressions, strings), and the brackets. A quote
#: without its pair on the line is an apostrophe in JSX text.
_TOKEN = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | >[^<>{}]*(?=</)
    | (?:(?<=[(,=:\[!&|?{};])|(?<=[(,=:\[!&|?{};][ ])|(?<=return[ ])) /(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/
    | '(?:[^'\\\n]|\\.)*' | "(?:[^"\\\n]|\\.)*" | [`()\[\]{}]""",
    re.VERBOSE | re.DOTALL,
)
#: What ends a template or goes on with code in it; what code in a template may hold that looks like its end.
_IN_TEMPLATE = re.compile(r"\\.|`|\$\{", re.DOTALL)
_IN_CODE = re.compile(r"""//[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[`{}]""", re.DOTALL)
_NOT_LINE_END = re.compile(r"[^\n]")
OPENERS = {")": "(", "]": "[", "}": "{", ">": "<", "/element": "element", "/tag": "tag"}


class Bracket(NamedTuple):
    """A bracket, and the line it stands on."""

    sign: str
    line: int
    #: Nothing but blanks stands before it, so that its indentation tells what it belongs to.
    leads: bool

    @property
    def closes(self) -> bool:
        """Whether it ends something."""
        return self.sign in OPENERS


def tokens(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each bracket, and of what may hold brackets that are none."""
    at = 0
    while match := _TOKEN.search(text, at):
        start, at = match.span()
        if text[start] == "`":
            at = _template_end(text, start)
        yield start, at


def _template_end(text: str, start: int) -> int:
    """The end of a template, of the text where it does not end in that; code in it may hold further templates."""
    inside, at = ["`"], start + 1
    while inside:
        match = (_IN_TEMPLATE if inside[-1] == "`" else _IN_CODE).search(text, at)
        if match is None:
            return len(text)
        at = match.end()
        if match[0] in ("`", "}") and (match[0] == "}" or inside[-1] == "`"):
            inside.pop()
        elif match[0] in ("`", "{", "${"):
            inside.append(match[0][-1])
    return at


def indentation(line: str) -> int:
    """Blanks before the first sign of a line."""
    return len(line) - len(line.lstrip())


def text_brackets(text: str, first: int = 1) -> Iterator[Bracket]:
    """The brackets of a text whose first line has a number, those in strings and comments left out."""
    line, counted, begins = first, 0, 0
    for at, end in tokens(text):
        if end == at + 1 and text[at] != ">":
            if passed := text.count("\n", counted, at):
                line += passed
                begins = text.rindex("\n", counted, at) + 1
            counted = at
            yield Bracket(text[at], line, not text[begins:at].strip())


def without_comments(lines: Sequence[str]) -> list[str]:
    """Some lines without their comments, and without the blanks around them."""
    text = "\n".join(lines)
    at, kept = 0, []
    for start, end in tokens(text):
        if text.startswith(("//", "/*"), start):
            kept += [text[at:start], _NOT_LINE_END.sub("", text[start:end])]
            at = end
    return [line.strip() for line in "".join([*kept, text[at:]]).split("\n")]
