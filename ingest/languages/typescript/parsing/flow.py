"""Gaps of the TSX grammar for JavaScript with Flow annotations.

The TSX grammar reads much of Flow itself: annotations, casts in parentheses, `?T`, exact objects, `import typeof`. The rest is
blanked, so that the values around it are read. Most blanked syntax matters little to the graph (variance, exactness, predicates),
but spreads in object types are lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....symbols.byte_ranges import blank
from .edits import Edit, Finder, GapSource, blanks

_NAME: Final = rb"[A-Za-z_$][\w$]*"
_OBJECT_TYPE: Final = re.compile(rb"(?:(?<![\w$])type\s+" + _NAME + rb"[^={};]{0,2000}=\s*|[<|&]\s*|:\s*\??\s*(?=\{\|))\{\|?")
_SPREAD: Final = re.compile(rb"(?<=[{,|;\s])\.\.\.(?=\s*[\w$({])")
_UNPARENTHESISED_PARAMETER: Final = re.compile(rb"(?<=[:=|&<,(])([ \t]+)(" + _NAME + rb")[ \t]+=>")
_PREDEFINED: Final = frozenset((b"any", b"boolean", b"mixed", b"number", b"string", b"symbol", b"void"))
_UNNAMED_PARAMETERS: Final = rb"\(\s*((?:\?\s*" + _NAME + rb"|" + _NAME + rb"(?:<[^<>()]*>|\[\])?\s*\|)[^():]*)\)\s*=>"


def object_type_spreads(source: GapSource) -> Iterator[Edit]:
    """Blank the spread `...Props` in object types, up to the separator after it."""
    for found in _OBJECT_TYPE.finditer(source.mask):
        opening = source.mask.index(b"{", found.start())
        body_end = source.closing(opening)
        if body_end > 0:
            end = opening
            for spread in _SPREAD.finditer(source.mask, opening, body_end):
                if spread.start() < end:
                    continue  # the spread is in a blanked member
                end = _end_of_member(source, spread.end())
                yield Edit(spread.start(), end, blank(source.data[spread.start() : end]))


def parameters_without_parentheses(source: GapSource) -> Iterator[Edit]:
    """Rewrite `Key => Value` as `(Key)=> Value`."""
    for found in _UNPARENTHESISED_PARAMETER.finditer(source.mask):
        for place, bracket in ((found.start(2) - 1, b"("), (found.end(2), b")")):
            yield Edit(place, place + 1, bracket)
        if found[2] in _PREDEFINED:
            last = found.end(2) - 1
            yield Edit(last, last + 1, source.data[last : last + 1].swapcase())


def _end_of_member(source: GapSource, start: int) -> int:
    """Return the offset after the separator that ends a member, or of the bracket that ends its object."""
    mask, position = source.mask, start
    while position < len(mask):
        character = mask[position : position + 1]
        if character in b",;":
            return position + 1
        if character in b"})]|>":
            return position
        after = source.closing(position) if character in b"{([<" else -1
        position = after if after > 0 else position + 1
    return position


#: Names of gaps, each with the finder of the edits that repair the gap.
FLOW_FINDERS: Final[tuple[tuple[str, Finder], ...]] = (
    ("inexact object type", blanks(rb"(?<=[{,;|\s])(\.\.\.,?)(?=\s*\|?\})")),
    ("spread in an object type", object_type_spreads),
    ("variance of a member", blanks(rb"[{,;|\n(]\s*(?:static\s+)?([+-])(?=(?:" + _NAME + rb"|[\"']_*[\"'])\s*\??\s*[:(<]|\[)")),
    ("variance of a type parameter", blanks(rb"[<,]\s*([+-])(?=" + _NAME + rb"\s*[,>:=])")),
    ("declare export", blanks(rb"(?<![\w$.])(declare)\s+export(?![\w$])")),
    ("opaque type", blanks(rb"(?<![\w$.])(opaque)\s+type(?![\w$])")),
    ("supertype of an opaque type", blanks(rb"(?<![\w$.])opaque\s+type\s+" + _NAME + rb"(?:<[^<>]*>)?\s*(:[^=;{}]{0,2000})=")),
    ("parameter without parentheses", parameters_without_parentheses),
    ("parameters without names", blanks(_UNNAMED_PARAMETERS)),
    ("type of an enum", blanks(rb"(?<![\w$.])enum\s+" + _NAME + rb"\s+(of\s+" + _NAME + rb")(?=\s*\{)")),
    ("checks predicate", blanks(rb"(:?\s*%checks(?:\([^()]*\))?)")),
    ("empty type arguments", blanks(rb"(?<=[\w$])(<>)")),
    ("mixins", blanks(rb"(?<![\w$.])(mixins\s+[\w$.,\s<>]{1,2000})(?=\{|implements)")),
    ("inline interface", blanks(rb"[:=|&(<,]\s*(interface)(?=\s*\{)")),
    ("optional indexed access", blanks(rb"(\?\.)(?=\[)")),
    ("maybe function", blanks(rb"[:<,|&(]\s*(\?)(?=\s*\()")),
    ("iterator member", blanks(rb"(@@)(?=(?:asyncI|i)terator)")),
)
