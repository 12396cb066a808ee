"""A position in the text of a diagram, with its line number. The position only moves forward."""

from __future__ import annotations

import re

from ..drawing import DiagramSyntaxError

_SPACE = re.compile(r"[^\S\n]*")
_ALL_SPACE = re.compile(r"\s*")


class Scanner:
    """Reads a text from the left to the right. Lines count from 1."""

    def __init__(self, text: str, start: int = 0) -> None:
        self.text = text
        self.at = start
        self._counted = start
        self._line = text.count("\n", 0, start) + 1

    @property
    def line(self) -> int:
        """The line of the current position."""
        if self.at < self._counted:
            self._line -= self.text.count("\n", self.at, self._counted)
        else:
            self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line

    @property
    def is_done(self) -> bool:
        """Whether the text is at its end."""
        return self.at >= len(self.text)

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Move past a pattern if the text matches it."""
        found = pattern.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
        return found

    def take(self, word: str) -> bool:
        """Move past a word if the word is next."""
        if self.text.startswith(word, self.at):
            self.at += len(word)
            return True
        return False

    def skip_space(self) -> bool:
        """Move past space within the line, and return whether there was any."""
        before = self.at
        self.match(_SPACE)
        return self.at > before

    def skip_all_space(self) -> bool:
        """Move past space and line breaks, and return whether there were any."""
        before = self.at
        self.match(_ALL_SPACE)
        return self.at > before

    def until(self, end: str) -> str | None:
        """Move past the next occurrence of a text and return the text before it; return None and do not move if there is none."""
        found = self.text.find(end, self.at)
        if found < 0:
            return None
        taken = self.text[self.at : found]
        self.at = found + len(end)
        return taken

    def rest_of_line(self) -> str:
        """Move to the end of the line and return the text before it."""
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        taken = self.text[self.at : end]
        self.at = end
        return taken

    def failure(self, expected: str) -> DiagramSyntaxError:
        """Return the error with the expected and the actual text."""
        found = self.text[self.at : self.at + 40].split("\n", 1)[0].strip()
        return DiagramSyntaxError(self.line, f"expected {expected}, but found {found!r}" if found else f"expected {expected}")
