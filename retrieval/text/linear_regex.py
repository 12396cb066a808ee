"""Regular expressions from outside, by an engine whose time grows with the text alone, whatever the pattern.

The one module that imports RE2. It knows neither backreferences nor look-around, which linear time rules out.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from ...schema.errors import UsageError
from .unicode_classes import with_unicode_classes

#: Makes `^` and `$` match at every line.
_EVERY_LINE = "(?m)"
#: Bytes that the automaton of one pattern may take. A pattern that needs more is refused, never run slowly.
_MAX_MEMORY = 16 << 20
#: The same for a pattern whose classes are those of Unicode.
_MEMORY_OF_CLASSES = 1 << 20


class Span(NamedTuple):
    """Where a match begins and ends, in bytes."""

    start: int
    end: int


class _Engine(Protocol):
    def search(self, text: bytes, pos: int, endpos: int) -> Any: ...


class LinearRegex:
    """A compiled pattern over UTF-8 text."""

    def __init__(self, engine: _Engine) -> None:
        """Use `compile_regex`."""
        self._engine = engine

    def find(self, text: bytes, start: int, end: int) -> Span | None:
        """The first match at or behind an offset that ends before another; what stands around them counts for `^` and `\\b`."""
        found = self._engine.search(text, start, end)
        return Span(*found.span()) if found is not None else None

    def matches(self, text: str) -> bool:
        """Whether a match lies anywhere in the text."""
        encoded = text.encode("utf-8", "surrogateescape")
        return self.find(encoded, 0, len(encoded)) is not None


def compile_query(pattern: str, *, case_sensitive: bool) -> LinearRegex:
    """A pattern that somebody asks for: every match lies on one line, and classes are those of Unicode, where these fit.

    Raises UsageError for what cannot be compiled.
    """
    written = with_unicode_classes(pattern)
    try:
        compile_regex(written, case_sensitive=case_sensitive, within_lines=True, most_memory=_MEMORY_OF_CLASSES)
    except UsageError:
        # Repeated hundreds of times they would take seconds; or the pattern is none, and what is wrong with it is told.
        written = pattern
    return compile_regex(written, case_sensitive=case_sensitive, within_lines=True)


def compile_regex(
    pattern: str, *, case_sensitive: bool = True, within_lines: bool = False, most_memory: int = _MAX_MEMORY
) -> LinearRegex:
    """The pattern, with `^` and `$` at every line and `.` within one; `within_lines` keeps every match to one line.

    Raises UsageError for what cannot be compiled, or needs more bytes than it may.
    """
    import re2

    options = re2.Options()
    options.max_mem = most_memory
    options.never_nl = within_lines
    options.log_errors = False
    options.case_sensitive = case_sensitive
    compiled: Any = re2.compile
    try:
        return LinearRegex(compiled(f"{_EVERY_LINE}{pattern}".encode(), options))
    except (re2.error, UnicodeEncodeError) as error:
        raise UsageError(f"The pattern {_short(pattern)!r} cannot be compiled: {_reason(error)}.") from error


def escaped(text: str) -> str:
    """A pattern that matches exactly the text."""
    return "".join(character if character.isalnum() else f"\\x{{{ord(character):x}}}" for character in text)


def _short(pattern: str) -> str:
    return pattern if len(pattern) <= 80 else pattern[:79] + "…"


def _reason(error: Exception) -> str:
    detail = error.args[0] if error.args else ""
    text = detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)
    text = text.replace(_EVERY_LINE, "", 1)
    if "invalid perl operator" in text:
        return f"{text} (look-around is not supported)"
    if "missing" in text:
        return f"{text} (a bracket that is meant as text needs a backslash)"
    return f"{text} (backreferences are not supported)" if "invalid escape sequence" in text else text
