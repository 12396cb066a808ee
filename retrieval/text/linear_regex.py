"""Match regular expressions of users in linear time, for every pattern.

Only this module imports RE2, which supports neither backreferences nor look-around.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from ...schema.errors import UsageError
from .unicode_classes import with_unicode_classes

#: Makes `^` and `$` match at every line.
_MULTILINE = "(?m)"
#: Maximum memory of the automaton of a pattern, in bytes. Patterns that need more memory would be slow, and are refused.
_MAX_MEMORY = 16 << 20
#: Maximum memory of the automaton in bytes after `\w`, `\d` and `\s` were expanded to their Unicode ranges.
_MAX_UNICODE_MEMORY = 1 << 20


class Span(NamedTuple):
    """Byte offsets at which a match begins and ends."""

    start: int
    end: int


class _Engine(Protocol):
    def search(self, text: bytes, pos: int, endpos: int) -> Any: ...


class LinearRegex:
    """A compiled pattern over UTF-8 text."""

    def __init__(self, engine: _Engine) -> None:
        """Callers use `compile_regex` instead."""
        self._engine = engine

    def find(self, text: bytes, start: int, end: int) -> Span | None:
        """Return the first match between two byte offsets, or None.

        `^` and `\\b` take the text outside the offsets into account.
        """
        found = self._engine.search(text, start, end)
        return Span(*found.span()) if found is not None else None

    def matches(self, text: str) -> bool:
        """Return whether the pattern matches anywhere in the text."""
        encoded = text.encode("utf-8", "surrogateescape")
        return self.find(encoded, 0, len(encoded)) is not None


def compile_query(pattern: str, *, case_sensitive: bool) -> LinearRegex:
    """Compile a pattern from a query: each match is on one line, and `\\w`, `\\d` and `\\s` cover Unicode if memory allows.

    Raises UsageError for a pattern that cannot be compiled.
    """
    expanded = with_unicode_classes(pattern)
    try:
        compile_regex(expanded, case_sensitive=case_sensitive, within_lines=True, max_memory=_MAX_UNICODE_MEMORY)
    except UsageError:
        # Hundreds of repeated Unicode classes would take seconds. For an invalid pattern, the next call raises an error.
        expanded = pattern
    return compile_regex(expanded, case_sensitive=case_sensitive, within_lines=True)


def compile_regex(
    pattern: str, *, case_sensitive: bool = True, within_lines: bool = False, max_memory: int = _MAX_MEMORY
) -> LinearRegex:
    """Compile a pattern in which `^` and `$` match at every line, and `.` matches no line break.

    `within_lines` keeps each match on one line. Raises UsageError for a pattern that cannot be compiled, or that needs
    more than `max_memory` bytes.
    """
    import re2

    options = re2.Options()
    options.max_mem = max_memory
    options.never_nl = within_lines
    options.log_errors = False
    options.case_sensitive = case_sensitive
    compiled: Any = re2.compile
    try:
        return LinearRegex(compiled(f"{_MULTILINE}{pattern}".encode(), options))
    except (re2.error, UnicodeEncodeError) as error:
        raise UsageError(f"The pattern {_short(pattern)!r} cannot be compiled: {_reason(error)}.") from error


def escaped(text: str) -> str:
    """Return a pattern that matches exactly the text."""
    return "".join(character if character.isalnum() else f"\\x{{{ord(character):x}}}" for character in text)


def _short(pattern: str) -> str:
    return pattern if len(pattern) <= 80 else pattern[:79] + "…"


def _reason(error: Exception) -> str:
    detail = error.args[0] if error.args else ""
    text = detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)
    text = text.replace(_MULTILINE, "", 1)
    if "invalid perl operator" in text:
        return f"{text} (look-around is not supported)"
    if "missing" in text:
        return f"{text} (a bracket that is meant as text needs a backslash)"
    return f"{text} (backreferences are not supported)" if "invalid escape sequence" in text else text
