"""Find lines of code that assign the values of a failing line, and lines that contain a string."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from os.path import splitext

_WORD = re.compile(r"[A-Za-z_$][\w$]*")
#: The left side of an assignment: `total`, `const total`, `Price total`, `total: Price`, `total, error :`, `self.total`.
#: Quantifiers are possessive, so that a line without an assignment takes linear time.
_ASSIGNED = re.compile(r"(?P<left>[^=!<>()\"'`{}+\-*/%&|^]++)=(?![=>])")


def assigning_lines(lines: Sequence[str], first: int, failing: int) -> Iterator[int]:
    """Yield the lines from `first` up to the failing line that assign a name which the failing line uses.

    Lines are numbered from 1. Takes linear time.
    """
    if not 0 < first <= failing <= len(lines):
        return
    used = set(_WORD.findall(lines[failing - 1]))
    for number in range(first, failing):
        found = _ASSIGNED.match(lines[number - 1])
        if found and not used.isdisjoint(_assigned_names(found["left"])):
            yield number


def _assigned_names(left: str) -> Iterator[str]:
    """Yield the last name of each part. A type or a keyword may precede the name, and an annotation may follow it."""
    for part in left.split(","):
        if words := _WORD.findall(part.partition(":")[0]):
            yield words[-1]


def quoted_file(name: str) -> str:
    """Return a pattern for a string literal that is the path of a file, or of its built JavaScript.

    The literal has a folder or an extension, because a single word is seldom a path.
    """
    stem, extension = map(re.escape, splitext(name))
    extensions = rf"(?:{extension}|\.[cm]?js)"
    return rf"['\"`](?:[^'\"`\s]*/{stem}{extensions}?|{stem}{extensions})['\"`]"


def quoted_package(name: str) -> str:
    """Return a pattern for a string literal that is the name of a package, or a path inside the package."""
    return rf"['\"`]{re.escape(name)}(?:/[^'\"`\s]*)?['\"`]"


def quoted_type(name: str) -> str:
    """Return a pattern for a string literal that is the qualified name of a type: `"shop.Cart"` or `"shop::Cart"`."""
    return rf"['\"`](?:\w+(?:[.$/]|::))+{re.escape(name)}['\"`]"


def quoting_lines(text: str, words: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield the number of each line that contains a word as a whole string literal, with the word. Takes linear time."""
    if not words:
        return
    pattern = re.compile(rf"(['\"`])(?P<word>{'|'.join(map(re.escape, sorted(words)))})\1")
    for number, line in enumerate(text.split("\n"), 1):
        for found in pattern.finditer(line):
            yield number, found["word"]
