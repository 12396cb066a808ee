"""What the composition of answers asks of a parser, which is none of this layer's: excerpts must be valid source.

Excerpts are made by the signs of their text alone, which is fast and nearly always right. One that is no valid source is made
again, by the brackets that the parser sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class SourceSyntax(Protocol):
    """A parser of source text; the path tells the language."""

    def is_valid(self, path: str, text: str) -> bool:
        """Whether a text has no syntax error."""

    def brackets(self, path: str, text: str) -> Sequence[tuple[str, int]]:
        """What opens and closes in a text, in order, each with its line from 0.

        Brackets, "<" and ">" around types, "element" and "/element", "tag" and "/tag" for the first tag of an element.
        """
