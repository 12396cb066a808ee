"""Adds separators after members that end at a line end, where the grammars would continue the member.

In TypeScript a type member ends before a line that begins with `<` or `(` (a call signature). The grammar continues the member,
as is right for expressions. A field without a value ends before the line of a generator method, but the grammar reads a
multiplication.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .brackets import enclosing_brackets, end_of_code_before
from .edits import Edit, GapSource

_LINE_STARTING_SIGNATURE: Final = re.compile(rb"\n[ \t\r\f\v]*(?=[(<])")
_USUAL_LINE_STARTING_SIGNATURE: Final = re.compile(rb"\n(?: *|\t*)[(<]")
_ARROW_BODY: Final = re.compile(rb"=>\s*\{")
_LINE_STARTING_GENERATOR: Final = re.compile(
    rb"\n[ \t\r\f\v]*(?P<star>\*)[ \t]*(?:[\w$#\x80-\xff]+|\[[^\]\n]*\]|[\"'][^\n\"']*[\"'])\s*\("
)
_OPENS_METHOD: Final = re.compile(rb"\s*[:{]")
_LINE_STARTING_BRACKET: Final = re.compile(rb"[ \t\r]*\n\s*(?=[(\[`])")
_NAME_ALONE: Final = re.compile(rb"[\w$?\s\x80-\xff]*\Z")
_ENDS_MEMBER: Final = re.compile(rb"[\w$)\]}'\"`>/\x80-\xff]\Z")
_CONTINUATION: Final = re.compile(
    rb"(?:=>|(?:^|[^\w$.])(?:extends|keyof|typeof|readonly|is|infer|new|in|as|get|set|asserts|unique|satisfies|abstract))\Z"
)
_INTERFACE_HEADER: Final = re.compile(rb"(?:^|[^\w$.])interface\s+[\w$\x80-\xff]+[^;{}]*\Z")
_TYPE_BEFORE: Final = re.compile(rb"(?:[:|&<\[?(,]|(?<!=)=|(?:^|[^\w$.])(?:as|extends|keyof|satisfies|readonly|is))\Z")
_MAYBE_TYPE_BEFORE: Final = re.compile(rb"(?:=>|>|[\w$])\Z")
_STATEMENT_BEFORE: Final = re.compile(rb"(?:^|[^\w$.])(?:else|try|finally|do|static)\Z")
_ANNOTATED: Final = re.compile(rb"\s*:")

#: Content of braces: statements or a value.
NOT_A_TYPE: Final = 0
#: Content of braces: members of a type, or something else.
MAYBE_A_TYPE: Final = 1
#: Content of braces: members of a type.
A_TYPE: Final = 2


def unseparated_call_signatures(source: GapSource) -> Iterator[Edit]:
    """Put a semicolon before each call signature that begins a line after another type member."""
    mask = source.mask
    ends = _ends_before(mask, [found.end() for found in _LINE_STARTING_SIGNATURE.finditer(mask)])
    for signature, opening in enclosing_brackets(mask, list(ends)):
        body = _body_kind(mask, opening) if opening >= 0 else NOT_A_TYPE
        if body == A_TYPE or (body == MAYBE_A_TYPE and _is_annotated(source, signature)):
            yield from _semicolon_between(source, ends[signature], signature)


def plain_call_signatures(source: GapSource) -> Iterator[Edit]:
    """Yield the edits of `unseparated_call_signatures` that are also right in code without errors.

    A signature below a line with only a name is left out, because it may be the signature of a method with this name.
    """
    data, mask = source.data, source.mask
    lines = (found.end() - 1 for found in _USUAL_LINE_STARTING_SIGNATURE.finditer(data))
    ends = _ends_before(mask, [start for start in lines if mask[start] == data[start]])
    annotated = [start for start, end in ends.items() if not _is_name_alone(mask, end) and _is_annotated(source, start)]
    for signature, opening in enclosing_brackets(mask, annotated):
        if opening >= 0 and _body_kind(mask, opening) != NOT_A_TYPE:
            yield from _semicolon_between(source, ends[signature], signature)


def fields_before_generators(source: GapSource) -> Iterator[Edit]:
    """Put a semicolon before each line that begins like a generator method, after a possible field."""
    mask = source.mask
    parameters = {found.start("star"): found.end() - 1 for found in _LINE_STARTING_GENERATOR.finditer(mask)}
    methods = [star for star, opening in parameters.items() if _begins_body(mask, source.closing(opening))]
    for star, end in _ends_before(mask, methods).items():
        yield from _semicolon_between(source, end, star)


def ends_of_arrows(source: GapSource) -> Iterator[Edit]:
    """Put a semicolon after the body of an arrow function before a line that begins with a bracket.

    The body ends the expression and cannot be called or indexed, so the line is the next statement or class member.
    """
    mask = source.mask
    for found in _ARROW_BODY.finditer(mask):
        end = source.closing(found.end() - 1)
        following = _LINE_STARTING_BRACKET.match(mask, end) if end > 0 else None
        if following is not None:
            yield from _semicolon_between(source, end, following.end())


def _begins_body(mask: bytes, after_parameters: int) -> bool:
    return after_parameters >= 0 and _OPENS_METHOD.match(mask, after_parameters) is not None


def _ends_before(mask: bytes, signatures: list[int]) -> dict[int, int]:
    """Map each offset before which a member may end to the end of that member. Other offsets are left out."""
    ends = ((signature, end_of_code_before(mask, signature)) for signature in signatures)
    return {signature: end for signature, end in ends if _ends_member(mask, end)}


def _is_name_alone(mask: bytes, end: int) -> bool:
    return _NAME_ALONE.match(mask[mask.rfind(b"\n", 0, end) + 1 : end]) is not None


def _ends_member(mask: bytes, end: int) -> bool:
    before = mask[max(0, end - 12) : end]
    return _ENDS_MEMBER.search(before) is not None and _CONTINUATION.search(before) is None


def _body_kind(mask: bytes, brace: int) -> int:
    """Return the content of the bracket at an offset: `A_TYPE`, `MAYBE_A_TYPE` or `NOT_A_TYPE`."""
    if mask[brace] != ord("{"):
        return NOT_A_TYPE
    end = end_of_code_before(mask, brace)
    before = mask[max(0, end - 12) : end]
    if _TYPE_BEFORE.search(before):
        return A_TYPE
    if _STATEMENT_BEFORE.search(before) or not _MAYBE_TYPE_BEFORE.search(before):
        return NOT_A_TYPE
    if _INTERFACE_HEADER.search(mask[max(0, end - 600) : end]):
        return A_TYPE
    return MAYBE_A_TYPE


def _is_annotated(source: GapSource, signature: int) -> bool:
    """Return whether a parameter list with a return type begins at `signature`."""
    mask, parameters = source.mask, signature
    if mask[signature] == ord("<"):
        after = source.closing(signature)
        if after < 0:
            return False
        parameters = after + len(mask[after : after + 200]) - len(mask[after : after + 200].lstrip())
    if mask[parameters : parameters + 1] != b"(":
        return False
    after = source.closing(parameters)
    return after >= 0 and _ANNOTATED.match(mask, after) is not None


def _semicolon_between(source: GapSource, end: int, start: int) -> Iterator[Edit]:
    """Put a semicolon into the white space between the code that ends at `end` and the code that begins at `start`."""
    for place in (start - 1, end):
        if source.data[place] in b" \t\r":
            yield Edit(place, place + 1, b";")
            return
