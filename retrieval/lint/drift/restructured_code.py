"""Find the code in reStructuredText: literals in double backticks, roles for code, and the lines of literal and code blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_LITERAL: Final = re.compile(r"(?<!`)``(?!`)(?P<code>[^`\n]{1,200}?)``(?!`)")
#: A role that names code, such as `:func:`, and its target, which may follow a title in angle brackets.
_ROLE: Final = re.compile(
    r":(?:\w+:)?(?:class|func|meth|attr|exc|data|const|obj|option|envvar|code)"
    r":`(?:[^`<>\n]{1,100}<)?[~!.]?(?P<code>[^`<>\n]{1,200})>?`"
)
_UNDERLINE: Final = re.compile(r"([=\-~^\"'`#*+:._<>])\1{2,}[ \t]*$")
_DIRECTIVE: Final = re.compile(r"[ \t]*\.\.[ ]+(?P<name>[\w:-]+)::[ \t]*(?P<argument>.*)")
_COMMENT: Final = re.compile(r"[ \t]*\.\.(?:[ ]|$)")
#: Directives whose bodies are code. The argument is the language.
_CODE: Final = frozenset(("code", "code-block", "sourcecode", "literal", "parsed-literal", "prompt", "console", "highlight"))


class RestructuredCode(NamedTuple):
    """A literal, or a line of a block of code."""

    line: int
    column: int
    text: str
    #: The language of the block; None for a literal.
    language: str | None
    title: str
    #: The paragraph around a literal, or the line of a block.
    context: str


class _Block(NamedTuple):
    """Text that is indented more than the line that opened it."""

    indentation: int
    #: The language if the text is code, None for a comment.
    language: str | None


def code_in_restructured_text(text: str) -> Iterator[RestructuredCode]:
    """Yield the code of a document in reStructuredText."""
    lines = text.split("\n")
    title = ""
    block: _Block | None = None
    paragraph: list[int] = []
    for index, line in enumerate([*lines, ""]):
        if block is not None and (not line.strip() or _indentation(line) > block.indentation):
            if line.strip() and block.language is not None:
                stripped = line.strip()[:400]
                yield RestructuredCode(index + 1, 1, stripped, block.language, title, stripped)
            continue
        block = None
        if not line.strip():
            yield from _literals(lines, paragraph, title)
            block = _literal_block(lines, paragraph)
            paragraph = []
        elif _UNDERLINE.fullmatch(line) is not None and len(paragraph) == 1 and lines[paragraph[0]][:1].strip():
            title = lines[paragraph[0]]
            yield from _literals(lines, paragraph, title)
            paragraph = []
        elif (directive := _DIRECTIVE.match(line)) is not None:
            yield from _literals(lines, paragraph, title)
            paragraph = [index]
            if directive["name"] in _CODE:
                block, paragraph = _Block(_indentation(line), directive["argument"].strip().lower()), []
        elif _COMMENT.match(line) is not None:
            yield from _literals(lines, paragraph, title)
            block, paragraph = _Block(_indentation(line), None), []
        else:
            paragraph.append(index)


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _literal_block(lines: list[str], paragraph: list[int]) -> _Block | None:
    """Return the block of code that a paragraph announces by `::` at its end."""
    if not paragraph or not lines[paragraph[-1]].rstrip().endswith("::") or _DIRECTIVE.match(lines[paragraph[-1]]) is not None:
        return None
    return _Block(_indentation(lines[paragraph[-1]]), "")


def _literals(lines: list[str], paragraph: list[int], title: str) -> Iterator[RestructuredCode]:
    context = " ".join(lines[index].strip() for index in paragraph)
    for index in paragraph:
        for pattern in (_LITERAL, _ROLE):
            for found in pattern.finditer(lines[index]):
                yield RestructuredCode(index + 1, found.start("code") + 1, found["code"].strip(), None, title, context)
