"""Find the visibility that a word in a body sets for the members after it: `private:` in C++, `private` in Ruby."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Section(NamedTuple):
    """A visibility word with its offsets, and the body in which it applies to all later members."""

    start: int
    end: int
    body: int
    body_end: int
    word: str


class Sections:
    """Finds the visibility word that applies at an offset. Callers must pass offsets in ascending order."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._waiting = list(reversed(sections))
        #: The sections that apply in the bodies around the last offset, one for each body.
        self._open: list[Section] = []

    def word_at(self, place: int, outer: int) -> str:
        """Return the word that applies at the offset `place` in the body of a type that starts at `outer`, or ""."""
        while self._waiting and self._waiting[-1].start <= place:
            section = self._waiting.pop()
            self._close(section.start)
            if self._open and self._open[-1].body == section.body:
                self._open.pop()
            self._open.append(section)
        self._close(place)
        return self._open[-1].word if self._open and self._open[-1].body >= outer else ""

    def _close(self, place: int) -> None:
        while self._open and self._open[-1].body_end <= place:
            self._open.pop()
