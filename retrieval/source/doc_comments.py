"""Find the names that doc comments declare, and the lines of doc comments that an excerpt omits."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

#: Maximum number of lines of a doc comment that is shown with a used declaration.
MAX_COMMENT_LENGTH = 5

_WORD = re.compile(r"[\w$]+")
#: Innermost braces in a comment, such as the braces of a type.
_BRACES = re.compile(r"\{[^{}]*\}")
#: A tag that declares the name of a type. All types in braces are already removed.
_NAMING_TAG = re.compile(r"@(?:typedef|callback)\s+(?:\*\s+)*([\w$.]+)")
#: A line of a comment; the group is the text without the marks of the comment.
_LINE_START = re.compile(r"\s*(?:/\*\*|\*(?!/))?\s*(?P<text>[^\n]*?)\s*(?:\*/)?\s*")
#: The start of a statement that declares variables, with the declared names.
_DECLARATION = re.compile(r"\s*(?:(?:const|let|var)\b|(?=[\w$]+\s*(?:[=,;:]|$))|(?=[{\[]))(?P<names>[^=;]*)")


def long_comments(lines: Sequence[str], first: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of doc comments in some lines, numbered from `first`, that are too long to show."""
    begun = 0
    for number, text in enumerate(lines, first):
        line = text.strip()
        if line.startswith("/**"):
            begun = number
        if begun and line.endswith("*/"):
            if number - begun >= MAX_COMMENT_LENGTH:
                yield begun, number
            begun = 0


def undeclaring_lines(lines: Sequence[str], first: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each part of a doc comment other than its `@template` tags, which declare type parameters.

    `first` is the number of the first line. A comment that defines types, or has no `@template`, is shown whole.
    """
    text = "\n".join(lines)
    if "@template" not in text or "@typedef" in text or "@callback" in text:
        return
    begun, is_tag = 0, False
    for number, line in enumerate(lines, first):
        stripped = _text_of(line)
        if stripped.startswith("@") or not stripped:
            is_tag = stripped.startswith("@template")
        is_shown = is_tag or number in (first, first + len(lines) - 1)
        if is_shown and begun:
            yield begun, number - 1
        begun = 0 if is_shown else begun or number


def _text_of(line: str) -> str:
    found = _LINE_START.fullmatch(line)
    return found["text"] if found else line.strip()


def words_of(lines: Sequence[str]) -> set[str]:
    return {word for line in lines for word in _WORD.findall(line)}


def is_needed_by(words: Collection[str], lines: Sequence[str], imported: Collection[str]) -> bool:
    """Return whether a comment or statement declares one of the words; `imported` are the names that comments import.

    The result is also true for statements other than plain declarations, such as loops.
    """
    text = "\n".join(lines)
    if text.lstrip().startswith("/*"):
        declared = _named_types(text) | (words_of(lines) & set(imported) if "@import" in text else set())
        return not declared or not declared.isdisjoint(words)
    declaration = _DECLARATION.match(text)
    return declaration is None or not words_of([declaration["names"]]).isdisjoint(words)


def _named_types(comment: str) -> set[str]:
    while (without := _BRACES.sub("", comment)) != comment:
        comment = without
    return {name.rpartition(".")[2] for name in _NAMING_TAG.findall(comment)}
