"""Statements without drawings that several kinds of mermaid diagrams share."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .preamble import MermaidSource

#: A title or a description for screen readers.
ACCESSIBILITY = re.compile(r"acc(?:Title\s*:[^\n]*|Descr\s*(?::[^\n]*|\{[^{}]*\}))")
#: The direction of a diagram or a group.
TURN = re.compile(r"direction[^\S\n]+(?:TB|BT|RL|LR|TD)\b[^\n]*")
_TITLE = re.compile(r"title(?::|[^\S\n])\s*(.*)", re.DOTALL)


def statements(source: MermaidSource) -> Iterator[tuple[int, str]]:
    """Yield the non-empty lines of a diagram without indentation, and their numbers.

    Descriptions for screen readers are left out.
    """
    text = source.text[source.start :]
    if "acc" in text:
        text = ACCESSIBILITY.sub(lambda match: "\n" * match[0].count("\n"), text)
    for number, line in enumerate(text.split("\n"), source.line):
        stripped = line.strip()
        if stripped and not stripped.startswith("%%"):
            yield number, stripped


def without_comment(text: str) -> str:
    """Return the text before `#` or `;`. Either sign ends a statement in simple grammars."""
    return text.partition("#")[0].partition(";")[0].strip()


def title_of(text: str) -> str | None:
    """Return the title in a statement, or None if the statement is not a title."""
    match = _TITLE.fullmatch(text)
    return match[1] if match is not None else None


def unwrapped(quoted: str) -> str:
    """Return a quoted text without the backticks that mark it as Markdown."""
    return quoted[1:-1] if len(quoted) > 1 and quoted[0] == quoted[-1] == "`" else quoted
