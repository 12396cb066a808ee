"""Finds lines in the text of code: those that assign the values of a failing line, and those that contain a string."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

_WORD = re.compile(r"[A-Za-z_$][\w$]*")
#: The left side of an assignment: `total`, `const total`, `Price total`, `total, error :`, `self.total`.
_ASSIGNED = re.compile(r"\s*(?P<left>[^=!<>()\"'`{}+\-*/%&|^]+?)\s*:?=(?![=>])")


def assigning_lines(lines: Sequence[str], first: int, failing: int) -> Iterator[int]:
    """Yield the lines from `first` up to the failing one that assign a name which the failing line uses.

    Lines are numbered from 1. Takes linear time.
    """
    if not 0 < first <= failing <= len(lines):
        return
    used = set(_WORD.findall(lines[failing - 1]))
    for number in range(first, failing):
        found = _ASSIGNED.match(lines[number - 1])
        # The last word of each part is the name: a type or a keyword may stand before it.
        if found and any(words[-1] in used for part in found["left"].split(",") if (words := _WORD.findall(part))):
            yield number


def quoting_lines(text: str, words: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield the number of each line that contains a word as a whole string literal, with the word. Takes linear time."""
    if not words:
        return
    pattern = re.compile(rf"(['\"`])(?P<word>{'|'.join(map(re.escape, sorted(words)))})\1")
    for number, line in enumerate(text.split("\n"), 1):
        for found in pattern.finditer(line):
            yield number, found["word"]
