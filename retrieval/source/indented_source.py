"""Excerpts of languages of which there is an outline alone: bodies are told by lines and indentation, not by brackets.

What their strings and comments look like differs too much for one reading of brackets. The outline says where declarations begin
and end; that is enough for whole symbols in the shells of what holds them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...schema.languages import BY_NAME, Language, language_of
from ...schema.records import SymbolRef
from ...schema.symbol_kinds import MEMBER_KINDS
from .source_lines import SourceLines

#: Lines in which the head of a declaration has ended.
_MAX_HEAD_LENGTH = 30
#: The end of a head, by the layout of the language; a comment may stand behind it.
_HEAD_ENDS = {
    "braces": re.compile(r"\{\s*(?://.*|/\*.*)?$"),
    "indented": re.compile(r":\s*(?:#.*)?$"),
}
#: Lines that close a body and hold nothing else of interest.
_CLOSES = re.compile(r"\s*(?:[)\]}]+[;,]?|end|\)|\}.*|end[.);\w\s]*|#endif.*)\s*(?://.*|#.*|/\*.*)?$")


@dataclass(frozen=True, slots=True)
class Frame:
    """The lines around what stands in a declaration, both ends included."""

    opening: tuple[int, int]
    #: None where nothing closes it, as in Python.
    closing: tuple[int, int] | None


def outlined(path: str) -> Language | None:
    """The language of a file of which there is an outline alone; None for a file whose code is resolved."""
    language = BY_NAME.get(language_of(path) or "")
    return None if language is None or language.is_resolved else language


def frame_of(language: Language, source: SourceLines, outer: SymbolRef, inner: SymbolRef) -> Frame | None:
    """The frame of a declaration around one of those in it; None where they share a line, or it is no type."""
    if inner.start_line <= outer.declaration_line or outer.kind not in MEMBER_KINDS | {"expression"}:
        return None
    opening = (outer.declaration_line, head_end(language, source, outer, inner.start_line - 1))
    closes = outer.end_line > inner.end_line and _CLOSES.match(source.line(outer.end_line)) is not None
    return Frame(opening, (outer.end_line, outer.end_line) if closes else None)


def head_end(language: Language, source: SourceLines, symbol: SymbolRef, last: int) -> int:
    """The last line of the head of a declaration, at most `last`."""
    pattern = _HEAD_ENDS.get(language.layout)
    first = symbol.declaration_line
    if pattern is not None:
        for line in range(first, min(last, first + _MAX_HEAD_LENGTH) + 1):
            if pattern.search(source.line(line)):
                return line
    return min(first, last)


def stub_line(language: Language, indentation: str, signature: str) -> str:
    """What stands for a member whose body is left out."""
    ends = {"braces": ";", "indented": ": ...", "ended": "; end"}
    return f"{indentation}{signature.rstrip('; ')}{ends[language.layout]}"
